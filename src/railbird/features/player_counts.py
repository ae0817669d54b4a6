"""What every player did in a hand, counted in one pass over its events; `arena.results.statistics` defines the words.

Hands are counted while a match plays, so one may cost a few microseconds only: a player's counts are ints in one list,
the entries named here, and sets of seats are bits.

>>> rows = [no_counts(), no_counts()]
>>> _ = count_hand((Act(0, ActionKind.RAISE, 15, 20), Act(1, ActionKind.FOLD, 0, 10)), rows)
>>> rows[0][VPIP], rows[0][PFR], rows[1][ASKED], decisions_in(rows[1], 0)[FOLDS]
(1, 1, 1, 1)
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias

from railbird.cards import Card
from railbird.engine.actions import ActionKind
from railbird.engine.events import Act, Award, Chips, DealBoard, DealHole, Event, Post, Return
from railbird.engine.rules import ROUND_NAMES

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
