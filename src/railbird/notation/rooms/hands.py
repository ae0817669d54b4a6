"""What the texts of card rooms have in common: splitting lines into hands, and replaying described play.

A room's text names players, describes their actions and amounts, and prints who won. None of it is trusted: the hand
is replayed by the rules, and if the text disagrees, it is refused with the line that does not fit.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Literal, NamedTuple, NoReturn, TypeAlias

from railbird.cards import Card, CardError, parse_card
from railbird.engine.actions import CALL, FOLD, ActionError, raise_to
from railbird.engine.events import Award, Chips
from railbird.engine.history import ending
from railbird.engine.record import HandRecord
from railbird.engine.rules import ROUND_NAMES, Betting, GameRules, blinds_for
from railbird.engine.setup import Setup
from railbird.engine.state import UNKNOWN, State
from railbird.kernels.rules.betting import ROUND
from railbird.notation.reading import LONGEST_LINE, BadHand, NotationError, Reading, refuse_line

MOST_LINES = 2_000
"""Maximum number of lines in a hand, including chat."""
MOST_CHARACTERS = 1 << 20
LONGEST_NAME = 80
BLANK = " \t\r\n\ufeff"
"""Characters stripped from lines, including the byte order marks inside concatenated files."""
LIMIT_CAPS = (3, 4, 4, 4)
_STACK = 100
"""Nominal stack of the game in big blinds; every hand has its own stacks."""
_UNCAPPED = (None, None, None, None)
STREETS = tuple(name.upper() for name in ROUND_NAMES)


@lru_cache(maxsize=256)
def cash_game(
    name: str, limit: bool, players: int, stakes: tuple[int, int, int], caps: tuple[int | None, ...]
) -> GameRules:
    """The hold'em of a card room: stakes are the small blind, the big blind and, in limit games, the big bet."""
    small, big, big_bet = stakes
    blinds, first_seats = blinds_for(players, small, big)
    return GameRules(
        name=name,
        betting=Betting.LIMIT if limit else Betting.NO_LIMIT,
        blinds=blinds,
        stacks=(_STACK * big,) * players,
        bet_sizes=(big, big, big_bet, big_bet) if limit else (big,) * 4,
        raise_caps=caps,
        first_seats=first_seats,
        carry=True,
    )


class HandText(NamedTuple):
    """The lines of one hand, and the number of the first in the source."""

    first: int
    raw: list[str]
    """As in the source."""
    lines: list[str]
    """Stripped of surrounding blanks."""

    @property
    def text(self) -> str:
        """The original text, so that it can be saved elsewhere."""
        return "\n".join([line.rstrip("\r\n") for line in self.raw])


@dataclass(frozen=True, slots=True)
class TextLayout:
    """How a room's text is divided into hands."""

    begins: re.Pattern[str]
    """The beginning of a hand's first line."""
    divides: re.Pattern[str]
    """Lines between hands that belong to none."""
    marks: str
    """The first characters of such lines; other lines need not be checked."""
    beginning: str
    """The beginning of a hand, for messages."""
    closing: str | None = None
    """A line after which the next empty line ends the hand."""


def read_room(
    lines: Iterable[str], layout: TextLayout, read_hand: Callable[[HandText], HandRecord]
) -> Iterator[Reading]:
    """Every hand of a room's text, or the reason why it cannot be read."""
    for hand in _cut(lines, layout):
        try:
            _check_lines(hand, layout)
            reading: Reading = read_hand(hand)
        except ValueError as error:
            reading = BadHand(hand.first, str(error), hand.text)
        yield reading


def _cut(lines: Iterable[str], layout: TextLayout) -> Iterator[HandText]:
    """Hands and the text between them, with at most one hand in memory."""
    begins, divides, marks, closing = layout.begins.match, layout.divides.match, layout.marks, layout.closing
    raw: list[str] = []
    kept: list[str] = []
    first, characters = 1, 0
    closed = False
    for number, line in enumerate(lines, start=1):
        words = line.strip(BLANK)
        starts = ends = False
        if not words:
            ends = closed or not kept
        elif words[0] in marks:
            starts = begins(words) is not None
            ends = divides(words) is not None
        if (starts or ends or characters > MOST_CHARACTERS or len(kept) > MOST_LINES) and kept:
            yield HandText(first, raw, kept)
            raw, kept = [], []
        if ends:
            closed = False
            continue
        if not kept:
            first, characters, closed = number, 0, False
        raw.append(line)
        kept.append(words)
        characters += len(line)
        closed = closed or words == closing
    if kept:
        yield HandText(first, raw, kept)


