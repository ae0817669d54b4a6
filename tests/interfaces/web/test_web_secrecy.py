"""No hidden card leaves the server before it may: everything that is said in many hands is recorded and searched.

The count is that of finished hands over many tables at once, at a pace of almost nothing: 2,000 in the check, 50,000 in
the soak. A search that finds nothing says something only if it would find a leak, so the same search is made of servers
that leak on purpose, each in another way.
"""

import asyncio
import json
import logging
import os
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import msgspec
import pytest

from folders import SUPPORT
from railbird.cards import format_card, format_cards
from railbird.engine.actions import CALL, FOLD, raise_to
from railbird.engine.events import Event
from railbird.engine.games import named_game
from railbird.engine.history import events_of
from railbird.engine.setup import Setup
from railbird.engine.state import State
from railbird.interfaces.web.study import afterwards, session_results
from railbird.interfaces.web.table import dealing, messages, pace, session_state, views
from railbird.interfaces.web.table.dealt_hand import DealtHand
from railbird.interfaces.web.table.ending import Stage
from railbird.interfaces.web.table.session_plan import SessionPlan
from railbird.interfaces.web.table.session_state import SessionState
from railbird.interfaces.web.table.views import HandView, HistoryLine, PotView, TableViewer
from railbird.rng import Stream
from railbird.store.sessions import StoredHand
from web_client import Person, Serving, View, lift_limits, serving
from web_secrets import Leak, Said, Table, cards_in, check_table, truth_of

AT_ONCE = 20
"""Tables that are played at a time."""
PACE = dict(pace.STEPS)
"""The steps as players know them."""


@pytest.fixture(scope="module")
def fast() -> Iterator[None]:
    """A pace of almost nothing, and no limits of rates."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pace, "STEPS", dict.fromkeys(pace.STEPS, 1e-4))
        patch.setattr(pace, "ENDING", {**dict.fromkeys(pace.ENDING, 1e-3), "instant": 0.0})
        patch.setattr(pace, "AFTER_HAND", dict.fromkeys(pace.AFTER_HAND, 0.0))
        lift_limits(patch)
        yield


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    """A place in memory where there is one: nothing here is about disks, and ten thousands of writes are slow there."""
    memory = Path("/dev/shm")
    with TemporaryDirectory(dir=memory if os.access(memory, os.W_OK) else None) as name:
        yield Path(name)


@pytest.fixture(scope="module")
def server(fast: None, folder: Path) -> Iterator[Serving]:
    with serving(folder / "store.db") as running:
        yield running


class Written(logging.Handler):
    """Everything that is logged, as text."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))


@pytest.fixture
def logged() -> Iterator[list[str]]:
    """What anything writes at its usual level, and our own parts at any level."""
    written = Written()
    root, ours = logging.getLogger(), logging.getLogger("railbird")
    before = ours.level
    root.addHandler(written)
    ours.setLevel(logging.DEBUG)
    yield written.lines
    ours.setLevel(before)
    root.removeHandler(written)


# Playing, and writing down all that is said


