"""The lines of the logs that the Annual Computer Poker Competition's server writes.

STATE:hand:betting:cards:payoffs:players      one finished hand; players in the order of their positions
SCORE:totals:players                          what every player won in the match
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from weakref import WeakKeyDictionary

from railbird.cards import CardError
from railbird.engine.actions import ActionError
from railbird.engine.betting_tree import BettingNode
from railbird.engine.events import Chips
from railbird.engine.history import events_of
from railbird.engine.record import HandRecord
from railbird.engine.setup import Setup
from railbird.engine.state import State
from railbird.notation.acpc.betting import (
    CARD_NAMES,
    BettingTextError,
    follow,
    format_betting,
    format_table_cards,
    last_round,
    lay_out_cards,
    parse_table_cards,
    shorten,
)
from railbird.notation.reading import NotationError

STATE_FIELDS = 6
_SCORE_FIELDS = 3
_DECIMALS = 6
_MOST_TEMPLATES = 1 << 13


class StateLineError(NotationError):
    """A STATE line that is malformed or does not follow the rules of its game."""


def parse_state_line(line: str, setup: Setup) -> HandRecord:
    """The hand of a STATE line; the printed payoffs must be those that the rules give."""
    # The name of an agent may contain colons: `simbot:trials=500`.
    fields = line.rstrip("\r\n").split(":", STATE_FIELDS - 1)
    if len(fields) != STATE_FIELDS or fields[0] != "STATE":
        raise StateLineError(f"{shorten(line)} is not STATE:hand:betting:cards:payoffs:players")
    _, hand_id, text, cards, payoffs, names = fields
    hand = f"hand {hand_id}" if hand_id.isdigit() and len(hand_id) <= 20 else f"hand {shorten(hand_id)}"
    players = tuple(names.split("|"))
    if len(players) != setup.rules.players:
        raise StateLineError(f"{hand} has {len(players)} players in a game of {setup.rules.players}")
    try:
        node = follow(setup, setup.tree.root, text)
        state = State(setup, parse_table_cards(cards, setup.rules, last_round(setup, node)))
        state.node = node
        if node.actor is not None:
            raise StateLineError(f"{hand} stops while seat {node.actor} is to act")
        won = state.payoffs
    except (ActionError, BettingTextError, CardError) as error:
        raise StateLineError(f"{hand}: {error}") from None
    counted = "|".join(map(format_chips, won))
    if payoffs != counted:
        raise StateLineError(f"{hand} has the payoffs {shorten(payoffs)}, but the rules give {counted}")
    return HandRecord(hand_id, setup, players, events_of(state))


def format_state_line(record: HandRecord) -> str:
    """The STATE line of a finished hand, without a line end."""
    return format_hand(record.state(), record.players, record.hand_id, record.payoffs)


def format_hand(state: State, players: Sequence[str], hand_id: str, payoffs: Sequence[Chips]) -> str:
    """The same from a state; the payoffs are given because with unknown cards they come from the source."""
    won = "|".join(map(format_chips, payoffs))
    return f"STATE:{hand_id}:{format_betting(state)}:{format_table_cards(state)}:{won}:{'|'.join(players)}"


class HandLines:
    """The STATE lines of many hands whose cards are known: lines of hands that end in the same way share their text.

    >>> from railbird.engine.state import deal
    >>> state = deal("limit-2p", seed=7)
    >>> _ = state.raise_to(20), state.fold()
    >>> HandLines().format(state, ("ann", "bob"), "3", state.payoffs)
    'STATE:3:rf:QcAd|8sKd:-10|10:ann|bob'
    """

    def __init__(self) -> None:
        self._templates: dict[tuple[BettingNode, tuple[str, ...], tuple[Chips, ...]], tuple[str, int]] = {}
        """Lines with %s for the number of the hand and for every card, and how many cards these are."""

    def format(self, state: State, players: tuple[str, ...], hand_id: str, payoffs: tuple[Chips, ...]) -> str:
        """What `format_hand` gives."""
        end = (state.node, players, payoffs)
        found = self._templates.get(end)
        if found is None:
            if len(self._templates) == _MOST_TEMPLATES:
                self._templates.clear()
            found = self._templates[end] = _template(state, players, payoffs)
        template, count = found
        return template % (hand_id, *[CARD_NAMES[card] for card in state.cards[:count]])


_LAYOUTS: WeakKeyDictionary[BettingNode, tuple[str, int]] = WeakKeyDictionary()
"""For every end of a hand's betting that exists: the betting, %s for every card, and how many cards these are."""


def _template(state: State, players: tuple[str, ...], payoffs: tuple[Chips, ...]) -> tuple[str, int]:
    layout = _LAYOUTS.get(state.node)
    if layout is None:
        layout = _LAYOUTS[state.node] = _layout(state)
    text, count = layout
    won, names = "|".join(map(format_chips, payoffs)), "|".join(players).replace("%", "%%")
    return f"STATE:%s:{text}:{won}:{names}", count


def _layout(state: State) -> tuple[str, int]:
    setup = state.setup
    last = last_round(setup, state.node)
    cards = lay_out_cards(setup, "%s" * setup.cards_dealt, last)  # as wide as a card
    return f"{format_betting(state)}:{cards}", setup.board_slices[last].stop


def format_chips(chips: Chips) -> str:
    """Chips as the ACPC prints them: six decimals, without zeros at the end."""
    if isinstance(chips, int):
        return str(chips)
    scaled = round(Fraction(chips) * 10**_DECIMALS)
    sign = "-" if scaled < 0 else ""
    whole, decimals = divmod(abs(scaled), 10**_DECIMALS)
    fraction = f"{decimals:0{_DECIMALS}d}".rstrip("0")
    return f"{sign}{whole}.{fraction}" if fraction else f"{sign}{whole}"


@dataclass(frozen=True, slots=True)
class Score:
    """What every player won in a match, from the last line of its log."""

    players: tuple[str, ...]
    totals: tuple[Chips, ...]
    """At most six decimals: thirds of a chip are rounded."""


def parse_score_line(line: str) -> Score:
    """The totals of a SCORE line."""
    fields = line.rstrip("\r\n").split(":", _SCORE_FIELDS - 1)
    if len(fields) != _SCORE_FIELDS or fields[0] != "SCORE":
        raise NotationError(f"{shorten(line)} is not SCORE:totals:players")
    players, totals = tuple(fields[2].split("|")), fields[1].split("|")
    if len(players) != len(totals):
        raise NotationError(f"the SCORE line has {len(totals)} totals for {len(players)} players")
    return Score(players, tuple(map(_total, totals)))


def _total(text: str) -> Chips:
    whole, point, decimals = text.removeprefix("-").partition(".")
    digits = whole + decimals
    if not (
        digits.isascii() and digits.isdigit() and whole and bool(point) == bool(decimals) and len(text) < 40
    ):
        raise NotationError(f"the SCORE line has {shorten(text)} where a number of chips is expected")
    total = Fraction(text)
    return int(total) if total.denominator == 1 else total


def format_score_line(score: Score) -> str:
    """The SCORE line, without a line end."""
    return f"SCORE:{'|'.join(map(format_chips, score.totals))}:{'|'.join(score.players)}"
