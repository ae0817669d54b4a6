"""The actions of a PHH hand: what was dealt, done and shown, from its list of notations.

d dh p1 AhKs    hole cards, `??` for an unknown one              p1 f        folds
d db 9h9cTs     board cards                                      p1 cc       checks or calls
p1 sm AhKs      shows, `-` for the cards it was dealt,           p1 cbr 30   completes, bets or raises to 30
p1 sm           or mucks its hand
"""

from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import NamedTuple

from railbird.cards import Card, CardError, parse_card
from railbird.engine.actions import CALL, FOLD, Action, ActionError, raise_to
from railbird.engine.betting_tree import BettingTree, SequenceEnd
from railbird.engine.rules import ROUND_NAMES
from railbird.engine.setup import Setup
from railbird.engine.state import UNKNOWN, State
from railbird.notation.phh.game import in_chips
from railbird.notation.reading import NotationError

_LONGEST_REMEMBERED = 32
BOARD_SIZES = (0, 3, 4, 5)
"""The number of board cards by round."""
_DECISIONS = frozenset(("f", "cc", "cbr"))
_HIDDEN = [UNKNOWN, UNKNOWN]


class Notation(NamedTuple):
    """One parsed notation. A comment alone has no verb."""

    verb: str
    seat: int = -1
    cards: tuple[Card, ...] | None = None
    amount: int | Decimal = 0
    commentary: str = ""


class PlayedAction(NamedTuple):
    """A player's action, with the number of board cards dealt by then."""

    seat: int
    verb: str
    amount: int | Decimal
    board: int
    text: str


_played = tuple.__new__
"""Called directly: the generated constructor takes twice the time, and there is an action in most notations."""


@dataclass(slots=True)
class Script:
    """Everything in the actions of a hand, before the rules are applied."""

    hole: list[list[Card]]
    board: list[Card] = field(default_factory=list)
    decisions: list[PlayedAction] = field(default_factory=list)
    shown: dict[int, tuple[Card, ...] | None] = field(default_factory=dict)
    face_down: set[int] = field(default_factory=set)
    """Players who neither showed nor mucked their cards."""
    commentary: list[tuple[int, str]] = field(default_factory=list)
    """Comments, each with the number of its notation."""

    def cards(self) -> list[Card]:
        """Hole cards seat by seat, then the board; unknown where the hand is silent."""
        cards: list[Card] = []
        for hole in self.hole:
            cards += hole or (UNKNOWN, UNKNOWN)
        return cards + self.board + [UNKNOWN] * (5 - len(self.board))


def parse_actions(texts: object, players: int) -> Script:
    """Parse a list of notations."""
    if not isinstance(texts, list):
        problem = "is missing" if texts is None else "is not a list of notations"
        raise NotationError(f"the field actions {problem}")
    script = Script([[] for _ in range(players)])
    decisions, board, hole = script.decisions, script.board, script.hole
    for number, text in enumerate(texts, start=1):
        if not isinstance(text, str):
            raise NotationError(f"notation {number} of the actions is not text")
        verb, seat, cards, amount, commentary = (
            _remembered(text) if len(text) <= _LONGEST_REMEMBERED else _parse(text)
        )
        if seat >= players:
            raise NotationError(f"{_shorten(text)} names an unknown player: there are {players} players")
        if verb in _DECISIONS:
            decisions.append(_played(PlayedAction, (seat, verb, amount, len(board), text)))
        elif verb == "dh":
            hole[seat] += cards or ()
        elif verb == "db":
            board += cards or ()
        elif verb == "sm":
            _show(script, seat, cards)
        if commentary:
            script.commentary.append((number, commentary))
    _check_cards(script)
    return script


def _show(script: Script, seat: int, cards: tuple[Card, ...] | None) -> None:
    """Record what a player shows; a later notation may show more than an earlier one without changing the order."""
    if cards == ():
        cards = tuple(script.hole[seat])
        if UNKNOWN in cards or not cards:
            raise NotationError(f"p{seat + 1} shows `-`, but its cards were not given when they were dealt")
    if cards is None or set(cards) == {UNKNOWN}:
        script.shown.setdefault(seat, None)
        if cards is None:
            script.face_down.discard(seat)
        else:
            script.face_down.add(seat)
        return
    if UNKNOWN in cards:
        raise NotationError(
            f"p{seat + 1} shows one card and hides the other, which a hand record cannot represent"
        )
    hole = script.hole[seat]
    if not hole or UNKNOWN in hole:
        script.hole[seat] = list(cards)
    script.shown[seat] = cards


def _check_cards(script: Script) -> None:
    for seat, hole in enumerate(script.hole):
        if hole == _HIDDEN:
            continue
        if len(hole) not in (0, 2):
            raise NotationError(f"p{seat + 1} is dealt {len(hole)} hole cards, but Texas hold'em has 2")
        if UNKNOWN in hole:
            raise NotationError(
                f"one hole card of p{seat + 1} is known and one is not, which a hand record cannot represent"
            )
    if len(script.board) > BOARD_SIZES[-1]:
        raise NotationError(
            f"the board has {len(script.board)} cards: hands that are run more than once are not supported"
        )
    if len(script.board) not in BOARD_SIZES:
        raise NotationError(f"the board has {len(script.board)} cards, but it grows by 3, 1 and 1")


