"""Conversion of hand records to rows of the tables and back.

Most of a record follows from its rows: posts from stacks and blinds, deals from the cards of the seats and the board,
actions one row each. The rest, the ending, is stored as JSON. If a source has the events in a different order than
`engine.history`, all of them are also stored as JSON, so that nothing is lost.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from railbird.cards import Card, format_cards, parse_cards
from railbird.engine.actions import ActionKind
from railbird.engine.events import Act, Chips, DealBoard, DealHole, Event, Post, Reveal
from railbird.engine.json_form import event_from_json, event_to_json, fraction_from_json
from railbird.engine.record import NO_DETAILS, Details, HandRecord
from railbird.engine.setup import Setup

HandRow: TypeAlias = tuple[
    str,
    int,
    str,
    str | None,
    str | None,
    str | None,
    str | None,
    str | None,
    str | None,
    str | None,
    str | None,
]
"""hand_id, first, board, venue, table_name, time, currency, chip, notes, ending, events."""
SeatRow: TypeAlias = tuple[int, str, int | None, int, int, int, str | None, int, int]
"""seat, the player's name, chair, stack, blind, ante, cards, payoff, payoff_of."""
ActionRow: TypeAlias = tuple[int, int, int, str, int, int]
"""number, round, seat, kind, paid, bet."""

_LETTERS = "".join(kind.name[0].lower() for kind in sorted(ActionKind))
_KINDS = dict(zip(_LETTERS, sorted(ActionKind), strict=True))


_LARGEST = 2**63 - 1


class UnstorableHand(ValueError):
    """A hand that cannot be stored, with the reason."""


@dataclass(frozen=True, slots=True)
class HandRows:
    """The rows of one hand, before the store assigns ids to hands, games and players."""

    hand: HandRow
    seats: list[SeatRow]
    actions: list[ActionRow]


def rows_of(record: HandRecord) -> HandRows:
    """The rows of a record."""
    setup, players = record.setup, record.rules.players
    holes: list[str | None] = [None] * players
    chips: list[Chips] = [0] * players
    dealt: list[Event] = []
    played: list[Event] = []
    ended: list[Event] = []
    boards: list[DealBoard] = []
    actions: list[ActionRow] = []
    number = 0
    for event in record.events:
        if isinstance(event, Act):
            played.append(event)
            actions.append((len(actions), number, event.seat, _LETTERS[event.kind], event.paid, event.to))
            chips[event.seat] -= event.paid
        elif isinstance(event, DealHole):
            dealt.append(event)
            holes[event.seat] = None if event.cards is None else _text(event.cards)
        elif isinstance(event, DealBoard):
            played.append(event)
            boards.append(event)
            number = event.round
        elif isinstance(event, Post):
            chips[event.seat] -= event.amount
        else:
            ended.append(event)
            if not isinstance(event, Reveal):
                chips[event.seat] += event.amount
    if 0 in record.rules.board_cards[1:]:
        rounds = [state.round for state, _ in record.states()]
        actions = [(row[0], number, *row[2:]) for row, number in zip(actions, rounds, strict=True)]
    usual = (
        record.events == (*setup.posts, *dealt, *played, *ended)
        and [event.seat for event in dealt if isinstance(event, DealHole)] == list(range(players))
        and _are_usual(boards, record.rules.board_cards)
    )
    return HandRows(
        hand=(
            record.hand_id,
            setup.first,
            "".join([format_cards(event.cards) for event in boards]),
            *_details_row(record.details),
            _events_text(ended) if usual else None,
            None if usual else _events_text(record.events),
        ),
        seats=[
            (seat, name, chair, stack, blind, ante, cards, payoff.numerator, payoff.denominator)
            for seat, (name, chair, stack, blind, ante, cards, payoff) in enumerate(
                zip(
                    record.players,
                    record.seats or (None,) * players,
                    setup.stacks,
                    setup.blinds,
                    setup.antes,
                    holes,
                    chips,
                    strict=True,
                )
            )
        ],
        actions=actions,
    )


