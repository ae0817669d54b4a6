"""How a hand ended, as a body tells it: what everyone won, and the hand as one seat saw it, event by event."""

from typing import Any

from railbird.agent import HandResult
from railbird.cards import Card, parse_cards
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
from railbird.engine.history import payoffs_of
from railbird.engine.json_form import event_to_json
from railbird.interfaces.brain.fields import LARGEST_HAND_NUMBER, Code, Fields, Refusal, chips, quoted
from railbird.interfaces.brain.messages import ACTION_KINDS, MOST_SEEN
from railbird.kernels.rules.betting import MOST_SEATS


def chips_to_json(payoffs: tuple[Chips, ...]) -> list[int | str]:
    """What every seat won or lost; exact fractions of chips are text."""
    return [amount if isinstance(amount, int) else str(amount) for amount in payoffs]


def read_payoffs(request: Fields, players: int) -> tuple[Chips, ...] | None:
    """What every seat won or lost, None where it is not told."""
    if "payoffs" not in request:
        return None
    found = [chips(amount) for amount in request.items("payoffs", MOST_SEATS)]
    payoffs = tuple(amount for amount in found if amount is not None)
    if len(payoffs) != players or len(found) != players:
        raise request.refuse("payoffs", f"what each of the {players} seats won or lost")
    return payoffs


def require_payoffs(told: tuple[Chips, ...] | None, reckoned: tuple[Chips, ...]) -> None:
    """Refuse payoffs that do not follow from what happened."""
    if told is not None and told != reckoned:
        raise Refusal(
            Code.BAD_FIELD,
            f"the payoffs are {', '.join(map(str, told))}, but what happened makes "
            f"{', '.join(map(str, reckoned))}",
        )


def result_to_json(result: HandResult) -> dict[str, Any]:
    """The result that `read_result` reads."""
    return {
        "seat": result.seat,
        "players": list(result.players),
        "events": [event_to_json(event) for event in result.events],
        "payoffs": chips_to_json(result.payoffs),
        "hand_number": result.hand_number,
    }


def read_result(data: object) -> HandResult:
    """A finished hand as events."""
    request = Fields("the result", data)
    players = request.texts("players")
    if not 2 <= len(players) <= MOST_SEATS:
        raise request.refuse("players", f"a list of 2 to {MOST_SEATS} names")
    seat = request.number("seat", most=len(players) - 1)
    entries = request.items("events", MOST_SEEN)
    events = tuple(_read_event(entry, place, len(players)) for place, entry in enumerate(entries))
    payoffs = read_payoffs(request, len(players))
    number = request.number("hand_number", default=0, most=LARGEST_HAND_NUMBER)
    request.finish()
    reckoned = payoffs_of(events, len(players))
    require_payoffs(payoffs, reckoned)
    if sum(reckoned):
        raise Refusal(Code.BAD_FIELD, f"the payoffs of the result add up to {sum(reckoned)}, not to 0")
    return HandResult(seat, players, events, reckoned, number)


def _read_event(data: object, place: int, players: int) -> Event:
    event = _event(data, players)
    if event is None:
        raise Refusal(Code.BAD_FIELD, f"event {place} of the result is {quoted(data)}, which is no event")
    return event


def _event(data: object, players: int) -> Event | None:
    """An event as `engine.json_form.event_to_json` wrote it, None where it is none."""

    def is_seat(value: object) -> bool:
        return type(value) is int and 0 <= value < players

    def are_amounts(*values: object) -> bool:
        return all(type(value) is int and 0 <= value < 1 << 32 for value in values)

    if type(data) is not list or len(data) < 3 or type(data[0]) is not str:
        return None
    match data:
        case ["post", seat, "ante" | "blind" as kind, amount] if is_seat(seat) and are_amounts(amount):
            return Post(seat, PostKind(kind), amount)
        case ["hole", seat, None] if is_seat(seat):
            return DealHole(seat, None)
        case ["hole", seat, str(cards)] if is_seat(seat):
            return DealHole(seat, _cards(cards))
        case ["board", int(number), str(cards)] if are_amounts(number):
            return DealBoard(number, _cards(cards))
        case ["act", seat, str(kind), paid, to] if (
            is_seat(seat) and kind in ACTION_KINDS and are_amounts(paid, to)
        ):
            return Act(seat, ACTION_KINDS[kind], paid, to)
        case ["return", seat, amount] if is_seat(seat) and are_amounts(amount):
            return Return(seat, amount)
        case ["reveal", seat, None] if is_seat(seat):
            return Reveal(seat, None)
        case ["reveal", seat, str(cards)] if is_seat(seat):
            return Reveal(seat, _cards(cards))
        case ["award", seat, pot, amount] if is_seat(seat) and are_amounts(pot):
            won = chips(amount)
            return None if won is None else Award(seat, pot, won)
    return None


def _cards(text: str) -> tuple[Card, ...]:
    return parse_cards(text[:100])
