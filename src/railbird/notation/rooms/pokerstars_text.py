"""The lines of a hand in the text of PokerStars and GGPoker, read one by one.

Names may contain anything, including colons, brackets and verbs. A line is therefore never split by a pattern alone:
the text before a verb must be the name of a seated player. Chat and players coming and going are kept as remarks.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from railbird.notation.reading import NotationError
from railbird.notation.rooms.hands import LONGEST_NAME, HandText, read_cards, refuse, shorten
from railbird.notation.rooms.money import Money
from railbird.notation.rooms.play import PlayLine, Verb
from railbird.notation.rooms.pokerstars_header import GGPOKER, Header, read_header, read_table
from railbird.notation.rooms.told import STRADDLE, PostLine, ToldHand

SUMMARY = "*** SUMMARY ***"
_LONGEST_LINE = 400
"""Maximum number of characters in a line other than chat."""

_SEAT = re.compile(
    rf"Seat (\d\d?): (\S.{{0,{LONGEST_NAME}}}) \((\S{{1,20}}) in chips(?:, (\S{{1,20}}) bounty)?\)"
    r"( is sitting out| out of hand.*)?(?: \[hero\])?",
    re.ASCII,
)
_MARKER = re.compile(r"\*\*\* ([A-Z ]{1,40}) \*\*\*(.*)", re.ASCII)
_BOARD = re.compile(r"(?: ?\[([^\]]{2,14})\])?(?: ?\[([^\]]{2,8})\])", re.ASCII)
_RETURNED = re.compile(r"Uncalled bet \((\S{1,20})\) returned to (.+)", re.ASCII)
_COLLECTED = re.compile(r" collected (\S{1,20}) from (?:main |side )?pot(?:-\d\d?)?", re.ASCII)
_DEALT = re.compile(r"Dealt to (.+?)(?: \[([^\]]{2,5})\])?", re.ASCII)
_FOLDS = re.compile(r"folds \[([^\]]{2,5})\]", re.ASCII)
_PAYS = re.compile(r"(calls|bets) (\S{1,20})( and is all-in)?", re.ASCII)
_RAISES = re.compile(r"raises (\S{1,20}) to (\S{1,20})( and is all-in)?", re.ASCII)
_POSTS = re.compile(r"(?:posts (\D{1,40}?)|straddle) ([^\sa-zA-Z]{1,20})( and is all-in)?", re.ASCII)
_SHOWS = re.compile(r"shows \[([^\]]{2,5})\](?: \(.*\))?", re.ASCII)
_SILENT = ("mucks hand", "doesn't show hand")
_SITS_OUT = ("sits out", "is sitting out")
_REMARK = re.compile(
    rf".{{1,{LONGEST_NAME}}}(?::? (?:sits out|is sitting out)| (?:joins the table at seat #\d\d?|leaves the table|"
    r"is connected|is disconnected|has timed out(?: while (?:being )?disconnected)?|has returned|"
    r"was removed from the table for failing to post|will be allowed to play after the button|"
    r"cashed out the hand for .{1,60}|finished the tournament.{0,80}|wins .{1,60} for eliminating .{1,200}|"
    r"wins the tournament.{0,80}|wins the .{1,40} bounty.{0,160}|wins an entry to tournament.{0,80}|"
    r"Table deposit .{1,20}|re-buys and receives .{1,60}|takes the add-on.{0,60}|Chooses to EV Cashout|"
    r"(?:Pays Cashout Risk|Receives Cashout) \(.{1,20}\)))",
    re.ASCII,
)
_TOTAL = re.compile(
    r"Total pot (\S{1,20})((?: (?:Main pot|Side pot(?:-\d\d?)?) \S{1,20}\.?){0,11})(?: \| Rake (\S{1,20}))?"
    r"((?: \| (?:Jackpot|Bingo|Fortune|Tax) \S{1,20}){0,4})",
    re.ASCII,
)
_PART = re.compile(r"(?:Main pot|Side pot(?:-\d\d?)?) (\S{1,20})", re.ASCII)
_SUMMARY_BOARD = re.compile(r"Board \[([^\]]{8,14})\]", re.ASCII)
_SUMMARY_SEAT = re.compile(r"Seat (\d\d?): ", re.ASCII)
_PLACE = re.compile(r"(?: \((?:button|small blind|big blind)\)){1,3}", re.ASCII)
_SHOWED = re.compile(r" (?:showed|mucked) \[([^\]]{2,5})\]", re.ASCII)
_FEE = re.compile(r"(?:Jackpot|Bingo|Fortune|Tax) (\S{1,20})", re.ASCII)
_GOT = re.compile(r" (?:won|collected) \((\S{1,20}?)\)", re.ASCII)
_ENDINGS = (" collected", " showed", " mucked", " won", " lost", " did not show", " doesn't show")
_RUN_TWICE = ("FIRST ", "SECOND ", "THIRD ")
_ADDED = ("STP added", "Cash Drop to Pot")


class _Deed(NamedTuple):
    """The fields of an action's `PlayLine` after the player."""

    verb: Verb
    amount: int = 0
    to: int | None = None
    all_in: bool | None = None


