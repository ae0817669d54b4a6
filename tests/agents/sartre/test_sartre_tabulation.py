"""SARTRE as a table: the same probabilities as in play, with buckets of strength and texture."""

from pathlib import Path

import numpy as np
import pytest

from railbird.agent import MatchStart
from railbird.agents.sartre.agent import Sartre, Sartre2009
from railbird.agents.sartre.imitator import Retrieval
from railbird.agents.sartre.imitators import Combination, Sartre2011
from railbird.agents.sartre.sequences import betting_sequence
from railbird.agents.sartre.tabulation import TabulationError, betting_sequences
from railbird.arena.run.contest import match
from railbird.engine.games import named_game
from railbird.engine.setup import Setup
from railbird.engine.state import State
from railbird.hands.boards import Texture, texture
from railbird.hands.holdings import blocked_by, cards_of
from railbird.hands.isomorphism import SITUATIONS, situation
from railbird.kernels.hands.board_textures import texture_of
from railbird.learning.packs import watch
from railbird.observation import Observation
from railbird.rng import Stream
from railbird.strategies.card_abstraction import BucketFinder, CardAbstraction, of_situations
from railbird.strategies.streets import limit_tree
from railbird.strategies.table_strategy import WHOLE

SMALL = named_game("limit-2p:raises=1/1/0/0")
PLAYERS = ("one", "other")


@pytest.fixture(scope="module")
def hands(tmp_path_factory: pytest.TempPathFactory) -> Path:
    log = tmp_path_factory.mktemp("watched") / "hands.log"
    match(["pokibot", "rulebot"], hands=60, seed=6, log=log)
    return log


@pytest.fixture(scope="module")
def packs(hands: Path) -> list[str]:
    found = []
    for players in ((), ("rulebot",)):
        found.append(str(hands.with_name(f"{len(players)}.parquet")))
        watch(hands, players, system="sartre:strength=ehs2-4", output=Path(found[-1]))
    return found


@pytest.fixture(scope="module")
def categories(hands: Path) -> str:
    pack = hands.with_name("categories.parquet")
    watch(hands, system="sartre:strength=categories,solutions=single", output=pack)
    return str(pack)


@pytest.mark.parametrize("combination", [None, "vote", "ensemble"])
def test_the_table_says_what_the_agent_does(packs: list[str], combination: Combination | None) -> None:
    agent: Sartre | Sartre2011 = (
        Sartre(packs[0], reuse="probabilistic")
        if combination is None
        else Sartre2011("+".join(packs), combination, "probabilistic")
    )
    require_same(agent)


@pytest.mark.parametrize("retrieval", ["equal", "nearest"])
def test_the_table_of_categories_says_what_the_agent_does(categories: str, retrieval: Retrieval) -> None:
    require_same(Sartre(categories, "graded", retrieval, "probabilistic"))


def test_the_table_says_what_sartre_2009_does() -> None:
    require_same(Sartre2009())


def require_same(agent: Sartre | Sartre2011) -> None:
    """The table has what the agent states with some holdings in all situations of some hands."""
    table = agent.table(SMALL)
    finder, tree = BucketFinder(table.cards), table.tree
    sequences = {word: node for node, word in enumerate(betting_sequences(tree)) if tree.actors[node] >= 0}
    agent.begin_match(MatchStart(SMALL, "one", PLAYERS, Stream.from_seed(1)))
    chosen = np.random.default_rng(4)
    for number in range(12):
        state = State.deal(Setup.of(SMALL), Stream.from_seed(number))
        while state.actor is not None:
            observation = Observation.of(state, state.actor, PLAYERS, number)
            node = sequences[betting_sequence(state.node)]
            buckets = finder.on_board(observation.board)
            holdings = chosen.choice(np.flatnonzero(~blocked_by(observation.board)), 5, replace=False)
            stated = agent.strategies(observation, holdings)
            for place, holding in enumerate(holdings.tolist()):
                assert finder.bucket(cards_of(holding), observation.board) == buckets[holding]
                known = table.parts(node, int(buckets[holding]))
                by_action = {
                    str(tree.action(node, letter)): part for letter, part in enumerate(known) if part
                }
                for action, chance in stated.row(place):
                    assert by_action.get(str(action), 0) == pytest.approx(chance * WHOLE, abs=1.0)
            choices = state.node.choices
            state.act(choices[int(chosen.integers(len(choices)))])


def test_sequences_of_a_tree_are_those_of_hands() -> None:
    tree = limit_tree(named_game("limit-2p"))
    sequences = betting_sequences(tree)
    assert len({sequences[node] for node in tree.decisions.tolist()}) == len(tree.decisions)
    assert "crrc-crrc-cc-" in sequences


def test_cases_with_other_descriptions_of_hands_are_no_table(hands: Path, tmp_path: Path) -> None:
    watch(hands, system="sartre:strength=ehs-4", output=tmp_path / "cases.parquet")
    with pytest.raises(TabulationError, match="not by ehs-4"):
        Sartre(str(tmp_path / "cases.parquet")).table(SMALL)


def test_cases_that_describe_hands_differently_are_no_table(packs: list[str], categories: str) -> None:
    with pytest.raises(TabulationError, match="not by categories and by ehs2-4"):
        Sartre2011(f"{packs[0]}+{categories}").table(SMALL)


def test_what_depends_on_earlier_hands_is_no_table(packs: list[str]) -> None:
    with pytest.raises(TabulationError, match="depends on earlier hands"):
        Sartre2011("+".join(packs), "dynamic").table(SMALL)


def test_compiled_textures_are_those_of_boards() -> None:
    chosen = np.random.default_rng(1)
    seen = set()
    for cards in (3, 4, 5):
        for _ in range(400):
            board = tuple(chosen.choice(52, cards, replace=False).tolist())
            assert texture_of(np.array(board, dtype=np.uint8)) == texture(board)
            seen.add(texture(board))
    assert seen == set(Texture)


def test_every_situation_has_the_texture_of_its_board() -> None:
    found = of_situations(3, texture)
    for index in range(0, SITUATIONS[3], 9973):
        assert found[index] == texture(situation(index, 3)[1])


def test_buckets_are_counted_anew_for_each_texture() -> None:
    cards = CardAbstraction.parse("textures:50/40/30")
    assert str(cards) == "textures:50/40/30"
    assert cards.buckets == (169, 450, 360, 270)
    finder = BucketFinder(cards)
    board = (0, 5, 22, 36, 50)
    for size, count in ((3, 50), (4, 40), (5, 30)):
        buckets = finder.on_board(board[:size])
        assert set((buckets[buckets >= 0] // count).tolist()) == {int(texture(board[:size]))}
