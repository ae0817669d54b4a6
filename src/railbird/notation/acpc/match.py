"""MATCHSTATE lines: what the ACPC's server sends to one player, and the player's reply.

    MATCHSTATE:position:hand:betting:cards            the server, after every action and at the end of a hand
    MATCHSTATE:position:hand:betting:cards:action     the player who is to act: the same line and its action

Positions count from the left of the button. A player sees its own cards, and at a showdown those of everyone who did
not fold. On the wire every line ends with a carriage return and a line feed.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from railbird.cards import Card, CardError, format_cards
from railbird.engine.actions import Action, ActionError
from railbird.engine.betting_tree import BettingNode
from railbird.engine.rules import ACPC_OPTIONS, Betting, GameRules
from railbird.engine.setup import Setup
from railbird.engine.state import UNKNOWN, State
from railbird.kernels.rules import betting
from railbird.notation.acpc.betting import (
    BettingTextError,
    follow,
    format_action,
    format_betting,
    format_board,
    format_step,
    last_round,
    parse_table_cards,
    shorten,
)
from railbird.notation.acpc.game import GameFileError, format_game
from railbird.notation.reading import NotationError, refuse_line

VERSION_LINE = "VERSION:2.0.0"
LINE_END = "\r\n"
LARGEST_HAND_NUMBER = 2**32 - 1
_HEADING = "MATCHSTATE"


class MatchStateError(NotationError):
    """A MATCHSTATE line that is malformed or does not follow the rules of its game."""


def acpc_rules(rules: GameRules) -> GameRules:
    """A game as the official server plays it; a game that `.game` files cannot describe is refused."""
    if rules.carry:
        raise GameFileError(f"{rules.name}: the ACPC's server resets the stacks for every hand")
    format_game(rules)
    return replace(rules, **ACPC_OPTIONS)


@dataclass(frozen=True, slots=True)
class MatchState:
    """One player's view of a hand at one moment."""

    setup: Setup
    position: int
    hand_number: int
    node: BettingNode
    cards: tuple[Card, ...]
    """Hole cards seat by seat, then the board; cards hidden from the player are UNKNOWN."""

    @property
    def hole_cards(self) -> tuple[Card, ...]:
        """The player's own cards."""
        size = self.setup.rules.hole_cards
        return self.cards[self.position * size : (self.position + 1) * size]

    @property
    def board(self) -> tuple[Card, ...]:
        """The board cards dealt so far."""
        return self.cards[self.setup.board_slices[last_round(self.setup, self.node)]]

    @property
    def is_my_turn(self) -> bool:
        """Whether it is the player's turn to act."""
        return self.node.actor == self.position

    def state(self) -> State:
        """The hand, with all cards hidden from the player unknown."""
        state = State(self.setup, self.cards)
        state.node = self.node
        return state


