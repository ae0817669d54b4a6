"""Hand histories of PartyPoker and 888poker, whose texts have the same form: limit and no-limit hold'em.

    ***** Hand History for Game 9582251255 *****
    $2 USD NL Texas Hold'em - Monday, August 30, 16:08:09 EDT 2010
    Table Speed #1769729 (Real Money)
    Seat 6 is the button
    Seat 9: Ann ( $3.57 USD )
    Ann posts small blind [$0.01 USD].
    ** Dealing down cards **

An amount is what a player adds to the pot, for a raise as well. No rake is printed. PartyPoker counts an uncalled bet
among the winnings, 888poker in some versions. In older tournaments of PartyPoker, blinds and antes are not posted line
by line: they follow from the level and the button.
"""

import re
from collections.abc import Iterable, Iterator

from railbird.engine.record import HandRecord
from railbird.notation.reading import NotationError, Reading
from railbird.notation.rooms.hands import (
    LONGEST_NAME,
    HandText,
    TextLayout,
    from_button,
    read_room,
    refuse,
    shorten,
)
from railbird.notation.rooms.partypoker_header import PACIFIC, PARTYPOKER, read_game, read_table
from railbird.notation.rooms.settling import record_of
from railbird.notation.rooms.told import ANTE, BIG, BOTH, MISSED, SMALL, PostLine, ToldHand

_BETWEEN = re.compile(r"(?:Game #\d{1,20} starts\.|#Game No ?: ?\d{1,20})$", re.ASCII)
PARTY_LAYOUT = TextLayout(
    begins=re.compile(r"\*{3,5} ?Hand History [Ff]or Game ", re.ASCII),
    divides=_BETWEEN,
    marks="*G#",
    beginning="'***** Hand History for Game '",
)
PACIFIC_LAYOUT = TextLayout(
    begins=re.compile(
        r"\*{3,5} ?(?:Cassava|888|LuckyAce|Pacific)\S{0,20}(?: \w{1,12}){0,2} Hand History for Game ",
        re.ASCII,
    ),
    divides=_BETWEEN,
    marks="*G#",
    beginning="'***** 888poker Hand History for Game '",
)
_FIRST = re.compile(
    r"\*{3,5} ?(?:.{1,40} )?Hand History [Ff]or Game (\w{1,40}) \*{3,5}(?: \((.{1,40})\))?", re.ASCII
)
_SEAT = re.compile(rf"[Ss]eat (\d\d?): (\S.{{0,{LONGEST_NAME}}}?) \( ?([^()]{{1,24}}?) ?\)(?: - .{{1,90}})?")
_BUTTON = re.compile(r"Seat (\d\d?) is the button", re.ASCII)
_STREET = re.compile(
    r"\*\* Dealing (flop|turn|river) \*\* ?:? {0,2}\[ ?([^\]]{2,14}?) ?\]", re.ASCII | re.IGNORECASE
)
_DEALT = re.compile(rf"Dealt to (\S.{{0,{LONGEST_NAME}}}) \[ {{0,2}}([^\]]{{4,8}}?) ?\]")
_AMOUNT = r"[\[(] ?([^\])]{1,24}?) ?[\])]"
_PAYS = re.compile(rf"(calls|bets|raises|is all-In) {{1,2}}{_AMOUNT}\.?")
_RAISES_TO = re.compile(r"raises ([\d.,]{1,16}) to ([\d.,]{1,16})", re.ASCII)
_POSTS = re.compile(rf"posts (ante|small blind|big blind|big blind \+ dead|dead blind)(?: of)? {_AMOUNT}\.?")
_SHOWS = re.compile(r"(shows|doesn't show|mucks) {1,2}\[ ?([^\]]{4,8}?) ?\].*")
_WINS = re.compile(
    r"wins ([^\s].{0,19}? (?:USD|EUR|GBP|chips))(?: from {1,2}(?:the )?(?:main|side) pot ?#?\d{0,2}.*)?\.?"
    r"|collected \[ ?(.{1,24}?) ?\]"
)
_BALANCE = re.compile(
    r"balance ([^,]{1,20}), (?:(?:lost|bet) .{1,20}?|didn't bet|sits out)"
    r"(?:, collected (.{1,20}?), net [+-]?[^\[]{1,20})?(?: \(folded\))? ?(?:\[ ?([^\]]{4,8}?) ?\].*)?"
)
_SILENT = ("does not show cards", "did not show his hand", "did not show hand")
_HAPPENS = re.compile(
    rf".{{1,{LONGEST_NAME}}} (?:will be using (?:his|her|their) time bank.*|(?:could|did) not respond in time.*"
    r"|has (?:joined|left) the table\.?|is sitting out\.?|is disconnected.*|has been .{1,60}|- Selects point card.*"
    r"|is all-In\.|finished in .{1,40})|>.{1,99}|Your time bank will be .{1,99}|Congratulations to player .*"
)
_REPEATED = re.compile(
    r"Total number of players : .{1,9}|Creating (?:Main|Side) Pot.*|Trny: ?\d{1,20} Level: ?\d{1,4}"
    r"|(?:Main|Side) Pot.*|Board: .*|\*\* Summary \*\*"
)
"""Lines that say nothing new."""
_DECIMALS = re.compile(r"\d[.,]\d\d?(?!\d)", re.ASCII)
_LEVEL = re.compile(
    r"(Blinds|Stakes|Blinds-Antes)\(([\d,.]{1,15})/([\d,.]{1,15})(?: ?- ?([\d,.]{1,15}))?\)", re.ASCII
)


