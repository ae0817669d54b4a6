"""Playing a planned match: every seating of it hand by hand, and the seatings joined into one result.

A seating is the job that workers share: agents are made anew for each seating and told when it is a reset, hence
seatings do not depend on each other. Everything that a seed decides goes into a digest, so that any two runs of a plan
can be compared.
"""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from hashlib import sha256

from railbird.agent import MatchStart, make_agent
from railbird.arena.faults import FaultRecord, GuardedAgent, MatchVoid
from railbird.arena.hand import finish_hand
from railbird.arena.isolation import IsolatedAgent
from railbird.arena.plan import Bust, MatchPlan, PlanError
from railbird.arena.statistics import PlayerStatistics
from railbird.arena.statistics_collector import StatisticsCollector
from railbird.arena.tally import Tally
from railbird.engine.events import Chips
from railbird.engine.rules import GameRules
from railbird.engine.state import State
from railbird.engine.table import Seating, Table
from railbird.kernels.pots import PARTS
from railbird.notation.acpc_log import format_hand
from railbird.notation.game_names import find_game

CURVE_POINTS = 400


@dataclass(frozen=True, slots=True)
class SeatingOutcome:
    """What one seating of a match came to. Entrants stand in the order of the plan."""

    payoffs: tuple[tuple[int, ...], ...]
    """Hand by hand, what every entrant won in parts of a chip."""
    digest: str
    """Of every hand that was played: cards, actions and payoffs."""
    rebuys: tuple[int, ...]
    """How often each entrant bought a new stack."""
    statistics: tuple[PlayerStatistics, ...]
    faults: tuple[FaultRecord, ...] = ()
    void: FaultRecord | None = None
    """The fault that ended the match, under the strict policy."""
    log: tuple[str, ...] = ()
    """The hands as STATE lines, where they were asked for."""


@dataclass(frozen=True, slots=True)
class MatchResult:
    """A finished match: exact sums, statistics and faults, and the digest of everything its seed decided."""

    plan: MatchPlan
    tally: Tally
    digest: str
    rebuys: tuple[int, ...]
    statistics: tuple[PlayerStatistics, ...]
    curve: tuple[tuple[int, ...], ...] = ()
    """Points of the bankroll curve, evenly spread: units so far, then what each entrant had won, in parts of a chip."""
    faults: tuple[FaultRecord, ...] = ()
    void: FaultRecord | None = None
    log: tuple[str, ...] = ()


def rules_of(plan: MatchPlan) -> GameRules:
    """The game of a plan, which must have as many seats as the plan has entrants."""
    rules = find_game(plan.game)
    if rules.players != len(plan.entrants):
        raise PlanError(f"{plan.game} has {rules.players} seats, but {len(plan.entrants)} players were named")
    return rules


def play_match(plan: MatchPlan, *, keep_log: bool = False) -> MatchResult:
    """Play every seating of a match, one after another."""
    seatings = range(len(plan.seatings()))
    return join(plan, [play_seating(plan, number, keep_log=keep_log) for number in seatings])


def play_seating(plan: MatchPlan, number: int, *, keep_log: bool = False) -> SeatingOutcome:
    """Play one seating of a match."""
    with ExitStack() as processes:
        return _Session(plan, number, processes, keep_log).play()


