"""What is computed outside of play: hand strength, and how an agent would have done in a player's seat.

This module is independent of processes: a thinker runs it where no table waits for it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from math import inf
from typing import Any

from railbird.agent import Agent, MatchStart
from railbird.arena.play.guard import GuardedAgent
from railbird.arena.play.hand import finish_hand
from railbird.arena.results.rates import Rate
from railbird.arena.results.tally import Tally
from railbird.engine.rules import GameRules
from railbird.engine.state import State
from railbird.explanation import SHARE, Fact
from railbird.hands.categories import describe
from railbird.interfaces.web.table.dealt_hand import DealtHand
from railbird.kernels.rules.pots import PARTS
from railbird.observation import Observation
from railbird.rng import Stream

SAMPLES = 100_000
"""Number of sampled deals for the equity, if it is not counted exactly."""
EXACT_WITHIN_S = 0.2
_FLOP = 3

MakeAgent = Callable[[str, GameRules], Agent]
"""Creates an agent by name for a game."""
Progress = Callable[[int, int], None]
"""Receives the number of hands played and the total."""


class StudyError(ValueError):
    """A question that cannot be answered, with the reason."""


class Cancelled(Exception):
    """The answer is no longer needed."""


def read_out(observation: Observation) -> list[Fact]:
    """The strength of a seat's hand against the remaining opponents, with nothing known about their cards."""
    # Imported at the first question, so that the server starts faster.
    from railbird.equities.strength import ehs_optimistic, hand_potential, hand_strength

    rules = observation.rules
    opponents = len(observation.live_seats) - 1
    if not rules.deals_two_of_52:
        raise StudyError(f"hand strength is available only for hold'em, not for {rules.name}")
    if observation.seat not in observation.live_seats or opponents < 1:
        raise StudyError("hand strength is not available for a hand that was folded or has already won")
    hole, board = observation.hole_cards, observation.board
    facts = [Fact("hand", describe((*hole, *board) if board else hole))]
    if len(board) >= _FLOP:
        strength = hand_strength(hole, board, opponents)
        potential = hand_potential(hole, board)
        facts += [
            Fact("hand strength", strength, SHARE),
            Fact("positive potential", potential.ppot, SHARE),
            Fact("negative potential", potential.npot, SHARE),
            Fact("effective hand strength", ehs_optimistic(strength, potential.ppot), SHARE),
        ]
    facts.append(Fact(_against(opponents), _equity(observation, opponents), SHARE))
    if observation.actor == observation.seat and observation.to_call:
        facts.append(Fact("pot odds", observation.to_call / (observation.pot + observation.to_call), SHARE))
    return facts


def _against(opponents: int) -> str:
    return f"equity against {opponents} random hand{'' if opponents == 1 else 's'}"


def _equity(observation: Observation, opponents: int) -> float:
    from railbird.equities.ranges import Range
    from railbird.equities.showdown import MOST_PLAYERS, equity

    others = [Range.random()] * min(opponents, MOST_PLAYERS - 1)
    result = equity(
        [observation.hole_cards, *others], observation.board, exact_within=EXACT_WITHIN_S, samples=SAMPLES
    )
    return result.players[0].equity


@dataclass(frozen=True, slots=True)
class WrittenHand:
    """A hand that was played at a table: its start and its actions, as `DealtHand` writes them."""

    number: int
    start: Mapping[str, Any]
    done: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """The question how an agent would have done in a player's seat."""

    rules: GameRules
    label: str
    """The player in the seat."""
    agent: str
    """The agent that takes the seat."""
    opponents: Mapping[str, str]
    """The agents of all other labels."""
    hands: Sequence[WrittenHand]
    """The hands in order; all of them are finished."""
    seed: str = ""
    """Seed of the agents' randomness; the same seed gives the same answer."""


@dataclass(frozen=True, slots=True)
class Compared:
    """What a player and an agent won with the same deals, each with its 95 % interval."""

    own: Rate
    agent: Rate
    difference: Rate
    """The player's minus the agent's winnings, hand by hand: the luck of the deal, which both had, cancels."""
    faults: int = 0
    """How often an agent failed, and checked or folded instead."""

    def to_json(self) -> dict[str, Any]:
        """Plain data; unknown bounds are null."""
        rates = {"own": self.own, "agent": self.agent, "difference": self.difference}
        return {**{name: _rate_to_json(rate) for name, rate in rates.items()}, "faults": self.faults}


def _rate_to_json(rate: Rate) -> dict[str, Any]:
    return {name: None if value in (-inf, inf) else value for name, value in asdict(rate).items()}


def compare(
    comparison: Comparison, make: MakeAgent, progress: Progress, cancelled: Callable[[], bool]
) -> Compared:
    """Play every deal again with new agents, and the given one in the player's seat.

    All agents play the hands in order and learn from them as at the table. Every hand starts with the stacks of the
    original one, so both sides start a deal under the same conditions.
    """
    specs = {**comparison.opponents, comparison.label: comparison.agent}
    stream = Stream.from_seed(comparison.seed).child("duplicate")
    players = tuple(specs)
    agents: dict[str, GuardedAgent] = {}
    for label, spec in specs.items():
        agents[label] = GuardedAgent(label, make(spec, comparison.rules))
        agents[label].begin_match(MatchStart(comparison.rules, label, players, stream.child("agent", label)))
    units: list[tuple[int, int]] = []
    progress(0, len(comparison.hands))
    for place, played in enumerate(comparison.hands):
        if cancelled():
            raise Cancelled
        pair = _pair(played, comparison.label, agents)
        if pair is not None:
            units.append(pair)
        progress(place + 1, len(comparison.hands))
    tally = Tally.of(units) if units else Tally.empty(2)
    own, agent, difference = (
        Rate.from_tally(comparison.rules, tally, weights) for weights in ((1, 0), (0, 1), (1, -1))
    )
    return Compared(own, agent, difference, sum(len(guard.records) for guard in agents.values()))


def _pair(played: WrittenHand, label: str, agents: Mapping[str, GuardedAgent]) -> tuple[int, int] | None:
    """The player's winnings in a hand and the agent's with the same deal, in parts of a chip; None if not dealt in."""
    hand = DealtHand.restored(played.number, played.start, played.done)
    if not hand.state.is_over:
        raise StudyError(f"hand {played.number} is not over, so it cannot be compared")
    for player in hand.players:
        if player not in agents:
            raise StudyError(
                f"hand {played.number} was played by {player!r}, who is not a player at this table"
            )
    position = hand.players.index(label) if label in hand.players else None
    again = State(hand.state.setup, hand.state.cards)
    finish_hand(again, [agents[player] for player in hand.players], hand.players, played.number)
    if position is None:
        return None
    own, agents_own = (int(Fraction(state.payoffs[position]) * PARTS) for state in (hand.state, again))
    return own, agents_own