def _check_lines(hand: HandText, layout: TextLayout) -> None:
    text = "".join(hand.raw)
    if len(text) > LONGEST_LINE or "\0" in text or "\ufffd" in text:
        for number, line in enumerate(hand.raw, start=hand.first):
            if reason := refuse_line(line):
                refuse(number, reason)
    if layout.begins.match(hand.lines[0]) is None:
        refuse(
            hand.first,
            f"{shorten(hand.lines[0])} does not begin a hand: a hand begins with {layout.beginning}",
        )
    if len(hand.lines) > MOST_LINES or len(text) > MOST_CHARACTERS:
        raise NotationError(f"the hand has more than {MOST_LINES} lines or {MOST_CHARACTERS} characters")


def refuse(line: int, reason: str) -> NoReturn:
    """Refuse a hand because of one of its lines."""
    raise NotationError(f"line {line}: {reason}")


def shorten(line: str) -> str:
    """A line shortened for quoting in a message."""
    return repr(line if len(line) <= 60 else line[:57] + "…")


# Cards and seats


@lru_cache(maxsize=1 << 13)
def read_cards(text: str) -> tuple[Card, ...]:
    """Cards separated by blanks; duplicates are detected when the cards are dealt."""
    return tuple([parse_card(card) for card in text.split()])


def iso_time(year: str, month: str, day: str, clock: str, line: int) -> str:
    """A time in ISO 8601."""
    try:
        return datetime.fromisoformat(f"{year}-{month}-{day}T{clock:0>8}").isoformat()
    except ValueError:
        refuse(line, f"{year}-{month}-{day} {clock} is not a valid date and time")


def from_button(seats: Iterable[int], button: int) -> list[int]:
    """Seats in order of play: from the left of the button round to it, occupied or not."""
    return sorted(seats, key=lambda seat: (seat <= button, seat))


class Holes:
    """The hole cards in a text by player, from any of its lines."""

    def __init__(self) -> None:
        self.cards: dict[str, tuple[Card, ...]] = {}

    def tell(self, who: str, text: str, line: int) -> tuple[Card, ...]:
        """Record two cards of a player; they must agree with any given before."""
        try:
            cards = read_cards(text)
        except CardError as error:
            refuse(line, str(error))
        if len(cards) != 2:
            refuse(line, f"{who} has {len(cards)} hole cards, but hold'em is played with 2")
        if set(self.cards.setdefault(who, cards)) != set(cards):
            refuse(line, f"{who} has different cards than before")
        return self.cards[who]


class GrowingBoard:
    """The board as it grows street by street."""

    def __init__(self) -> None:
        self.cards: tuple[Card, ...] = ()
        self.streets = 0

    def lay(self, street: str, text: str, line: int) -> None:
        """The whole board as a street's line prints it."""
        try:
            cards = read_cards(text)
        except CardError as error:
            refuse(line, str(error))
        self.streets += 1
        if self.streets >= len(STREETS) or street != STREETS[self.streets]:
            refuse(line, f"the {street} is dealt, but it is not the next street")
        if len(cards) != self.streets + 2 or cards[: len(self.cards)] != self.cards:
            refuse(line, f"the {street} does not add its cards to the board before it")
        self.cards = cards


def all_cards(
    players: Sequence[str], holes: Mapping[str, tuple[Card, ...]], board: tuple[Card, ...]
) -> list[Card]:
    """The cards of a hand in the order of a state; unknown where the text is silent."""
    cards: list[Card] = []
    for player in players:
        cards += holes.get(player, (UNKNOWN, UNKNOWN))
    cards += board
    return cards + [UNKNOWN] * (5 - len(board))


# Play


Verb: TypeAlias = Literal["folds", "checks", "calls", "bets", "raises", "street"]
"""The kind of a step, in the words of the rooms. A plain string, because enums are slow to compare."""


class PlayLine(NamedTuple):
    """One line of the play. A new street is a step of its own."""

    line: int
    who: str
    verb: Verb
    amount: int = 0
    """The cost of a call or bet, or the amount by which a raise exceeds the previous bet."""
    to: int | None = None
    """The bet after a raise, if the text prints it."""
    all_in: bool | None = None
    """Whether the player is all-in; None if the text does not always say so."""


