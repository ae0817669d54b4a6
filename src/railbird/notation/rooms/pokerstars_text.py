"""The lines of a PokerStars hand, read one by one; `pokerstars` turns them into a record.

Names may contain anything, including colons, brackets and verbs. A line is therefore never split by a pattern alone:
the text before a verb must be the name of a seated player. Chat and players coming and going are kept as remarks.
"""

import re
from collections.abc import Iterator

from railbird.cards import Card
from railbird.notation.reading import NotationError
from railbird.notation.rooms.hands import (
    LONGEST_NAME,
    GrowingBoard,
    HandText,
    Holes,
    PlayLine,
    read_cards,
    refuse,
    shorten,
)
from railbird.notation.rooms.pokerstars_header import read_header, read_table

SUMMARY = "*** SUMMARY ***"
_LONGEST_LINE = 400
"""Maximum number of characters in a line other than chat."""

_SEAT = re.compile(
    rf"Seat (\d\d?): (\S.{{0,{LONGEST_NAME}}}) \((\S{{1,20}}) in chips\)( is sitting out| out of hand.*)?",
    re.ASCII,
)
_MARKER = re.compile(r"\*\*\* ([A-Z ]{1,40}) \*\*\*(.*)", re.ASCII)
_BOARD = re.compile(r"(?: \[([^\]]{2,14})\])?(?: \[([^\]]{2,8})\])", re.ASCII)
_RETURNED = re.compile(r"Uncalled bet \((\S{1,20})\) returned to (.+)", re.ASCII)
_COLLECTED = re.compile(r" collected (\S{1,20}) from (?:main |side )?pot(?:-\d\d?)?", re.ASCII)
_DEALT = re.compile(r"Dealt to (.+) \[([^\]]{2,5})\]", re.ASCII)
_FOLDS = re.compile(r"folds(?: \[([^\]]{2,5})\])?", re.ASCII)
_PAYS = re.compile(r"(calls|bets) (\S{1,20})( and is all-in)?", re.ASCII)
_RAISES = re.compile(r"raises (\S{1,20}) to (\S{1,20})( and is all-in)?", re.ASCII)
_POSTS = re.compile(r"posts (\D{1,40}?) ([^\sa-zA-Z]{1,20})( and is all-in)?", re.ASCII)
_SHOWS = re.compile(r"shows \[([^\]]{2,5})\](?: \(.*\))?", re.ASCII)
_SILENT = ("mucks hand", "doesn't show hand")
_SITS_OUT = ("sits out", "is sitting out")
_REMARK = re.compile(
    rf".{{1,{LONGEST_NAME}}}(?::? (?:sits out|is sitting out)| (?:joins the table at seat #\d\d?|leaves the table|"
    r"is connected|is disconnected|has timed out(?: while (?:being )?disconnected)?|has returned|"
    r"was removed from the table for failing to post|will be allowed to play after the button|"
    r"cashed out the hand for .{1,60}))",
    re.ASCII,
)
_TOTAL = re.compile(
    r"Total pot (\S{1,20})((?: (?:Main pot|Side pot(?:-\d\d?)?) \S{1,20}\.?){0,11}) \| Rake (\S{1,20})",
    re.ASCII,
)
_PART = re.compile(r"(?:Main pot|Side pot(?:-\d\d?)?) (\S{1,20})", re.ASCII)
_SUMMARY_BOARD = re.compile(r"Board \[([^\]]{8,14})\]", re.ASCII)
_SUMMARY_SEAT = re.compile(r"Seat (\d\d?): ", re.ASCII)
_PLACE = re.compile(r"(?: \((?:button|small blind|big blind)\)){0,3}", re.ASCII)
_SHOWED = re.compile(r" (?:showed|mucked) \[([^\]]{2,5})\]", re.ASCII)
_GOT = re.compile(r" (?:won|collected) \((\S{1,20}?)\)", re.ASCII)
_ENDINGS = (" folded", " collected", " showed", " mucked", " won", " lost", " did not show", " doesn't show")
_RUN_TWICE = ("FIRST ", "SECOND ", "THIRD ")


