"""The Meerkat client plays as the agents themselves do, and never disturbs its table.

`meerkat/` has our own stand-ins for the interfaces of the Meerkat API and a table that makes the calls of OpenTestbed's
dealer.
"""

import shutil
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

import pytest

import railbird
from brains import LONG, Body, brain_process
from folders import ROOT, SUPPORT
from railbird.arena.play.plan import labels_of
from railbird.engine.actions import ActionKind
from railbird.engine.events import Act, Award, DealBoard, DealHole, Post, Return, Reveal
from railbird.engine.record import HandRecord
from railbird.interfaces.brain.server import BrainServer
from railbird.interfaces.brain.sessions import Sessions
from railbird.interfaces.offer import Offer
from railbird.rng import Stream

STAND_INS = Path(__file__).parent / "meerkat"
ATTENTIVE = f"{SUPPORT / 'thoughtful_agents.py'}:Attentive"
FOLD, CHECK, CALL, BET, RAISE, SMALL_BLIND, BIG_BLIND = range(7)
MUCK, SIT_OUT, UNCALLED = 9, 11, 100
TOLERANT = "short-blind=posted,reopening=any-raise,min-raise=kept,needs-caller=no,free-folds=yes"
QUICK = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto")

pytestmark = pytest.mark.skipif(shutil.which("javac") is None, reason="no javac: `make jdk` installs it")


@pytest.fixture(scope="module")
def classes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The client and the table, compiled without a warning."""
    folder = tmp_path_factory.mktemp("classes")
    sources = [*(ROOT / "examples" / "meerkat").rglob("*.java"), *STAND_INS.rglob("*.java")]
    options = ["--release", "11", "-proc:none", "-Xlint:all", "-Werror", "-d", str(folder)]
    command = ["javac", *(f"-J{option}" for option in QUICK), *options, *map(str, sources)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=LONG, check=False)
    assert done.returncode == 0, done.stderr
    return folder


class Table:
    """A table in a process of its own."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self.process = process

    def tell(self, *words: object) -> None:
        """An event, for everyone."""
        assert self.process.stdin is not None
        print(*words, sep="\t", file=self.process.stdin, flush=True)

    def ask(self, seat: int, to_call: object = 0) -> tuple[float, ...]:
        """A player's action: its type, the amount to call and the amount on top."""
        self.tell("ask", seat, to_call)
        assert self.process.stdout is not None
        answer = self.process.stdout.readline()
        assert answer, self.process.communicate(timeout=LONG)[1]
        return tuple(map(float, answer.split("\t")))

    def sentences(self) -> list[str]:
        """What was logged, when all is over."""
        printed, logged = self.process.communicate(timeout=LONG)
        assert printed == ""
        assert self.process.returncode == 0
        return logged.splitlines()


@contextmanager
def table(classes: Path) -> Iterator[Table]:
    command = ["java", *QUICK, "-cp", str(classes), "TestTable"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True) as process:
        try:
            yield Table(process)
        finally:
            process.kill()


