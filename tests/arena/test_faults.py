"""An agent that misbehaves ends in a named fault with a stated consequence, never in a lost hand or a wrong payoff."""

import numpy as np
import pytest

from fault_matches import SETUP, hands_of_faults, play, require_same_hands, spec
from misbehaving_agents import Caller, Model, Raises
from railbird.agent import Agent, Decision, make_agent
from railbird.agent.faults import ArenaFailure, Fault, as_decision
from railbird.arena.play.guard import FaultRecord, GuardedAgent, MatchVoid
from railbird.arena.play.hand import learns, listens, play_hand
from railbird.arena.play.plan import FaultPolicy
from railbird.engine.actions import CALL, Action, ActionKind, raise_to
from railbird.engine.state import State
from railbird.observation import Observation
from railbird.rng import Stream

FAULTS = {
    "Raises": (Fault.CRASH, "KeyError: 'lost'"),
    "RaisesTheUnprintable": (Fault.CRASH, "Unprintable: <exception str() failed>"),
    "Recurses": (Fault.CRASH, "RecursionError"),
    "SaysNothing": (Fault.NOT_A_DECISION, "it answered with None"),
    "SaysText": (Fault.NOT_A_DECISION, "it answered with 'call call"),
    "SaysTextAsAction": (Fault.NOT_A_DECISION, "its action is 'call'"),
    "RaisesToAFraction": (Fault.NOT_A_DECISION, "20.5"),
    "RaisesToInfinity": (Fault.NOT_A_DECISION, "its amount is too large"),
    "RaisesTooLittle": (Fault.ILLEGAL_ACTION, "it wanted to raise to 1, but may "),
    "RaisesBelowZero": (Fault.ILLEGAL_ACTION, "it wanted to raise to -20, but may "),
    "CallsWithAnAmount": (Fault.ILLEGAL_ACTION, "it wanted to call with an amount of 5"),
    "ForgesTheObservation": (Fault.ILLEGAL_ACTION, "it wanted to raise to 1000000"),
    "Exits": (Fault.DISCONNECT, "it exited with SystemExit"),
}


def check_a_faulty_match(name: str, seed: int) -> None:
    fault, words = FAULTS[name]
    guard = GuardedAgent("suspect", make_agent(spec(name)))
    require_same_hands(play(guard, seed), play(Model(), seed))
    assert guard.forfeited
    assert [record.fault for record in guard.records] == [fault] * 3
    assert all(words in record.detail for record in guard.records)
    assert all(number is not None and number % 2 == 1 for number in hands_of_faults(guard))


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_costs_the_decision_and_the_third_one_the_match(name: str) -> None:
    for seed in range(5):
        check_a_faulty_match(name, seed)


@pytest.mark.soak
@pytest.mark.parametrize("name", FAULTS)
def test_a_hundred_faults_of_each_kind(name: str) -> None:
    for seed in range(100):
        check_a_faulty_match(name, seed)


@pytest.mark.parametrize("name", FAULTS)
def test_under_the_strict_policy_the_first_fault_voids_the_match(name: str) -> None:
    guard = GuardedAgent("suspect", make_agent(spec(name)), FaultPolicy.STRICT)
    with pytest.raises(MatchVoid) as void:
        play(guard, 0)
    record = void.value.record
    assert guard.records == [record]
    assert (record.label, record.fault, record.hand_number) == ("suspect", FAULTS[name][0], 1)
    assert str(void.value).startswith("the match is void: suspect, in hand 1: ")


def test_an_agent_that_changes_its_observation_changes_nothing_else() -> None:
    guard = GuardedAgent("suspect", make_agent(spec("ChangesTheObservation")))
    require_same_hands(play(guard, 1), play(Caller(), 1))
    assert guard.records == []


