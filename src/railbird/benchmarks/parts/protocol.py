"""Speed of the ACPC's formats and protocol: logs read and replayed, and matches dealt over sockets."""

import io
import random
import subprocess
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from time import perf_counter

from railbird.benchmarks.measuring import Figure, Work, bounded, compare_rates, if_installed
from railbird.engine.actions import CALL, FOLD, raise_to
from railbird.engine.games import named_game
from railbird.engine.record import HandRecord
from railbird.engine.setup import Setup
from railbird.engine.state import State
from railbird.interfaces.acpc.connection import LineConnection
from railbird.interfaces.acpc.dealer import LONGEST_READ, Dealer, MatchTerms, read_version
from railbird.interfaces.acpc.ports import LOOPBACK, accept_players, listen, port_of
from railbird.notation.acpc.log import read_log
from railbird.notation.acpc.match import acpc_rules
from railbird.notation.acpc.state import format_state_line
from railbird.rng import Stream

LEAST_HANDS = 1000.0
"""Required hands per second of the dealer; the official one deals 1,000 to 2,000 to players in C."""
FOLDING = 0.06
_WARMING_HANDS = 300
_WAIT = 120.0


def figures() -> Iterator[Figure]:
    """Typical logs against PokerKit's reader, and a dealer with two agents in separate processes."""
    for words, name in (("heads-up limit", "limit-2p"), ("heads-up no-limit", "nolimit-2p")):
        lines = _log(name, 5000)
        yield compare_rates(
            f"log read and replayed, {words}",
            _reading(name, lines),
            "PokerKit",
            _pokerkit(name, lines),
            unit="hands/s",
            required=100,
            turns=9,
        )
    rates = [_dealt_hands(3000) for _ in range(5)]
    yield bounded("dealer and two random agents over sockets, elapsed", rates, LEAST_HANDS, "hands/s")


def _log(name: str, hands: int) -> list[str]:
    """STATE lines of hands between players like the examples of the official server.

    They fold with a probability of 6 % when possible, and otherwise call or raise to any amount with equal probability.
    """
    setup = Setup.of(acpc_rules(named_game(name)))
    draw = random.Random(7)
    words = Stream.from_seed("bench").words()
    lines = []
    for number in range(hands):
        state = State.deal(setup, words)
        while not state.is_over:
            legal = state.legal_actions
            if legal.fold and draw.random() < FOLDING:
                state.act(FOLD)
            elif legal.can_raise and draw.random() < 0.5:
                state.act(raise_to(draw.randint(legal.raise_minimum, legal.raise_maximum)))
            else:
                state.act(CALL)
        lines.append(format_state_line(HandRecord.of(state, ("Alice", "Bob"), str(number))))
    return lines


def _reading(name: str, lines: Sequence[str]) -> Work:
    rules = acpc_rules(named_game(name))

    def work() -> int:
        count = 0
        for reading in read_log(lines, rules):
            assert isinstance(reading, HandRecord), reading
            count += 1
        return count

    return work


@if_installed
def _pokerkit(name: str, lines: Sequence[str]) -> Work:
    from pokerkit import FixedLimitTexasHoldem, HandHistory, NoLimitTexasHoldem

    game: FixedLimitTexasHoldem | NoLimitTexasHoldem
    if name == "limit-2p":
        game, stack = FixedLimitTexasHoldem((), True, 0, (5, 10), 10, 20), 2000
    else:
        game, stack = NoLimitTexasHoldem((), True, 0, (50, 100), 100), 20000
    text = "\n".join(lines[:50])

    def work() -> int:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return sum(1 for _ in HandHistory.from_acpc_protocol(game, stack, text))

    return work


class _Stopwatch(io.StringIO):
    """A log that records the time of every hand."""

    def __init__(self) -> None:
        super().__init__()
        self.moments: list[float] = []

    def write(self, text: str) -> int:
        self.moments.append(perf_counter())
        return len(text)


def _dealt_hands(hands: int) -> float:
    """Hands per second of a match, measured after a warm-up."""
    rules = acpc_rules(named_game("limit-2p"))
    watch = _Stopwatch()
    with ExitStack() as closing:
        listeners = listen(LOOPBACK, [0, 0])
        players = [_agent(port_of(listener)) for listener in listeners]
        for player in players:
            closing.callback(player.wait)
            closing.callback(player.terminate)
        seats: list[LineConnection] = accept_players(listeners, LONGEST_READ, _WAIT)
        for seat, connection in enumerate(seats):
            closing.callback(connection.close)
            read_version(seat, connection, print, _WAIT)
        terms = MatchTerms("bench", "limit-2p", rules, _WARMING_HANDS + hands, 42, ("Alice", "Bob"))
        Dealer(terms, print, quiet=True, log=watch).play(seats)
    return hands / (watch.moments[-1] - watch.moments[_WARMING_HANDS - 1])


def _agent(port: int) -> "subprocess.Popen[bytes]":
    command = [
        sys.executable,
        "-P",
        "-m",
        "railbird",
        "agent",
        "random",
        LOOPBACK,
        str(port),
        "--game",
        "limit-2p",
    ]
    return subprocess.Popen(command, stderr=subprocess.DEVNULL)
