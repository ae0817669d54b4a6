"""Who may know which card when: the record of all that a server said is searched for cards that it must not tell.

This knows nothing of the server's own views. The cards of every hand are read from the store afterwards, the round of
every step is counted from the actions, and everything that was said must be of a known form: no message has a field, a
list or a sentence that is not listed here, and no text a card that its reader may not know yet.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import msgspec

from railbird.store.sessions import StoredHand

RANKS, SUITS = "23456789TJQKA", "cdhs"
OPEN_CARDS = (0, 3, 4, 5)
_SYMBOLS = str.maketrans("♣♦♥♠♧♢♡♤", "cdhscdhs")
_CARDS = re.compile(r"(?<![A-Za-z0-9])(?:(?:10|[2-9TJQKAtjqka])[cdhsCDHS])+(?![A-Za-z0-9])")
_PROSE = re.compile(r"(?<![A-Za-z0-9])(?!As [a-z])(?:[2-9TJQKA][cdhs])+(?![A-Za-z0-9])")
_ONE = re.compile(r"(10|[2-9TJQKAtjqka])([cdhsCDHS])")


class Leak(AssertionError):
    """Something was told that must not be told."""


def cards_in(text: str, *, prose: bool = False) -> set[str]:
    """All cards that a text mentions, however they are written: `Ah`, `AhKd`, `ah`, `A♥`, `10h`, also escaped in JSON.

    In prose, words such as "as" is not a list of cards.
    """
    if "\\u" in text:
        text = re.sub(r"\\u([0-9a-fA-F]{4})", lambda found: chr(int(found[1], 16)), text)
    if not text.isascii():
        text = text.translate(_SYMBOLS)
    found: set[str] = set()
    for token in set((_PROSE if prose else _CARDS).findall(text)):
        for rank, suit in _ONE.findall(token):
            found.add(("T" if rank == "10" else rank.upper()) + suit.lower())
    return found


# The truth


@dataclass(frozen=True, slots=True)
class Truth:
    """A hand with all its cards, and what was open after so many actions."""

    chairs: tuple[int, ...]
    """The chair of each position."""
    holes: tuple[tuple[str, ...], ...]
    """By position."""
    board: tuple[str, ...]
    opened: tuple[int, ...]
    """By the number of actions: how many board cards lay open."""
    actors: tuple[int | None, ...]
    """By the number of actions: whose turn it was, by position."""
    folded: tuple[frozenset[int], ...]
    """By the number of actions: who had folded, by position."""
    over: bool

    @property
    def steps(self) -> int:
        """The number of actions."""
        return len(self.opened) - 1

    @property
    def is_showdown(self) -> bool:
        """Whether cards decided."""
        return self.over and len(self.holes) - len(self.folded[-1]) > 1

    def position(self, chair: int | None) -> int | None:
        """The position of a chair."""
        return self.chairs.index(chair) if chair in self.chairs else None

    def known_to(self, chair: int | None, step: int, *, showdown: bool = True) -> set[str]:
        """The cards that somebody in a chair may know after so many actions, before or after hands are opened."""
        known = set(self.board[: self.opened[step]])
        position = self.position(chair)
        if position is not None:
            known.update(self.holes[position])
        if showdown and self.is_showdown and step == self.steps:
            for live, cards in enumerate(self.holes):
                if live not in self.folded[step]:
                    known.update(cards)
        return known

    def dealt(self) -> set[str]:
        """Every card that left the deck."""
        return {card for cards in self.holes for card in cards} | set(self.board[: self.opened[-1]])


def truth_of(hand: StoredHand) -> Truth:
    """A stored hand, its rounds counted action by action."""
    start = hand.start
    players = len(start["players"])
    cards = re.findall(r"[2-9TJQKA][cdhs]", start["cards"])
    assert len(set(cards)) == len(cards) == 2 * players + 5, "every card exists once"
    assert not any(start["antes"]), "games without antes are enough here"
    posted = [min(each) for each in zip(start["stacks"], start["blinds"], strict=True)]
    stacks = [stack - blind for stack, blind in zip(start["stacks"], posted, strict=True)]
    counted = _Betting(stacks, posted, max(start["blinds"]), start["first"])
    opened, actors, folded = [counted.open], [counted.actor], [frozenset[int]()]
    for word in hand.actions.split():
        counted.act(word)
        opened.append(counted.open)
        actors.append(counted.actor)
        folded.append(frozenset(counted.folded))
    return Truth(
        chairs=tuple(start["chairs"]),
        holes=tuple((cards[2 * seat], cards[2 * seat + 1]) for seat in range(players)),
        board=tuple(cards[2 * players :]),
        opened=tuple(opened),
        actors=tuple(actors),
        folded=tuple(folded),
        over=counted.actor is None,
    )


class _Betting:
    """The least that one must know of betting to say when a card is laid open."""

    def __init__(self, stacks: list[int], bets: list[int], blind: int, first: int) -> None:
        self.stacks, self.bets, self.high = stacks, bets, blind
        self.folded: set[int] = set()
        self.round = 0
        # Nobody decides about chips that no opponent can match.
        self.waiting = [seat for seat in self._from(first) if self._reach(seat) > bets[seat]]
        self._turn()

    @property
    def open(self) -> int:
        return OPEN_CARDS[self.round]

    @property
    def actor(self) -> int | None:
        return self.waiting[0] if self.waiting else None

    def _from(self, first: int) -> list[int]:
        """Who can still act, in order."""
        seats = [(first + seat) % len(self.stacks) for seat in range(len(self.stacks))]
        return [seat for seat in seats if seat not in self.folded and self.stacks[seat] > 0]

    def _reach(self, seat: int) -> int:
        """The most that an opponent has bet or could bet."""
        return max(
            self.bets[other] + self.stacks[other]
            for other in range(len(self.stacks))
            if other != seat and other not in self.folded
        )

    def act(self, word: str) -> None:
        seat = self.waiting.pop(0)
        if word == "f":
            self.folded.add(seat)
        elif word == "c":
            match = self.high if self.high in self.bets else min(self.high, self._reach(seat))
            self._bet(seat, max(self.bets[seat], min(match, self.bets[seat] + self.stacks[seat])))
        else:
            self.high = int(word[1:])
            self._bet(seat, self.high)
            self.waiting = [other for other in self._from(seat + 1) if other != seat]
        self._turn()

    def _bet(self, seat: int, to: int) -> None:
        self.stacks[seat] -= to - self.bets[seat]
        self.bets[seat] = to

    def _turn(self) -> None:
        """Go to the next round as often as nobody is to act."""
        while True:
            if len(self.folded) == len(self.stacks) - 1:
                self.waiting = []
                return
            if self.waiting or self.round == len(OPEN_CARDS) - 1:
                return
            self.round += 1
            self.high, self.bets = 0, [0] * len(self.bets)
            self.waiting = self._from(0)
            if len(self.waiting) == 1:
                self.waiting = []


# What a table may say


class _Strict(msgspec.Struct, forbid_unknown_fields=True):
    pass


class _Raise(_Strict):
    least: int
    most: int
    all_in: bool
    verb: Literal["bet", "raise"]
    bet: int
    called: int
    pot: int
    big_blind: int


class _Actions(_Strict):
    fold: bool
    call: int
    raise_: _Raise | None = msgspec.field(name="raise")


class _Pot(_Strict):
    amount: int
    chairs: list[int]


class _Chair(_Strict):
    chair: int
    name: str
    agent: str
    you: bool
    stack: int | str
    bet: int
    cards: list[str | None]
    state: Literal["in", "folded", "all-in", "out", "free"]
    last: str
    won: int | str | None
    made: str
    position: Literal["", "SB", "BB", "UTG", "UTG+1", "UTG+2", "UTG+3", "LJ", "HJ", "CO", "BTN", "BTN/SB"]
    best: list[str]


class _Line(_Strict):
    kind: Literal["post", "hole", "board", "act", "return", "reveal", "award"]
    text: str
    cards: list[str]
    step: int | None
    chair: int | None


class _Reason(_Strict):
    step: int
    chair: int


class _Training(_Strict):
    face_up: bool
    hands: str


class _Unit(_Strict):
    name: Literal["small bet", "big blind"]
    chips: int
    big_blind: int
    money: bool


class _Person(_Strict):
    chair: int
    name: str
    host: bool
    out: bool
    away: bool


class _Together(_Strict):
    host: bool
    people: list[_Person]
    free: int
    can_deal: bool
    invitation: str
    advice: bool


class _Clock(_Strict):
    chair: int
    seconds: int
    left: float


class _Statistics(_Strict):
    hands: int
    vpip: int
    pfr: int
    aggression: float | None


class TableMessage(_Strict, tag_field="type", tag="table"):
    """Every field that a view of a table has."""

    version: int
    session: str
    title: str
    training: _Training | None
    watching: bool
    phase: Literal["ready", "playing", "over", "closed"]
    paused: bool
    auto_deal: bool
    countdown: int | None
    held: bool
    betting: Literal["limit", "no-limit"]
    speed: Literal["slow", "normal", "fast", "instant"]
    forwarding: bool
    hand: int
    step: int
    round: Literal["", "preflop", "flop", "turn", "river"]
    board: list[str]
    pot: int
    pots: list[_Pot]
    button: int
    to_act: int | None
    chairs: list[_Chair]
    actions: _Actions | None
    log: list[_Line]
    reasons: list[_Reason]
    net: int | str
    hands: int
    unit: _Unit
    notice: str
    together: _Together | None
    clock: _Clock | None
    statistics: dict[str, _Statistics]


class DoneMessage(_Strict, tag_field="type", tag="done"):
    """Something is done."""

    id: int


class ErrorMessage(_Strict, tag_field="type", tag="error"):
    """Something is not done."""

    id: int | None
    code: str
    message: str


class StrengthMessage(_Strict, tag_field="type", tag="strength"):
    """How strong the own hand is."""

    id: int
    facts: list[dict[str, Any]]


class AdviceMessage(_Strict, tag_field="type", tag="advice"):
    """What an agent would do."""

    id: int
    agent: str
    reasons: dict[str, Any]


class WhyMessage(_Strict, tag_field="type", tag="why"):
    """Why something was done."""

    id: int
    hand: int
    step: int
    round: Literal["preflop", "flop", "turn", "river"]
    reasons: dict[str, Any]


class RangeMessage(_Strict, tag_field="type", tag="range"):
    """What would have been done with every starting hand."""

    id: int
    hand: int
    step: int
    sections: list[dict[str, Any]]


_messages: msgspec.json.Decoder[Any] = msgspec.json.Decoder(
    TableMessage | DoneMessage | ErrorMessage | StrengthMessage | AdviceMessage | WhyMessage | RangeMessage
)
_SHOWN = r"[2-9TJQKA][cdhs](?: [2-9TJQKA][cdhs])*"
_CHIPS = r"\d{1,3}(?:,\d{3})*"
_DID = (
    rf"(?:folds|checks|calls {_CHIPS}(?: all-in)?|bets {_CHIPS}|raises to {_CHIPS}|goes all-in for {_CHIPS})"
)


@dataclass(frozen=True, slots=True)
class Table:
    """What is known of a session beforehand: who sits there, and who may see what."""

    session: str
    names: tuple[str, ...]
    agents: tuple[str, ...]
    """By chair; nothing for the person."""
    training: bool = False
    sees_all: bool = False
    own: int | None = None
    """At a table of several people, the chair of the one to whom everything was said."""

    @property
    def person(self) -> int | None:
        """The person's chair."""
        if self.own is not None:
            return self.own
        return self.agents.index("") if "" in self.agents else None

    def known_after(self, truth: "Truth") -> set[str]:
        """The cards of a finished hand that may be told: all of them, but not what other people did not show."""
        if self.own is None:
            return truth.dealt()
        agents = {chair for chair, agent in enumerate(self.agents) if agent}
        known = truth.known_to(self.own, truth.steps)
        for chair, cards in zip(truth.chairs, truth.holes, strict=True):
            known.update(cards if chair in agents else ())
        return known

    @property
    def tells_reasons(self) -> bool:
        """Whether reasons may be told while a hand is played."""
        return self.training or self.person is None