def replay(state: State, players: Sequence[str], steps: Iterable[PlayLine]) -> None:
    """Play the steps; refuse actions that the rules forbid or amounts that differ from theirs."""
    street = 0
    for step in steps:
        line, who, verb, _, _, all_in = step
        node = state.node
        if verb == "street":
            street += 1
            if street != node.view[ROUND] and not state.is_showdown:
                refuse(line, f"the {STREETS[street]} is dealt before the betting is over")
            continue
        actor = node.actor
        if actor is None:
            refuse(line, f"{who} {verb} when the betting is over")
        if players[actor] != who:
            refuse(line, f"{who} {verb} out of turn: {players[actor]} is to act")
        if street != node.view[ROUND]:
            refuse(line, f"{who} {verb} before the {STREETS[state.round]} is dealt")
        _do(state, step)
        if all_in is not None and all_in != (state.stacks[actor] == 0):
            refuse(
                line, f"{who} has {state.stacks[actor]} chips left, but the text disagrees about the all-in"
            )
    if state.actor is not None:
        raise NotationError(f"the hand stops while {players[state.actor]} is to act")
    if street != (len(STREETS) - 1 if state.is_showdown else state.round):
        raise NotationError(f"the betting is over, but the hand stops before the {STREETS[street + 1]}")


def _do(state: State, step: PlayLine) -> None:
    line, who, verb, amount, to, _ = step
    to_call = state.node.legal.call
    action = CALL
    if verb == "checks":
        if to_call:
            refuse(line, f"{who} checks, but there are {to_call} chips to call")
    elif verb == "calls":
        if to_call != amount or not amount:
            refuse(line, f"{who} calls {amount}, but there are {to_call} chips to call")
    elif verb == "folds":
        if not to_call and not state.rules.free_folds:
            refuse(line, f"{who} folds with nothing to call, which the rules do not allow")
        action = FOLD
    else:
        before = state.to_match
        # When the big blind raises an unraised pot, Poker Academy Pro calls it a bet, other rooms a raise.
        if to_call if verb == "bets" else not before:
            refuse(line, f"{who} {verb} when there are {to_call} chips to call")
        if to is not None and to != before + amount:
            refuse(line, f"{who} raises {before} by {amount}, which is not {to}")
        action = raise_to(before + amount)
    try:
        state.act(action)
    except ActionError as error:
        refuse(line, f"{who} {verb}, but {error}")


def raise_caps(steps: Iterable[PlayLine], limit: bool) -> tuple[int | None, ...]:
    """The raise caps: a bet and three raises at limit, unless the text itself has more.

    Rooms differ in whether two players may continue raising, and their texts do not say.
    """
    if not limit:
        return _UNCAPPED
    left = LIMIT_CAPS[0]
    for step in steps:
        if step.verb == "street":
            left = LIMIT_CAPS[1]
        elif step.verb == "raises" or step.verb == "bets":
            if not left:
                return _UNCAPPED
            left -= 1
    return LIMIT_CAPS


def check_posts(setup: Setup, players: Sequence[str], posted: Sequence[int]) -> None:
    """Refuse antes and blinds that do not follow from the stacks and the stakes."""
    due = [0] * len(players)
    for post in setup.posts:
        due[post.seat] += post.amount
    for player, chips, expected in zip(players, posted, due, strict=True):
        if chips != expected:
            raise NotationError(f"{player} posts {chips}, but {expected} is due")


def check_winners(state: State, players: Sequence[str], won: Sequence[Chips], rake: Chips) -> None:
    """Refuse winners that contradict the cards, when all cards are known.

    A room may award odd chips differently and take its rake from any pot; otherwise the rules decide.
    """
    given: list[Chips] = [0] * len(won)
    pots = 1
    for event in ending(state):
        if isinstance(event, Award):
            given[event.seat] += event.amount
            pots = max(pots, event.pot + 1)
    odd = pots * (len(players) - 1)
    for seat, player in enumerate(players):
        if not -odd <= given[seat] - won[seat] <= rake + odd:
            raise NotationError(
                f"{player} collects {won[seat]} in the text, but the cards give {given[seat]} before rake"
            )