@lru_cache(maxsize=1 << 13)
def _deed_of(words: str, money: Money) -> _Deed | tuple[str, int, bool] | None:
    """An action, or the kind and amount of a post and whether it is all-in; None if the words are neither.

    The same words come again and again, so they are read once.
    """
    chips = money.strictly
    if words == "folds":
        return _Deed("folds")
    if words == "checks":
        return _Deed("checks")
    if found := _PAYS.fullmatch(words):
        amount = chips(found[2])
        if found[1] == "calls":
            return _Deed("calls", amount, None, bool(found[3]))
        return _Deed("bets", amount, amount, bool(found[3]))
    if found := _RAISES.fullmatch(words):
        return _Deed("raises", chips(found[1]), chips(found[2]), bool(found[3]))
    if found := _POSTS.fullmatch(words):
        return found[1] or STRADDLE, chips(found[2]), bool(found[3])
    return None


_step = tuple.__new__
"""Called directly: the generated constructor takes twice the time, and a third of all lines are actions."""


class _Ending(NamedTuple):
    """What a summary says about a player, after the name."""

    cards: str = ""
    got: tuple[str, ...] = ()
    """The amounts won."""


_FOLDED = _Ending()


@lru_cache(maxsize=1 << 13)
def _ending_of(words: str) -> _Ending:
    """The ending that the words tell; read once, because most come again and again."""
    if place := _PLACE.match(words):
        words = words[place.end() :]
    if words.startswith(" folded"):
        return _FOLDED
    if not words.startswith(_ENDINGS):
        raise NotationError(f"{shorten(words)} is not a valid ending")
    cards = _SHOWED.match(words)
    return _Ending(cards[1] if cards else "", tuple(_GOT.findall(words)))