def read_partypoker(lines: Iterable[str]) -> Iterator[Reading]:
    """The hands of a PartyPoker history, one after another."""
    return read_room(lines, PARTY_LAYOUT, _read_party)


def read_888(lines: Iterable[str]) -> Iterator[Reading]:
    """The hands of an 888poker history, one after another."""
    return read_room(lines, PACIFIC_LAYOUT, _read_888)


def _read_party(text: HandText) -> HandRecord:
    return record_of(_PartyHand(text, PARTYPOKER))


def _read_888(text: HandText) -> HandRecord:
    return record_of(_PartyHand(text, PACIFIC))


class _PartyHand(ToldHand):
    """A hand in the text of PartyPoker or 888poker."""

    def __init__(self, hand: HandText, venue: str) -> None:
        super().__init__(venue)
        self.counts_uncalled = True if venue == PARTYPOKER else None
        self.second_small_is_live = venue == PARTYPOKER
        self._level: tuple[int, int, int] | None = None
        self._in_play = False
        lines = [(number, line) for number, line in enumerate(hand.lines, start=hand.first) if line]
        if len(lines) < 3:
            raise NotationError("the hand stops before its seats")
        first = _FIRST.fullmatch(lines[0][1])
        if first is None:
            refuse(hand.first, f"{shorten(lines[0][1])} does not give the number of the hand")
        self.number = first[1]
        self.note(written_for=first[2] or "")
        read_table(self, *lines[2])
        sample = next((line for _, line in lines[3:] if _SEAT.fullmatch(line)), "")
        decimals = any(_DECIMALS.search(line) for _, line in lines[1:])
        read_game(self, *lines[1], sample, decimals)
        for number, line in lines[3:]:
            self._read_line(number, line)
        if not self._in_play:
            raise NotationError("the hand stops before the cards are dealt")
        if not self.collected:
            raise NotationError("the hand stops before anybody wins")
        if self.tournament and not any(post.kind != ANTE for post in self.posts):
            self._post_blinds()

    def _read_line(self, number: int, line: str) -> None:
        for who, rest in self.speakers(line):
            if self._read_deed(number, who, rest):
                return
        if found := _STREET.fullmatch(line):
            self.board.add(found[1].upper(), found[2].replace(",", " "), number)
            self.street(number)
        elif not self._in_play and (found := _SEAT.fullmatch(line)):
            seat, who, stack = found.groups()
            self.seat(int(seat), who, self.money.loosely(stack, number), number)
        elif found := _DEALT.fullmatch(line):
            self.hero = self.seated(found[1], number)
            self.holes.tell(self.hero, found[2].replace(",", " "), number)
        elif found := _BUTTON.fullmatch(line):
            self.button = int(found[1])
        elif found := _LEVEL.fullmatch(line):
            self._read_level(found, number)
        elif line == "** Dealing down cards **":
            self._in_play = True
        elif _HAPPENS.fullmatch(line):
            self.remarks.append(line)
        elif _REPEATED.fullmatch(line):
            pass
        elif ": " in line[:LONGEST_NAME]:
            self.chat.append(line)
        else:
            refuse(
                number, f"{shorten(line)} is not a supported line of a hand, or names a player without a seat"
            )

    def _read_deed(self, number: int, who: str, rest: str) -> bool:
        chips = self.money.loosely
        words = rest.rstrip(".")
        if words in ("folds", "Forward Folds"):
            if self._in_play:
                self.step(number, who, "folds")
            else:
                self.remarks.append(f"{who} does not post")
        elif words == "checks":
            self.step(number, who, "checks")
        elif found := _PAYS.fullmatch(rest):
            self._pay(number, who, found[1], chips(found[2], number))
        elif found := _RAISES_TO.fullmatch(rest):
            self.step(number, who, "raises", chips(found[1], number), chips(found[2], number))
        elif found := _POSTS.fullmatch(rest):
            self._post(number, who, found[1], found[2])
        elif found := _SHOWS.fullmatch(rest):
            self.holes.tell(who, found[2].replace(",", " "), number)
            self.shown[who] = self.holes.cards[who] if found[1] == "shows" else None
        elif words in _SILENT:
            self.shown.setdefault(who, None)
        elif found := _BALANCE.fullmatch(rest):
            if found[3]:
                self.show(who, found[3].replace(",", " "), number)
            if found[2]:
                self.collect(who, chips(found[2], number))
        elif found := _WINS.fullmatch(rest):
            self.collect(who, chips(found[1] or found[2], number))
        else:
            return False
        return True

    def _pay(self, number: int, who: str, verb: str, amount: int) -> None:
        if verb == "calls":
            self.step(number, who, "calls", amount)
        elif verb == "bets":
            self.step(number, who, "bets", amount, amount)
        elif verb == "raises":
            self.step(number, who, "raises with", amount)
        else:
            self.step(number, who, "goes all-in with", amount, all_in=True)

    def _post(self, number: int, who: str, kind: str, amount: str) -> None:
        if kind == "dead blind" and "+" in amount:
            parts = [self.money.loosely(part, number) for part in amount.split("+")]
            self.posts.append(PostLine(number, who, BOTH, sum(parts)))
            return
        chips = self.money.loosely(amount, number)
        kinds = {
            "ante": ANTE,
            "small blind": SMALL,
            "big blind": BIG,
            "big blind + dead": BOTH,
            "dead blind": MISSED,
        }
        self.posts.append(PostLine(number, who, kinds[kind], chips))

    def _read_level(self, found: re.Match[str], number: int) -> None:
        kind, low, high, ante = found.groups()
        chips = self.money.loosely
        small, big = chips(low, number), chips(high, number)
        if kind == "Stakes":
            self.stakes, small, big = (small, big), small // 2, small
        else:
            self.stakes = small, big
        self._level = small, big, chips(ante, number) if ante else 0

    def _post_blinds(self) -> None:
        """The antes and blinds of a level, as the button demands them."""
        if self._level is None:
            raise NotationError("the text does not give the blinds")
        small, big, ante = self._level
        present = {*self.collected, *self.shown, *self.holes.cards, *[step.who for step in self.steps]}
        of_seat = {seat: who for who, seat in self.seats.items() if who in present}
        order = [of_seat[seat] for seat in from_button(of_seat, self.button)]
        if len(order) < 2:
            raise NotationError(f"{len(order)} players take part, but a hand needs two")
        left = {who: self.stacks[who] for who in order}
        first = 1 if len(order) == 2 and self.seats[order[1]] == self.button else 0
        due = [] if self.posts else [(who, ANTE, ante) for who in order]
        for post in self.posts:
            left[post.who] -= post.amount
        due += [(order[first], SMALL, small), (order[(first + 1) % len(order)], BIG, big)]
        for who, kind, chips in due:
            chips = min(chips, left[who])
            if chips:
                left[who] -= chips
                self.posts.append(PostLine(0, who, kind, chips, not left[who]))