class MatchStateReader:
    """Reads the lines of a match incrementally: what did not change since the last line is not read again."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self._last: MatchState | None = None
        self._heading = "?"
        self._position = self._hand = 0
        self._betting = ""
        self._cards = ""

    def read(self, line: str) -> MatchState:
        """The state of a line, with or without its end."""
        if not line.startswith(self._heading):
            self._begin(line)
        betting_text, colon, cards = line[len(self._heading) :].rstrip(LINE_END).partition(":")
        if not colon or ":" in cards:
            raise _malformed(line)
        last = self._last
        node = self.setup.tree.root
        skip = 0
        if last is not None and betting_text.startswith(self._betting):
            node, skip = last.node, len(self._betting)
        try:
            following = (
                follow(self.setup, node, betting_text[skip:]) if betting_text[skip:] or not skip else node
            )
            if last is not None and cards == self._cards and _same_board(last.node, following):
                seen = last.cards
            else:
                seen = self._seen(cards, self._position, following)
        except (ActionError, BettingTextError, CardError) as error:
            raise MatchStateError(f"hand {self._hand}: {error}") from None
        self._betting, self._cards = betting_text, cards
        self._last = MatchState(self.setup, self._position, self._hand, following, seen)
        return self._last

    def _begin(self, line: str) -> None:
        """Start with a different hand or position than that of the last line."""
        fields = line.split(":", 3)
        if len(fields) != 4 or fields[0] != _HEADING:
            raise _malformed(line)
        position, hand = _number("position", fields[1]), _number("hand", fields[2])
        if position >= self.setup.rules.players:
            raise MatchStateError(
                f"the position is {position}, but the game has {self.setup.rules.players} players"
            )
        self._heading = ":".join(fields[:3]) + ":"
        self._position, self._hand = position, hand
        self._last = None

    def _seen(self, text: str, position: int, node: BettingNode) -> tuple[Card, ...]:
        rules = self.setup.rules
        last = last_round(self.setup, node)
        cards = tuple(parse_table_cards(text, rules, last))
        known = [card for card in cards if card != UNKNOWN]
        if len(self.setup.cards_in_play.intersection(known)) != len(known):
            State(self.setup, cards)  # names the invalid card
        size = rules.hole_cards
        folded, is_showdown = node.view[betting.FOLDED], node.view[betting.OUTCOME] == betting.SHOWDOWN
        for seat in range(rules.players):
            is_shown = seat == position or (is_showdown and not folded >> seat & 1)
            if is_shown == (UNKNOWN in cards[seat * size : (seat + 1) * size]):
                problem = "missing" if is_shown else "shown, but must be hidden,"
                raise CardError(f"the cards of position {seat} are {problem} in {shorten(text)}")
        if UNKNOWN in cards[self.setup.board_slices[last]]:
            raise CardError(f"the board is missing in {shorten(text)}")
        return cards


def _malformed(line: str) -> MatchStateError:
    return MatchStateError(
        refuse_line(line) or f"{shorten(line)} is not {_HEADING}:position:hand:betting:cards"
    )


def _same_board(before: BettingNode, after: BettingNode) -> bool:
    """Whether no board card was dealt and no hand shown in between."""
    view = after.view
    return view[betting.ROUND] == before.view[betting.ROUND] and view[betting.OUTCOME] != betting.SHOWDOWN


def _number(field: str, text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 10 and int(text) <= LARGEST_HAND_NUMBER):
        raise MatchStateError(f"the {field} is {shorten(text)}, but a whole number is expected")
    return int(text)


def parse_match_state(line: str, setup: Setup) -> MatchState:
    """The state of one MATCHSTATE line."""
    return MatchStateReader(setup).read(line)


def format_match_state(state: State, position: int, hand_number: int) -> str:
    """The line for one position, without its end: the one place where the dealer leaves out hidden cards."""
    return MatchStateLines(state, hand_number).line(position)


def format_reply(line: str, node: BettingNode, action: Action, setup: Setup) -> str:
    """The reply to a server's line, without its line end."""
    return f"{line.rstrip(LINE_END)}:{format_action(node, action, setup.rules.betting is Betting.LIMIT)}"


class MatchStateLines:
    """The lines of one hand while it is played, for every position; call `advance` after each action."""

    __slots__ = (
        "_betting",
        "_board",
        "_holes",
        "_last_round",
        "_shown",
        "hand_number",
        "round_actions",
        "state",
    )

    def __init__(self, state: State, hand_number: int) -> None:
        self.state = state
        self.hand_number = hand_number
        self._betting = format_betting(state)
        self._shown = _hole_texts(state)
        self._holes = _views(state, self._shown)
        self._last_round = last_round(state.setup, state.node)
        self._board = format_board(state)
        self.round_actions = _actions_of_round(state.node)
        """The number of actions in this betting round."""

    def advance(self) -> None:
        """Take in the latest action of the state."""
        state, node = self.state, self.state.node
        rules = state.setup.rules
        self._betting += format_step(node, rules.betting is Betting.LIMIT, rules.rounds)
        self.round_actions += 1
        last = last_round(state.setup, node)
        if last != self._last_round:
            self._last_round = last
            self._board = format_board(state)
            self.round_actions = 0
        if node.actor is None:
            self._holes = _views(state, self._shown)

    def match_state(self, position: int) -> MatchState:
        """The same as data, for the dealer: it includes every card."""
        state = self.state
        return MatchState(state.setup, position, self.hand_number, state.node, state.cards)

    def line(self, position: int) -> str:
        """The line for a position, without hidden cards."""
        return (
            f"{_HEADING}:{position}:{self.hand_number}:{self._betting}:{self._holes[position]}{self._board}"
        )


def _hole_texts(state: State) -> list[str]:
    return [format_cards(state.hole_cards(seat) or ()) for seat in range(state.rules.players)]


def _views(state: State, holes: Sequence[str]) -> list[str]:
    """The hole cards as each position sees them."""
    shown = set(state.live_seats) if state.is_showdown else set()
    return [
        "|".join([hole if seat == viewer or seat in shown else "" for seat, hole in enumerate(holes)])
        for viewer in range(len(holes))
    ]


def _actions_of_round(node: BettingNode) -> int:
    count = 0
    while node.reached_by is not None and node.reached_by[0].view[betting.ROUND] == node.view[betting.ROUND]:
        count += 1
        node = node.reached_by[0]
    return count
