"""Hand histories of the iPoker network, XML: limit and no-limit hold'em, cash games and tournaments.

    <session sessioncode="3077944141">
    <general><gametype>Holdem NL $0.10/$0.20</gametype> <tablename>Memphis, 98641631</tablename> …</general>
    <game gamecode="3056022611">
    <general><startdate>2011-12-02 20:44:59</startdate>
    <players><player seat="1" name="Ann" chips="$17.03" dealer="0" win="$0" bet="$0"/> …</players></general>
    <round no="0"><action no="1" player="Ann" type="1" sum="$0.10"/> …</round>
    <round no="1"><cards type="Pocket" player="Ann">H6 H7</cards><action no="4" player="Ann" type="0" … /></round>

What an action costs is its sum, except that a raise of type 23 prints the bet after it. The winnings count an uncalled
bet if the player's total bet does. Cards are a suit and a rank: `H10`; unknown ones are `X`. Files are often cut off or
joined, so elements are found one by one, without a parser for whole documents.
"""

import re
from collections.abc import Iterable, Iterator
from html import unescape
from typing import NamedTuple

from railbird.notation.reading import LONGEST_LINE, BadHand, NotationError, Reading, refuse_line
from railbird.notation.rooms.hands import MOST_CHARACTERS, iso_time, refuse, shorten
from railbird.notation.rooms.money import CENTS, CHIPS, Money
from railbird.notation.rooms.play import Verb
from railbird.notation.rooms.settling import record_of
from railbird.notation.rooms.told import ANTE, BIG, BOTH, SMALL, PostLine, ToldHand

VENUE = "iPoker"
_BEGIN, _END = "<game ", "</game>"
_ATTRIBUTE = re.compile(r'(\w{1,20})="([^"]{0,200})"', re.ASCII)
_CODE = re.compile(r'<game gamecode="(\w{1,30})"', re.ASCII)
_ELEMENT = re.compile(
    r"<(?:(player|action) ([^<>]{1,600}?)/?>|(round) ([^<>]{1,60}?)>|(cards) ([^<>]{1,120}?)>([^<]{0,60})</cards>)"
)
_FIELD = re.compile(r"<(\w{1,30})>\s{0,9}([^<]{0,200}?)\s{0,9}</\1>", re.ASCII)
_GAME = re.compile(r"(?:(Holdem) ?(NL|SL|БЛ|L|PL|FL)?|(LH) .{1,30}Limit)(?: (\S{1,20})/(\S{1,20}))?")
_OTHER_GAME = re.compile(r"[\w +-]{1,30}")
_TIME = re.compile(
    r"(?:(\d{4})[-/](\d\d)[-/](\d\d)|(\d\d)[-/](\d\d|[A-Z][a-z]{2})[-/](\d{4}))[ T](\d\d?:\d\d(?::\d\d)?)",
    re.ASCII,
)
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_STREETS = {"Flop": "FLOP", "Turn": "TURN", "River": "RIVER"}
_NO_LIMIT = ("NL", "SL", "БЛ", "")
_DECIMALS = re.compile(r'(?:chips|sum|win)="[^"]{1,16}[.,]\d\d?[^"\d]{0,4}"', re.ASCII)
_VERBS: dict[str, Verb] = {
    "0": "folds", "3": "calls", "4": "checks", "5": "bets", "6": "raises with", "7": "goes all-in with",
}  # fmt: skip
_RAISE_TO = "23"
_POSTS = {"1": SMALL, "2": BIG, "15": ANTE}
_ABSENT = ("8", "9")
"""Players who wait or sit out."""


class _Game(NamedTuple):
    """The text of one game, with what its session says."""

    first: int
    """The line in which the game begins."""
    session: str
    text: str


def read_ipoker(lines: Iterable[str]) -> Iterator[Reading]:
    """The hands of an iPoker history, one after another."""
    session = ""
    for first, text in _cut(lines):
        place = text.find(_BEGIN)
        if place < 0:
            session = text if "<general>" in text else session
            continue
        if "<general>" in text[:place]:
            session = text[:place]
        # A game that is cut off before its end does not become part of the next one.
        games = text[place:].split(_BEGIN)[1:]
        line = first - sum(game.count("\n") for game in games[:-1])
        for game in games:
            yield _read(_Game(line, session, _BEGIN + game))
            line += game.count("\n")


