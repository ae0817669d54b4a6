"""Short heads-up matches against an agent that may be at fault, and what must have come of them."""

from folders import SUPPORT
from railbird.agent import Agent, MatchStart, make_agent
from railbird.arena.play.guard import GuardedAgent
from railbird.arena.play.hand import play_hand
from railbird.engine.games import named_game
from railbird.engine.record import HandRecord
from railbird.engine.setup import Setup
from railbird.engine.state import State
from railbird.observation import Observation
from railbird.rng import Stream

SETUP = Setup.of(named_game("limit-2p"))
HANDS = 16
FILE = SUPPORT / "misbehaving_agents.py"
LABELS = ("suspect", "opponent")


def spec(name: str) -> str:
    return f"{FILE}:{name}"


def start_of(label: str, seed: int) -> MatchStart:
    return MatchStart(SETUP.rules, label, LABELS, Stream.from_seed(seed).child(label))


def an_observation() -> Observation:
    """What the suspect sees before its first decision of a hand in which it misbehaves."""
    state = State.deal(SETUP, Stream.from_seed(9))
    state.call()
    return Observation.of(state, 0, LABELS, 5)


def play(agent: Agent, seed: int, hands: int = HANDS) -> list[HandRecord]:
    """A match against an opponent who plays at random; it needs nothing of the other side but its actions."""
    opponent = make_agent("random")
    opponent.begin_match(start_of("opponent", seed))
    agent.begin_match(start_of("suspect", seed))
    records = []
    for number in range(hands):
        state = State.deal(SETUP, Stream.from_seed(seed).child("hand", number))
        # The suspect has each position for two hands: in one of them it behaves.
        swapped = number // 2 % 2 == 1
        agents, labels = ([opponent, agent], LABELS[::-1]) if swapped else ([agent, opponent], LABELS)
        records.append(play_hand(state, agents, labels, hand_number=number))
    return records


def require_same_hands(played: list[HandRecord], expected: list[HandRecord]) -> None:
    """Every hand was played and counted as if the suspect had decided so by itself."""
    assert len(played) == len(expected)
    for ours, theirs in zip(played, expected, strict=True):
        assert sum(ours.payoffs) == 0
        assert ours == theirs


def hands_of_faults(guard: GuardedAgent) -> list[int | None]:
    return [record.hand_number for record in guard.records]
