"""STATE log lines of the Annual Computer Poker Competition's server, read into hand records and written from them.

    STATE:hand:betting:cards:payoffs:players

Players stand in the order of their positions. Raises of no-limit games count the chips of the whole hand, so the
round's raise-to is that number less what the seat had paid before the round.
"""

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction

from railbird.cards import Card, CardError, format_cards, parse_cards
from railbird.engine.actions import CALL, FOLD, ActionError, ActionKind, raise_to
from railbird.engine.betting_tree import BettingNode
from railbird.engine.events import Chips
from railbird.engine.record import HandRecord
from railbird.engine.rules import Betting, GameRules
from railbird.engine.setup import Setup
from railbird.engine.state import UNKNOWN, State
from railbird.kernels import betting
from railbird.notation.reading import NotationError

_ACTION = re.compile(r"([fc])|r(\d*)|(/)")
_FIELDS = 6
_DECIMALS = 6


class StateLineError(NotationError):
    """A STATE line that is broken or does not follow the rules of its game."""


def parse_state_line(line: str, setup: Setup) -> HandRecord:
    """The hand of a STATE line; the printed payoffs must be those that the rules give."""
    fields = line.rstrip("\r\n").split(":")
    if len(fields) != _FIELDS or fields[0] != "STATE":
        raise StateLineError(f"{_shorten(line)!r} is not STATE:hand:betting:cards:payoffs:players")
    _, hand_id, text, cards, payoffs, names = fields
    players = tuple(names.split("|"))
    if len(players) != setup.rules.players:
        raise StateLineError(f"hand {hand_id} has {len(players)} players in a game of {setup.rules.players}")
    try:
        state = State(setup, _parse_cards(cards, setup.rules))
        for kind, amount in _parse_betting(text, hand_id):
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
    if format_betting(state) != text:
        raise StateLineError(f"hand {hand_id} has its rounds in other places than {format_betting(state)}")
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
        state.act(raise_to(amount - paid_before_round(state.node)))


def paid_before_round(node: BettingNode) -> int:
    """What the seat to act had paid before this round: the difference between the ACPC's raises and ours."""
    assert node.actor is not None
    return node.view[betting.PAID + node.actor] - node.view[betting.BETS + node.actor]


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
    return format_hand(record.state(), record.players, record.hand_id, record.payoffs)


def format_hand(state: State, players: Sequence[str], hand_id: str, payoffs: Sequence[Chips]) -> str:
    """The same from a state; the payoffs are given because unknown cards may leave them to the source."""
    won = "|".join(map(format_chips, payoffs))
    return f"STATE:{hand_id}:{format_betting(state)}:{_format_cards(state)}:{won}:{'|'.join(players)}"


def format_betting(state: State) -> str:
    """The betting of a hand as the ACPC writes it, rounds divided by slashes."""
    limit = state.rules.betting is Betting.LIMIT
    text: list[str] = []
    for node in state.node.path:
        assert node.reached_by is not None
        before, action = node.reached_by
        if action.kind is ActionKind.RAISE:
            text.append("r" if limit else f"r{action.to + paid_before_round(before)}")
        else:
            text.append("c" if action.kind is ActionKind.CALL else "f")
        if node.view[betting.ROUND] != before.view[betting.ROUND]:
            text.append("/")
    if state.is_showdown:
        text.append("/" * (state.rules.rounds - 1 - state.round))
    return "".join(text)


def _format_cards(state: State) -> str:
    rules, cards = state.rules, state.cards
    size = rules.hole_cards
    holes = (cards[seat * size : (seat + 1) * size] for seat in range(rules.players))
    text = "|".join(["" if UNKNOWN in hole else format_cards(hole) for hole in holes])
    board = state.board
    if UNKNOWN in board:
        return text
    start = 0
    for count in rules.board_cards:
        if count and start < len(board):
            text += "/" + format_cards(board[start : start + count])
            start += count
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
