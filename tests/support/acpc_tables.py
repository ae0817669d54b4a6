"""A dealer that plays over sockets with clients that say what a test tells them to."""

import io
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from railbird.engine.games import named_game
from railbird.engine.setup import Setup
from railbird.interfaces.acpc.connection import LineConnection, MatchBroken
from railbird.interfaces.acpc.dealer import LONGEST_READ, Dealer, MatchTerms, read_version
from railbird.interfaces.acpc.ports import LOOPBACK, accept_players, listen, port_of
from railbird.notation.acpc.match import MatchStateReader, acpc_rules

LIMIT = MatchTerms("m", "limit-2p", acpc_rules(named_game("limit-2p")), 2, 42, ("Alice", "Bob"))
ENOUGH = 20.0
"""Seconds after which a test has failed."""


@contextmanager
def served(terms: MatchTerms) -> Iterator[tuple[list[int], Callable[[], str]]]:
    """A dealer that waits for its players: the ports, and a function that gives how it ended."""
    said = io.StringIO()
    ending: list[str] = []
    seats: list[LineConnection] = []
    listeners = listen(LOOPBACK, [0] * terms.rules.players)

    def deal() -> None:
        try:
            seats.extend(accept_players(listeners, LONGEST_READ, ENOUGH))
            for seat, connection in enumerate(seats):
                read_version(seat, connection, said.write, ENOUGH)
            score = Dealer(terms, said.write, quiet=True).play(seats)
            ending.append(f"played for {score.totals}")
        except MatchBroken as error:
            ending.append(str(error))
        finally:
            for connection in seats:
                connection.close()

    thread = threading.Thread(target=deal)
    thread.start()

    def end() -> str:
        thread.join(ENOUGH)
        return said.getvalue() + (ending[0] if ending else "still playing")

    yield [port_of(listener) for listener in listeners], end
    thread.join(ENOUGH)
    assert not thread.is_alive()


class Client:
    """A player who writes what a test says."""

    def __init__(self, port: int, version: bytes = b"VERSION:2.0.0\r\n") -> None:
        self.socket = socket.create_connection((LOOPBACK, port), timeout=ENOUGH)
        self.lines = self.socket.makefile("rb")
        self.say(version)

    def say(self, data: bytes) -> None:
        self.socket.sendall(data)

    def leave(self) -> None:
        self.lines.close()
        self.socket.close()

    def call_to_the_end(self) -> int:
        """Call until the dealer leaves: how many lines came."""
        reader = MatchStateReader(Setup.of(LIMIT.rules))
        count = 0
        for line in self.lines:
            count += 1
            if reader.read(line.decode()).is_my_turn:
                self.say(line.rstrip() + b":c\r\n")
        self.leave()
        return count


def first_question(
    version: bytes = b"VERSION:2.0.0\r\n", **changes: object
) -> Iterator[tuple[Client, Client, Callable[[], str]]]:
    with served(replace(LIMIT, hands=1, **changes)) as (ports, end):  # type: ignore[arg-type]
        other, asked = Client(ports[0]), Client(ports[1], version)
        if b"VERSION" in version:
            assert asked.lines.readline() == b"MATCHSTATE:1:0::|2hAc\r\n"
        try:
            yield other, asked, end
        finally:
            other.leave()
            asked.leave()


asked = contextmanager(first_question)
FOLD = b"MATCHSTATE:1:0::|2hAc:f\r\n"