def _read(game: _Game) -> Reading:
    reason = None
    if len(game.text) > LONGEST_LINE or "\0" in game.text or "\ufffd" in game.text:
        reason = next(filter(None, map(refuse_line, game.text.split("\n"))), None)
    try:
        if reason is None and not game.text.endswith(_END):
            reason = "the game has no end, or is too long"
        if reason is None:
            return record_of(_GameHand(game))
    except ValueError as error:
        reason = str(error)
    return BadHand(game.first, reason, game.text)


def _cut(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """The text up to the end of each game, and the line in which the game begins."""
    parts: list[str] = []
    first, size = 1, 0
    for number, line in enumerate(lines, start=1):
        rest = line.rstrip("\r\n")
        while (end := rest.find(_END)) >= 0:
            parts.append(rest[: end + len(_END)])
            first = number if _BEGIN in parts[-1] else first
            yield first, "\n".join(parts)
            parts, size, rest = [], 0, rest[end + len(_END) :]
        if rest:
            if _BEGIN in rest:
                first = number
            parts.append(rest)
            size += len(rest)
            if size > MOST_CHARACTERS:
                yield first, "\n".join(parts)
                parts, size = [], 0
    if parts:
        yield first, "\n".join(parts)


class _GameHand(ToldHand):
    """A game of an iPoker session."""

    def __init__(self, game: _Game) -> None:
        super().__init__(VENUE)
        self._line = game.first
        code = _CODE.match(game.text)
        if code is None:
            refuse(game.first, f"{shorten(game.text)} has no gamecode")
        self.number = code[1]
        head = game.text.partition("<round ")[0]
        fields = dict(_FIELD.findall(game.session)) | dict(_FIELD.findall(head))
        self._has_decimals = _DECIMALS.search(game.text) is not None
        self._read_session({name: unescape(text) for name, text in fields.items()})
        self._read_elements(game.text)
        if not self.button:
            raise NotationError("no seat has the button")
        if not self.collected:
            raise NotationError("nobody wins")

    def _read_session(self, fields: dict[str, str]) -> None:
        text = " ".join(fields.get("gametype", "").split())
        found = _GAME.fullmatch(text)
        if found is None:
            named = _OTHER_GAME.match(text)
            refuse(
                self._line,
                f"the game is {named[0].strip() if named else 'unknown'}, but only hold'em is read",
            )
        kind = "L" if found[3] else found[2] or ""
        if kind == "PL":
            refuse(self._line, "the game is pot-limit hold'em, but only limit and no-limit are supported")
        self.game = text
        self.limit = kind not in _NO_LIMIT
        self.tournament = fields.get("tournamentname", "") or fields.get("tournamentcode", "")
        currency = fields.get("tablecurrency") or fields.get("currency", "")
        sign = next((sign for sign in "$€£" if sign in text), "")
        if self.tournament:
            self.money = CENTS if self._has_decimals else CHIPS
        elif fields.get("mode") == "real" and (sign or len(currency) == 3):
            self.money = Money.of(sign) if sign else Money(currency, currency, 100)
        else:
            self.money = CENTS if self._has_decimals else CHIPS
        if found[4] and found[5]:
            self.stakes = self._chips(found[4]), self._chips(found[5])
            if self.limit and "LH " in text:
                self.stakes = self.stakes[1], 2 * self.stakes[1]
            if not 0 < self.stakes[0] <= self.stakes[1]:
                refuse(self._line, f"{shorten(text)} has inconsistent stakes")
        self.table = fields.get("tablename", "")
        self.hero = fields.get("nickname", "")
        self._read_time(fields.get("startdate", ""))
        self.note(
            tournament=self.tournament,
            buy_in=fields.get("buyin", "") if self.tournament else "",
            seats=fields.get("tablesize", ""),
        )

    def _read_time(self, text: str) -> None:
        found = _TIME.fullmatch(text)
        if found is None:
            refuse(self._line, f"{shorten(text)} is not a time such as 2011-12-02 20:44:59")
        year, month, day = (found[1], found[2], found[3]) if found[1] else (found[6], found[5], found[4])
        if month in _MONTHS:
            month = f"{_MONTHS.index(month) + 1:02}"
        self.time = iso_time(year, month, day, found[7], self._line)

    def _chips(self, text: str) -> int:
        return self.money.loosely(text, self._line)

    def _read_elements(self, text: str) -> None:
        number, at = self._line, 0
        rounds: list[list[_Action]] = []
        for found in _ELEMENT.finditer(text):
            number += text.count("\n", at, found.start())
            at = found.start()
            if found[1] == "player":
                self._read_player(number, _values(found[2]))
            elif found[1]:
                values = _values(found[2])
                if not rounds or not values.get("no", "").isdecimal():
                    refuse(number, f"{shorten(found[0])} is not an action of a round")
                rounds[-1].append(_Action(int(values["no"]), number, values))
            elif found[3]:
                self._play(rounds)
                rounds.append([])
            else:
                self._read_cards(number, _values(found[6]), found[7])
        self._play(rounds)
        self._show_down()

    def _read_player(self, number: int, values: dict[str, str]) -> None:
        who = values.get("name", "")
        if not who:
            return
        if not values.get("seat", "").isdecimal() or not {"chips", "win", "bet"} <= values.keys():
            refuse(number, f"the player {who} has no seat, chips, win or bet")
        self.seat(int(values["seat"]), who, self._chips(values["chips"]), number)
        self.bets[who] = self._chips(values["bet"])
        if values.get("dealer") == "1":
            self.button = self.seats[who]
        if won := self._chips(values["win"]):
            self.collect(who, won)

    def _read_cards(self, number: int, values: dict[str, str], text: str) -> None:
        kind = values.get("type", "")
        if "X" in text.upper():
            return
        cards = " ".join([_card(card) for card in text.split()])
        if kind == "Pocket":
            self.holes.tell(self.seated(values.get("player", ""), number), cards, number)
        elif kind in _STREETS:
            self.board.add(_STREETS[kind], cards, number)
            self.street(number)
        else:
            refuse(number, f"{shorten(kind)} is not a supported kind of cards")

    def _play(self, rounds: list[list["_Action"]]) -> None:
        """The actions of the last round, in their order."""
        if not rounds:
            return
        for _, number, values in sorted(rounds[-1], key=lambda action: action.number):
            who = self.seated(values.get("player", ""), number)
            chips = self._chips(values.get("sum", "0"))
            kind = values.get("type", "")
            if kind in _POSTS:
                self._post(number, who, kind, chips)
            elif kind == _RAISE_TO:
                self.step(number, who, "raises", chips, chips)
            elif kind in _VERBS:
                self.step(number, who, _VERBS[kind], chips)
            elif kind not in _ABSENT:
                refuse(number, f"{who} has an action of the unknown type {shorten(kind)}")

    def _post(self, number: int, who: str, kind: str, chips: int) -> None:
        told = _POSTS[kind]
        first = next((post.amount for post in self.posts if post.kind == BIG), chips)
        if told == BIG and chips > first:
            told = BOTH
        self.posts.append(PostLine(number, who, told, chips))

    def _show_down(self) -> None:
        """The known hands at a showdown; the text does not tell who mucked."""
        folded = {step.who for step in self.steps if step.verb == "folds"}
        active = {step.who for step in self.steps if step.who} | {post.who for post in self.posts}
        if len(active - folded) > 1:
            self.shown = {who: cards for who, cards in self.holes.cards.items() if who in active - folded}
        self.hero = self.hero if self.hero in self.seats else ""


class _Action(NamedTuple):
    number: int
    line: int
    values: dict[str, str]


def _values(text: str) -> dict[str, str]:
    values = dict(_ATTRIBUTE.findall(text))
    return {name: unescape(value) for name, value in values.items()} if "&" in text else values


def _card(text: str) -> str:
    """A card such as H10 as Th."""
    return f"{'T' if text[1:] == '10' else text[1:].upper()}{text[:1].lower()}"
