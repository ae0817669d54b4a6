"""Hand histories of Winamax: limit and no-limit hold'em, cash games and tournaments.

    Winamax Poker - Tournament "Tea" buyIn: 18€ + 2€ level: 11 - HandId: #23-12-16 - Holdem no limit (140/600/1200) - …
    Table: 'Tea(548967895)#0037' 6-max (real money) Seat #3 is the button

The stakes of a tournament begin with the ante, if there is one. The total pot is printed without the rake.
"""

import re
from collections.abc import Iterable, Iterator

from railbird.engine.record import HandRecord
from railbird.notation.reading import NotationError, Reading
from railbird.notation.rooms.hands import (
    LONGEST_NAME,
    HandText,
    TextLayout,
    iso_time,
    read_cards,
    read_room,
    refuse,
    shorten,
)
from railbird.notation.rooms.money import CENTS, CHIPS, Money
from railbird.notation.rooms.settling import record_of
from railbird.notation.rooms.told import ANTE, BIG, MISSED, SMALL, PostLine, ToldHand

VENUE = "Winamax"
_SUMMARY = "*** SUMMARY ***"
_LAYOUT = TextLayout(
    begins=re.compile(r"Winamax Poker - ", re.ASCII),
    divides=re.compile(r"\*{5,30} # \d{1,9} \*{5,30}$", re.ASCII),
    marks="W*",
    beginning="'Winamax Poker - '",
    closing=_SUMMARY,
)
_AMOUNT = r"(\d[\d., \u00a0]{0,15}(?: ?€)?)"
_HEADER = re.compile(
    r"Winamax Poker - (.{1,200}) - HandId: #([\d-]{1,60}) - (\S[^(]{1,40}) \(([^)]{1,50})\)"
    r" - (\d{4})/(\d\d)/(\d\d) (\d\d:\d\d:\d\d) (UTC)"
)
_TOURNAMENT = re.compile(r'Tournament "(.{1,120})" buyIn: (.{0,60}?) ?level: (\d{1,4})')
_TABLE = re.compile(r"Table: '(.{1,120})' (\d\d?)-max \((real|play) money\) Seat #(\d\d?) is the button")
_TOURNAMENT_NUMBER = re.compile(r"\((\d{1,20})\)#?\d{0,9}$", re.ASCII)
_SEAT = re.compile(rf"Seat (\d\d?): (\S.{{0,{LONGEST_NAME}}}) \({_AMOUNT}(?:, (.{{1,20}}) bounty)?\)")
_MARKER = re.compile(r"\*\*\* ([A-Z/ -]{1,40}) \*\*\*(.*)", re.ASCII)
_BOARD = re.compile(r" ?(?:\[([^\]]{2,14})\] ?)?\[([^\]]{2,8})\]", re.ASCII)
_PAYS = re.compile(rf"(calls|bets) {_AMOUNT}( and is all-in)?")
_RAISES = re.compile(rf"raises {_AMOUNT} to {_AMOUNT}( and is all-in)?")
_POSTS = re.compile(rf"posts (ante|small blind|big blind) {_AMOUNT}( out of position)?( and is all-in)?")
_SHOWS = re.compile(r"shows \[([^\]]{2,5})\](?: \(.*\))?", re.ASCII)
_COLLECTED = re.compile(rf"collected {_AMOUNT} from (?:pot|main pot|side pot \d{{1,2}})")
_TOTAL = re.compile(rf"Total pot {_AMOUNT}(k?) \| (?:No rake|Rake {_AMOUNT})")
_SUMMARY_BOARD = re.compile(r"Board: \[([^\]]{8,14})\]", re.ASCII)
_SUMMARY_SEAT = re.compile(r"Seat (\d\d?): ", re.ASCII)
_WON = re.compile(rf" won {_AMOUNT}")
_DECIMALS = re.compile(r"\d\.\d\d?(?![\d€])", re.ASCII)
_KINDS = {"ante": ANTE, "small blind": SMALL, "big blind": BIG}
_GAMES = {"Holdem no limit": False, "Holdem fixed limit": True, "Holdem limit": True}


def read_winamax(lines: Iterable[str]) -> Iterator[Reading]:
    """The hands of a Winamax history, one after another."""
    return read_room(lines, _LAYOUT, _read_hand)


def _read_hand(text: HandText) -> HandRecord:
    return record_of(_WinamaxHand(text))


