"""The events of a hand, derived from its state: every post, deal, action, reveal and award in order."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from railbird.cards import format_cards
from railbird.engine.actions import ActionKind
from railbird.engine.betting_tree import Reckoning
from railbird.engine.events import (
    Act,
    Award,
    Chips,
    DealBoard,
    DealHole,
    Event,
    Post,
    PostKind,
    Return,
    Reveal,
)
from railbird.engine.rules import Mucking
from railbird.engine.setup import Setup
from railbird.engine.state import UNKNOWN, State, whole_or_fraction
from railbird.engine.wording import Wording, format_chips
from railbird.hands.evaluator import tables
from railbird.kernels.rules import betting
from railbird.kernels.rules.pots import collect_pots, merge_pots, return_uncalled, share_pot
from railbird.kernels.rules.showdown import showdown_values

HIDDEN_HOLES = tuple([DealHole(seat, None) for seat in range(betting.MOST_SEATS)])
"""Unknown hole cards by seat, shared by all hands."""


def events_of(state: State) -> tuple[Event, ...]:
    """Everything that happened in a hand so far, hidden cards included."""
    return tuple(_events(state))


def _events(state: State) -> Iterator[Event]:
    yield from play(state)
    if state.is_over:
        yield from ending(state)


def play(state: State) -> list[Event]:
    """The events up to the last action and the last board card: everything before the ending."""
    rules = state.rules
    events: list[Event] = [*state.setup.posts]
    cards, size = state.cards, rules.hole_cards
    for seat in range(len(rules.blinds)):
        hole = cards[seat * size : seat * size + size]
        events.append(HIDDEN_HOLES[seat] if UNKNOWN in hole else DealHole(seat, hole))
    acts, rounds = state.node.course()
    done = 0
    for number, dealt in enumerate(_boards(state)):
        until = bisect_left(rounds, number, done)
        events += acts[done:until]
        events += dealt
        done = until
    events += acts[done:]
    return events


def _boards(state: State) -> list[tuple[DealBoard, ...]]:
    """The board cards of every round that was reached; none in rounds that deal no cards."""
    boards: list[tuple[DealBoard, ...]] = []
    board, start = state.board, 0
    last = state.rules.rounds - 1 if state.is_showdown else state.round
    for number, count in enumerate(state.rules.board_cards[: last + 1]):
        boards.append((DealBoard(number, board[start : start + count]),) if count else ())
        start += count
    return boards


def ending(state: State) -> tuple[Event, ...]:
    """How a hand that is over ends: the uncalled bet goes back, hands are shown in order, pots are awarded."""
    if state.ending is None:
        state.ending = tuple(_ending(state))
    return state.ending


def _ending(state: State) -> Iterator[Event]:
    reckoning = reckoning_of(state)
    if reckoning.uncalled:
        yield Return(reckoning.uncalled_seat, reckoning.uncalled)
    amounts, claims, pots = reckoning.amounts, reckoning.claims, reckoning.pots
    values = np.zeros(betting.MOST_SEATS, dtype=np.int64)
    rules_vector = state.setup.rules_vector
    if state.is_showdown:
        state.require_known_cards()
        showdown_values(rules_vector, reckoning.vector, state.deck, tables(), values)
        yield from _reveals(state, reckoning, values.tolist())
        if rules_vector[betting.MERGED_POTS]:
            amounts, claims = amounts.copy(), claims.copy()
            pots = merge_pots(rules_vector, values, amounts, claims, pots)
    for pot in range(pots):
        awards = np.zeros(betting.MOST_SEATS, dtype=np.int64)
        share_pot(rules_vector, values, amounts[pot], claims[pot], awards)
        for seat, parts in enumerate(awards.tolist()):
            if parts:
                yield Award(seat, pot, whole_or_fraction(parts))


def reckoning_of(state: State) -> Reckoning:
    """The part of the payout that depends on betting only; computed once per betting sequence."""
    if state.node.reckoning is None:
        state.node.reckoning = _reckon(state)
    return state.node.reckoning


def _reckon(state: State) -> Reckoning:
    rules_vector = state.setup.rules_vector
    vector = state.node.vector.copy()
    seat, uncalled = return_uncalled(rules_vector, vector)
    amounts = np.zeros(betting.MOST_SEATS, dtype=np.int64)
    claims = np.zeros(betting.MOST_SEATS, dtype=np.int64)
    pots = collect_pots(rules_vector, vector, amounts, claims)
    order: tuple[int, ...] = ()
    if state.is_showdown:
        # The last to bet or raise shows first, otherwise the first to act; then around the table.
        first = state.aggressor
        if first is None:
            first = state.setup.first if state.round == 0 else state.rules.first_seats[state.round]
        live = state.live_seats
        order = (*[seat for seat in live if seat >= first], *[seat for seat in live if seat < first])
    stacks = state.stacks
    return Reckoning(
        seat, uncalled, vector, amounts, claims, pots, order, any(stacks[live] == 0 for live in order)
    )


def _reveals(state: State, reckoning: Reckoning, values: list[int]) -> Iterator[Reveal]:
    """Where losers may muck, a hand is mucked if shown hands beat it in every pot it could win.

    When a player is all-in, every hand is shown.
    """
    may_muck = state.rules.mucking is Mucking.LOSERS_MUCK and not reckoning.all_in
    claims = reckoning.claims[: reckoning.pots].tolist() if may_muck else []
    shown: list[int] = []
    for seat in reckoning.order:
        beaten = may_muck and all(
            any(claim >> other & 1 and values[other] > values[seat] for other in shown)
            for claim in claims
            if claim >> seat & 1
        )
        if beaten:
            yield Reveal(seat, None)
        else:
            shown.append(seat)
            yield Reveal(seat, state.hole_cards(seat))


def payoffs_of(events: tuple[Event, ...], players: int) -> tuple[Chips, ...]:
    """What every seat won or lost, added up from the events alone."""
    chips: list[Chips] = [0] * players
    for event in events:
        if isinstance(event, Act):
            chips[event.seat] -= event.paid
        elif isinstance(event, Post):
            chips[event.seat] -= event.amount
        elif isinstance(event, Return | Award):
            chips[event.seat] += event.amount
    return tuple(chips)


_STREETS = {(1, 3): "Flop", (2, 1): "Turn", (3, 1): "River"}
"""Names of boards in hold'em, by round and number of cards."""
_BLINDS = ("small blind", "big blind", "straddle")


