"""The lines of a hand in Poker Academy Pro's histories, read one by one; `poker_academy` turns them into a record.

All repetitions in the patterns are bounded, so that no text takes excessively long to match.
"""

import re
from collections.abc import Callable
from functools import lru_cache

from railbird.engine.rules import Betting
from railbird.notation.reading import NotationError
from railbird.notation.rooms.hands import (
    LONGEST_NAME,
    GrowingBoard,
    HandText,
    Holes,
    iso_time,
    refuse,
    shorten,
)
from railbird.notation.rooms.play import PlayLine, Verb

LIMIT, NO_LIMIT = "Limit Texas Holdem", "No Limit Texas Holdem"

_AMOUNT = r"\$(\d[\d,]{0,14}(?:\.\d\d?)?)"
_ALL_IN = "(all-in)"
_LONGEST_LINE = 250
_HEADER_LINES = 4

_HEADER = re.compile(r"Poker Academy Pro #(\d[\d,]{0,20})", re.ASCII)
_GAME = re.compile(rf"(.{{1,80}}) \({_AMOUNT}/{_AMOUNT}( NL)?\)", re.ASCII)
_TIME = re.compile(r"([A-Z][a-z]{2,8}) (\d\d), (\d{4}) - (\d\d:\d\d:\d\d)(?: \((\S{1,40})\))?", re.ASCII)
_SEAT = re.compile(
    rf"(\d\d?)[)}}] (\S.{{0,{LONGEST_NAME}}}?)(?<=\S)( {{1,99}}\*)? {{2,99}}"
    rf"(?:{_AMOUNT}(?: {{1,9}}(\S\S \S\S))?( {{1,9}}\(sitting out\))?|(\(sitting out\)))",
    re.ASCII,
)
_STREET = re.compile(r"(FLOP|TURN|RIVER): {1,9}(\S\S(?: \S\S){2,4})", re.ASCII)
_DECIMALS = re.compile(r"\$\d[\d,]{0,14}\.\d", re.ASCII)
_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
_FREE: dict[str, Verb] = {"folds": "folds", "checks": "checks"}
_PAID: dict[str, Verb] = {"calls": "calls", "bets": "bets", "raises": "raises"}