class StarsHand(ToldHand):
    """A hand in the text of PokerStars."""

    def __init__(self, hand: HandText) -> None:
        lines = enumerate(hand.lines, start=hand.first)
        number, line = next(lines)
        header = read_header(line, number)
        super().__init__(header.venue)
        self._rupees = "Rs. " in line
        self._cards_dealt = False
        self._by_number: dict[int, str] = {}
        self.bounties: list[str] = []
        self._take_header(header)
        number, line = next(lines, (number, ""))
        table = read_table(line, number)
        self.table, self.button = table.name, table.button
        self.note(seats=table.seats)
        self._read(lines)

    def _take_header(self, header: Header) -> None:
        self.number, self.game, self.limit = header.number, header.game, header.limit
        self.stakes, self.money, self.time = header.stakes, header.money, header.time
        self.tournament = header.tournament
        self._chips = header.money.chips
        self.note(
            kind=header.kind,
            mixed_game=header.mixed,
            tournament=header.tournament,
            buy_in=header.buy_in,
            level=header.level,
            time_zone=header.zone,
            local_time=header.local_time,
        )

    def _read(self, lines: Iterator[tuple[int, str]]) -> None:
        if self._rupees:
            lines = ((number, line.replace("Rs. ", "₹")) for number, line in lines)
        seats, deed = self.seats, self._read_deed
        for number, line in lines:
            if not self.posts and (found := _SEAT.fullmatch(line)):
                self._read_seat(found, number)
                continue
            who, colon, rest = line.partition(": ")
            if colon and who in seats and deed(who, rest, number):
                continue
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
        if len(self.dealt_in) < 2:
            raise NotationError(f"the summary lists {len(self.dealt_in)} players, but a hand needs two")
        self.note(bounties=", ".join(self.bounties))

    # Before the summary

    def _read_line(self, line: str, number: int) -> None:
        place = line.find(": ", line.find(": ") + 1)
        while 0 < place <= LONGEST_NAME:  # a name may contain colons
            who = line[:place]
            if who in self.seats and self._read_deed(who, line[place + 2 :], number):
                return
            place = line.find(": ", place + 1)
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

    def _read_deed(self, who: str, rest: str, number: int) -> bool:
        """Read an action of a player; False if the text is not one."""
        try:
            deed = _deed_of(rest, self.money)
        except NotationError as error:
            refuse(number, str(error))
        if isinstance(deed, _Deed):
            self.steps.append(_step(PlayLine, (number, who, *deed)))
        elif deed is not None:
            if self._cards_dealt:
                refuse(number, f"{who} posts after the cards are dealt")
            self.posts.append(PostLine(number, who, *deed))
        elif found := _SHOWS.fullmatch(rest):
            self._show(who, found[1], number)
        elif rest in _SILENT:
            self.shown.setdefault(who, None)
        elif rest in _SITS_OUT:
            self.remarks.append(f"{who} {rest}")
        elif found := _FOLDS.fullmatch(rest):
            self.step(number, who, "folds")
            self._show(who, found[1], number)
        else:
            return False
        return True

    def _show(self, who: str, cards: str, number: int) -> None:
        """Record shown cards; a single card becomes a remark. Hold'em Manager writes the other one as XX."""
        cards = cards.replace("XX", "").strip()
        if len(cards.split()) == 1:
            read_cards(cards)
            self.remarks.append(f"{who} shows [{cards}]")
        else:
            self.show(who, cards, number)

    def _read_other(self, line: str, number: int) -> bool:
        if found := _MARKER.fullmatch(line):
            self._read_marker(found[1], found[2], number)
        elif found := _DEALT.fullmatch(line):
            who = self.seated(found[1], number)
            if found[2]:
                self.holes.tell(who, found[2], number)
                self.hero = self.hero or who
        elif found := _RETURNED.fullmatch(line):
            if self.returned is not None:
                refuse(number, "a second uncalled bet is returned")
            self.returned = number, self.seated(found[2], number), self._chips(found[1], number)
        elif found := _COLLECTED.search(line):
            if found.end() != len(line):
                return False
            self.collect(self.seated(line[: found.start()], number), self._chips(found[1], number))
        elif line == "Hand cancelled":
            refuse(number, "the hand was cancelled")
        elif line.startswith(_ADDED):
            refuse(number, "the house adds chips to the pot, and such hands are not read")
        elif _REMARK.fullmatch(line) or line == "Betting is capped":
            self.remarks.append(line)
        else:
            return False
        return True

    def _read_seat(self, found: re.Match[str], number: int) -> None:
        digits, who, stack, bounty, out = found.groups()
        seat = int(digits)
        self.seat(seat, who, self._chips(stack, number), number, out=bool(out))
        self._by_number[seat] = who
        if bounty:
            self.bounties.append(f"{who} {bounty}")

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
            self.street(number)
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
            if set(read_cards(found[1])) != set(self.board.cards):
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
        if not found[3] and self.venue != GGPOKER:
            refuse(number, "the summary does not print the rake")
        self.total = self._chips(found[1], number)
        self.rake = self._chips(found[3], number) if found[3] else 0
        self.rake += sum([self._chips(fee, number) for fee in _FEE.findall(found[4])])
        parts = [self._chips(part.rstrip("."), number) for part in _PART.findall(found[2])]
        if parts and sum(parts) + self.rake != self.total:
            refuse(number, f"the pots and the rake add up to {sum(parts) + self.rake}, not to {self.total}")

    def _read_ending(self, seat: int, rest: str, number: int) -> None:
        who = self._by_number.get(seat)
        if who is None or not rest.startswith(who):
            refuse(number, f"seat {seat} does not belong to {shorten(rest)}")
        try:
            ending = _ending_of(rest[len(who) :])
        except NotationError as error:
            refuse(number, f"{error} for {who}")
        self.dealt_in.add(who)
        if ending is _FOLDED:
            return
        if len(ending.cards.split()) > 1 and "XX" not in ending.cards:
            self.holes.tell(who, ending.cards, number)
        got = [self._chips(amount, number) for amount in ending.got]
        if got and sum(got) != self.collected.get(who, 0):
            refuse(number, f"{who} gets {sum(got)}, but collected {self.collected.get(who, 0)} in the hand")