@dataclass(frozen=True, slots=True)
class Said:
    """Something that went over a line, or was answered over HTTP."""

    way: Literal["sent", "received", "http"]
    text: str
    path: str = ""
    status: int = 0
    running: int = 0
    """The number of the hand that was certainly being played."""


def check_table(table: Table, hands: Iterable[StoredHand], transcript: Sequence[Said]) -> int:
    """Look for leaks in everything that was said at a table; the number of views."""
    truths = {hand.number: truth_of(hand) for hand in hands}
    texts = _texts(table.names)
    asked: dict[int, tuple[dict[str, Any], TableMessage | None]] = {}
    newest: TableMessage | None = None
    views = 0
    for said in transcript:
        if said.way == "http":
            _check_answer(table, truths, said)
            continue
        if said.way == "sent":
            message = json.loads(said.text)
            asked[message["id"]] = (message, newest)
            continue
        try:
            told = _messages.decode(said.text)
        except msgspec.DecodeError as error:
            raise Leak(f"a message of an unknown form ({error}): {said.text}") from None
        match told:
            case TableMessage():
                newest = told
                views += 1
                _check_view(table, truths.get(told.hand), told, said.text, texts)
            case DoneMessage():
                pass
            case ErrorMessage(message=sentence):
                _only(cards_in(sentence), set(), said.text)
            case WhyMessage(hand=number, reasons=reasons) | RangeMessage(hand=number, sections=reasons):
                question, then = asked[told.id]
                was_running = then is not None and then.hand == number and then.actions is not None
                if was_running and not table.tells_reasons:
                    raise Leak(f"the reasons of a running hand: {said.text}")
                known = table.known_after(truths[number])
                _only(cards_in(_about_this_hand(reasons), prose=True), known, said.text)
                if isinstance(told, WhyMessage):
                    truth, actor = truths[number], truths[number].actors[told.step]
                    assert actor is not None
                    open_board = truth.board[: truth.opened[told.step]]
                    _equal(told.reasons["cards"], list(truth.holes[actor]), "the cards", said.text)
                    _equal(told.reasons["board"], list(open_board), "the board", said.text)
            case StrengthMessage(facts=found) | AdviceMessage(reasons=found):
                question, _ = asked[told.id]
                known = truths[question["hand"]].known_to(table.person, question["step"])
                _only(cards_in(_about_this_hand(found), prose=True), known, said.text)
    return views


