"""Several imitators: votes, means of their cases, and the choice of one by its results."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from railbird.agent import HandResult, MatchStart
from railbird.agents.sartre.agent import Sartre
from railbird.agents.sartre.cases import STAGES
from railbird.agents.sartre.imitators import Combination, ImitatorsError, Record, Sartre2011, select
from railbird.arena.run.contest import match
from railbird.cbr.case_base import CaseBase
from railbird.cbr.packs.files import Pack, write_pack
from railbird.engine.actions import CALL, FOLD
from railbird.engine.games import named_game
from railbird.engine.setup import Setup
from railbird.engine.state import State
from railbird.explanation import TableSection
from railbird.hands.holdings import blocked_by, cards_of
from railbird.learning.packs import watch
from railbird.learning.systems import system_named
from railbird.observation import Observation
from railbird.rng import Stream

RULES = named_game("limit-2p")
PLAYERS = ("sartre", "other")
START = MatchStart(RULES, PLAYERS[0], PLAYERS, Stream.from_seed(1))


def opening() -> Observation:
    return Observation.of(State.deal(Setup.of(RULES), Stream.from_seed(3)), 1, PLAYERS)


def opinion(path: Path, counts: dict[str, int]) -> str:
    """A pack with one case before the flop, which therefore decides everything there."""
    bases = {stage: CaseBase(schema) for stage, schema in system_named("sartre").table.schemas.items()}
    for solution, times in counts.items():
        for _ in range(times):
            bases[STAGES[0]].add({"hole cards": 80, "betting sequence": ""}, solution, 0.0, merge=True)
    write_pack(Pack("sartre", bases), path)
    return str(path)


def combined(tmp_path: Path, combination: Combination, opinions: Sequence[dict[str, int]]) -> Sartre2011:
    packs = [opinion(tmp_path / f"{number}.parquet", each) for number, each in enumerate(opinions)]
    agent = Sartre2011("+".join(packs), combination)
    agent.begin_match(START)
    return agent


@pytest.mark.parametrize(
    ("opinions", "action"),
    [
        ([{"fold": 1}, {"call": 9}, {"call": 1}], "call"),
        ([{"fold": 1}, {"call": 9}, {"raise": 1}], "fold"),
        ([{"fold": 1}, {"call": 9}, {"raise": 1}, {"raise": 2}, {"call": 1}], "call"),
        ([{"fold": 1}, {"raise": 9}, {"call": 1}, {"call": 2}, {"raise": 1}], "raise"),
    ],
)
def test_most_votes_decide_and_the_first_imitator_breaks_ties(
    tmp_path: Path, opinions: list[dict[str, int]], action: str
) -> None:
    agent = combined(tmp_path, "vote", opinions)
    decision = agent.act(opening())
    assert decision.action.kind.name.lower() == action
    assert f"imitators would {action}" in decision.explanation.summary


def test_imitators_are_called_by_whom_they_imitate(tmp_path: Path) -> None:
    agent = Sartre2011(f"sartre+sartre-simbot+{opinion(tmp_path / 'ann.parquet', {'call': 1})}")
    agent.begin_match(START)
    table = agent.act(opening()).explanation.sections[0]
    assert isinstance(table, TableSection)
    assert table.columns[0] == "imitator of"
    assert [row[0] for row in table.rows] == ["Equilibrium", "Simbot", "ann"]


def test_an_ensemble_takes_the_greatest_mean_probability(tmp_path: Path) -> None:
    # Two of three prefer folding, but all together call more.
    opinions = [{"fold": 6, "call": 4}, {"fold": 6, "call": 4}, {"call": 10}]
    assert combined(tmp_path, "vote", opinions).act(opening()).action == FOLD
    assert combined(tmp_path, "ensemble", opinions).act(opening()).action == CALL


def test_the_imitator_with_the_best_results_plays_most(tmp_path: Path) -> None:
    agent = combined(tmp_path, "dynamic", [{"fold": 1}, {"call": 1}, {"raise": 1}])
    chances = np.random.default_rng(1)
    played = [0, 0, 0]
    for number in range(3000):
        played[agent.selected_] += 1
        earned = (-0.5, 1.5, -1.0)[agent.selected_] + chances.normal(0.0, 3.0)
        chips = round(earned * RULES.small_bet)
        agent.end_hand(HandResult(0, PLAYERS, (), (chips, -chips), number))
    assert played[1] > 0.8 * sum(played)
    assert min(played) > 5
    assert agent.act(opening()).action == CALL


def test_imitators_that_never_played_come_first() -> None:
    records = [Record() for _ in range(3)]
    for place in range(3):
        assert select(records) == place
        records[place].add(5.0 - place)
    assert select(records) == 0


def test_a_new_match_forgets_the_results(tmp_path: Path) -> None:
    agent = combined(tmp_path, "dynamic", [{"fold": 1}, {"call": 1}])
    agent.end_hand(HandResult(0, PLAYERS, (), (10, -10)))
    assert agent.selected_ == 1
    agent.begin_match(START)
    assert agent.selected_ == 0
    assert agent.records_ == [Record(), Record()]


@pytest.fixture(scope="module")
def packs(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("packs")
    match(["pokibot", "rulebot"], hands=80, seed=6, log=folder / "hands.log")
    for player in ("pokibot", "rulebot"):
        watch(folder / "hands.log", [player], system="sartre", output=folder / f"{player}.parquet")
    return "+".join(str(folder / f"{player}.parquet") for player in ("pokibot", "rulebot"))


@pytest.mark.parametrize("combination", ["vote", "ensemble", "dynamic"])
def test_the_strategy_of_all_holdings_is_that_of_each(packs: str, combination: Combination) -> None:
    agent = Sartre2011(packs, combination)
    agent.begin_match(START)
    state = State.deal(Setup.of(RULES), Stream.from_seed(8))
    while state.actor is not None:
        observation = Observation.of(state, state.actor, PLAYERS)
        holdings = np.flatnonzero(~blocked_by(observation.board))[::91]
        stated = agent.strategies(observation, holdings)
        for place, each in enumerate(holdings.tolist()):
            assert stated.row(place) == agent.act(observation.holding(cards_of(each))).strategy
        assert agent.act(observation).explanation.sections
        state.act(CALL)


def test_one_imitator_alone_is_sartre(packs: str) -> None:
    one = packs.split("+")[0]
    for combination in ("vote", "ensemble", "dynamic"):
        agent, alone = Sartre2011(one, combination), Sartre(one)
        for each in (agent, alone):
            each.begin_match(START)
        state = State.deal(Setup.of(RULES), Stream.from_seed(8))
        while state.actor is not None:
            observation = Observation.of(state, state.actor, PLAYERS)
            assert agent.act(observation).strategy == alone.act(observation).strategy
            state.act(CALL)


def test_packs_must_be_different(packs: str) -> None:
    one = packs.split("+")[0]
    for wrong in (f"{one}+{one}", f"{one}+", ""):
        with pytest.raises(ImitatorsError, match="must list different packs"):
            Sartre2011(wrong).verify_game(RULES)