class Narrator:
    """Tells the events of one hand in order, with the chips that bets and blinds are named by."""

    def __init__(self, setup: Setup, players: Sequence[str] | None = None) -> None:
        self._setup = setup
        self._players = players
        self._stacks = list(setup.stacks)
        self._bets = [0] * len(setup.stacks)

    def tell(self, event: Event) -> str:
        """The next event as a sentence."""
        match event:
            case Post(seat, kind, amount):
                self._pay(seat, amount, self._bets[seat] + (amount if kind is PostKind.BLIND else 0))
                what = "ante" if kind is PostKind.ANTE else _blind(self._setup, seat)
                return f"{self._who(seat)} posts {what} {amount:,}"
            case DealHole(seat, cards):
                return f"{self._who(seat)} is dealt {format_cards(cards, ' ') if cards else 'hidden cards'}"
            case DealBoard(number, cards):
                if number:
                    self._bets = [0] * len(self._bets)
                return f"{_STREETS.get((number, len(cards)), 'Board')} {format_cards(cards, ' ')}"
            case Act(seat):
                return f"{self._who(seat)} {self._told(event)}"
            case Return(seat, amount):
                return f"Uncalled bet of {format_chips(amount)} returned to {self._who(seat)}"
            case Reveal(seat, cards):
                return (
                    f"{self._who(seat)} shows {format_cards(cards, ' ')}"
                    if cards
                    else f"{self._who(seat)} mucks"
                )
            case Award(seat, pot, amount):
                where = "the pot" if pot == 0 else f"side pot {pot}"
                return f"{self._who(seat)} wins {format_chips(amount)} from {where}"
        raise AssertionError(event)

    def _told(self, act: Act) -> str:
        """An action without the player's name."""
        seat = act.seat
        to_call = act.paid if act.kind is ActionKind.CALL else 0
        wording = Wording(to_call, max(self._bets), self._bets[seat], self._stacks[seat])
        self._pay(seat, act.paid, act.to)
        return wording.tell(act.action)

    def _pay(self, seat: int, amount: int, bet: int) -> None:
        self._stacks[seat] -= amount
        self._bets[seat] = bet

    def _who(self, seat: int) -> str:
        return self._players[seat] if self._players else f"seat {seat}"


def _blind(setup: Setup, seat: int) -> str:
    """What a seat's blind is called."""
    known = sorted({blind for blind in setup.rules.blinds if blind})
    if len(known) < 2:
        return "a blind of"
    smaller = sum(blind < setup.blinds[seat] for blind in known)
    return _BLINDS[min(smaller, len(_BLINDS) - 1)]


def narrate(
    events: Iterable[Event], setup: Setup, players: Sequence[str] | None = None
) -> Iterator[tuple[Event, str]]:
    """The events of one hand with their sentences."""
    narrator = Narrator(setup, players)
    for event in events:
        yield event, narrator.tell(event)
