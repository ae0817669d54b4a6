"""What every player did in a hand, counted in one pass over its events; `arena.results.statistics` defines the words.

Hands are counted while a match plays, so one may cost a few microseconds only: a player's counts are ints in one list,
the entries named here, and sets of seats are bits.

>>> rows = [no_counts(), no_counts()]
>>> _ = count_hand((Act(0, ActionKind.RAISE, 15, 20), Act(1, ActionKind.FOLD, 0, 10)), rows)
>>> rows[0][VPIP], rows[0][PFR], rows[1][ASKED], decisions_in(rows[1], 0)[FOLDS]
(1, 1, 1, 1)
"""

from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from typing import NamedTuple, TypeAlias

from railbird.cards import Card
from railbird.engine.actions import ActionKind
from railbird.engine.events import Act, Award, Chips, DealBoard, DealHole, Event, Post, Return, Reveal
from railbird.engine.record import HandRecord
from railbird.engine.rules import ROUND_NAMES
from railbird.kernels.rules.betting import HIGH

Counts: TypeAlias = list[int]
"""The counts of one player over any number of hands; the entries are hands unless they say otherwise."""

(
    HANDS,
    PLAYED,
    UNCONTESTED,
    FLOPS,
    SHOWDOWNS,
    SHOWDOWNS_WON,
    ASKED,
    VPIP,
    PFR,
    AT_TWO_BETS,
    THREE_BETS,
    _DECISIONS,
) = range(12)
FOLDS, CHECKS, CALLS, BETS, RAISES = range(5)
"""Entries of the decisions of one betting round."""
_KINDS = 5
_ENTRIES = _DECISIONS + _KINDS * len(ROUND_NAMES)


def no_counts() -> Counts:
    """The counts of a player of whom nothing was seen."""
    return [0] * _ENTRIES


def are_possible(counts: Sequence[int], hands: int) -> bool:
    """Whether these can be the counts of a player in a number of hands."""
    return (
        len(counts) == _ENTRIES
        and min(counts) >= 0
        and counts[HANDS] == hands == max(counts[:_DECISIONS])
        and counts[PFR] <= counts[VPIP] <= min(counts[ASKED], counts[PLAYED])
        and counts[THREE_BETS] <= counts[AT_TWO_BETS] <= counts[ASKED]
        and counts[SHOWDOWNS_WON] <= counts[SHOWDOWNS]
        and counts[SHOWDOWNS] + counts[UNCONTESTED] + sum(counts[_DECISIONS + FOLDS :: _KINDS]) == hands
    )


def decisions_in(counts: Counts, number: int) -> Counts:
    """How many folds, checks, calls, bets and raises a player made in a betting round."""
    start = _DECISIONS + _KINDS * number
    return counts[start : start + _KINDS]


class CountedHand(NamedTuple):
    """What else was seen while a hand was counted."""

    chips: list[Chips]
    """What each seat won or lost."""
    holes: list[tuple[Card, ...] | None]
    """The cards of each seat, where they are known."""
    flop: tuple[Card, ...]
    at_flop: int
    """The seats that saw the flop, as bits."""


_LAST_EVENTS = frozenset((Award, Return, Reveal))
"""The last events of a finished hand. A blind or ante that nobody matched is returned and may leave no award."""


def is_finished(record: HandRecord) -> bool:
    """Whether a hand was played to its end."""
    return bool(record.events) and type(record.events[-1]) in _LAST_EVENTS


class LeftOut(Enum):
    """Why a hand has no exact results and is left out of statistics."""

    UNFINISHED = "unfinished"
    UNCERTAIN = "uncertain"

    @property
    def sentence(self) -> str:
        """The reason in words."""
        if self is LeftOut.UNFINISHED:
            return "the hand is not over, and only finished hands count"
        return "the source does not say who won the showdown"


def why_left_out(record: HandRecord) -> LeftOut | None:
    """Why a hand does not count, None if it does."""
    if not is_finished(record):
        return LeftOut.UNFINISHED
    return None if record.has_certain_winner else LeftOut.UNCERTAIN