class _WinamaxHand(ToldHand):
    """A hand in the text of Winamax."""

    def __init__(self, hand: HandText) -> None:
        super().__init__(VENUE)
        lines = enumerate(hand.lines, start=hand.first)
        self._has_decimals = any(_DECIMALS.search(line) for line in hand.lines[2:])
        self._read_header(*next(lines))
        self._read_table(*next(lines, (hand.first, "")))
        for number, line in lines:
            if line == _SUMMARY:
                break
            if line:
                self._read_line(number, line)
        else:
            raise NotationError("the hand stops before its summary")
        for number, line in lines:
            if line:
                self._read_summary(number, line)
        if self.rake is None:
            raise NotationError("the summary has no total pot")

    def _read_header(self, number: int, line: str) -> None:
        found = _HEADER.fullmatch(line)
        if found is None:
            refuse(number, f"{shorten(line)} is not Winamax Poker - … with a game, its stakes and the time")
        kind, self.number, game, stakes, year, month, day, clock, zone = found.groups()
        if game not in _GAMES:
            refuse(number, f"the game is {game}, but only Holdem no limit and fixed limit are supported")
        self.limit, self.game = _GAMES[game], f"{game} ({stakes})"
        self.time = iso_time(year, month, day, clock, number)
        tournament = _TOURNAMENT.fullmatch(kind)
        self.money = Money.of("€") if "€" in stakes else CENTS if self._has_decimals else CHIPS
        blinds = [self.money.loosely(part, number) for part in stakes.split("/")]
        if len(blinds) not in (2, 3) or not 0 < blinds[-2] <= blinds[-1]:
            refuse(number, f"{shorten(stakes)} does not give stakes such as 0.02€/0.05€")
        self.stakes = blinds[-2], blinds[-1]
        if tournament:
            name, buy_in, level = tournament.groups()
            self.game = f"{game} tournament ({stakes})"
            self.tournament = name
            self.note(tournament=name, buy_in=buy_in, level=level)
        elif kind != "CashGame":
            self.note(kind=kind)
        self.note(time_zone=zone)

    def _read_table(self, number: int, line: str) -> None:
        found = _TABLE.fullmatch(line)
        if found is None:
            refuse(number, f"{shorten(line)} is not Table: '…' with the seat of the button")
        self.table, seats, _, button = found.groups()
        self.button = int(button)
        self.note(seats=seats)
        if self.tournament and (numbered := _TOURNAMENT_NUMBER.search(self.table)):
            self.note(tournament_number=numbered[1])

    def _read_line(self, number: int, line: str) -> None:
        for who, rest in self.speakers(line):
            if self._read_deed(number, who, rest):
                return
        if found := _MARKER.fullmatch(line):
            self._read_marker(number, found[1], found[2])
        elif not self.posts and (found := _SEAT.fullmatch(line)):
            seat, who, stack, _ = found.groups()
            self.seat(int(seat), who, self.money.loosely(stack, number), number)
        elif line.startswith("Dealt to ") and line.endswith("]"):
            who, _, cards = line[9:-1].rpartition(" [")
            self.hero = self.seated(who, number)
            self.holes.tell(who, cards, number)
        elif line.startswith("Hold-up to Pot"):
            refuse(number, "the house adds chips to the pot, and such hands are not read")
        else:
            refuse(
                number, f"{shorten(line)} is not a supported line of a hand, or names a player without a seat"
            )

    def _read_deed(self, number: int, who: str, rest: str) -> bool:
        chips = self.money.loosely
        if rest == "folds":
            self.step(number, who, "folds")
        elif rest == "checks":
            self.step(number, who, "checks")
        elif found := _PAYS.fullmatch(rest):
            amount, all_in = chips(found[2], number), bool(found[3])
            if found[1] == "calls":
                self.step(number, who, "calls", amount, all_in=all_in)
            else:
                self.step(number, who, "bets", amount, amount, all_in)
        elif found := _RAISES.fullmatch(rest):
            # What a raise adds is counted from the blind that was posted, even if it was not posted in full.
            to = chips(found[2], number)
            self.step(number, who, "raises", to, to, bool(found[3]))
        elif found := _POSTS.fullmatch(rest):
            kind, amount, elsewhere = _KINDS[found[1]], chips(found[2], number), found[3]
            if amount:
                self.posts.append(
                    PostLine(number, who, MISSED if elsewhere else kind, amount, bool(found[4]))
                )
        elif found := _SHOWS.fullmatch(rest):
            self.show(who, found[1], number)
        elif found := _COLLECTED.fullmatch(rest):
            self.collect(who, chips(found[1], number))
        else:
            return False
        return True

    def _read_marker(self, number: int, marker: str, rest: str) -> None:
        if marker in ("FLOP", "TURN", "RIVER"):
            found = _BOARD.fullmatch(rest)
            if found is None:
                refuse(number, f"{shorten(rest)} is not a board")
            self.board.lay(marker, f"{found[1] or ''} {found[2]}", number)
            self.street(number)
        elif marker not in ("ANTE/BLINDS", "PRE-FLOP", "SHOW DOWN"):
            refuse(number, f"{shorten(marker)} is not a supported part of a hand")

    def _read_summary(self, number: int, line: str) -> None:
        if found := _TOTAL.fullmatch(line):
            if self.rake is not None:
                refuse(number, "the total pot is given twice")
            self.rake = self.money.loosely(found[3], number) if found[3] else 0
            if not found[2]:  # large totals are printed in thousands
                self.total = self.money.loosely(found[1], number) + self.rake
        elif found := _SUMMARY_BOARD.fullmatch(line):
            if read_cards(found[1]) != self.board.cards:
                refuse(number, "the board in the summary differs from that of the hand")
        elif found := _SUMMARY_SEAT.match(line):
            who = next((who for who, seat in self.seats.items() if seat == int(found[1])), None)
            rest = line[found.end() :]
            if who is None or not rest.startswith(who):
                refuse(number, f"seat {found[1]} does not belong to {shorten(rest)}")
            won = _WON.search(rest[len(who) :])
            if won and self.money.loosely(won[1], number) != self.collected.get(who, 0):
                refuse(
                    number,
                    f"{who} wins {won[1].strip()}, but collected {self.collected.get(who, 0)} in the hand",
                )
        else:
            refuse(number, f"{shorten(line)} is not a supported line of a summary")
