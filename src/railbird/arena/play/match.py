"""Plays a planned match: each seating hand by hand, and all seatings combined into one result.

A seating is the unit of work for workers: each seating creates its own agents and tells them if it is a reset, so
seatings do not depend on each other. Everything determined by the seed goes into a digest, so that any two runs of a
plan can be compared.
"""

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from hashlib import sha256
from time import monotonic
from typing import Any, NamedTuple

from railbird.agent import HandPlayer, MatchStart, fingerprint, make_agent
from railbird.arena.luck.board import has_board_luck, without_luck
from railbird.arena.play.breaks import (
    NOTHING_BEFORE,
    HandsBefore,
    PastHand,
    notes_of,
    retell,
    since_last_report,
)
from railbird.arena.play.experience import NO_EXPERIENCE, Experience, of_agents, snapshot_digest
from railbird.arena.play.guard import CannotGoOn, FaultRecord, GuardedAgent, MatchVoid, self_play
from railbird.arena.play.hand import finish_hand
from railbird.arena.play.payoffs import Payoffs
from railbird.arena.play.plan import Bust, MatchPlan, PlanError
from railbird.arena.results.statistics import PlayerStatistics
from railbird.arena.results.statistics_collector import StatisticsCollector
from railbird.arena.results.tally import Tally, over_all_seatings, running_totals
from railbird.engine.betting_tree import BettingNode
from railbird.engine.dealing import NumberedDeals
from railbird.engine.rules import GameRules
from railbird.engine.state import State
from railbird.engine.table import Seating, Table
from railbird.notation.acpc.state import HandLines
from railbird.notation.game_names import find_game

CURVE_POINTS = 400
TELL_HANDS = 16
TELL_S = 0.3
"""How often a seating reports progress: after this many hands, if this much time has passed."""


@dataclass(frozen=True, slots=True)
class SeatingOutcome:
    """The outcome of one seating of a match. Entrants are in the order of the plan."""

    payoffs: tuple[tuple[int, ...], ...]
    """For each hand, what every entrant won, in parts of a chip."""
    digest: str
    """Digest of the cards, actions and payoffs of all hands."""
    rebuys: tuple[int, ...]
    """How often each entrant bought a new stack."""
    statistics: tuple[PlayerStatistics, ...]
    faults: tuple[FaultRecord, ...] = ()
    void: FaultRecord | None = None
    """The fault that ended the match, under the strict policy."""
    log: tuple[str, ...] = ()
    """The hands as STATE lines, if requested."""
    experience: tuple[tuple[str, ...], ...] = ()
    """The experience of every entrant's agent."""
    without_luck: tuple[tuple[int, ...], ...] = ()
    """The payoffs without the luck of the board, if requested."""


@dataclass(frozen=True, slots=True)
class MatchResult:
    """A finished match: exact sums, statistics and faults, and the digest of everything determined by its seed."""

    plan: MatchPlan
    tally: Tally
    digest: str
    rebuys: tuple[int, ...]
    statistics: tuple[PlayerStatistics, ...]
    curve: Sequence[tuple[int, ...]] = ()
    """Evenly spaced points of the bankroll curve: units so far, then what each entrant had won, in parts of a chip."""
    faults: tuple[FaultRecord, ...] = ()
    void: FaultRecord | None = None
    log: tuple[str, ...] = ()
    experience: tuple[tuple[str, ...], ...] = ()
    """The experience of every entrant's agent, seating by seating."""
    without_luck: Tally | None = None
    """The tally without the luck of the board (`arena.luck.board`), if requested."""


@dataclass(frozen=True, slots=True)
class Partial:
    """Progress of a seating while it is played."""

    hands: int
    totals: tuple[int, ...]
    """What every entrant has won so far, in parts of a chip."""
    payoffs: tuple[tuple[int, ...], ...] = ()
    """The payoffs of the hands since the last report, one by one."""
    before: HandsBefore = NOTHING_BEFORE
    """What is to be kept of these hands."""


def rules_of(plan: MatchPlan) -> GameRules:
    """The game of a plan; it must have as many seats as the plan has entrants."""
    rules = find_game(plan.game)
    if rules.players != len(plan.entrants):
        raise PlanError(f"{plan.game} needs {rules.players} players, not {len(plan.entrants)}")
    if plan.without_luck and not has_board_luck(rules):
        raise PlanError(f"{plan.game} is not hold'em, so the luck of its board is not known")
    return rules