def count_record(record: HandRecord, rows: Sequence[Counts]) -> CountedHand:
    """Add a finished hand to the counts of its players, seat by seat."""
    events: Iterable[Event] = record.events
    if 0 in record.rules.board_cards[1:]:
        events = _with_every_round(record)
    return count_hand(events, rows, 1 if record.setup.tree.root.view[HIGH] else 0)


def _with_every_round(record: HandRecord) -> Iterator[Event]:
    """The events of a game in which some rounds deal no board cards, with an empty board at the start of these."""
    rounds_decided_in = (state.round for state, _ in record.states())
    number = 0
    for event in record.events:
        opened = number
        if type(event) is Act:
            opened = next(rounds_decided_in)
        elif type(event) is DealBoard:
            opened = event.round - 1
        for silent in range(number + 1, opened + 1):
            yield DealBoard(silent, ())
        number = event.round if type(event) is DealBoard else opened
        yield event


def count_hand(events: Iterable[Event], rows: Sequence[Counts], bets: int = 1) -> CountedHand:
    """Add a finished hand to the counts of its players, seat by seat.

    `bets` is how many bets the first round opens with: 1, or 0 in a game without blinds. Rounds are told apart by
    their board cards.
    """
    # All of it is one function on purpose: calls for each event would cost more than the counting.
    seats = len(rows)
    chips: list[Chips] = [0] * seats
    holes: list[tuple[Card, ...] | None] = [None] * seats
    flop: tuple[Card, ...] = ()
    everyone = (1 << seats) - 1
    folded = at_flop = winners = asked = played = vpip = pfr = at_two_bets = three_bets = 0
    decisions = _DECISIONS  # where this round's decisions are counted
    fold, call = ActionKind.FOLD, ActionKind.CALL
    for event in events:
        if type(event) is Act:
            seat = event.seat
            bit = 1 << seat
            kind = event.kind
            if decisions == _DECISIONS:
                asked |= bit
                if bets == 2:
                    at_two_bets |= bit
            if kind is fold:
                rows[seat][decisions + FOLDS] += 1
                folded |= bit
            elif kind is call:
                paid = event.paid
                if paid:
                    rows[seat][decisions + CALLS] += 1
                    chips[seat] -= paid
                    played |= bit
                else:
                    rows[seat][decisions + CHECKS] += 1
            else:
                rows[seat][decisions + (RAISES if bets else BETS)] += 1
                chips[seat] -= event.paid
                played |= bit
                if decisions == _DECISIONS:
                    pfr |= bit
                    if bets == 2:
                        three_bets |= bit
                bets += 1
        elif type(event) is DealHole:
            holes[event.seat] = event.cards
        elif type(event) is DealBoard:
            number = event.round
            if number:
                bets = 0
                decisions = _DECISIONS + _KINDS * number
                if number == 1:
                    vpip = played
                    at_flop = everyone & ~folded
            if number <= 1:
                flop += event.cards
        elif type(event) is Award:
            chips[event.seat] += event.amount
            winners |= 1 << event.seat
        elif type(event) is Post:
            chips[event.seat] -= event.amount
        elif type(event) is Return:
            chips[event.seat] += event.amount

    if decisions == _DECISIONS:
        vpip = played
    live = everyone & ~folded
    # live & (live − 1) strikes one seat: is another one left?
    showdown = live if live & (live - 1) else 0
    for seat, row in enumerate(rows):
        bit = 1 << seat
        row[HANDS] += 1
        if asked & bit:
            row[ASKED] += 1
            if vpip & bit:
                row[VPIP] += 1
                if pfr & bit:
                    row[PFR] += 1
            if at_two_bets & bit:
                row[AT_TWO_BETS] += 1
                if three_bets & bit:
                    row[THREE_BETS] += 1
        if played & bit:
            row[PLAYED] += 1
        if at_flop & bit:
            row[FLOPS] += 1
        if live & bit:
            if showdown:
                row[SHOWDOWNS] += 1
                if winners & bit:
                    row[SHOWDOWNS_WON] += 1
            else:
                row[UNCONTESTED] += 1
    return CountedHand(chips, holes, flop, at_flop)