@dataclass
class Sitter:
    """Somebody who plays at random, asks this and that meanwhile, and keeps a record of everything that is said."""

    person: Person
    session: str
    random: Random
    curious: float
    """How often something is asked when it is the person's turn."""
    transcripts: list[list[Said]] = field(default_factory=list)
    """One for every line."""
    _asked: int = 0

    async def play(self, hands: int, viewers: int = 0) -> None:
        """Play so many hands, with so many others who only look."""
        over = asyncio.Event()
        looking = [asyncio.create_task(self._look(over)) for _ in range(viewers)]
        try:
            while not await self._sit(hands):
                pass
        finally:
            over.set()
            await asyncio.gather(*looking)

    async def _look(self, over: asyncio.Event) -> None:
        transcript: list[Said] = []
        self.transcripts.append(transcript)
        async with self.person.line(self.session) as line:
            ending = asyncio.create_task(over.wait())
            while not over.is_set():
                hearing = asyncio.create_task(line.recv())
                await asyncio.wait((ending, hearing), return_when=asyncio.FIRST_COMPLETED)
                if hearing.done():
                    transcript.append(Said("received", str(hearing.result())))
                else:
                    hearing.cancel()

    async def _sit(self, hands: int) -> bool:
        """Play until so many hands are over, or until the line is dropped in mid-hand."""
        transcript: list[Said] = []
        self.transcripts.append(transcript)
        acted = (0, -1)
        async with self.person.line(self.session) as line:
            async for text in line:
                transcript.append(Said("received", str(text)))
                view = json.loads(text)
                if view["type"] != "table":
                    continue
                if view["hand"] > hands or (view["hand"] == hands and view["phase"] == "over"):
                    return True
                now = (view["hand"], view["step"])
                if view["actions"] is None or now == acted:
                    continue
                if self.random.random() < self.curious:
                    for message in self._questions(view):
                        transcript.append(Said("sent", json.dumps(message)))
                        await line.send(transcript[-1].text)
                    transcript.append(await self._over_http(view))
                    if self.random.random() < 0.3:
                        return False
                acted = now
                message = self._act(view)
                transcript.append(Said("sent", json.dumps(message)))
                await line.send(transcript[-1].text)
        raise AssertionError("the line was cut")

    def _message(self, kind: str, view: View, **fields: object) -> dict[str, object]:
        self._asked += 1
        return {"type": kind, "id": self._asked, "hand": view["hand"], "step": view["step"], **fields}

    def _act(self, view: View) -> dict[str, object]:
        may = view["actions"]
        action = self.random.choices(("fold", "call", "raise"), (7, 6, 3))[0]
        if action == "raise" and may["raise"] is not None:
            to = self.random.choice((may["raise"]["least"], may["raise"]["most"]))
            return self._message("act", view, action="raise", to=to)
        return self._message("act", view, action="fold" if action == "fold" and may["fold"] else "call")

    def _questions(self, view: View) -> Iterator[dict[str, object]]:
        """Some that are answered, and some that must be refused."""
        asked = self.random.randrange(6)
        if asked == 0:
            yield self._message("strength", view)
        elif asked == 1:
            yield self._message("advise", view, agent=self.random.choice(("probtriple", "always-raise")))
        elif asked == 2 and view["hand"] > 1:
            yield {**self._message("why", view), "hand": view["hand"] - 1, "step": self.random.randrange(4)}
        else:
            for step in range(view["step"]):
                yield {**self._message(self.random.choice(("why", "range")), view), "step": step}
        yield self._message("act", view, action="raise", to=self.random.choice((1, 10**9)))
        yield {**self._message("act", view, action="call"), "step": view["step"] + 1}

    async def _over_http(self, view: View) -> Said:
        running = view["hand"]
        session = f"/api/sessions/{self.session}"
        path = self.random.choice(
            (
                "/api/lobby",
                session,
                f"{session}/hands",
                f"{session}/hands/{running}",
                f"{session}/hands/{max(1, running - 1)}",
                f"{session}/summary",
                f"{session}/hands.phhs",
                f"{session}/hands.log",
                f"{session}/hands.txt",
                f"{session}/hands/{running}/txt",
                f"{session}/review",
            )
        )
        reply = await asyncio.to_thread(self.person.ask, "GET", path)
        return Said("http", reply.body.decode(), path, reply.status, running)


@dataclass(frozen=True, slots=True)
class Company:
    """Who plays what."""

    game: str
    opponents: tuple[str, ...]
    training: dict[str, Any] | None = None
    viewers: int = 0
    weight: int = 1
    watch: bool = False
    speed: str = "instant"


