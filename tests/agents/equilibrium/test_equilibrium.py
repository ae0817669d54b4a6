"""Equilibrium: plays its strategy file, in every game it has one for, and says what it looked up."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import numpy as np
import pytest

from made_up_buckets import use_made_up_buckets
from railbird.agent import Agent, MatchStart, UnsuitableGame, range_sections
from railbird.agents.equilibrium.agent import WORTH_TABLES, Equilibrium, _strategy_of
from railbird.agents.equilibrium.self_play import Draws, SelfPlay
from railbird.agents.shipped import MissingKnowledge
from railbird.arena.play import match
from railbird.arena.play.plan import MatchPlan, entrants_of
from railbird.engine.actions import CALL, Action, raise_to
from railbird.engine.games import named_game
from railbird.engine.setup import Setup
from railbird.engine.state import State
from railbird.engine.wording import Wording
from railbird.explanation import SHARE, TableSection, explanation_from_json
from railbird.hands.holdings import CLASS_NAMES, blocked_by, cards_of, class_of, format_holding, holding
from railbird.observation import Observation
from railbird.rng import Stream
from railbird.strategies.card_abstraction import CardAbstraction
from railbird.strategies.files import StrategyFileError
from railbird.strategies.table_strategy import TableStrategy
from small_strategies import random_strategy, small_tree
from strategies import random_action, random_style

GAMES = {
    "limit-2p": ("limit-2p", "fcr"),
    "limit-3p:raises=1": ("limit-3p:raises=1", "fcr"),
    "limit-3p:raises=2/1/1/1": ("limit-3p:raises=2/1/1/1", "fcr-merged"),
    "nolimit-2p": ("nolimit-2p:stack=3000", "fcpa"),
}
"""Games, and the trees of their strategies."""
PLAYERS = ("Ann", "Bob", "Cy")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a strategy for each game."""
    folder = tmp_path_factory.mktemp("strategies")
    for number, (game, actions) in enumerate(GAMES.values()):
        random_strategy(small_tree(game, actions), "percentiles:200/200/190").write(
            folder / f"{number}.strategy"
        )
    return folder


def begun(folder: Path, game: str, seed: int = 1, **options: str) -> Equilibrium:
    """The agent at the start of a match."""
    path = folder / f"{list(GAMES).index(game)}.strategy"
    agent = Equilibrium(strategy=str(path), **options)  # type: ignore[arg-type]
    rules = named_game(game)
    agent.begin_match(MatchStart(rules, "Ann", PLAYERS[: rules.players], Stream.from_seed(seed)))
    return agent


def decisions(
    agent: Equilibrium, game: str, hands: int, seed: int = 1
) -> Iterator[tuple[Observation, Action]]:
    """What the agent sees and does in hands against players who bet anything, in every seat in turn."""
    setup, random = Setup.of(named_game(game)), Random(seed)
    players = PLAYERS[: setup.rules.players]
    for hand in range(hands):
        state, style = State.deal(setup, Stream.from_seed(seed).child(hand)), random_style(random)
        while state.actor is not None:
            action = random_action(random, state.legal_actions, style)
            if state.actor == hand % len(players):
                observation = Observation.of(state, state.actor, players, hand)
                action = agent.act(observation).action
                yield observation, action
            state.act(action)


@pytest.mark.parametrize("game", GAMES)
def test_hands_against_any_bets_are_played_legally(folder: Path, game: str) -> None:
    agent = begun(folder, game)
    seen = [action.kind for observation, action in decisions(agent, game, 300)]
    assert set(seen) == {0, 1, 2}
    for observation, action in decisions(agent, game, 300):
        assert observation.legal_actions.allows(action)


@pytest.mark.parametrize("game", GAMES)
def test_the_same_seed_gives_the_same_actions(folder: Path, game: str) -> None:
    played = [[action for _, action in decisions(begun(folder, game, seed), game, 40)] for seed in (1, 1, 2)]
    assert played[0] == played[1] != played[2]


@pytest.mark.parametrize("translation", ["soft", "hard"])
def test_an_observation_is_enough_to_state_the_strategy(folder: Path, translation: str) -> None:
    agent = begun(folder, "nolimit-2p", translation=translation)
    for observation, _ in list(decisions(agent, "nolimit-2p", 40)):
        fresh = begun(folder, "nolimit-2p", translation=translation)
        again = Observation.from_json(json.loads(json.dumps(observation.to_json())))
        assert fresh.act(again).strategy == agent.act(observation).strategy


def test_probabilities_are_those_of_the_file(folder: Path) -> None:
    strategy = TableStrategy.read(folder / "0.strategy")
    agent = begun(folder, "limit-2p")
    node = strategy.tree.words.index("rcr")
    for number in range(20):
        state = State.deal(Setup.of(strategy.tree.rules), Stream.from_seed(number))
        for action in (raise_to(20), CALL, raise_to(10)):
            state.act(action)
        observation = Observation.of(state, 1, PLAYERS[:2])
        bucket = strategy.cards.on_board(observation.board, 1)[holding(observation.hole_cards)]
        stated = agent.act(observation).strategy
        assert [chance for _, chance in stated] == strategy.probabilities(node)[bucket].tolist()


@pytest.mark.parametrize("game", GAMES)
def test_all_holdings_have_the_rows_that_act_states(folder: Path, game: str) -> None:
    agent, random = begun(folder, game), Random(2)
    for observation, _ in list(decisions(agent, game, 30)):
        free = np.flatnonzero(~blocked_by(observation.board))
        found = agent.strategies(observation, free)
        assert found.probabilities.sum(axis=1) == pytest.approx(1)
        place = random.randrange(len(free))
        decision = agent.act(observation.holding(cards_of(int(free[place]))))
        assert found.row(place) == decision.strategy
    assert len(range_sections(agent, observation)) == len(found.actions)