@pytest.mark.parametrize(
    ("name", "hands"),
    [("FailsToBegin", [None]), ("FailsToHear", [0, 1, 2]), ("FailsAfterHands", [0, 1, 2])],
)
def test_faults_outside_of_decisions_count_as_well(name: str, hands: list[int | None]) -> None:
    guard = GuardedAgent("suspect", make_agent(spec(name)))
    play(guard, 1)
    assert hands_of_faults(guard) == hands
    assert {record.fault for record in guard.records} == {Fault.CRASH}
    assert guard.forfeited == (len(hands) == 3)


def test_a_well_behaved_agent_plays_as_without_a_guard() -> None:
    guard = GuardedAgent("suspect", make_agent("random"))
    require_same_hands(play(guard, 1), play(make_agent("random"), 1))
    assert not guard.forfeited


def test_a_guard_listens_only_where_its_agent_does() -> None:
    silent, deaf, curious = (
        GuardedAgent("suspect", make_agent(spec(name))) for name in ("Caller", "FailsToHear", "Remembers")
    )
    assert (listens(silent), learns(silent)) == (False, False)
    assert (listens(deaf), listens(curious), learns(curious)) == (True, True, True)
    play(deaf, 1)
    assert deaf.forfeited
    assert (listens(deaf), learns(deaf)) == (False, False)


class CountsQuestions(Raises):
    """Counts how often it is asked."""

    def __init__(self) -> None:
        self.asked = 0

    def act(self, observation: Observation) -> Decision:
        self.asked += 1
        raise ValueError("again")


def test_an_agent_that_has_forfeited_is_not_asked_any_more() -> None:
    agent = CountsQuestions()
    guard = GuardedAgent("suspect", agent)
    play(guard, 1)
    assert agent.asked == 3


class Interrupted(Agent):
    """Stands for a user who presses Ctrl-C, or an arena that cannot go on, while the agent thinks."""

    def __init__(self, error: BaseException) -> None:
        self.error = error

    def act(self, observation: Observation) -> Decision:
        raise self.error


@pytest.mark.parametrize("error", [KeyboardInterrupt(), ArenaFailure("no processes left")])
def test_what_is_not_the_agents_fault_passes_its_guard(error: BaseException) -> None:
    guard = GuardedAgent("suspect", Interrupted(error))
    with pytest.raises(type(error)):
        play(guard, 1)
    assert guard.records == []


class OutOfMemory(Caller):
    """Has no memory left in the arena's own process."""

    def misbehave(self, observation: Observation) -> Decision:
        raise MemoryError


def test_a_lack_of_memory_has_its_own_name() -> None:
    guard = GuardedAgent("suspect", OutOfMemory())
    play(guard, 1)
    assert [record.fault for record in guard.records] == [Fault.OUT_OF_MEMORY] * 3


class NumpyRaiser(Agent):
    """Raises to an amount that numpy computed, as many honest agents do."""

    def act(self, observation: Observation) -> Decision:
        least = observation.legal_actions.raise_minimum
        kind = int(ActionKind.RAISE)
        return Decision(Action(kind, np.int64(least)) if least else CALL)  # type: ignore[arg-type]


def test_numbers_from_numpy_become_plain_ones() -> None:
    guard = GuardedAgent("suspect", NumpyRaiser())
    state = State.deal(SETUP, Stream.from_seed(1))
    record = play_hand(state, [guard, make_agent("always-call")], ("suspect", "opponent"))
    assert guard.records == []
    assert raise_to(20) in record.actions()
    for action in record.actions():
        assert type(action.kind) is ActionKind
        assert type(action.to) is int
    assert as_decision(Decision(Action(2, 20))).action == raise_to(20)  # type: ignore[arg-type]


def test_a_record_is_a_sentence() -> None:
    record = FaultRecord("Ann", 3, Fault.HAND_TIMEOUT, "it used more than its 7 s for a hand")
    assert str(record) == "Ann, in hand 3: hand timeout: it used more than its 7 s for a hand"
    assert str(FaultRecord("Ann", None, Fault.CRASH, "KeyError: 'x'")).startswith(
        "Ann, before the first hand"
    )