COMPANIES = (
    Company("limit-2p", ("always-call",), viewers=1, weight=5),
    Company("nolimit-2p", ("random",), weight=7, speed="fast"),
    Company("limit-3p", ("always-raise", "always-fold"), weight=3),
    Company("nolimit-3p:stack=400,carry=yes", ("random", "always-call"), viewers=1, weight=3, speed="slow"),
    Company("limit-2p", ("pokibot",), weight=2),
    Company("limit-3p", ("probtriple", "always-fold"), viewers=2, weight=2),
    Company("limit-6max", ("always-fold",) * 4 + ("random",), weight=2),
    Company("limit-10max", ("always-fold",) * 8 + ("probtriple",)),
    Company("nolimit-4max:stack=1000", ("random", "always-fold", "always-fold")),
    Company("limit-3p", ("pokibot", "random"), training={"face_up": False, "hands": ""}),
    Company("limit-2p", ("always-call",), training={"face_up": False, "hands": "AA,KQs,72o"}),
    Company("limit-2p", ("random",), training={"face_up": True, "hands": ""}),
    Company("limit-2p", ("casper01",)),
)


def known_of(server: Serving, session: str) -> Table:
    """What is known of a session from what was asked for."""
    stored = server.web.sessions.session(session)
    assert stored is not None
    plan = stored.settings
    open_cards = bool(plan["training"] and plan["training"]["face_up"])
    return Table(session, tuple(plan["names"]), tuple(plan["agents"]), bool(plan["training"]), open_cards)


async def play_and_check(
    server: Serving, company: Company, hands: int, seed: object, curious: float = 0.05
) -> int:
    """Play some hands at a new table, then look for leaks; the number of views that were looked at."""
    person = Person(server.address)
    session = await asyncio.to_thread(
        person.begin,
        company.game,
        list(company.opponents),
        training=company.training,
        watch=company.watch,
        speed=company.speed,
    )
    sitter = Sitter(person, session, Random(f"{seed}"), curious)
    await sitter.play(hands, company.viewers)
    kept = await asyncio.to_thread(server.web.sessions.hands, session)
    table = known_of(server, session)
    seen = sum(check_table(table, kept, transcript) for transcript in sitter.transcripts)
    await asyncio.to_thread(person.ask, "DELETE", f"/api/sessions/{session}")
    assert sum(hand.over for hand in kept) >= hands
    return seen


async def play_many(server: Serving, tables: int, hands: int, seed: object) -> int:
    """Play so many hands at each of so many tables of all kinds."""
    wanted = Random(f"{seed}").choices(COMPANIES, [each.weight for each in COMPANIES], k=tables)
    wanted[: len(COMPANIES)] = COMPANIES
    few = asyncio.Semaphore(AT_ONCE)

    async def one(number: int, company: Company) -> int:
        async with few:
            return await play_and_check(server, company, hands, (seed, number))

    return sum(await asyncio.gather(*(one(number, each) for number, each in enumerate(wanted))))


def search(
    server: Serving, tables: int, hands: int, seed: object, logged: list[str], printed: Callable[[], str]
) -> None:
    seen = asyncio.run(play_many(server, tables, hands, seed))
    assert seen > 3 * tables * hands
    assert not logged
    assert printed() == ""


