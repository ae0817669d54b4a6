"""Agents in processes of their own: whatever they do, the match goes on in time and nothing of them stays."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from fault_matches import HANDS, an_observation, hands_of_faults, play, require_same_hands, spec, start_of
from misbehaving_agents import Caller, Model
from railbird.agent import Agent, Decision, Explanation, HandResult, MatchStart, make_agent
from railbird.agent.faults import AgentFault, Fault
from railbird.arena.play.guard import GuardedAgent, MatchVoid
from railbird.arena.play.plan import FaultPolicy, Limits
from railbird.arena.processes.isolation import IsolatedAgent
from railbird.engine.events import Act, Event
from railbird.observation import Observation
from railbird.spec import SpecError

AMPLE = Limits(decision_s=20, hand_s=60, memory_mb=512, open_files=64)
SHORT = Limits(decision_s=0.3)
SLACK_S = 20
"""What a busy machine may add to a deadline."""

PLAIN_FAULTS = {
    "Raises": (Fault.CRASH, "KeyError: 'lost'"),
    "SaysNothing": (Fault.NOT_A_DECISION, "it answered with None"),
    "RaisesToInfinity": (Fault.NOT_A_DECISION, "its amount is too large"),
    "RaisesTooLittle": (Fault.ILLEGAL_ACTION, "it wanted to raise to 1, but may"),
    "ForgesTheObservation": (Fault.ILLEGAL_ACTION, "it wanted to raise to 1000000"),
    "Exits": (Fault.DISCONNECT, "it exited with SystemExit"),
    "Leaves": (Fault.DISCONNECT, "its process ended with exit code 3"),
    "KillsItself": (Fault.DISCONNECT, "its process was ended by SIGKILL"),
    "Disconnects": (Fault.DISCONNECT, "it closed the connection"),
    "SpeaksOutOfTurn": (Fault.NOT_A_DECISION, "5 bytes that are not valid JSON"),
    "WritesWithoutEnd": (Fault.FLOOD, "a message of 4294967295 bytes"),
    "ExplainsTooMuch": (Fault.FLOOD, "at most 1048576 are allowed"),
    "EatsMemory": (Fault.OUT_OF_MEMORY, "more memory than its limit"),
    "EatsMemoryInCrumbs": (Fault.OUT_OF_MEMORY, "more memory than its limit"),
    "OpensFiles": (Fault.CRASH, "Too many open files"),
}
LATE = dict.fromkeys(("Hangs", "IsLate", "Forks"), (Fault.TIMEOUT, "it did not decide within 0.3 s"))
FAULTS = PLAIN_FAULTS | LATE


def guarded(
    name: str, limits: Limits, policy: FaultPolicy = FaultPolicy.NATIVE
) -> tuple[IsolatedAgent, GuardedAgent]:
    agent = IsolatedAgent(spec(name), limits)
    return agent, GuardedAgent("suspect", agent, policy)


def check_faulty_matches(name: str, faults: int) -> None:
    """Matches until there were so many faults: three of them in each."""
    fault, words = FAULTS[name]
    seen = 0
    while seen < faults:
        agent, guard = guarded(name, SHORT if name in LATE else AMPLE)
        with agent:
            require_same_hands(play(guard, seen), play(Model(), seen))
        assert [record.fault for record in guard.records] == [fault] * 3
        assert all(words in record.detail for record in guard.records), guard.records[0]
        assert guard.forfeited
        seen += len(guard.records)


@pytest.mark.parametrize("name", FAULTS)
def test_every_fault_has_its_name_and_leaves_the_opponents_hands_right(name: str) -> None:
    check_faulty_matches(name, 3)


@pytest.mark.soak
@pytest.mark.parametrize("name", FAULTS)
def test_a_hundred_faults_of_each_kind_in_processes(name: str) -> None:
    check_faulty_matches(name, 100)


@pytest.mark.parametrize("name", ["Raises", "Hangs"])
def test_the_strict_policy_voids_the_match(name: str) -> None:
    agent, guard = guarded(name, SHORT, FaultPolicy.STRICT)
    with agent, pytest.raises(MatchVoid, match=r"the match is void: suspect, in hand \d: "):
        play(guard, 1)


@pytest.mark.parametrize(
    ("name", "hands"),
    [
        ("FailsToBegin", [None]),
        ("FailsToHear", [0, 1, 2]),
        ("FailsAfterHands", [0, 1, 2]),
        ("FailsToBeMade", [None, 0, 0]),
    ],
)
def test_exceptions_outside_of_decisions_are_named(name: str, hands: list[int | None]) -> None:
    for _ in range(5):
        agent, guard = guarded(name, AMPLE)
        with agent:
            play(guard, 0)
        assert hands_of_faults(guard) == hands
        assert {record.fault for record in guard.records} == {Fault.CRASH}


@pytest.mark.parametrize("name", ["HangsAtTheBeginning", "HangsWhenHearing", "HangsAfterHands"])
def test_an_agent_may_hang_anywhere(name: str) -> None:
    for seed in range(2):
        agent = IsolatedAgent(spec(name), SHORT, start_s=0.3)
        guard = GuardedAgent("suspect", agent)
        with agent:
            records = play(guard, seed)
        assert len(records) == HANDS
        assert guard.forfeited
        assert {record.fault for record in guard.records} == {Fault.TIMEOUT}


def test_a_hand_has_its_own_limit_and_its_rest_is_checked_or_folded() -> None:
    for seed in range(2):
        agent, guard = guarded("IsSlow:seconds=0.1", Limits(decision_s=20, hand_s=0.25))
        with agent:
            records = play(guard, seed)
        assert [record.fault for record in guard.records] == [Fault.HAND_TIMEOUT] * 3
        assert len(set(hands_of_faults(guard))) == 3, "one hand costs one fault"
        assert len(records) == HANDS
        for number in hands_of_faults(guard):
            assert number is not None
            record = records[number]
            seat = record.players.index("suspect")
            *_, last = (event for event in record.events if isinstance(event, Act) and event.seat == seat)
            assert last.paid == 0, "it checked or folded"
            assert sum(record.payoffs) == 0


@pytest.mark.parametrize("name", ["Prints", "ForksAndAnswers", "ChangesTheObservation"])
def test_odd_behaviour_that_harms_nobody_is_no_fault(name: str) -> None:
    agent, guard = guarded(name, AMPLE)
    with agent:
        require_same_hands(play(guard, 1), play(Caller(), 1))
    assert guard.records == []


@pytest.mark.parametrize("name", ["random", "always-raise", "always-fold", spec("Remembers")])
def test_an_agent_plays_in_its_own_process_as_in_ours(name: str) -> None:
    with IsolatedAgent(name, AMPLE) as agent:
        require_same_hands(play(agent, 3), play(make_agent(name), 3))


class Noting(Agent):
    """Keeps the reasons of an agent, which is told everything."""

    def __init__(self, agent: Agent) -> None:
        self.agent = agent
        self.reasons: list[Explanation] = []

    def begin_match(self, match: MatchStart) -> None:
        self.agent.begin_match(match)

    def hear(self, event: Event) -> None:
        self.agent.hear(event)

    def act(self, observation: Observation) -> Decision:
        decision = self.agent.act(observation)
        self.reasons.append(decision.explanation)
        return decision

    def end_hand(self, result: HandResult) -> None:
        self.agent.end_hand(result)


def test_an_agent_hears_everything_in_its_own_process() -> None:
    ours = Noting(make_agent(spec("Remembers")))
    play(ours, 4, hands=6)
    with IsolatedAgent(spec("Remembers"), AMPLE) as agent:
        isolated = Noting(agent)
        play(isolated, 4, hands=6)
    assert isolated.reasons == ours.reasons
    assert len(ours.reasons) > 10


def test_a_new_process_is_told_of_the_reset_and_hears_the_hand_so_far() -> None:
    with IsolatedAgent(spec("Remembers"), AMPLE) as agent:
        play(agent, 1, hands=2)
        first = agent.pid
        assert first is not None
        agent.close()
        observation = an_observation()
        explanation = agent.act(observation).explanation.summary
        assert agent.pid not in (None, first)
    match, *events = explanation.split("; ")
    assert match.endswith("True"), "is_reset"
    assert events == [*map(str, observation.events), str(observation)]


def group_members(group: int) -> list[int]:
    """The processes of a group, zombies included."""
    members = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:  # it ended while we looked
            continue
        if int(fields[2]) == group:
            members.append(int(folder.name))
    return members


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
@pytest.mark.parametrize("name", ["Forks", "ForksAndAnswers", "Hangs", "Leaves", "Caller"])
def test_no_process_and_no_zombie_stays(name: str) -> None:
    agent = IsolatedAgent(spec(name), SHORT)
    agent.begin_match(start_of("suspect", 1))
    pid = agent.pid
    assert pid is not None
    assert group_members(pid) == [pid]
    guard = GuardedAgent("suspect", agent)
    play(guard, 0, hands=4)
    agent.close()
    agent.close()
    assert agent.pid is None
    assert group_members(pid) == []


ARENA = """
import sys, time
from railbird.arena.processes.isolation import IsolatedAgent
agents = [IsolatedAgent("always-call"), IsolatedAgent("random")]
for agent in agents:
    agent.start()