def _only(found: set[str], allowed: set[str], text: str) -> None:
    if not found <= allowed:
        raise Leak(f"{', '.join(sorted(found - allowed))} in {text}")


def _about_this_hand(reasons: Any) -> str:
    """Reasons as a text, without cards of other hands: the cases that an agent remembers, and what it believes in."""
    if isinstance(reasons, dict) and reasons.get("kind") == "belief":
        return ""
    if isinstance(reasons, dict) and {"cards", "source"} <= set(reasons.get("columns", ())):
        hidden = [reasons["columns"].index(name) for name in ("cards", "board")]
        rows = [[cell for at, cell in enumerate(row) if at not in hidden] for row in reasons["rows"]]
        return json.dumps({**reasons, "rows": rows})
    if isinstance(reasons, dict):
        return " ".join(f"{key}: {_about_this_hand(value)}" for key, value in reasons.items())
    if isinstance(reasons, list):
        return " ".join(f"[{_about_this_hand(value)}]" for value in reasons)
    return json.dumps(reasons, ensure_ascii=False)


def _equal(found: object, expected: object, what: str, text: str) -> None:
    if found != expected:
        raise Leak(f"{what} is {found!r}, not {expected!r}, in {text}")


def _texts(names: Sequence[str]) -> dict[str, re.Pattern[str]]:
    name = f"(?:{'|'.join(map(re.escape, names))})"
    forms = {
        "post": rf"{name} posts (?:ante|small blind|big blind|straddle|a blind of) {_CHIPS}",
        "hole": rf"{name} is dealt {_SHOWN}",
        "board": rf"(?:Board|Flop|Turn|River) {_SHOWN}",
        "act": rf"{name} {_DID}",
        "return": rf"Uncalled bet of {_CHIPS} returned to {name}",
        "reveal": rf"{name} (?:shows {_SHOWN}|mucks)",
        "award": rf"{name} wins (?:(?:{_CHIPS})?½|(?:{_CHIPS} )?\d+/\d+|{_CHIPS}) from (?:the pot|side pot \d+)",
        "last": rf"|{_DID}",
    }
    return {kind: re.compile(form) for kind, form in forms.items()}