def play_match(
    plan: MatchPlan, *, keep_log: bool = False, experience: Experience = NO_EXPERIENCE
) -> MatchResult:
    """Play every seating of a match, one after another."""
    seatings = range(len(plan.seatings()))
    return join(
        plan, [play_seating(plan, number, keep_log=keep_log, experience=experience) for number in seatings]
    )


def play_seating(
    plan: MatchPlan,
    number: int,
    *,
    keep_log: bool = False,
    experience: Experience = NO_EXPERIENCE,
    before: HandsBefore = NOTHING_BEFORE,
    tell: Callable[[Partial], None] | None = None,
    keep_hands: bool = True,
) -> SeatingOutcome:
    """Play one seating of a match, after a break if there are hands before.

    `tell` receives its progress, including what is to be kept of the hands if they are kept for a break.
    """
    _require_planned(plan, experience)
    with ExitStack() as processes:
        try:
            return _Session(plan, number, processes, keep_log, experience).play(tell, keep_hands, before)
        except CannotGoOn:
            return _Session(plan, number, processes, keep_log, experience).play(tell, keep_hands)


def _require_planned(plan: MatchPlan, experience: Experience) -> None:
    """Refuse to play if the experience or the files are not those of the plan."""
    if snapshot_digest(of_agents(experience, (entrant.agent for entrant in plan.entrants))) != plan.snapshot:
        raise PlanError("the players' experience is not the one this match was planned with")
    for entrant in plan.entrants:
        found = fingerprint(entrant.agent, trusted=True)  # the agent is about to be created
        if found and found != entrant.files:  # `make_agent` reports missing files
            raise PlanError(f"the files of {entrant.agent} have changed since this match was planned")


