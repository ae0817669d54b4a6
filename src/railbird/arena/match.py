"""Playing a planned match: every seating of it hand by hand, and the seatings joined into one result.

A seating is the job that workers share: agents are reset between seatings and told so, hence seatings do not depend on
each other. Everything that a seed decides goes into a digest, so that any two runs of a plan can be compared.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from hashlib import sha256
from typing import TypeAlias

from railbird.agent import Agent, MatchStart, make_agent
from railbird.arena.hand import play_hand
from railbird.arena.plan import Bust, MatchPlan, PlanError
from railbird.arena.tally import Tally
from railbird.engine.events import Chips
from railbird.engine.record import HandRecord
from railbird.engine.rules import GameRules
from railbird.engine.state import State
from railbird.engine.table import Seating, Table
from railbird.kernels.pots import PARTS
from railbird.notation.acpc_log import format_hand
from railbird.notation.game_names import find_game

HandListener: TypeAlias = Callable[[HandRecord], None]


@dataclass(frozen=True, slots=True)
class SeatingOutcome:
    """What one seating of a match came to."""

    payoffs: tuple[tuple[int, ...], ...]
    """Hand by hand, what every entrant won in parts of a chip; entrants stand in the order of the plan."""
    digest: str
    """Of every hand that was played: cards, actions and payoffs."""
    rebuys: tuple[int, ...]
    """How often each entrant bought a new stack."""


@dataclass(frozen=True, slots=True)
class MatchResult:
    """A finished match: exact sums, and the digest of everything its seed decided."""

    plan: MatchPlan
    tally: Tally
    digest: str
    rebuys: tuple[int, ...] = field(default=())


def rules_of(plan: MatchPlan) -> GameRules:
    """The game of a plan, which must have as many seats as the plan has entrants."""
    rules = find_game(plan.game)
    if rules.players != len(plan.entrants):
        raise PlanError(f"{plan.game} has {rules.players} seats, but {len(plan.entrants)} players were named")
    return rules


def play_match(plan: MatchPlan, listener: HandListener | None = None) -> MatchResult:
    """Play every seating of a match, one after another."""
    return join(plan, [play_seating(plan, number, listener) for number in range(len(plan.seatings()))])


def play_seating(plan: MatchPlan, number: int, listener: HandListener | None = None) -> SeatingOutcome:
    """Play one seating of a match; `listener` gets the record of every hand."""
    rules = rules_of(plan)
    seating = plan.seatings()[number]
    agents = _seated(plan, rules, seating, number)
    table = Table(rules)
    deals = plan.stream.child("deal")
    payoffs: list[tuple[int, ...]] = []
    rebuys = [0] * len(seating)
    digest = sha256()
    for hand in range(plan.hands):
        if rules.carry and plan.bust is Bust.REBUY:
            _rebuy(table, seating, rebuys)
        if len(table.dealt_in()) < 2:
            break
        place = table.next_hand()
        state = State.deal(place.setup, deals.child(hand))
        record = _play(plan, place, seating, agents, state, hand)
        won = state.payoffs
        table.settle(place, won)
        payoffs.append(_by_entrant(won, place, seating))
        digest.update(format_hand(state, record.players, record.hand_id, won).encode())
        if listener is not None:
            listener(record)
    return SeatingOutcome(tuple(payoffs), digest.hexdigest(), tuple(rebuys))


def _seated(plan: MatchPlan, rules: GameRules, seating: Sequence[int], number: int) -> list[Agent]:
    agents = []
    for entrant in (plan.entrants[index] for index in seating):
        agent = make_agent(entrant.agent)
        stream = plan.stream.child("agent", entrant.label, number)
        agent.begin_match(MatchStart(rules, entrant.label, plan.labels, stream, is_reset=number > 0))
        agents.append(agent)
    return agents


def _play(
    plan: MatchPlan, place: Seating, seating: Sequence[int], agents: Sequence[Agent], state: State, hand: int
) -> HandRecord:
    return play_hand(
        state,
        [agents[seat] for seat in place.seats],
        tuple(plan.entrants[seating[seat]].label for seat in place.seats),
        hand_number=hand,
        seats=place.seats,
    )


def _rebuy(table: Table, seating: Sequence[int], rebuys: list[int]) -> None:
    for seat, chips in enumerate(table.stacks):
        if chips < 1:
            table.add_chips(seat, table.rules.stacks[seat])
            rebuys[seating[seat]] += 1


def _by_entrant(payoffs: Sequence[Chips], place: Seating, seating: Sequence[int]) -> tuple[int, ...]:
    parts = [0] * len(seating)
    for seat, payoff in zip(place.seats, payoffs, strict=True):
        parts[seating[seat]] = (
            int(Fraction(payoff) * PARTS) if isinstance(payoff, Fraction) else payoff * PARTS
        )
    return tuple(parts)


def join(plan: MatchPlan, outcomes: Sequence[SeatingOutcome]) -> MatchResult:
    """One result from all seatings of a match, in their order; a deal over all its seatings is the unit."""
    hands = min(len(outcome.payoffs) for outcome in outcomes)
    units = [
        tuple(sum(parts) for parts in zip(*(outcome.payoffs[hand] for outcome in outcomes), strict=True))
        for hand in range(hands)
    ]
    digest = sha256("".join(outcome.digest for outcome in outcomes).encode()).hexdigest()
    rebuys = tuple(map(sum, zip(*(outcome.rebuys for outcome in outcomes), strict=True)))
    return MatchResult(plan, Tally.of(units, len(outcomes)), digest, rebuys)