class AcademyHand:
    """A hand as given by its lines, before the rules are applied. Amounts are chips: cents if cents are printed."""

    def __init__(self, hand: HandText) -> None:
        text = "\n".join(hand.lines)
        self.scale = 100 if "." in text and _DECIMALS.search(text) else 1
        self.stacks: dict[str, int] = {}
        self.seats: dict[str, int] = {}
        self.button: int | None = None
        self.sitting_out: list[str] = []
        self.holes = Holes()
        self.board = GrowingBoard()
        self.posts: dict[str, int] = {}
        """The blinds posted, the small blind first if there is one."""
        self.big_blind: str | None = None
        """The player who posted it."""
        self.steps: list[PlayLine] = []
        self.shown: dict[str, bool] = {}
        """The players who showed (True) or mucked (False) a hand, in order."""
        self.won: dict[str, int] = {}
        self._read(hand)

    def _read(self, hand: HandText) -> None:
        first, lines = hand.first, hand.lines
        longest = max(lines, key=len)
        if len(longest) > _LONGEST_LINE:
            number = first + lines.index(longest)
            refuse(number, f"the line has {len(longest)} characters, too many for a line of a hand")
        if len(lines) < _HEADER_LINES:
            raise NotationError("the hand stops before its seats")
        self._read_header(lines[0], first)
        self._read_game(lines[1], first + 1)
        if not lines[2].startswith("Table "):
            refuse(first + 2, f"{shorten(lines[2])} does not name the table")
        self.table = lines[2][6:]
        self._read_time(lines[3], first + 3)
        deed: Callable[[str], re.Match[str] | None] | None = None
        for number, line in enumerate(lines[_HEADER_LINES:], start=first + _HEADER_LINES):
            if not line:
                continue
            if deed is None:
                if seat := _SEAT.fullmatch(line):
                    self._read_seat(seat, number)
                    continue
                deed = _deed_pattern(tuple(self.stacks)).fullmatch
            if found := deed(line):
                self._read_deed(found, number)
            elif street := _STREET.fullmatch(line):
                self.board.lay(street[1], street[2], number)
                self.steps.append(PlayLine(number, "", "street"))
            else:
                refuse(number, f"{shorten(line)} is not a line of a hand, or names a player without a seat")

    def _read_header(self, line: str, number: int) -> None:
        found = _HEADER.fullmatch(line)
        if found is None:
            refuse(number, f"{shorten(line)} does not give the number of the hand")
        self.number = int(found[1].replace(",", ""))

    def _read_game(self, line: str, number: int) -> None:
        self.game = line
        try:
            self.betting, stakes = _betting_and_stakes(line)
        except NotationError as error:
            refuse(number, str(error))
        self.stakes = (self._chips(stakes[0]), self._chips(stakes[1]))
        if not 0 < self.stakes[0] <= self.stakes[1]:
            refuse(number, f"{shorten(line)} has inconsistent stakes")

    def _read_time(self, line: str, number: int) -> None:
        found = _TIME.fullmatch(line)
        if found is None or found[1] not in _MONTHS:
            refuse(number, f"{shorten(line)} is not a time such as November 01, 2010 - 22:05:20 (CET)")
        month, day, year, clock, zone = found.groups()
        self.time = iso_time(year, f"{_MONTHS.index(month) + 1:02}", day, clock, number)
        self.zone: str = zone or ""

    def _read_seat(self, found: re.Match[str], number: int) -> None:
        seat, player, star, stack, cards, out, away = found.groups()
        if player in self.seats or int(seat) in self.seats.values():
            refuse(number, f"seat {seat} or the player {player} is listed twice")
        if star:
            if self.button is not None:
                refuse(number, "a second seat has the button")
            self.button = int(seat)
        self.seats[player] = int(seat)
        if out or away:
            self.sitting_out.append(player)
            return
        self.stacks[player] = self._chips(stack)
        if cards:
            self.holes.tell(player, cards, number)

    def _read_deed(self, found: re.Match[str], number: int) -> None:
        who, verb, post, amount, rest = found.groups()
        if verb in _FREE and not amount and not rest:
            self.steps.append(PlayLine(number, who, _FREE[verb]))
        elif verb in _PAID and amount and rest in (None, _ALL_IN):
            self.steps.append(
                PlayLine(number, who, _PAID[verb], self._chips(amount), all_in=True if rest else None)
            )
        elif verb == "wins" and amount and rest and (rest == "uncontested" or rest.startswith("with ")):
            self.won[who] = self.won.get(who, 0) + self._chips(amount)
        elif verb == "shows" and rest and not amount:
            self.holes.tell(who, rest, number)
            self.shown[who] = True
        elif verb == "mucks" and not amount:
            self.shown[who] = False
        elif post and amount and rest in (None, _ALL_IN):
            self._read_post(who, post, self._chips(amount), number)
        else:
            refuse(number, f"{shorten(found[0])} is not a valid line for {who} {verb}")

    def _read_post(self, who: str, kind: str, chips: int, number: int) -> None:
        if kind not in ("small blind", "big blind"):
            refuse(number, f"{who} posts a {kind}, but only a small blind and a big blind are supported")
        if who in self.posts or self.big_blind is not None or (kind == "small blind" and self.posts):
            refuse(number, f"{who} posts a {kind} in addition to the blinds, which is not supported")
        if self.steps:
            refuse(number, f"{who} posts a {kind} after the play has begun")
        self.posts[who] = chips
        if kind == "big blind":
            self.big_blind = who

    def _chips(self, text: str) -> int:
        text = text.replace(",", "")
        if "." not in text:
            return int(text) * self.scale
        whole, _, decimals = text.partition(".")
        return int(whole) * self.scale + int(decimals.ljust(2, "0"))


@lru_cache(maxsize=64)
def _betting_and_stakes(line: str) -> tuple[Betting, tuple[str, str]]:
    found = _GAME.fullmatch(line)
    if found is None:
        raise NotationError(
            f"{shorten(line)} does not give a game with its stakes, such as {LIMIT} ($10/$20)"
        )
    game, low, high, no_limit = found.groups()
    if game not in (LIMIT, NO_LIMIT):
        raise NotationError(f"the game is {game}, but only {LIMIT} and {NO_LIMIT} are supported")
    if no_limit and game == LIMIT:
        raise NotationError(f"{shorten(line)} is both limit and no-limit")
    return Betting.LIMIT if game == LIMIT else Betting.NO_LIMIT, (low, high)


@lru_cache(maxsize=256)
def _deed_pattern(players: tuple[str, ...]) -> re.Pattern[str]:
    """A pattern for lines that describe an action of a player; longer names are tried first."""
    names = "|".join(re.escape(name) for name in sorted(players, key=len, reverse=True))
    verbs = "folds|checks|calls|bets|raises|shows|mucks|wins|posts(?: an?)? ([a-z& -]{1,30})"
    return re.compile(rf"({names}) ({verbs})(?: {_AMOUNT})?(?: (\S.*))?", re.ASCII)