class _Session:
    """One seating while it is played."""

    def __init__(
        self, plan: MatchPlan, number: int, processes: ExitStack, keep_log: bool, experience: Experience
    ) -> None:
        self.plan = plan
        self.number = number
        self.experience = experience
        self.rules = rules_of(plan)
        self.seating = plan.seatings()[number]
        self.agents = [self._guarded(index, processes) for index in self.seating]
        self.table = Table(self.rules, shares_setups=True)
        self.payoffs: list[tuple[int, ...]] = []
        self.ends: list[tuple[BettingNode, tuple[Any, ...]]] = []
        """The ends of the betting of all hands since the last report, and the agents' notes on them."""
        self.keep_hands = self.takes_notes = False
        self.rebuys = [0] * len(self.seating)
        self.digest = sha256()
        self.collector = StatisticsCollector()
        self.places: dict[tuple[int, ...], _Places] = {}
        """Who sits where, for seats in this order."""
        self.lines = HandLines()
        self.log: list[str] | None = [] if keep_log else None
        self.without_luck: list[tuple[int, ...]] | None = [] if plan.without_luck else None

    def _guarded(self, index: int, processes: ExitStack) -> GuardedAgent:
        entrant, limits = self.plan.entrants[index], self.plan.limits
        if limits.isolates:  # other matches start sooner without the modules for it
            from railbird.arena.processes.isolation import IsolatedAgent

            return GuardedAgent(
                entrant.label, processes.enter_context(IsolatedAgent(entrant.agent, limits)), self.plan.faults
            )
        return GuardedAgent(entrant.label, make_agent(entrant.agent), self.plan.faults)

    def play(
        self, tell: Callable[[Partial], None] | None, keep_hands: bool, before: HandsBefore = NOTHING_BEFORE
    ) -> SeatingOutcome:
        """Play the planned hands, or until fewer than two players have chips or the match is void."""
        void = None
        told, told_hands, totals = monotonic(), 0, (0,) * len(self.seating)
        lived: tuple[tuple[str, ...], ...] = ()
        try:
            self._begin()
            self.keep_hands = keep_hands and tell is not None
            self.takes_notes = self.keep_hands and any(agent.takes_notes for agent in self.agents)
            deals = NumberedDeals(self.plan.stream.child("deal"), self.plan.hands)
            for hand in range(self.plan.hands):
                if self.rules.carry and not self._can_go_on():
                    break
                seating = self.table.next_hand()
                known = before.hands[hand] if hand < len(before.hands) else None
                self._play(seating, deals.deal(seating.setup, hand), hand, known)
                if hand + 1 == len(before.hands):
                    self._go_on(before.bookmarks)
                if tell is not None and hand % TELL_HANDS == 0 and monotonic() - told > TELL_S:
                    new = self.payoffs[told_hands:]
                    totals = tuple(map(sum, zip(totals, *new, strict=True)))
                    news = self._news() if self.keep_hands and hand >= len(before.hands) else NOTHING_BEFORE
                    tell(Partial(hand + 1, totals, tuple(new), news))
                    told, told_hands = monotonic(), hand + 1
            lived = self._lived()
        except MatchVoid as error:
            void = error.record
        statistics = self.collector.statistics()
        return SeatingOutcome(
            payoffs=tuple(self.payoffs),
            digest=self.digest.hexdigest(),
            rebuys=tuple(self.rebuys),
            statistics=tuple(statistics.get(label, PlayerStatistics()) for label in self.plan.labels),
            faults=tuple(self._placed(record) for agent in self.agents for record in agent.records),
            void=None if void is None else self._placed(void),
            log=tuple(self.log or ()),
            experience=lived,
            without_luck=tuple(self.without_luck or ()),
        )

    def _go_on(self, bookmarks: Sequence[Any]) -> None:
        """Take up the match after a break."""
        for agent, bookmark in zip(self.agents, bookmarks, strict=True):
            agent.go_on(bookmark)
        self.places.clear()
        self.ends.clear()

    def _news(self) -> HandsBefore:
        """What is to be kept since the last report."""
        ends, self.ends = self.ends, []
        # Most hands of a limit game end in a few situations, whose actions are listed once.
        actions = {node: node.actions for node in {node for node, _ in ends}}
        return since_last_report([PastHand(actions[node], notes) for node, notes in ends], self.agents)

    def _placed(self, record: FaultRecord) -> FaultRecord:
        return replace(record, seating=self.number)

    def _lived(self) -> tuple[tuple[str, ...], ...]:
        """The agents' experience, by entrant; determined by the seed like every hand."""
        texts: list[tuple[str, ...]] = [()] * len(self.seating)
        for seat, agent in enumerate(self.agents):
            texts[self.seating[seat]] = agent.lived()
        for text in (text for own in texts for text in own):
            self.digest.update(text.encode())
        return tuple(texts) if any(texts) else ()

    def _begin(self) -> None:
        for index, agent in zip(self.seating, self.agents, strict=True):
            stream = self.plan.stream.child("agent", agent.label, self.number)
            agent.begin_match(
                MatchStart(
                    rules=self.rules,
                    label=agent.label,
                    players=self.plan.labels,
                    stream=stream,
                    is_reset=self.number > 0,
                    experience=self.experience.get(self.plan.entrants[index].agent, ()),
                )
            )

    def _play(self, seating: Seating, state: State, hand: int, known: PastHand | None = None) -> None:
        agents, labels, payoffs, player = self._places(seating)
        if known is not None:
            retell(state, agents, labels, hand, known)
        elif player is None:
            finish_hand(state, agents, labels, hand)
        else:
            state.node = player(state.deck)
        won = state.payoffs
        self.table.settle(seating, won)
        self.payoffs.append(payoffs.of_chips(won))
        if self.without_luck is not None:
            self.without_luck.append(payoffs.of_parts(without_luck(state)))
        if self.keep_hands:
            self.ends.append((state.node, notes_of(agents) if self.takes_notes and known is None else ()))
        self.collector.add_state(state, labels, won)
        line = self.lines.format(state, labels, str(hand), won)
        self.digest.update(line.encode())
        if self.log is not None:
            if state.setup.stacks != self.rules.stacks or state.setup.blinds != self.rules.blinds:
                stacks, blinds = (
                    "|".join(map(str, chips)) for chips in (state.setup.stacks, state.setup.blinds)
                )
                self.log.append(f"# stacks {stacks} blinds {blinds}")
            self.log.append(line)

    def _places(self, seating: Seating) -> "_Places":
        found = self.places.get(seating.seats)
        if found is None:
            agents = [self.agents[seat] for seat in seating.seats]
            found = self.places[seating.seats] = _Places(
                agents,
                tuple([agent.label for agent in agents]),
                Payoffs([self.seating[seat] for seat in seating.seats], len(self.seating)),
                None if self.rules.carry else self_play(agents, seating.setup),
            )
        return found

    def _can_go_on(self) -> bool:
        """Whether two players have chips, after those without any have bought new ones if they may."""
        if self.plan.bust is Bust.REBUY:
            for seat, chips in enumerate(self.table.stacks):
                if chips < 1:
                    self.table.add_chips(seat, self.rules.stacks[seat])
                    self.rebuys[self.seating[seat]] += 1
        return len(self.table.dealt_in()) >= 2


