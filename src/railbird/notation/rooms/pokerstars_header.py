"""The first two lines of a hand in the text of PokerStars: game, stakes, place and time.

    PokerStars Hand #208958099944:  Hold'em No Limit ($0.25/$0.50 USD) - 2020/02/07 19:15:13 ET
    Table 'Aaltje III' 6-max Seat #2 is the button

    PokerStars Hand #75726253875: Tournament #518183000, $2.00+$0.20 USD Hold'em No Limit - Level II (15/30) - 2012/…

Other rooms and converters write the same text under their own names (`ROOMS`), GGPoker as `Poker Hand #TM…`.
Unsupported games are refused by name: pot-limit, capped games, Omaha and others.
"""

import re
from functools import lru_cache
from typing import NamedTuple

from railbird.notation.reading import NotationError
from railbird.notation.rooms.hands import iso_time, refuse, shorten
from railbird.notation.rooms.money import CHIPS, CURRENCIES, Money

POKERSTARS, GGPOKER = "PokerStars", "GGPoker"
ROOMS = {
    name.lower(): name
    for name in (
        POKERSTARS,
        "Full Tilt",
        "Run It Once Poker",
        "PokerMaster",
        "PokerBros",
        "SupremaPoker",
        "MPLPoker",
    )
}
"""Rooms whose hands are written as PokerStars writes them."""
FIRST_LINE = re.compile(
    rf"({'|'.join(ROOMS)}) (Zoom |Home Game |Rush )?(?:Hand|Game) #(\d{{1,20}}):\s{{0,9}}(.*)",
    re.ASCII | re.IGNORECASE,
)
GG_FIRST_LINE = re.compile(r"(Poker )(?:Hand|Game) ?#(?:()([A-Z]{0,3}\d{1,20})):\s{0,9}(.*)", re.ASCII)
_LIMIT = {"Hold'em Limit": True, "Hold'em No Limit": False}
_STAKES = re.compile(
    r"(\D?)(\d[\d,.]{0,15})/(\D?)(\d[\d,.]{0,15})(?: - (\S{1,20}) Cap - )? ?([A-Z]{3})?", re.ASCII
)
_CLOCK = r"(\d{4})/(\d\d)/(\d\d) (?:- )?(\d\d?:\d\d(?::\d\d)?)"
_TIME = re.compile(rf"{_CLOCK}(?: \(?([A-Z]{{2,5}})\)?)?(?: \[{_CLOCK} ([A-Z]{{2,4}})\])?", re.ASCII)
_GAME = re.compile(r"(?:\{[^}]{1,80}\} {1,2})?([^({]{1,60}?) {0,3}\(([^)]{1,80})\) - (.{1,80})", re.ASCII)
_TOURNAMENT = re.compile(
    r"(?:\{[^}]{1,80}\} {1,2})?(Zoom )?Tournament #(\d{1,20}),(.{1,200}?)"
    r" ?\((\d[\d,]{0,15}/\d[\d,]{0,15})\)(?: \[[^\]]{1,60}\])? - (\d{4}/.{1,80})",
    re.ASCII,
)
_EVENT = re.compile(
    r" ?(.{0,150}?),? {0,3}(?:- )?(?:(?<!\S)(?!(?:USD|EUR|GBP|INR|CNY) )(8-Game|[A-Z][\w' -]{1,40}) \()?"
    r"((?:6\+ |Split )?Hold'em (?:No |Pot )?Limit[^)]{0,40}?)\)?"
    r"(?: {1,3}- (.{1,60}))?",
    re.ASCII,
)
_TABLE = re.compile(
    r"Table (?:ID )?'(.{1,80})'(?:\(\d{1,20}\))?(?: (\d\d?)-max)?(?: \((?:Play|Real) Money\))?"
    r" Seat #(\d\d?) is the button",
    re.ASCII | re.IGNORECASE,
)


class Header(NamedTuple):
    """The content of the first line."""

    venue: str
    number: str
    kind: str
    """`Zoom` or `Home Game`; empty for a usual table."""
    mixed: str
    """The name of the mixed game that the hand belongs to, such as HORSE."""
    game: str
    """The game with its stakes, as printed."""
    limit: bool
    stakes: tuple[int, int]
    money: Money
    time: str
    zone: str
    local_time: str
    """The player's local time, if it is printed in addition to the room's."""
    tournament: str = ""
    buy_in: str = ""
    level: str = ""