def require_storable(rows: HandRows) -> None:
    """Refuse text and numbers that databases cannot store."""
    hand_id, _, _, venue, table, time, currency, _, notes, _, _ = rows.hand
    told = f"{hand_id}{venue}{table}{time}{currency}{notes}{''.join([row[1] for row in rows.seats])}"
    if "\0" in told:
        raise UnstorableHand(f"hand {hand_id!r} has a NUL character in a name or note")
    try:
        told.encode()
    except UnicodeEncodeError as error:
        raise UnstorableHand(
            f"hand {hand_id!r} has an unpaired surrogate in a name or note: {error.reason}"
        ) from None
    for row in rows.seats:
        for number in (row[2] or 0, row[7], row[8]):
            if abs(number) > _LARGEST:
                raise UnstorableHand(f"hand {hand_id!r} has a number that is too large: {number}")


def _are_usual(boards: Sequence[DealBoard], board_cards: Sequence[int]) -> bool:
    """Whether every round reached has its board cards, in the right number and order."""
    expected = [(number, count) for number, count in enumerate(board_cards) if count]
    return [(event.round, len(event.cards)) for event in boards] == expected[: len(boards)]


def record_of(
    rows: HandRows,
    setup: Setup,
) -> HandRecord:
    """Rebuild a record."""
    hand_id, _, board, venue, table, time, currency, chip, notes, ending, events = rows.hand
    told = (venue, table, time, currency, chip, notes)
    names = tuple([row[1] for row in rows.seats])
    chairs = tuple([row[2] for row in rows.seats if row[2] is not None])
    return HandRecord(
        hand_id=hand_id,
        setup=setup,
        players=names,
        events=_usual_events(rows, setup, board, ending or "") if events is None else _events_of_text(events),
        seats=chairs,
        details=NO_DETAILS if told == _NOTHING_TOLD else _details(*told),
    )


def _usual_events(rows: HandRows, setup: Setup, board: str, ending: str) -> tuple[Event, ...]:
    events: list[Event] = list(setup.posts)
    events += [DealHole(row[0], None if row[6] is None else _cards(row[6])) for row in rows.seats]
    cards = parse_cards(board)
    boards = []
    start = 0
    for number, count in enumerate(setup.rules.board_cards):
        if count and start < len(cards):
            boards.append(DealBoard(number, cards[start : start + count]))
            start += count
    opened = 0
    for _, number, seat, kind, paid, bet in rows.actions:
        while opened < len(boards) and boards[opened].round <= number:
            events.append(boards[opened])
            opened += 1
        events.append(Act(seat, _KINDS[kind], paid, bet))
    events += boards[opened:]
    events += _events_of_text(ending)
    return tuple(events)


_NOTHING_TOLD = (None,) * 6


def _details_row(
    details: Details,
) -> tuple[str | None, str | None, str | None, str | None, str | None, str | None]:
    if details == NO_DETAILS:
        return None, None, None, None, None, None
    return (
        details.venue or None,
        details.table or None,
        details.time or None,
        details.currency or None,
        None if details.chip == 1 else str(details.chip),
        json.dumps(details.notes, ensure_ascii=False, separators=(",", ":")) if details.notes else None,
    )


def _details(
    venue: str | None,
    table: str | None,
    time: str | None,
    currency: str | None,
    chip: str | None,
    notes: str | None,
) -> Details:
    return Details(
        venue=venue or "",
        table=table or "",
        time=time or "",
        currency=currency or "",
        chip=fraction_from_json(chip or 1),
        notes=tuple([(name, text) for name, text in json.loads(notes)]) if notes else (),
    )


def _events_text(events: Sequence[Event]) -> str:
    return json.dumps([event_to_json(event) for event in events], separators=(",", ":"))


def _events_of_text(text: str) -> tuple[Event, ...]:
    return tuple([event_from_json(event) for event in json.loads(text)])


@lru_cache(maxsize=4096)
def _text(cards: tuple[Card, ...]) -> str:
    return format_cards(cards)


@lru_cache(maxsize=4096)
def _cards(text: str) -> tuple[Card, ...]:
    return parse_cards(text)