def _parse(text: str) -> Notation:
    action, _, commentary = text.partition("#")
    commentary = commentary.strip()
    words = action.split()
    match words:
        case []:
            return Notation("", commentary=commentary)
        case ["d", "dh", player, cards]:
            return Notation("dh", _seat(player, text), _cards(cards, text), commentary=commentary)
        case ["d", "db", cards]:
            return Notation("db", cards=_cards(cards, text), commentary=commentary)
        case [player, "f" | "cc" as verb]:
            return Notation(verb, _seat(player, text), commentary=commentary)
        case [player, "cbr", amount]:
            return Notation("cbr", _seat(player, text), amount=_amount(amount, text), commentary=commentary)
        case [player, "sm"]:
            return Notation("sm", _seat(player, text), commentary=commentary)
        case [player, "sm", cards]:
            shown = () if cards == "-" else _cards(cards, text)
            return Notation("sm", _seat(player, text), shown, commentary=commentary)
        case [_, "pb" | "sd", *_]:
            raise NotationError(f"{_shorten(text)} is not an action of Texas hold'em")
    raise NotationError(f"{_shorten(text)} is not a notation of an action")


_remembered = lru_cache(maxsize=1 << 14)(_parse)


def _seat(player: str, text: str) -> int:
    number = player[1:]
    if player[:1] != "p" or not number.isascii() or not number.isdigit() or len(number) > 2 or number == "0":
        raise NotationError(f"{_shorten(text)} does not name a player: players are p1, p2 and so on")
    return int(number) - 1


def _cards(cards: str, text: str) -> tuple[Card, ...]:
    if not cards.isascii() or len(cards) % 2 or len(cards) > 20:
        raise NotationError(f"{_shorten(text)} ends in half a card")
    try:
        return tuple(
            [
                UNKNOWN if cards[place : place + 2] == "??" else parse_card(cards[place : place + 2])
                for place in range(0, len(cards), 2)
            ]
        )
    except CardError as error:
        raise NotationError(f"{_shorten(text)}: {error}") from None


def _amount(amount: str, text: str) -> int | Decimal:
    digits = amount.replace(".", "", 1)
    if not (digits.isascii() and digits.isdigit()) or len(digits) > 20:
        raise NotationError(f"{_shorten(text)} has no amount")
    try:
        return int(amount) if digits == amount else Decimal(amount)
    except InvalidOperation:
        raise NotationError(f"{_shorten(text)} has no amount") from None


def _shorten(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:57] + "…")


def play_script(setup: Setup, script: Script, decimals: int) -> State:
    """The hand played by the rules; what they forbid is refused with its notation."""
    end = _end_of(script, setup.tree, decimals)
    state = State(setup, script.cards(), end)
    if end is None:
        _play_in_turn(state, script, decimals)
    return state


def _end_of(script: Script, tree: BettingTree, decimals: int) -> SequenceEnd | None:
    """The end of the betting in one compiled call, None if anything in the script does not fit the rules."""
    try:
        end = tree.after_all([_action(verb, amount, decimals) for _, verb, amount, _, _ in script.decisions])
    except NotationError:
        return None
    if end is None:
        return None
    acts, rounds = end.course()
    for (seat, _, _, board, _), act, number in zip(script.decisions, acts, rounds, strict=True):
        if seat != act.seat or board != BOARD_SIZES[number]:
            return None
    return end


def _action(verb: str, amount: int | Decimal, decimals: int) -> Action:
    if verb == "f":
        return FOLD
    return CALL if verb == "cc" else raise_to(in_chips("an action", amount, decimals))


def _play_in_turn(state: State, script: Script, decimals: int) -> None:
    for seat, verb, amount, board, text in script.decisions:
        actor = state.node.actor
        if actor is None:
            raise NotationError(f"{text!r} comes after the betting is over")
        if seat != actor:
            raise NotationError(f"{text!r} is out of turn: p{actor + 1} is to act")
        if board != BOARD_SIZES[state.round]:
            raise NotationError(f"{text!r} does not fit the board: {_due(state.round, board)}")
        try:
            state.act(_action(verb, amount, decimals))
        except ActionError as error:
            raise NotationError(f"{text!r}: {error}") from None


def _due(number: int, board: int) -> str:
    if board < BOARD_SIZES[number]:
        return f"the {ROUND_NAMES[number]} is still to be dealt"
    return f"the {ROUND_NAMES[number]} betting is not over, but the board has {board} cards"


def check_board(state: State, script: Script) -> None:
    """Refuse board cards of rounds that were not reached."""
    dealt = len(script.board)
    most = BOARD_SIZES[-1] if state.is_showdown else BOARD_SIZES[state.round]
    if dealt > most:
        raise NotationError(f"the board has {dealt} cards, but the hand ends with {most}")