def _check_view(
    table: Table, truth: Truth | None, view: TableMessage, text: str, texts: Mapping[str, re.Pattern[str]]
) -> None:
    _equal(view.session, table.session, "the session", text)
    _equal([chair.name for chair in view.chairs], list(table.names), "the players", text)
    _equal([chair.agent for chair in view.chairs], list(table.agents), "the agents", text)
    _equal(view.notice, "", "the notice", text)
    said = text.replace(json.dumps(table.session), "")
    if view.together is not None:
        _equal(bool(view.together.invitation), view.together.host, "who has the invitation", text)
        said = said.replace(json.dumps(view.together.invitation), "")
    if truth is None:
        _equal(view.hand, 0, "the hand that is not kept", text)
        _only(cards_in(said), set(), text)
        return
    if view.step > truth.steps:
        raise Leak(f"step {view.step} of hand {view.hand} is not kept, in {text}")
    over = truth.over and view.step == truth.steps
    revealed = {line.chair for line in view.log if line.kind == "reveal" and line.cards}
    known = truth.dealt() if table.sees_all else truth.known_to(table.person, view.step)
    open_board = truth.board[: truth.opened[view.step]]
    if over and truth.is_showdown and all(chair.won is None for chair in view.chairs):
        # The end is being told street by street: nothing is known but what was laid open up to here.
        over = False
        open_board = truth.board[: len(view.board)]
        _check_telling(truth, view, text)
        if not revealed and not table.sees_all:
            known = truth.known_to(table.person, view.step, showdown=False)
    known -= set(truth.board) - set(open_board)
    _only(cards_in(said), known, text)
    _equal(view.board, list(open_board), "the board", text)
    actor = truth.actors[view.step]
    _equal(view.to_act, None if actor is None else truth.chairs[actor], "who is to act", text)
    if view.phase == "over" and not over:
        raise Leak(f"hand {view.hand} is called over too early, in {text}")
    if view.reasons and not (view.phase == "over" or table.tells_reasons):
        raise Leak(f"reasons are offered too early, in {text}")
    for chair in view.chairs:
        _check_chair(table, truth, view, chair, over, revealed, text)
        if not texts["last"].fullmatch(chair.last):
            raise Leak(f"{chair.last!r} is no action, in {text}")
    for pot in view.pots:
        live = {truth.chairs[seat] for seat in range(len(truth.holes)) if seat not in truth.folded[view.step]}
        if not set(pot.chairs) <= live or len(set(pot.chairs)) != len(pot.chairs):
            raise Leak(f"a pot of {pot.chairs}, in {text}")
    for line in view.log:
        if not texts[line.kind].fullmatch(line.text):
            raise Leak(f"{line.text!r} is no sentence of the history, in {text}")