class Retold:
    """A recorded hand as a Meerkat dealer tells it: seats around the table, and amounts in dollars."""

    def __init__(self, record: HandRecord, labels: Sequence[str], chip: str) -> None:
        self.record = record
        self.labels = labels
        self.chip = Decimal(chip)
        self.seats = [labels.index(player) for player in record.players]
        self.bets = [0] * len(self.seats)
        self.left = list(record.setup.stacks)
        self.blinds = sorted(blind for blind in record.rules.blinds if blind)

    def dollars(self, chips: object) -> Decimal:
        return self.chip * Decimal(str(chips))

    def play(self, at: Table) -> int:
        """Tell all events, and compare every decision; returns the number of decisions."""
        self._begin(at)
        decisions = 0
        holes = [event for event in self.record.events if isinstance(event, DealHole)]
        for event in self.record.events:
            match event:
                case Post(seat, _, amount):
                    self._pay(seat, amount)
                    kind = BIG_BLIND if self.record.setup.blinds[seat] == self.blinds[-1] else SMALL_BLIND
                    at.tell("act", self.seats[seat], kind, 0, self.dollars(amount))
                case DealHole(seat, cards):
                    if event is holes[0]:
                        at.tell("deal")
                    at.tell("cards", self.seats[seat], railbird.format_cards(cards or ()))
                case DealBoard(number, cards):
                    self.bets = [0] * len(self.bets)
                    at.tell("stage", number, railbird.format_cards(cards))
                case Act():
                    action = self._action(event)
                    asked = at.ask(self.seats[event.seat], action[1])
                    assert asked == tuple(float(part) for part in action), (self.record, event)
                    at.tell("act", self.seats[event.seat], *action)
                    decisions += 1
                case Return(seat, amount):
                    at.tell("act", self.seats[seat], UNCALLED, 0, self.dollars(amount))
                case Reveal(seat, None):
                    at.tell("act", self.seats[seat], MUCK, 0, 0)
                case Reveal(seat, cards):
                    at.tell("show", self.seats[seat], railbird.format_cards(cards or ()))
                case Award(seat, _, amount):
                    at.tell("win", self.seats[seat], self.dollars(amount))
        at.tell("over")
        return decisions

    def _begin(self, at: Table) -> None:
        setup = self.record.setup
        stacks = dict(zip(self.seats, setup.stacks, strict=True))
        chairs = [
            word
            for seat, label in enumerate(self.labels)
            for word in (label, self.dollars(stacks.get(seat, 0)))
        ]
        big = self.seats[setup.blinds.index(self.blinds[-1])]
        stakes = [self.dollars(blind) for blind in self.blinds]
        betting = self.record.rules.betting.value
        at.tell("hand", self.record.hand_id, betting, *stakes, self.seats[-1], big, *chairs)

    def _pay(self, seat: int, amount: int) -> None:
        self.bets[seat] += amount
        self.left[seat] -= amount

    def _action(self, act: Act) -> tuple[int, Decimal, Decimal]:
        to_call = min(max(self.bets) - self.bets[act.seat], self.left[act.seat])
        self._pay(act.seat, act.paid)
        if act.kind is ActionKind.FOLD:
            return FOLD, self.dollars(to_call), Decimal()
        if act.kind is ActionKind.CALL:
            return CALL if act.paid else CHECK, self.dollars(act.paid), Decimal()
        return RAISE if to_call else BET, self.dollars(to_call), self.dollars(act.paid - to_call)


@pytest.fixture(scope="module")
def brain() -> Iterator[str]:
    with brain_process("random", "always-call", "pokibot", ATTENTIVE) as (process, address):
        yield address
        process.send_signal(signal.SIGTERM)
        assert process.wait(LONG) == 0
        assert process.stderr is not None
        assert process.stderr.read() == "", "nothing went wrong in the brain"


@dataclass(frozen=True)
class Case:
    """A match, and the preferences with which its players are told the same game."""

    game: str
    agents: list[str]
    hands: int
    chip: str
    preferences: tuple[str, ...] = ()


CASES = [
    Case(f"limit-3p:blinds=5/10,bets=10/20,cap=4,{TOLERANT}", ["pokibot", ATTENTIVE, "random"], 12, "1"),
    Case(
        f"nolimit-4max:blinds=50/100,stack=900/20000/1500/3000,carry=yes,muck=losers-muck,{TOLERANT}",
        ["always-call", ATTENTIVE, ATTENTIVE, "random"],
        25,
        "0.01",
        ("RAILBIRD_RULES=stack=900/20000/1500/3000,carry=yes,muck=losers-muck",),
    ),
]