@pytest.mark.parametrize("game", GAMES)
def test_explanations_name_the_bucket_and_its_neighbours(folder: Path, game: str) -> None:
    agent = begun(folder, game)
    read = 0
    for observation, _ in list(decisions(agent, game, 40)):
        decision = agent.act(observation)
        why = decision.explanation
        plain = json.loads(json.dumps(why.to_json()))
        assert explanation_from_json(plain).to_json() == plain
        titles = [section.title for section in why.sections]
        readings = "bets that are not in the strategy, and how it read them"
        read += readings in titles
        if "all-in by now" in why.summary:
            assert set(titles) <= {readings}
            continue
        table = why.sections[0]
        assert isinstance(table, TableSection)
        shown = {row[0]: row for row in table.rows}
        own = (
            why.facts[0].value
            if observation.board
            else CLASS_NAMES[class_of(holding(observation.hole_cards))]
        )
        assert bool(why.facts) == bool(observation.board)
        assert str(own) in why.summary
        chances = [chance for _, chance in decision.strategy]
        assert shown[own][-len(chances) :] == pytest.approx(chances, abs=1e-6)
        assert table.units[-len(chances) :] == (SHARE,) * len(chances)
        wording = Wording.at(observation.node)
        assert list(table.columns[-len(chances) :]) == [wording.name(each) for each, _ in decision.strategy]
        if observation.board:
            assert str(shown[own][1]).startswith(format_holding(holding(observation.hole_cards)))
    assert (read > 0) == (game == "nolimit-2p")


def test_a_game_without_a_strategy_is_refused(folder: Path) -> None:
    with pytest.raises(
        UnsuitableGame, match="has a strategy for .*, but not for potlimit-6max: give one with"
    ):
        Equilibrium().verify_game(named_game("potlimit-6max"))
    limit = Equilibrium(strategy=str(folder / "0.strategy"))
    with pytest.raises(UnsuitableGame, match="has a strategy for limit-2p here, but not for limit-3p"):
        limit.verify_game(named_game("limit-3p"))
    limit.verify_game(named_game("limit-2p:stack=500,carry=yes"))


def test_a_strategy_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    rules = named_game("limit-2p")
    with pytest.raises(MissingKnowledge, match="no strategy is called 'mine'"):
        Equilibrium(strategy="mine").verify_game(rules)
    with pytest.raises(MissingKnowledge, match=r"mine.strategy: cannot be read"):
        Equilibrium(strategy=str(tmp_path / "mine.strategy")).verify_game(rules)
    (tmp_path / "mine.strategy").write_text("something else")
    with pytest.raises(StrategyFileError, match="is not a strategy file"):
        Equilibrium(strategy=str(tmp_path / "mine.strategy")).verify_game(rules)


def test_its_files_are_its_strategy(folder: Path) -> None:
    assert Equilibrium(strategy=str(folder / "0.strategy")).files() == (folder / "0.strategy",)
    assert {path.suffix for path in Equilibrium().files()} <= {".strategy"}


@pytest.mark.parametrize("game", [*GAMES, "nolimit-2p:stack=3000"])
def test_hands_against_itself_are_those_that_it_would_play_if_asked(
    folder: Path, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_made_up_buckets(monkeypatch)
    _strategy_of.cache_clear()  # its buckets are others here
    number = list(GAMES).index(game if game in GAMES else "nolimit-2p")
    path = str(folder / f"{number}.strategy")
    monkeypatch.setattr(match, "make_agent", lambda _: Equilibrium(strategy=path))
    plan = MatchPlan(game, entrants_of(["random"] * named_game(game).players), 400, "seed")
    used = []
    found = Equilibrium.self_play

    def asked(self: Equilibrium, agents: Sequence[Agent], setup: Setup) -> SelfPlay | None:
        used.append(found(self, agents, setup))
        return used[-1]

    monkeypatch.setattr(Equilibrium, "self_play", asked)
    fast = match.play_match(plan, keep_log=True)
    assert used
    assert all((player is not None) == (game != "nolimit-2p") for player in used), "its stacks are others"
    monkeypatch.setattr(Equilibrium, "self_play", lambda *_: None)
    slow = match.play_match(plan, keep_log=True)
    _strategy_of.cache_clear()
    assert fast.log == slow.log
    assert fast == slow


def test_tables_are_built_before_many_hands(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    use_made_up_buckets(monkeypatch)
    made = CardAbstraction.stored_situation_table
    monkeypatch.setattr(CardAbstraction, "stored_situation_table", lambda *_: None)
    monkeypatch.setattr(CardAbstraction, "situation_table", lambda cards, street, _: made(cards, street))
    _strategy_of.cache_clear()
    seats: list[Agent] = [begun(folder, "limit-2p") for _ in range(2)]
    rules = named_game("limit-2p")
    for hands, fast in ((WORTH_TABLES - 1, False), (WORTH_TABLES, True)):
        begun(folder, "limit-2p").prepare(rules, hands, lambda *_: None)
        assert (seats[0].self_play(seats, Setup.of(rules)) is not None) == fast
    _strategy_of.cache_clear()


def test_draws_are_the_numbers_of_the_generator_in_order() -> None:
    draws, generator = Draws(np.random.default_rng(3)), np.random.default_rng(3)
    for _ in range(5000):
        assert draws.next() == generator.random()