def _check_telling(truth: Truth, view: TableMessage, text: str) -> None:
    """What may be said when nothing is left to decide, but the result is not told yet."""
    decided = truth.opened[view.step - 1] if view.step else 0
    opened = len(view.board)
    if opened not in OPEN_CARDS or opened < decided:
        raise Leak(f"a board of {opened} cards, in {text}")
    reveals = any(line.kind == "reveal" for line in view.log)
    if opened > decided and not reveals:
        raise Leak(f"a street before the hands are opened, in {text}")
    if reveals and decided == OPEN_CARDS[-1]:
        raise Leak(f"hands are opened before the result, in {text}")
    if view.phase == "over" or any(line.kind == "award" for line in view.log):
        raise Leak(f"the result before its time, in {text}")


def _check_chair(
    table: Table,
    truth: Truth,
    view: TableMessage,
    chair: _Chair,
    over: bool,
    revealed: set[int | None],
    text: str,
) -> None:
    position = truth.position(chair.chair)
    if position is None:
        assert table.own is not None, "everybody is dealt in"
        _equal((chair.cards, chair.made, chair.won), ([], "", None), "who is not dealt in", text)
        return
    folded = position in truth.folded[view.step]
    shown = truth.is_showdown and view.step == truth.steps and not folded and chair.chair in revealed
    may_know = shown or table.sees_all or chair.chair == table.person
    _equal(chair.cards, list(truth.holes[position]) if may_know else [None, None], "somebody's cards", text)
    if chair.made and not may_know:
        raise Leak(f"what a hidden hand is worth: {chair.made!r}, in {text}")
    if (chair.won is not None or chair.best) and not over:
        raise Leak(f"who wins a hand that is played, in {text}")