def test_the_client_plays_as_the_agents_do_in_a_match(classes: Path, brain: str, tmp_path: Path) -> None:
    """The second match has short blinds, side pots, mucked hands and players who leave."""
    with table(classes) as at:
        for case in CASES:
            log = tmp_path / f"{case.agents[0]}.log"
            railbird.match(case.agents, game=case.game, hands=case.hands, seed=7, log=str(log))
            labels = labels_of(case.agents)
            for seat, (agent, label) in enumerate(zip(case.agents, labels, strict=True)):
                stream = Stream.from_seed("7").child("match", 0).child("agent", label, 0).key.hex()
                named = [f"RAILBIRD_URL={brain}", f"RAILBIRD_AGENT={agent}", f"RAILBIRD_STREAM={stream}"]
                at.tell("player", seat, *named, f"RAILBIRD_CHIP={case.chip}", *case.preferences)
            records = railbird.read_hands(str(log))
            decisions = sum(Retold(record, labels, case.chip).play(at) for record in records)
            assert decisions > 4 * case.hands
        assert at.sentences() == []
    with Body(brain) as body:
        assert body.get("/")[1]["sessions"] == 0, "the players have closed their sessions"


def test_faults_are_told_in_a_sentence_and_the_table_goes_on(classes: Path) -> None:
    clock = 0.0
    with table(classes) as at:
        with BrainServer(Sessions(Offer(), now=lambda: clock)) as server:
            url = f"RAILBIRD_URL={server.address}"
            at.tell("player", 0, url, "RAILBIRD_AGENT=always-raise", "DEBUG=false")
            at.tell("player", 1, url, "RAILBIRD_AGENT=nobody")
            at.tell("player", 2, url, "RAILBIRD_CHIP=nothing")
            at.tell("player", 3, "RAILBIRD_URL=nowhere")

            def deal(number: int) -> None:
                """A hand in which the first seat opens; the third posts the big blind."""
                chairs = [word for seat in range(4) for word in (f"player {seat}", 20)]
                at.tell("hand", number, "limit", "0.5", "1", 0, 2, *chairs)
                at.tell("act", 1, SMALL_BLIND, 0, "0.5")
                at.tell("act", 2, BIG_BLIND, 0, 1)
                at.tell("deal")
                for seat, cards in enumerate(("AhKh", "AdKd", "AsKs", "AcKc")):
                    at.tell("cards", seat, cards)

            deal(1)
            for _ in range(2):
                at.tell("act", 3, SIT_OUT, 0, 0)
            assert at.ask(0, 1) == (RAISE, 1, 1)
            clock = 1e6
            server.brain.sessions.drop_idle()
            assert len(server.brain.sessions) == 0
            assert at.ask(0, 1) == (RAISE, 1, 1), "a session that was closed is opened again"
            assert at.ask(1, 1.5) == (FOLD, 1.5, 0)
            assert at.ask(2, 0) == (CHECK, 0, 0)
            deal(2)
            assert at.ask(3, 1) == (FOLD, 1, 0)
            at.tell("act", 3, RAISE, 1, "0.7")
            assert at.ask(0, "1.7") == (FOLD, 1.7, 0)
            deal(3)
            at.tell("act", 3, RAISE, 1, "0.123")
            assert at.ask(0, "1.123") == (FOLD, 1.123, 0)
            deal(4)
            at.tell("act", 3, CALL, 1, 0)
            assert at.ask(0, 1) == (RAISE, 1, 1), "another hand is played as if nothing had happened"
            address = server.address
        assert at.ask(0, 1) == (FOLD, 1, 0)
        sentences = at.sentences()
    shapeless = "is not a whole number of chips of $0.01: set RAILBIRD_CHIP to a smaller amount"
    for sentence, expected in zip(
        sentences,
        [
            "RAILBIRD_CHIP=nothing is not the worth of a chip in dollars, such as 0.01",
            f"the brain at {address} refused: no agent is called 'nobody': there are always-call",
            "RAILBIRD_CHIP=nothing is not the worth of a chip in dollars, such as 0.01",
            "'nowhere' is not the address of a brain: write it as `railbird brain` prints it",
            f"the brain at {address} refused: action 0 of the view: seat 2 can raise only to 200, not to 170",
            *[f"$1.123 {shapeless}"] * 3,
            "this hand cannot be followed, so the brain was not asked",
            f"no brain is running at {address}: start one with `railbird brain`",
        ],
        strict=True,
    ):
        assert sentence.startswith(f"railbird: {expected}")