class _Places(NamedTuple):
    """Who sits where in a hand, by position."""

    agents: list[GuardedAgent]
    labels: tuple[str, ...]
    payoffs: Payoffs
    player: HandPlayer | None
    """What plays their hands without asking them."""


def join(plan: MatchPlan, outcomes: Sequence[SeatingOutcome]) -> MatchResult:
    """Combine all seatings of a match, in order, into one result; the unit is a deal over all its seatings."""
    units = over_all_seatings([outcome.payoffs for outcome in outcomes])
    fair = over_all_seatings([outcome.without_luck for outcome in outcomes])
    nothing = Tally.empty(len(plan.entrants))
    return MatchResult(
        plan=plan,
        tally=Tally.of(units, len(outcomes)) if len(units) else nothing,
        without_luck=Tally.of(fair, len(outcomes)) if len(fair) else nothing if plan.without_luck else None,
        digest=sha256("".join(outcome.digest for outcome in outcomes).encode()).hexdigest(),
        rebuys=tuple(map(sum, zip(*(outcome.rebuys for outcome in outcomes), strict=True))),
        statistics=tuple(
            sum(parts, PlayerStatistics())
            for parts in zip(*(outcome.statistics for outcome in outcomes), strict=True)
        ),
        curve=running_totals(units, CURVE_POINTS),
        faults=tuple(record for outcome in outcomes for record in outcome.faults),
        void=next((outcome.void for outcome in outcomes if outcome.void), None),
        log=tuple(line for outcome in outcomes for line in outcome.log),
        experience=_joined([outcome.experience for outcome in outcomes if outcome.experience]),
    )


def together(results: Sequence[MatchResult]) -> MatchResult:
    """Several matches of the same entrants as if they were one; void ones do not count unless all are void."""
    counted = [result for result in results if result.void is None] or list(results[:1])
    first = counted[0]
    if len(results) == 1:
        return first
    players = len(first.plan.entrants)
    points: list[tuple[int, ...]] = []
    for result in counted:
        start = points[-1] if points else (0,) * (players + 1)
        points += [tuple(map(sum, zip(start, point, strict=True))) for point in result.curve]
    every = -(-len(points) // CURVE_POINTS)
    return MatchResult(
        plan=first.plan,
        tally=sum((result.tally for result in counted), Tally.empty(players)),
        without_luck=sum(
            (result.without_luck for result in counted if result.without_luck), Tally.empty(players)
        )
        if first.plan.without_luck
        else None,
        digest=sha256("".join(result.digest for result in results).encode()).hexdigest(),
        rebuys=tuple(map(sum, zip(*(result.rebuys for result in counted), strict=True))),
        statistics=tuple(
            sum(parts, PlayerStatistics())
            for parts in zip(*(result.statistics for result in counted), strict=True)
        ),
        curve=tuple(points[(len(points) - 1) % every :: every]),
        faults=tuple(record for result in results for record in result.faults),
        void=next((result.void for result in results if result.void), None),
        log=tuple(line for result in results for line in result.log),
        experience=_joined([result.experience for result in counted if result.experience]),
    )


def _joined(seatings: Sequence[tuple[tuple[str, ...], ...]]) -> tuple[tuple[str, ...], ...]:
    """The winnings of each entrant over all seatings."""
    return tuple(tuple(text for part in parts for text in part) for parts in zip(*seatings, strict=True))
