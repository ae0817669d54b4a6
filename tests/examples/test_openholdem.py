"""The user DLL for OpenHoldem finds out what everyone did, and plays as the agent itself does.

`openholdem/` has our own stand-ins for the headers of OpenHoldem and a table that the test describes.
"""

import ctypes
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest

import railbird
from brains import LONG
from folders import ROOT, SUPPORT
from railbird.arena.play.plan import labels_of
from railbird.engine.actions import ActionKind
from railbird.engine.events import Act, DealBoard, DealHole, Post
from railbird.engine.record import HandRecord
from railbird.engine.rules import Betting
from railbird.interfaces.brain.server import BrainServer
from railbird.interfaces.brain.sessions import Sessions
from railbird.interfaces.offer import Offer
from railbird.rng import Stream

STAND_INS = Path(__file__).parent / "openholdem"
OBSERVANT = f"{SUPPORT / 'thoughtful_agents.py'}:Observant"
QUERIES = ("alli", "betsize", "rais", "call", "check", "fold")

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="no g++")


class OpenHoldem:
    """The DLL at a table: its symbols, the names of its players, and what it logs."""

    def __init__(self, library: Path) -> None:
        self.symbols: Mapping[str, float] = {}
        self._texts: Mapping[int, ctypes.Array[ctypes.c_char]] = {}
        self.logged: list[str] = []
        symbol, text, log = (
            ctypes.CFUNCTYPE(answer, question)
            for answer, question in (
                (ctypes.c_double, ctypes.c_char_p),
                (ctypes.c_void_p, ctypes.c_int),
                (None, ctypes.c_char_p),
            )
        )
        self._callbacks = (
            symbol(lambda name: self.symbols[name.decode()]),
            text(lambda number: ctypes.addressof(self._texts[number])),
            log(lambda line: self.logged.append(line.decode())),
        )
        self.library = ctypes.CDLL(str(library))
        self.library.ProcessQuery.restype = ctypes.c_double
        self.library.UseTable(*self._callbacks)
        self.library.DLLUpdateOnConnection()

    def name(self, hand: str, players: Sequence[str]) -> None:
        """The number of the hand, and the names of the players by chair."""
        texts = {-1: hand, **dict(enumerate(players))}
        self._texts = {number: ctypes.create_string_buffer(text.encode()) for number, text in texts.items()}

    def decide(self) -> dict[str, float]:
        """What the DLL answers at its turn, apart from zeros."""
        self.library.DLLUpdateOnMyTurn()
        answers = {query: self.library.ProcessQuery(f"dll${query}".encode()) for query in QUERIES}
        return {query: value for query, value in answers.items() if value}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The DLL, compiled without a warning."""
    found = tmp_path_factory.mktemp("library") / "railbird.so"
    sources = [ROOT / "examples" / "openholdem" / "railbird.cpp", STAND_INS / "OpenHoldemFunctions.cpp"]
    options = ["-std=c++17", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-I", str(STAND_INS)]
    command = ["g++", *options, "-o", str(found), *map(str, sources)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=LONG, check=False)
    assert done.returncode == 0, done.stderr
    return found


def turns(record: HandRecord, labels: tuple[str, ...]) -> Iterator[tuple[dict[str, float], dict[str, float]]]:
    """The symbols at every turn of the first player, and what it answers; a chip is a cent."""
    rules, players = record.rules, record.players
    chairs = [labels.index(player) for player in players]
    me = chairs.index(0)
    left, bets, playing = list(record.setup.stacks), [0] * len(chairs), [True] * len(chairs)
    cards: dict[str, float] = {}
    stage = 0

    def lay(kind: str, start: int, dealt: tuple[int, ...]) -> None:
        for place, text in enumerate(railbird.format_cards(dealt, " ").split(), start):
            cards[f"$${kind}r{place}"] = "23456789TJQKA".index(text[0]) + 2
            cards[f"$${kind}s{place}"] = "hdcs".index(text[1])

    for event in record.events:
        match event:
            case Post(seat, _, amount):
                bets[seat] += amount
                left[seat] -= amount
            case DealHole(seat, own) if seat == me:
                lay("p", 0, own or ())
            case DealBoard(stage, board):
                lay("c", 0 if stage == 1 else stage + 1, board)
                bets = [0] * len(chairs)
            case Act(seat, kind, paid, to):
                due = min(max(*bets, 0 if stage else rules.big_blind) - bets[seat], left[seat])
                if seat == me:
                    symbols = {
                        **cards,
                        "betround": stage + 1,
                        "nchairs": len(labels),
                        "dealerchair": chairs[-1],
                        "userchair": 0,
                        "playersdealtbits": sum(1 << chair for chair in chairs),
                        "playersplayingbits": sum(
                            1 << chair for chair, plays in zip(chairs, playing, strict=True) if plays
                        ),
                        "lim": 2 if rules.betting is Betting.LIMIT else 0,
                        "sblind": min(blind for blind in rules.blinds if blind) / 100,
                        "bblind": rules.big_blind / 100,
                        "ante": 0,
                        "call": due / 100,
                    }
                    for chair, chips, bet in zip(chairs, left, bets, strict=True):
                        symbols |= {f"balance{chair}": chips / 100, f"currentbet{chair}": bet / 100}
                    yield symbols, answers(kind, due, to, rules.betting, left[seat] == paid)
                bets[seat] += paid
                left[seat] -= paid
                playing[seat] = kind is not ActionKind.FOLD


def answers(kind: ActionKind, due: int, to: int, betting: Betting, is_all_in: bool) -> dict[str, float]:
    """What the DLL answers for an action."""
    if kind is ActionKind.RAISE:
        if betting is Betting.LIMIT:
            return {"rais": 1}
        return {"betsize": to / 100, **({"alli": 1} if is_all_in else {})}
    if kind is ActionKind.CALL:
        return {"call": 1} if due else {"check": 1}
    return {"fold": 1}


@pytest.mark.parametrize(
    ("game", "opponents", "hands"),
    [
        ("limit-4max:blinds=5/10,bets=10/20,cap=4,free-folds=yes", ["random"] * 3, 40),
        ("nolimit-4max:blinds=50/100,free-folds=yes,stack=3000/20000/900/2500", ["random"] * 3, 60),
        ("nolimit-2p:blinds=50/100,free-folds=yes", ["random"], 30),
    ],
)
def test_the_dll_plays_as_the_agent_does_in_a_match(
    library: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    game: str,
    opponents: list[str],
    hands: int,
) -> None:
    agents, log = [OBSERVANT, *opponents], tmp_path / "hands.log"
    railbird.match(agents, game=game, hands=hands, seed=7, log=str(log))
    labels = labels_of(agents)
    stream = Stream.from_seed("7").child("match", 0).child("agent", labels[0], 0).key.hex()
    rules = game.partition(":")[2].partition(",")[2].removeprefix("bets=10/20,")
    decisions = 0
    with BrainServer(Sessions(Offer((OBSERVANT,)))) as server:
        settings = {"URL": server.address, "AGENT": OBSERVANT, "STREAM": stream, "RULES": rules}
        for name, value in settings.items():
            monkeypatch.setenv(f"RAILBIRD_{name}", value)
        table = OpenHoldem(library)
        for record in railbird.read_hands(str(log)):
            table.library.DLLUpdateOnHandreset()
            table.name(record.hand_id, labels)
            for symbols, answer in turns(record, labels):
                table.symbols = symbols
                for _ in range(2):  # a turn lasts several heartbeats
                    assert table.decide() == answer, (record, table.logged)
                decisions += 1
    assert table.logged == []
    assert decisions > hands


def test_without_a_decision_it_checks_or_folds(
    library: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    log = tmp_path / "hands.log"
    railbird.match(["always-raise", "always-call"], game="limit-2p", hands=1, seed=7, log=str(log))
    (record,) = railbird.read_hands(str(log))
    labels = labels_of(["always-raise", "always-call"])
    first, second, *_ = turns(record, labels)
    clock = 0.0
    with BrainServer(Sessions(Offer(), now=lambda: clock)) as server:
        monkeypatch.setenv("RAILBIRD_URL", server.address)
        monkeypatch.setenv("RAILBIRD_AGENT", "always-raise")
        table = OpenHoldem(library)
        table.name("", ["twin", "twin"])
        table.symbols = first[0]
        assert table.decide() == {"rais": 1}
        clock = 1e6
        server.brain.sessions.drop_idle()
        table.symbols = second[0]
        assert table.decide() == {"rais": 1}, "a session that was closed is opened again"
        assert table.logged == []
        table.symbols = {**second[0], "balance1": 1000.0}
        assert table.decide() == {"check": 1}
        table.library.DLLUpdateOnHandreset()
        assert table.decide() == {"check": 1}
        table.symbols = {**first[0], "balance0": 1000.0, "call": 0.05}
        monkeypatch.setenv("RAILBIRD_RULES", "cap=100 %")
        assert table.decide() == {"fold": 1}
        address = server.address
    assert table.decide() == {"fold": 1}
    assert table.logged == [
        "[railbird] chips came back to a player during the hand\n",
        "[railbird] the hand was joined after its beginning\n",
        f"[railbird] the brain at {address} refused: cap=100 % is not a whole number from 1\n",
        f"[railbird] no brain answers at {address}: start one with `railbird brain`\n",
    ]