print(*(agent.pid for agent in agents), flush=True)
time.sleep(3600)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_agents_die_with_an_arena_that_is_killed() -> None:
    with subprocess.Popen([sys.executable, "-c", ARENA], stdout=subprocess.PIPE, text=True) as arena:
        assert arena.stdout is not None
        pids = [int(pid) for pid in arena.stdout.readline().split()]
        assert [group_members(pid) for pid in pids] == [[pid] for pid in pids]
        arena.send_signal(signal.SIGKILL)
    assert len(pids) == 2
    until = time.monotonic() + SLACK_S
    while any(group_members(pid) for pid in pids):
        assert time.monotonic() < until, "an agent outlived its arena"
        time.sleep(0.02)


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_a_nursery_that_was_killed_is_replaced() -> None:
    with IsolatedAgent("always-call", AMPLE) as agent:
        agent.start()
        assert agent.pid is not None
        status = Path(f"/proc/{agent.pid}/stat").read_text().rpartition(")")[2].split()
        os.kill(int(status[1]), signal.SIGKILL)
        guard = GuardedAgent("suspect", agent)
        assert len(play(guard, 1)) == HANDS
        assert [record.fault for record in guard.records] == [Fault.DISCONNECT]


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_an_agent_inherits_no_connection_but_its_own() -> None:
    with IsolatedAgent("random") as other, IsolatedAgent(spec("LooksAround")) as agent:
        other.start()
        found = agent.act(an_observation()).explanation.summary.split()
    assert [kind for kind in found if kind != os.devnull] == ["socket"]


def test_a_name_that_no_agent_has_is_an_error_of_its_own() -> None:
    agent = IsolatedAgent("rando")
    with pytest.raises(SpecError, match="no agent is called 'rando': did you mean 'random'"):
        agent.start()
    assert agent.pid is None


def test_limits_that_no_agent_could_live_with_are_refused() -> None:
    with pytest.raises(ValueError, match="at least 192 MB including Python, not 10"):
        IsolatedAgent("random", Limits(memory_mb=10))
    with pytest.raises(ValueError, match="at least 16 open files including Python's own, not 2"):
        IsolatedAgent("random", Limits(open_files=2))


def test_an_agent_that_was_never_told_of_a_match_can_be_asked() -> None:
    with IsolatedAgent(spec("Raises"), AMPLE) as agent:
        observation = an_observation()
        with pytest.raises(AgentFault, match="crash: KeyError: 'lost'"):
            agent.act(observation)