# What may be answered over HTTP


def _check_answer(table: Table, truths: Mapping[int, Truth], said: Said) -> None:
    """An answer that was given while hand `said.running` was certainly being played."""
    finished = {number: truth for number, truth in truths.items() if number < said.running}
    path = said.path
    if said.status != 200:
        _only(cards_in(said.text, prose=True), set(), said.text)
        return
    if path.endswith("/hands"):
        lines = json.loads(said.text)
        _equal({line["number"] for line in lines} - set(finished), set(), "hands that are played", said.text)
        for line in lines:
            truth = finished[line["number"]]
            own = truth.position(table.person or 0)
            known = {*(() if own is None else truth.holes[own]), *truth.board[: truth.opened[-1]]}
            _only(cards_in(json.dumps(line)), known, said.text)
    elif "/hands/" in path:
        number = int(path.rsplit("/", 1)[1])
        if number not in finished:
            raise Leak(f"hand {number} is played, but told: {said.text}")
        known = table.known_after(finished[number])
        _only(cards_in(_about_this_hand(json.loads(said.text)), prose=True), known, said.text)
    elif path.endswith((".phhs", ".log", ".txt")):
        sections = dict(_sections(path, said.text))
        _equal(set(sections) - set(finished), set(), "hands that are played", said.text)
        for number, section in sections.items():
            known = table.known_after(finished[number])
            _only(cards_in(section.replace(table.session, "")), known, section)
    elif path.endswith("/summary"):
        summary = json.loads(said.text)
        most = 0 if table.training else len(finished)
        if len(summary["net"]) > most or summary["hands_left_out"] > len(finished):
            raise Leak(f"a hand that is played counts already: {said.text}")
        _only(cards_in(said.text, prose=True), set(), said.text)
    else:
        # Names of sessions are random and may look like cards.
        told = re.sub(r'"id":"[\w-]+"', "", said.text)
        _only(cards_in(told, prose=True), set(), said.text)


def _sections(path: str, text: str) -> Iterator[tuple[int, str]]:
    """The hands of a download by their numbers."""
    if path.endswith(".log"):
        for line in text.splitlines():
            if line.startswith("STATE:"):
                yield int(line.split(":")[1]), line
        return
    if path.endswith(".txt"):
        for section in re.split(r"(?m)^(?=PokerStars Hand #)", text)[1:]:
            yield int(section.split(":", 1)[0][-6:]), section
        return
    for section in re.split(r"(?m)^\[\d+\]$", text)[1:]:
        number = re.search(r"(?m)^hand = (\d+)$", section)
        assert number, section
        yield int(number[1]), section