class _Session:
    """One seating while it is played."""

    def __init__(self, plan: MatchPlan, number: int, processes: ExitStack, keep_log: bool) -> None:
        self.plan = plan
        self.number = number
        self.rules = rules_of(plan)
        self.seating = plan.seatings()[number]
        self.agents = [self._guarded(index, processes) for index in self.seating]
        self.table = Table(self.rules)
        self.payoffs: list[tuple[int, ...]] = []
        self.rebuys = [0] * len(self.seating)
        self.digest = sha256()
        self.collector = StatisticsCollector()
        self.places: dict[tuple[int, ...], tuple[list[GuardedAgent], tuple[str, ...]]] = {}
        """The agents and their labels by position, for the seats in that order."""
        self.log: list[str] | None = [] if keep_log else None

    def _guarded(self, index: int, processes: ExitStack) -> GuardedAgent:
        entrant, limits = self.plan.entrants[index], self.plan.limits
        if limits.isolates:
            return GuardedAgent(
                entrant.label, processes.enter_context(IsolatedAgent(entrant.agent, limits)), self.plan.faults
            )
        return GuardedAgent(entrant.label, make_agent(entrant.agent), self.plan.faults)

    def play(self) -> SeatingOutcome:
        """Play the planned hands, or until fewer than two have chips or the match is void."""
        void = None
        try:
            self._begin()
            deals = self.plan.stream.child("deal")
            for hand in range(self.plan.hands):
                if self.rules.carry and self.plan.bust is Bust.REBUY:
                    self._rebuy()
                if len(self.table.dealt_in()) < 2:
                    break
                seating = self.table.next_hand()
                self._play(seating, State.deal(seating.setup, deals.child(hand)), hand)
        except MatchVoid as error:
            void = error.record
        statistics = self.collector.statistics()
        return SeatingOutcome(
            payoffs=tuple(self.payoffs),
            digest=self.digest.hexdigest(),
            rebuys=tuple(self.rebuys),
            statistics=tuple(statistics.get(label, PlayerStatistics()) for label in self.plan.labels),
            faults=tuple(record for agent in self.agents for record in agent.records),
            void=void,
            log=tuple(self.log or ()),
        )

    def _begin(self) -> None:
        for agent in self.agents:
            stream = self.plan.stream.child("agent", agent.label, self.number)
            agent.begin_match(
                MatchStart(self.rules, agent.label, self.plan.labels, stream, is_reset=self.number > 0)
            )

    def _play(self, seating: Seating, state: State, hand: int) -> None:
        agents, labels = self._places(seating.seats)
        finish_hand(state, agents, labels, hand)
        won = state.payoffs
        self.table.settle(seating, won)
        self.payoffs.append(self._by_entrant(won, seating))
        self.collector.add_state(state, labels, won)
        line = format_hand(state, labels, str(hand), won)
        self.digest.update(line.encode())
        if self.log is not None:
            if state.setup.stacks != self.rules.stacks or state.setup.blinds != self.rules.blinds:
                stacks, blinds = (
                    "|".join(map(str, chips)) for chips in (state.setup.stacks, state.setup.blinds)
                )
                self.log.append(f"# stacks {stacks} blinds {blinds}")
            self.log.append(line)

    def _places(self, seats: tuple[int, ...]) -> tuple[list[GuardedAgent], tuple[str, ...]]:
        found = self.places.get(seats)
        if found is None:
            agents = [self.agents[seat] for seat in seats]
            found = self.places[seats] = agents, tuple([agent.label for agent in agents])
        return found

    def _rebuy(self) -> None:
        for seat, chips in enumerate(self.table.stacks):
            if chips < 1:
                self.table.add_chips(seat, self.rules.stacks[seat])
                self.rebuys[self.seating[seat]] += 1

    def _by_entrant(self, payoffs: Sequence[Chips], seating: Seating) -> tuple[int, ...]:
        parts = [0] * len(self.seating)
        for seat, payoff in zip(seating.seats, payoffs, strict=True):
            parts[self.seating[seat]] = payoff * PARTS if isinstance(payoff, int) else int(payoff * PARTS)
        return tuple(parts)


def join(plan: MatchPlan, outcomes: Sequence[SeatingOutcome]) -> MatchResult:
    """One result from all seatings of a match, in their order; a deal over all its seatings is the unit."""
    hands = min(len(outcome.payoffs) for outcome in outcomes)
    units = [
        tuple(map(sum, zip(*(outcome.payoffs[hand] for outcome in outcomes), strict=True)))
        for hand in range(hands)
    ]
    return MatchResult(
        plan=plan,
        tally=Tally.of(units, len(outcomes)) if units else Tally.empty(len(plan.entrants)),
        digest=sha256("".join(outcome.digest for outcome in outcomes).encode()).hexdigest(),
        rebuys=tuple(map(sum, zip(*(outcome.rebuys for outcome in outcomes), strict=True))),
        statistics=tuple(
            sum(parts, PlayerStatistics())
            for parts in zip(*(outcome.statistics for outcome in outcomes), strict=True)
        ),
        curve=_curve(units),
        faults=tuple(record for outcome in outcomes for record in outcome.faults),
        void=next((outcome.void for outcome in outcomes if outcome.void), None),
        log=tuple(line for outcome in outcomes for line in outcome.log),
    )


def _curve(units: Sequence[Sequence[int]]) -> tuple[tuple[int, ...], ...]:
    """Running sums at evenly spread units, the last one included."""
    points: list[tuple[int, ...]] = []
    sums = [0] * (len(units[0]) if units else 0)
    for number, unit in enumerate(units, start=1):
        sums = [total + won for total, won in zip(sums, unit, strict=True)]
        if number * CURVE_POINTS // len(units) > (number - 1) * CURVE_POINTS // len(units):
            points.append((number, *sums))
    return tuple(points)
