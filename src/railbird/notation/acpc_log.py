"""STATE log lines of the Annual Computer Poker Competition's server, read into hand records and written from them.

    STATE:hand:betting:cards:payoffs:players

Players stand in the order of their positions. Raises of no-limit games count the chips of the whole hand, so the
round's raise-to is that number less what the seat had paid before the round.
"""

import re
from collections.abc import Iterator
from fractions import Fraction

from railbird.cards import Card, CardError, format_cards, parse_cards
from railbird.engine.actions import CALL, FOLD, ActionError, ActionKind, raise_to
from railbird.engine.events import Chips
from railbird.engine.record import HandRecord
from railbird.engine.rules import Betting, GameRules
from railbird.engine.setup import Setup
from railbird.engine.state import UNKNOWN, State

_ACTION = re.compile(r"([fc])|r(\d*)|(/)")
_FIELDS = 6
_DECIMALS = 6


class StateLineError(ValueError):
    """A STATE line that is broken or does not follow the rules of its game."""


def parse_state_line(line: str, setup: Setup) -> HandRecord:
    """The hand of a STATE line; the printed payoffs must be those that the rules give."""
    fields = line.rstrip("\r\n").split(":")
    if len(fields) != _FIELDS or fields[0] != "STATE":
        raise StateLineError(f"{_shorten(line)!r} is not STATE:hand:betting:cards:payoffs:players")
    _, hand_id, betting, cards, payoffs, names = fields
    players = tuple(names.split("|"))
    if len(players) != setup.rules.players:
        raise StateLineError(f"hand {hand_id} has {len(players)} players in a game of {setup.rules.players}")
    try:
        state = State(setup, _parse_cards(cards, setup.rules))
        for kind, amount in _parse_betting(betting, hand_id):
            _act(state, kind, amount, hand_id)
        if not state.is_over:
            raise StateLineError(f"hand {hand_id} stops while seat {state.actor} is to act")
        record = HandRecord.of(state, players, hand_id)
    except (ActionError, CardError) as error:
        raise StateLineError(f"hand {hand_id}: {error}") from None
    printed = payoffs.split("|")
    counted = [format_chips(chips) for chips in record.payoffs]
    if printed != counted:
        raise StateLineError(f"hand {hand_id} is printed with {payoffs}, but it pays {'|'.join(counted)}")
    if format_betting(record) != betting:
        raise StateLineError(f"hand {hand_id} has its rounds in other places than {format_betting(record)}")
    return record


def _shorten(line: str) -> str:
    return line if len(line) <= 60 else line[:57] + "…"


def _parse_betting(text: str, hand_id: str) -> Iterator[tuple[str, int | None]]:
    place = 0
    while place < len(text):
        found = _ACTION.match(text, place)
        if found is None:
            raise StateLineError(f"hand {hand_id} has {text[place]!r} where an action is expected")
        place = found.end()
        if found[1]:
            yield found[1], None
        elif found[3] is None:
            yield "r", int(found[2]) if found[2] else None


def _act(state: State, kind: str, amount: int | None, hand_id: str) -> None:
    if kind != "r":
        state.act(FOLD if kind == "f" else CALL)
        return
    limit = state.rules.betting is Betting.LIMIT
    if limit == (amount is not None):
        raise StateLineError(f"hand {hand_id} has a raise {'with' if limit else 'without'} an amount")
    if amount is None:
        state.verify_raise_to(state.legal_actions.raise_minimum)
        state.act(raise_to(state.legal_actions.raise_minimum))
    else:
        state.act(raise_to(amount - paid_before_round(state)))


def paid_before_round(state: State) -> int:
    """What the seat to act had paid before this round: the difference between the ACPC's raises and ours."""
    seat = state.actor
    assert seat is not None
    return state.paid[seat] - state.bets[seat]


def _parse_cards(text: str, rules: GameRules) -> list[Card]:
    holes, *board = text.split("/")
    hands = holes.split("|")
    if len(hands) != rules.players:
        raise CardError(f"{len(hands)} hands for {rules.players} players in {text!r}")
    cards: list[Card] = []
    for hand in hands:
        found = list(parse_cards(hand))
        if found and len(found) != rules.hole_cards:
            raise CardError(f"{hand!r} is not a hand of {rules.hole_cards} cards")
        cards += found or [UNKNOWN] * rules.hole_cards
    rounds = [count for count in rules.board_cards if count]
    if len(board) > len(rounds):
        raise CardError(f"{len(board)} boards for {len(rounds)} rounds that have one")
    for part, count in zip(board, rounds, strict=False):
        found = list(parse_cards(part))
        if len(found) != count:
            raise CardError(f"{part!r} is not a board of {count} cards")
        cards += found
    return cards + [UNKNOWN] * (rules.cards_dealt - len(cards))


def format_state_line(record: HandRecord) -> str:
    """The STATE line of a finished hand, without a line end."""
    payoffs = "|".join(map(format_chips, record.payoffs))
    return ":".join(
        (
            "STATE",
            record.hand_id,
            format_betting(record),
            _format_cards(record),
            payoffs,
            "|".join(record.players),
        )
    )


def format_betting(record: HandRecord) -> str:
    """The betting of a hand as the ACPC writes it, rounds divided by slashes."""
    limit = record.rules.betting is Betting.LIMIT
    text: list[str] = []
    number = 0
    state = State(record.setup, record.cards)
    for action in record.actions():
        text += "/" * (state.round - number)
        number = state.round
        match action.kind:
            case ActionKind.FOLD:
                text.append("f")
            case ActionKind.CALL:
                text.append("c")
            case ActionKind.RAISE:
                text.append("r" if limit else f"r{action.to + paid_before_round(state)}")
        state.act(action)
    last = record.rules.rounds - 1 if state.is_showdown else state.round
    return "".join(text) + "/" * (last - number)


def _format_cards(record: HandRecord) -> str:
    rules, cards = record.rules, record.cards
    size = rules.hole_cards
    holes = (cards[seat * size : (seat + 1) * size] for seat in range(rules.players))
    text = "|".join("" if UNKNOWN in hole else format_cards(hole) for hole in holes)
    board = [card for card in cards[rules.players * size :] if card != UNKNOWN]
    for count in rules.board_cards:
        if count and board:
            text += "/" + format_cards(board[:count])
            board = board[count:]
    return text


def format_chips(chips: Chips) -> str:
    """Chips as the ACPC prints them: six decimals, without zeros at the end."""
    if isinstance(chips, int):
        return str(chips)
    scaled = round(Fraction(chips) * 10**_DECIMALS)
    sign = "-" if scaled < 0 else ""
    whole, decimals = divmod(abs(scaled), 10**_DECIMALS)
    fraction = f"{decimals:0{_DECIMALS}d}".rstrip("0")
    return f"{sign}{whole}.{fraction}" if fraction else f"{sign}{whole}"
