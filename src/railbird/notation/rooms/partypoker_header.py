"""The game and the table of a hand in the texts of PartyPoker and 888poker, which name them in many ways.

$2 USD NL Texas Hold'em - Monday, August 30, 16:08:09 EDT 2010
$0.12/$0.25 Blinds No Limit Holdem - *** 05 06 2022 23:06:24
NL Texas Hold'em $11 USD Buy-in Trny: 59658935 Level: 7  Blinds(300/600) - Friday, April 01, 11:44:00 CEST 2011
250/500 Tourney Texas Holdem Game Table (NL) (MTT Tournament #302466038) (Buyin $3.0 + $0.3) - Tue May 04 …
"""

import re

from railbird.notation.rooms.hands import iso_time, refuse, shorten
from railbird.notation.rooms.money import CENTS, CHIPS, Money
from railbird.notation.rooms.told import ToldHand

PARTYPOKER, PACIFIC = "PartyPoker", "888poker"
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_STAKES = re.compile(r"([^/]{1,20})/([^/]{1,20}) Blinds |(\S{1,20})/(\S{1,20}) ")
_HOLDEM = re.compile(r"(?:(NL|FL|PL|No Limit|Fix(?:ed)? Limit|Pot Limit|Limit) )?(?:Texas )?Hold'?em\b")
_ENGLISH_TIME = re.compile(
    r"[A-Z][a-z]{2,8}, ?([A-Z][a-z]{2,8}) (\d\d?), (\d\d:\d\d:\d\d)(?: ([A-Z]{2,5}))? (\d{4})", re.ASCII
)
_UNIX_TIME = re.compile(
    r"[A-Z][a-z]{2} ([A-Z][a-z]{2}) (\d\d?) (\d\d:\d\d:\d\d)(?: ([A-Z]{2,5}))? (\d{4})", re.ASCII
)
_NUMBER_TIME = re.compile(r"\*\*\* (\d\d) (\d\d) (\d{4}) (\d\d:\d\d:\d\d)", re.ASCII)
_TOURNAMENT = re.compile(r"Trny: ?(\d{1,20})|Tournament #(\d{1,20})|(\d{6,20})\) Table #", re.ASCII)
_LEVEL = re.compile(r"Level: ?(\d{1,4})", re.ASCII)
_BUY_IN = re.compile(
    r"(?:Hold'em )(\S.{0,40}?) Buy-in( {1,3}\+ .{1,20} Entry Fee)?|\(Buyin (.{1,40}?)\)", re.ASCII
)
_PACIFIC_TOURNAMENT = re.compile(
    r"Tournament #(\d{1,20}) (.{1,60}?)(?: - Table #(\d{1,6}))?(?: (\d\d?) Max)? \((.{1,40})\)"
)
_TABLE = re.compile(r"Table (.{1,120}?) ?\( ?(.{1,40}?) ?\)(?: -- Seat (\d\d?) is the button)?")


def read_game(hand: ToldHand, number: int, line: str, sample: str, decimals: bool) -> None:
    """The line that names the game, its stakes and the time.

    Where it does not name the currency, a line with an amount does; play money may have `decimals`.
    """
    game = _HOLDEM.search(line)
    if game is None or "Double" in line:
        refuse(number, f"{shorten(line)} is not a supported game: only limit and no-limit hold'em are read")
    kind = game[1] or ("NL" if "(NL)" in line else "PL" if "(PL)" in line else "FL")
    if kind in ("PL", "Pot Limit"):
        refuse(number, "the game is pot-limit hold'em, but only limit and no-limit are supported")
    hand.limit = kind not in ("NL", "No Limit")
    _read_time(hand, number, line)
    if not hand.tournament:
        _read_tournament(hand, line)
    hand.game = line.split(" - ")[0].strip()
    stakes = _STAKES.match(line)
    sign = next((sign for sign in "€£$" if sign in hand.game or sign in sample), "")
    if not hand.tournament:
        hand.money = Money.of(sign) if sign else CENTS if decimals else CHIPS
    if stakes is not None:
        _read_stakes(hand, number, stakes)


def _read_stakes(hand: ToldHand, number: int, stakes: re.Match[str]) -> None:
    low, high = (hand.money.loosely(text, number) for text in stakes.groups() if text)
    if hand.venue == PACIFIC and hand.limit:
        low, high = high, 2 * high  # the blinds are printed
    if not 0 < low <= high:
        refuse(number, f"{shorten(stakes[0])} are not stakes")
    hand.stakes = low, high


def _read_tournament(hand: ToldHand, line: str) -> None:
    found = _TOURNAMENT.search(line) or _TOURNAMENT.search(hand.table)
    if found is None and "Buy-in" not in line and "Tourney" not in line:
        return
    hand.tournament = next(filter(None, found.groups())) if found else hand.table
    level, buy_in = _LEVEL.search(line), _BUY_IN.search(line)
    hand.note(
        tournament=hand.tournament,
        level=level[1] if level else "",
        buy_in="".join(filter(None, buy_in.groups())) if buy_in else "",
    )


def _read_time(hand: ToldHand, number: int, line: str) -> None:
    if found := _ENGLISH_TIME.search(line) or _UNIX_TIME.search(line):
        month, day, clock, zone, year = found.groups()
        if month[:3] not in _MONTHS:
            refuse(number, f"{month} is not a month")
        hand.time = iso_time(year, f"{_MONTHS.index(month[:3]) + 1:02}", f"{day:0>2}", clock, number)
        hand.note(time_zone=zone or "")
    elif found := _NUMBER_TIME.search(line):
        day, month, year, clock = found.groups()
        hand.time = iso_time(year, month, day, clock, number)


def read_table(hand: ToldHand, number: int, line: str) -> None:
    """The line that names the table."""
    if found := _PACIFIC_TOURNAMENT.fullmatch(line):
        hand.tournament, buy_in, table, seats, _ = found.groups()
        hand.table = table or ""
        hand.note(tournament=hand.tournament, buy_in=buy_in, seats=seats or "")
        return
    found = _TABLE.fullmatch(line)
    if found is None:
        refuse(number, f"{shorten(line)} does not name the table")
    hand.table = found[1].strip()
    if found[3]:
        hand.button = int(found[3])