def read_header(line: str, number: int) -> Header:
    """The first line of a hand of limit or no-limit hold'em."""
    line = line.replace("Rs. ", "₹")
    found = FIRST_LINE.fullmatch(line)
    venue = ROOMS[found[1].lower()] if found else GGPOKER
    found = found or GG_FIRST_LINE.fullmatch(line)
    if found is None:
        refuse(number, f"{shorten(line)} is not PokerStars Hand #… followed by a game")
    _, kind, hand, rest = found.groups()
    if rest.isupper():
        rest = rest.replace("HOLD'EM NO LIMIT", "Hold'em No Limit").replace("HOLD'EM LIMIT", "Hold'em Limit")
    if "Tournament #" in rest:
        return _read_tournament(rest, venue, hand, (kind or "").strip(), number)
    parts = _GAME.fullmatch(rest)
    if parts is None:
        refuse(number, f"{shorten(rest)} does not give a game with its stakes and time")
    game, stakes, time = parts.groups()
    mixed = ""
    if ", " in stakes:
        mixed = game
        game, _, stakes = stakes.partition(", ")
    limit = _is_limit(game, number)
    money, low, high = _read_stakes(stakes, number)
    moment, zone, local = _read_time(time, number)
    return Header(
        venue=venue,
        number=hand,
        kind=(kind or "").strip(),
        mixed=mixed,
        game=f"{game} ({stakes})",
        limit=limit,
        stakes=(low, high),
        money=money,
        time=moment,
        zone=zone,
        local_time=local,
    )


def _read_tournament(rest: str, venue: str, hand: str, kind: str, number: int) -> Header:
    found = _TOURNAMENT.fullmatch(rest)
    if found is None:
        refuse(number, f"{shorten(rest)} does not give a tournament with its game, blinds and time")
    zoom, tournament, words, blinds, time = found.groups()
    event = _EVENT.fullmatch(words)
    if event is None:
        refuse(
            number,
            f"the tournament is {shorten(words.strip())}, but only Hold'em Limit and Hold'em No Limit are supported",
        )
    buy_in, mixed, game, level = event.groups()
    money = CHIPS
    limit = _is_limit(game, number)
    low, high = (money.chips(chips, number) for chips in blinds.split("/"))
    if not 0 < low <= high:
        refuse(number, f"the blinds {blinds} are inconsistent")
    moment, zone, local = _read_time(time, number)
    return Header(
        venue=venue,
        number=hand,
        kind=kind or (zoom or "").strip(),
        mixed=mixed or "",
        game=f"{game} tournament ({blinds})",
        limit=limit,
        stakes=(low, high),
        money=money,
        time=moment,
        zone=zone,
        local_time=local,
        tournament=tournament,
        buy_in=buy_in.strip(" -,"),
        level=(level or "").strip(),
    )


def _is_limit(game: str, number: int) -> bool:
    if game not in _LIMIT:
        refuse(number, f"the game is {game}, but only Hold'em Limit and Hold'em No Limit are supported")
    return _LIMIT[game]


def _read_stakes(text: str, number: int) -> tuple[Money, int, int]:
    try:
        return _stakes_of(text)
    except NotationError as error:
        refuse(number, str(error))


@lru_cache(maxsize=256)
def _stakes_of(text: str) -> tuple[Money, int, int]:
    """How amounts are printed, and the stakes; read once, because most hands of a file have the same."""
    found = _STAKES.fullmatch(text)
    if found is None:
        raise NotationError(f"{shorten(text)} does not give stakes such as $0.25/$0.50 USD")
    sign, low, again, high, cap, currency = found.groups()
    if cap is not None:
        raise NotationError(f"the game has a cap of {cap} per hand, and capped games are not supported")
    if sign not in CURRENCIES or again != sign:
        raise NotationError(
            f"{shorten(text)} has an unsupported currency: only $, €, £, ₹, ¥ and play money are read"
        )
    money = Money.of(sign, currency or "")
    stakes = money.strictly(sign + low), money.strictly(sign + high)
    if not 0 < stakes[0] <= stakes[1]:
        raise NotationError(f"the stakes {shorten(text)} are inconsistent")
    return money, *stakes


def _read_time(text: str, number: int) -> tuple[str, str, str]:
    """The room's time (Eastern Time where both are printed), its zone, and the player's time with its zone."""
    found = _TIME.fullmatch(text)
    if found is None:
        refuse(number, f"{shorten(text)} is not a time such as 2020/02/07 19:15:13 ET")
    year, month, day, clock, zone = found.groups()[:5]
    own = iso_time(year, month, day, clock, number)
    year, month, day, clock, second = found.groups()[5:]
    if second is None:
        return own, zone or "", ""
    other = iso_time(year, month, day, clock, number)
    if second == "ET":
        return other, second, f"{own} {zone or ''}".strip()
    return own, zone or "", f"{other} {second}"


class TableLine(NamedTuple):
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