def test_hands_at_every_kind_of_table_tell_no_hidden_card(
    server: Serving, logged: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    search(server, len(COMPANIES), 8, "check", logged, lambda: "".join(capfd.readouterr()))


@pytest.mark.soak
def test_50000_hands_tell_no_hidden_card(
    server: Serving, logged: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    search(server, 2_000, 25, "soak", logged, lambda: "".join(capfd.readouterr()))


# Several people


async def play_together(server: Serving, hands: int, seed: object, curious: float = 0.1) -> int:
    """Three people and an agent play some hands; everything that each was told is searched for the others' cards."""
    people = [Person(server.address) for _ in range(3)]
    ann, *guests = people
    session = await asyncio.to_thread(ann.invite, "limit-4max", ["pokibot"], guests, advice=True)
    async with ann.seat(session) as seat:
        await seat.ask("deal")
    sitters = [Sitter(person, session, Random(f"{seed} {n}"), curious) for n, person in enumerate(people)]
    await asyncio.gather(*(sitter.play(hands) for sitter in sitters))
    kept = await asyncio.to_thread(server.web.sessions.hands, session)
    await asyncio.to_thread(ann.ask, "DELETE", f"/api/sessions/{session}")
    assert sum(hand.over for hand in kept) >= hands
    known = known_of(server, session)
    return sum(
        check_table(replace(known, own=chair), kept, transcript)
        for chair, sitter in enumerate(sitters)
        for transcript in sitter.transcripts
    )


def test_nobody_is_told_a_hidden_card_of_another_person(
    server: Serving, logged: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    assert asyncio.run(play_together(server, 20, "together")) > 300
    assert not logged
    assert "".join(capfd.readouterr()) == ""


@pytest.mark.soak
def test_nobody_is_told_a_hidden_card_of_another_person_in_2000_hands(server: Serving) -> None:
    asyncio.run(play_together(server, 2_000, "together for long"))


@pytest.mark.parametrize("after", [False, True])
def test_cards_of_another_person_are_found_in_views_and_in_results(
    server: Serving, monkeypatch: pytest.MonkeyPatch, after: bool
) -> None:
    honest = SessionPlan.viewer

    def viewer(plan: SessionPlan, player: str, *, after: bool = False) -> TableViewer:
        found = honest(plan, player, after=after)
        return replace(found, sees=None) if after == leaks_after else found

    leaks_after = after
    monkeypatch.setattr(SessionPlan, "viewer", viewer)
    with pytest.raises(Leak, match=r"^([2-9TJQKA][cdhs](, )?)+ in "):
        asyncio.run(play_together(server, 6, "leaks", curious=0.6))


# The search finds leaks


THREE = Company("limit-3p", ("always-call", "pokibot"))


def leaks(server: Serving, company: Company = THREE, curious: float = 0.5) -> str:
    """What the search finds in some hands at one table."""
    with pytest.raises(Leak) as found:
        asyncio.run(play_and_check(server, company, 8, "leaks", curious))
    return str(found.value)


def test_an_honest_server_passes_the_search_for_leaks(server: Serving) -> None:
    assert asyncio.run(play_and_check(server, THREE, 8, "leaks", 0.5)) > 24


def test_everybodys_cards_in_the_view_are_found(server: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "seen", lambda state, *_: events_of(state))
    leaks(server)


def test_cards_of_who_folded_are_found(server: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    honest = views.seen

    def seen(state: State, opened: Collection[int]) -> Iterator[Event]:
        return honest(state, range(3) if state.is_over and any(state.folded) else opened)

    monkeypatch.setattr(views, "seen", seen)
    leaks(server, Company("limit-3p", ("always-call", "always-fold")))


def changed_view(
    monkeypatch: pytest.MonkeyPatch, change: Callable[[DealtHand, HandView], dict[str, Any]]
) -> None:
    """A server that says something else in some fields of its views."""
    honest = views.hand_view

    def hand_view(hand: DealtHand | None, *more: Any) -> HandView:
        view = honest(hand, *more)
        return view if hand is None else msgspec.structs.replace(view, **change(hand, view))

    monkeypatch.setattr(session_state, "hand_view", hand_view)


def hidden(hand: DealtHand, seat: int | None = None) -> str:
    """A card of an opponent."""
    person = hand.players.index("You")
    cards = hand.state.hole_cards((person + 1) % len(hand.players) if seat is None else seat)
    assert cards is not None
    return format_card(cards[0])


def a_line(text: str) -> HistoryLine:
    return HistoryLine("act", text, [], None, None)


def every_chair(view: HandView, **fields: object) -> dict[str, Any]:
    return {"chairs": [msgspec.structs.replace(chair, **fields) for chair in view.chairs]}


def board_up_to(hand: DealtHand, cards: int) -> dict[str, Any]:
    return {"board": [format_card(card) for card in hand.state.cards[-5:]][:cards]}


LEAKS: dict[str, Callable[[DealtHand, HandView], dict[str, Any]]] = {
    "the whole board": lambda hand, _: board_up_to(hand, 5),
    "the next card": lambda hand, view: board_up_to(hand, len(view.board) + 1),
    "in the history": lambda hand, view: {"log": [*view.log, a_line(f"burnt {hidden(hand)}")]},
    "in lower case": lambda hand, view: {"log": [*view.log, a_line(f"You folds {hidden(hand).lower()}")]},
    "as symbols": lambda hand, view: {
        "log": [*view.log, a_line(hidden(hand).translate(str.maketrans("cdhs", "♣♦♥♠")))]
    },
    "as numbers": lambda hand, view: {
        "pots": [PotView(view.pot, [int(card) for card in hand.state.cards[:6]])]
    },
    "what it is worth": lambda _, view: every_chair(view, made="a pair of aces"),
    "in words": lambda _, view: every_chair(view, last="has the best hand"),
    "who will win": lambda _, view: every_chair(view, won=0),
}


@pytest.mark.parametrize("change", LEAKS.values(), ids=LEAKS)
def test_leaks_in_views_are_found(
    server: Serving, monkeypatch: pytest.MonkeyPatch, change: Callable[[DealtHand, HandView], dict[str, Any]]
) -> None:
    changed_view(monkeypatch, change)
    leaks(server)


def test_a_result_that_is_told_before_its_time_is_found(
    server: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Stage, "tells", lambda _stage, _event: True)
    leaks(server, Company("nolimit-2p:stack=400", ("always-call",), speed="fast"))


def test_a_field_that_is_not_known_is_found(server: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    honest = messages.write

    def write(message: messages.Told) -> str:
        return honest(message).replace('"version":', '"deck":[51,3,17],"version":')

    monkeypatch.setattr(messages, "write", write)
    assert "unknown form" in leaks(server)


def test_reasons_that_are_offered_early_are_found(server: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SessionState, "discloses", property(lambda state: state.number > 3))
    assert "reasons" in leaks(server)


def test_reasons_that_are_told_early_are_found(server: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SessionState, "discloses", True)
    monkeypatch.setattr(SessionState, "_reasons_offered", lambda _: [])
    assert "the reasons of a running hand" in leaks(server)


def test_a_card_in_an_error_is_found(server: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        session_state, "_why_illegal", lambda hand, _: f"somebody has {hidden(hand)} and would not"
    )
    assert "somebody has" in leaks(server)


def test_a_running_hand_in_the_list_is_found(server: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    for part in (session_results, afterwards):
        monkeypatch.setattr(part, "is_finished", lambda stored: not stored.voided)
    leaks(server)


def test_a_card_in_the_log_is_found(
    server: Serving, monkeypatch: pytest.MonkeyPatch, logged: list[str]
) -> None:
    honest = dealing.deal

    def deal(setup: Setup) -> State:
        state = honest(setup)
        logging.getLogger("railbird.interfaces.web.table.dealing").debug(
            "dealt %s", format_cards(state.cards)
        )
        return state

    monkeypatch.setattr(dealing, "deal", deal)
    asyncio.run(play_and_check(server, Company("limit-2p", ("always-call",)), 3, "logged"))
    assert logged
    assert cards_in("".join(logged))


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ('{"cards":["Ah","Td"]}', {"Ah", "Td"}),
        ("burnt AhKd.", {"Ah", "Kd"}),
        ("ah 10s 2C", {"Ah", "Ts", "2c"}),
        ("K♠ Q\\u2665", {"Ks", "Qh"}),
        ("AKs, QQ, T9o+, 4.5s, limit-2p, raises to 20", {"5s"}),
    ],
)
def test_cards_are_found_however_they_are_written(text: str, cards: set[str]) -> None:
    assert cards_in(text) == cards


def test_in_prose_words_are_no_cards() -> None:
    assert cards_in("As the experts did, as in AKs and Ah", prose=True) == {"Ah"}


GAMES = ("limit-2p", "nolimit-2p", "nolimit-3p:stack=400", "limit-6max", "nolimit-6max:stack=300")


def test_open_cards_are_counted_as_the_rules_open_them() -> None:
    random = Random(3)
    for _ in range(300):
        rules = named_game(random.choice(GAMES))
        setup = Setup.of(rules)
        if "nolimit" in rules.name:
            stacks = tuple(random.choice((30, 60, 100, 101, 250, 400, 3000)) for _ in range(rules.players))
            setup = replace(setup, stacks=stacks)
        state = State.deal(setup, Stream.from_seed(random.random().hex()))
        hand = DealtHand(1, state, tuple("abcdef"[: rules.players]), tuple(range(rules.players)), 0)
        opened, actors = [len(state.board)], [state.actor]
        while state.actor is not None:
            legal = state.legal_actions
            wanted = random.choice(
                (FOLD, CALL, CALL, raise_to(legal.raise_minimum), raise_to(legal.raise_maximum))
            )
            state.act(wanted if legal.allows(wanted) else CALL)
            opened.append(len(state.board))
            actors.append(state.actor)
        found = truth_of(StoredHand("", 1, hand.start(), hand.done(), True, True, None, {}))
        assert (found.opened, found.actors) == (tuple(opened), tuple(actors)), (setup, hand.done())
        assert found.is_showdown == state.is_showdown
        assert found.holes[0] == tuple(format_card(card) for card in state.hole_cards(0) or ())


# Reply times

SLEEP_S = 0.105
LEAST_HANDS = 72
TOLERANCE_S = 0.025
"""Half a step: what can be told from outside are whole steps, and the agent thinks for two more."""


def reply_times(server: Serving) -> tuple[float, float]:
    """The median time in which an agent replies that thinks longer with some cards: without them, and with them."""
    times: dict[bool, list[float]] = {False: [], True: []}
    thoughtful = f"{SUPPORT / 'slow_agents.py'}:SlowWithRed:milliseconds={SLEEP_S * 1000:g}"

    def replied(hand: int, step: int, view: View) -> bool:
        moved_on = view["hand"] > hand or view["step"] >= step + 2
        return moved_on or view["phase"] == "over" or view["actions"] is not None

    async def play(person: Person, session: str) -> None:
        took: dict[int, list[float]] = {}
        async with person.seat(session) as seat:
            while len(took) < LEAST_HANDS // 6:
                view = await seat.own_turn()
                began = perf_counter()
                number, step = view["hand"], view["step"]
                await seat.act("call")
                await seat.until(partial(replied, number, step))
                if seat.view["hand"] == number and seat.view["step"] == step + 2:
                    took.setdefault(number, []).append(perf_counter() - began)
        for hand in server.web.sessions.hands(session):
            truth = truth_of(hand)
            agent = truth.position(1)
            assert agent is not None
            is_red = truth.holes[agent][0][1] in "dh"
            times[is_red] += took.get(hand.number, [])

    async def play_all() -> None:
        person = Person(server.address)
        sessions = [person.begin("limit-2p", [thoughtful]) for _ in range(6)]
        await asyncio.gather(*(play(person, session) for session in sessions))

    asyncio.run(play_all())
    return median(times[False]), median(times[True])


@pytest.fixture(scope="module")
def trusting(fast: None, folder: Path) -> Iterator[Serving]:
    """A server at which agents from files sit, at the pace as it is."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pace, "STEPS", PACE)
        with serving(folder / "times.db", trusted=True) as running:
            yield running


@pytest.mark.soak
def test_reply_times_do_not_tell_how_long_an_agent_thought(
    trusting: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    without, with_red = reply_times(trusting)
    assert abs(with_red - without) < TOLERANCE_S, (without, with_red)
    assert without >= PACE["instant"]
    # The same measurement finds the difference where an agent acts a whole step after it has thought.
    monkeypatch.setattr(pace.Rhythm, "needed", lambda _self, _label, thought, **_: thought)
    without, with_red = reply_times(trusting)
    assert with_red - without > SLEEP_S / 2, (without, with_red)
