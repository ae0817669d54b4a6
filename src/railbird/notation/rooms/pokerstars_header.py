"""The first two lines of a PokerStars hand: game, stakes, place and time.

    PokerStars Hand #208958099944:  Hold'em No Limit ($0.25/$0.50 USD) - 2020/02/07 19:15:13 ET
    Table 'Aaltje III' 6-max Seat #2 is the button

Unsupported games are refused by name: tournaments, pot-limit, capped games, Omaha and others.
"""

import re
from dataclasses import dataclass

from railbird.engine.rules import Betting
from railbird.notation.rooms.hands import iso_time, refuse, shorten

FIRST_LINE = re.compile(r"PokerStars (Zoom |Home Game )?(?:Hand|Game) #(\d{1,20}):\s{0,9}(.*)", re.ASCII)
_GAMES = {"Hold'em Limit": Betting.LIMIT, "Hold'em No Limit": Betting.NO_LIMIT}
_CURRENCIES = {"$": "USD", "€": "EUR", "£": "GBP", "": ""}
_STAKES = re.compile(
    r"(\D?)(\d[\d,.]{0,15})/(\D?)(\d[\d,.]{0,15})(?: - (\S{1,20}) Cap - )? ?([A-Z]{3})?", re.ASCII
)
_GAME = re.compile(r"(?:\{[^}]{1,80}\} {1,2})?([^({]{1,60}?) ?\(([^)]{1,80})\) - (.{1,80})", re.ASCII)
_CLOCK = r"(\d{4})/(\d\d)/(\d\d) (?:- )?(\d\d?:\d\d:\d\d)"
_TIME = re.compile(rf"{_CLOCK}(?: \(?([A-Z]{{2,5}})\)?)?(?: \[{_CLOCK} (ET)\])?", re.ASCII)
_TABLE = re.compile(
    r"Table '(.{1,80})'(?: (\d\d?)-max)?(?: \(Play Money\))? Seat #(\d\d?) is the button", re.ASCII
)
_AMOUNT = re.compile(r"(?:\d{1,13}|\d{1,3}(?:,\d{3}){1,4})(?:\.\d\d?)?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Money:
    """How amounts are printed. With a currency, chips are cents."""

    sign: str
    currency: str

    @property
    def scale(self) -> int:
        """The chips in one unit of the currency."""
        return 100 if self.sign else 1

    def chips(self, text: str, line: int) -> int:
        """An amount as chips."""
        digits = text.removeprefix(self.sign)
        if not _AMOUNT.fullmatch(digits) or (self.sign and digits is text):
            refuse(line, f"{shorten(text)} is not an amount such as {self.sign}25")
        whole, _, decimals = digits.replace(",", "").partition(".")
        if decimals and not self.sign:
            refuse(line, f"{shorten(text)} has decimals, but play money must be whole chips")
        return int(whole) * self.scale + int(decimals.ljust(2, "0") if decimals else 0)


@dataclass(frozen=True, slots=True)
class Header:
    """The content of the first line."""

    number: str
    kind: str
    """`Zoom` or `Home Game`; empty for a usual table."""
    mixed: str
    """The name of the mixed game that the hand belongs to, such as HORSE."""
    game: str
    """The game with its stakes, as printed."""
    betting: Betting
    stakes: tuple[int, int]
    money: Money
    time: str
    zone: str
    local_time: str
    """The player's local time, if it is printed in addition to the room's."""


def read_header(line: str, number: int) -> Header:
    """The first line of a cash-game hand of limit or no-limit hold'em."""
    found = FIRST_LINE.fullmatch(line)
    if found is None:
        refuse(number, f"{shorten(line)} is not PokerStars Hand #… followed by a game")
    kind, hand, rest = found.groups()
    if "Tournament #" in rest:
        refuse(number, "the hand is from a tournament, but only cash games are supported")
    parts = _GAME.fullmatch(rest)
    if parts is None:
        refuse(number, f"{shorten(rest)} does not give a game with its stakes and time")
    game, stakes, time = parts.groups()
    mixed = ""
    if ", " in stakes:
        mixed = game
        game, _, stakes = stakes.partition(", ")
    if game not in _GAMES:
        refuse(number, f"the game is {game}, but only Hold'em Limit and Hold'em No Limit are supported")
    money, low, high = _read_stakes(stakes, number)
    moment, zone, local = _read_time(time, number)
    return Header(
        number=hand,
        kind=(kind or "").strip(),
        mixed=mixed,
        game=f"{game} ({stakes})",
        betting=_GAMES[game],
        stakes=(low, high),
        money=money,
        time=moment,
        zone=zone,
        local_time=local,
    )


def _read_stakes(text: str, number: int) -> tuple[Money, int, int]:
    found = _STAKES.fullmatch(text)
    if found is None:
        refuse(number, f"{shorten(text)} does not give stakes such as $0.25/$0.50 USD")
    sign, low, again, high, cap, currency = found.groups()
    if cap is not None:
        refuse(number, f"the game has a cap of {cap} per hand, and capped games are not supported")
    if sign not in _CURRENCIES or again != sign:
        refuse(
            number,
            f"{shorten(text)} has an unsupported currency: only dollars, euros, pounds and play money are read",
        )
    money = Money(sign, (currency or _CURRENCIES[sign]) if sign else "")
    stakes = money.chips(sign + low, number), money.chips(sign + high, number)
    if not 0 < stakes[0] <= stakes[1]:
        refuse(number, f"the stakes {shorten(text)} are inconsistent")
    return money, *stakes


def _read_time(text: str, number: int) -> tuple[str, str, str]:
    """The room's time (Eastern Time where both are printed), its zone, and the player's time with its zone."""
    found = _TIME.fullmatch(text)
    if found is None:
        refuse(number, f"{shorten(text)} is not a time such as 2020/02/07 19:15:13 ET")
    year, month, day, clock, zone = found.groups()[:5]
    own = iso_time(year, month, day, clock, number)
    year, month, day, clock, eastern = found.groups()[5:]
    if eastern is None:
        return own, zone or "", ""
    return iso_time(year, month, day, clock, number), eastern, f"{own} {zone or ''}".strip()


@dataclass(frozen=True, slots=True)
class TableLine:
    """The content of the second line."""

    name: str
    seats: str
    """The number of seats at the table, if the text gives it."""
    button: int


def read_table(line: str, number: int) -> TableLine:
    """The second line of a hand."""
    found = _TABLE.fullmatch(line)
    if found is None:
        refuse(number, f"{shorten(line)} is not Table '…' with the seat of the button")
    name, seats, button = found.groups()
    return TableLine(name, seats or "", int(button))