class StarsHand:
    """A hand as given by its lines, before the rules are applied. Amounts are chips: cents if they have a currency."""

    def __init__(self, hand: HandText) -> None:
        self.seats: dict[str, int] = {}
        """All seated players, dealt in or not."""
        self.stacks: dict[str, int] = {}
        self.sitting_out: list[str] = []
        self.hero = ""
        """The player whose cards are shown, in histories that a player saved."""
        self.holes = Holes()
        self.board = GrowingBoard()
        self.posts: list[tuple[int, str, str, int, bool]] = []
        """Line, player, kind, amount, and whether the player is all-in."""
        self.steps: list[PlayLine] = []
        self.shown: dict[str, tuple[Card, ...] | None] = {}
        """Hands that were shown or mucked, in order."""
        self.returned: tuple[int, str, int] | None = None
        self.collected: dict[str, int] = {}
        self.total: int | None = None
        self.rake = 0
        self.dealt_in: set[str] = set()
        """The players listed in the summary."""
        self.chat: list[str] = []
        self.remarks: list[str] = []
        self._cards_dealt = False
        self._by_number: dict[int, str] = {}
        self._read(hand)

    def _read(self, hand: HandText) -> None:
        lines = enumerate(hand.lines, start=hand.first)
        number, line = next(lines)
        self.header = read_header(line, number)
        self._chips = self.header.money.chips
        number, line = next(lines, (number, ""))
        self.table = read_table(line, number)
        for number, line in lines:
            if line == SUMMARY:
                break
            if line:
                self._read_line(line, number)
        else:
            raise NotationError("the hand stops before its summary")
        for number, line in lines:
            if line:
                self._read_summary(line, number)
        if self.total is None:
            raise NotationError("the summary has no total pot")

    # Before the summary

    def _read_line(self, line: str, number: int) -> None:
        for who, rest in self._speakers(line):
            if self._read_deed(who, rest, number):
                return
        is_chat = ' said, "' in line
        if len(line) > _LONGEST_LINE and not is_chat:
            refuse(number, f"the line has {len(line)} characters, too many for a line other than chat")
        if len(line) <= _LONGEST_LINE and self._read_other(line, number):
            return
        if not is_chat:
            refuse(
                number, f"{shorten(line)} is not a supported line of a hand, or names a player without a seat"
            )
        self.chat.append(line)

    def _speakers(self, line: str) -> Iterator[tuple[str, str]]:
        """Players whose name is followed by a colon, and the text after it."""
        place = line.find(": ")
        while 0 <= place <= LONGEST_NAME:
            if line[:place] in self.seats:
                yield line[:place], line[place + 2 :]
            place = line.find(": ", place + 1)

    def _read_deed(self, who: str, rest: str, number: int) -> bool:
        """Read an action of a player; False if the text is not one."""
        if rest == "checks":
            self.steps.append(PlayLine(number, who, "checks"))
        elif found := _FOLDS.fullmatch(rest):
            self.steps.append(PlayLine(number, who, "folds"))
            if found[1]:
                self._show(who, found[1], number)
        elif found := _PAYS.fullmatch(rest):
            verb, amount, all_in = found.groups()
            chips = self._chips(amount, number)
            if verb == "calls":
                self.steps.append(PlayLine(number, who, "calls", chips, all_in=bool(all_in)))
            else:
                self.steps.append(PlayLine(number, who, "bets", chips, chips, bool(all_in)))
        elif found := _RAISES.fullmatch(rest):
            by, to, all_in = found.groups()
            chips, total = self._chips(by, number), self._chips(to, number)
            self.steps.append(PlayLine(number, who, "raises", chips, total, bool(all_in)))
        elif found := _POSTS.fullmatch(rest):
            kind, amount, all_in = found.groups()
            if self._cards_dealt:
                refuse(number, f"{who} posts after the cards are dealt")
            self.posts.append((number, who, kind, self._chips(amount, number), bool(all_in)))
        elif found := _SHOWS.fullmatch(rest):
            self._show(who, found[1], number)
        elif rest in _SILENT:
            self.shown.setdefault(who, None)
        elif rest in _SITS_OUT:
            self.remarks.append(f"{who} {rest}")
        else:
            return False
        return True

    def _show(self, who: str, cards: str, number: int) -> None:
        """Record shown cards; a single card becomes a remark."""
        if len(cards.split()) == 1:
            read_cards(cards)
            self.remarks.append(f"{who} shows [{cards}]")
        else:
            self.shown[who] = self.holes.tell(who, cards, number)

    def _read_other(self, line: str, number: int) -> bool:
        if found := _MARKER.fullmatch(line):
            self._read_marker(found[1], found[2], number)
        elif not self._cards_dealt and (found := _SEAT.fullmatch(line)):
            self._read_seat(found, number)
        elif found := _DEALT.fullmatch(line):
            who = self._seated(found[1], number)
            self.holes.tell(who, found[2], number)
            self.hero = self.hero or who
        elif found := _RETURNED.fullmatch(line):
            if self.returned is not None:
                refuse(number, "a second uncalled bet is returned")
            self.returned = number, self._seated(found[2], number), self._chips(found[1], number)
        elif found := _COLLECTED.search(line):
            if found.end() != len(line):
                return False
            who = self._seated(line[: found.start()], number)
            self.collected[who] = self.collected.get(who, 0) + self._chips(found[1], number)
        elif line == "Hand cancelled":
            refuse(number, "the hand was cancelled")
        elif _REMARK.fullmatch(line):
            self.remarks.append(line)
        else:
            return False
        return True

    def _read_seat(self, found: re.Match[str], number: int) -> None:
        seat, who, stack, out = found.groups()
        if who in self.seats or int(seat) in self._by_number:
            refuse(number, f"seat {seat} or the player {who} is listed twice")
        self.seats[who] = int(seat)
        self._by_number[int(seat)] = who
        self.stacks[who] = self._chips(stack, number)
        if out:
            self.sitting_out.append(who)

    def _seated(self, who: str, number: int) -> str:
        if who not in self.seats:
            refuse(number, f"{shorten(who)} has no seat")
        return who

    def _read_marker(self, marker: str, rest: str, number: int) -> None:
        if marker.startswith(_RUN_TWICE):
            refuse(number, "the hand was run more than once, and such hands are not read")
        if marker == "HOLE CARDS":
            self._cards_dealt = True
        elif marker in ("FLOP", "TURN", "RIVER"):
            found = _BOARD.fullmatch(rest)
            if found is None:
                refuse(number, f"{shorten(rest)} is not a board")
            self.board.lay(marker, f"{found[1] or ''} {found[2]}", number)
            self.steps.append(PlayLine(number, "", "street"))
        elif marker not in ("SHOW DOWN", "SHOWDOWN"):
            refuse(number, f"{shorten(marker)} is not a supported part of a hand")

    # The summary

    def _read_summary(self, line: str, number: int) -> None:
        if len(line) > _LONGEST_LINE and ' said, "' not in line:
            refuse(number, f"the line has {len(line)} characters, too many for a line of a summary")
        if found := _SUMMARY_SEAT.match(line):
            self._read_ending(int(found[1]), line[found.end() :], number)
        elif found := _TOTAL.fullmatch(line):
            self._read_total(found, number)
        elif found := _SUMMARY_BOARD.fullmatch(line):
            if read_cards(found[1]) != self.board.cards:
                refuse(number, "the board in the summary differs from that of the hand")
        elif line.startswith(("Hand was run", *_RUN_TWICE)):
            refuse(number, "the hand was run more than once, and such hands are not read")
        elif ' said, "' in line:
            self.chat.append(line)
        elif _REMARK.fullmatch(line):
            self.remarks.append(line)
        else:
            refuse(number, f"{shorten(line)} is not a supported line of a summary")

    def _read_total(self, found: re.Match[str], number: int) -> None:
        if self.total is not None:
            refuse(number, "the total pot is given twice")
        self.total, self.rake = self._chips(found[1], number), self._chips(found[3], number)
        parts = [self._chips(part.rstrip("."), number) for part in _PART.findall(found[2])]
        if parts and sum(parts) + self.rake != self.total:
            refuse(number, f"the pots and the rake add up to {sum(parts) + self.rake}, not to {self.total}")

    def _read_ending(self, seat: int, rest: str, number: int) -> None:
        who = self._by_number.get(seat)
        if who is None or not rest.startswith(who):
            refuse(number, f"seat {seat} does not belong to {shorten(rest)}")
        rest = rest[len(who) :]
        place = _PLACE.match(rest)
        rest = rest[place.end() if place else 0 :]
        if not rest.startswith(_ENDINGS):
            refuse(number, f"{shorten(rest)} is not a valid ending for {who}")
        self.dealt_in.add(who)
        cards = _SHOWED.match(rest)
        if cards and len(cards[1].split()) > 1:
            self.holes.tell(who, cards[1], number)
        got = [self._chips(amount, number) for amount in _GOT.findall(rest)]
        if got and sum(got) != self.collected.get(who, 0):
            refuse(number, f"{who} gets {sum(got)}, but collected {self.collected.get(who, 0)} in the hand")
