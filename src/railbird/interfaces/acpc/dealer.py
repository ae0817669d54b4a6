"""The dealer of an ACPC match: deals the official server's cards, queries players over sockets, and writes the logs.

One match, step by step:

1. Every player connects to the port of its seat and sends its version.
2. A hand is dealt. After every action each player gets its own view of the state; the player to act replies.
3. When the hand is over it is logged, all players get the final state, and the players move by one position.
4. After the last hand the score is printed.

Replies are interpreted by `notation.acpc.reply`. A player that disconnects or runs out of time ends the match.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TextIO

from railbird.engine.actions import Action
from railbird.engine.events import Chips
from railbird.engine.rules import Betting, GameRules
from railbird.engine.setup import Setup
from railbird.engine.state import State
from railbird.interfaces.acpc.clock import USUAL_LIMITS, Clock, TimeAccounts, TimeLimits
from railbird.interfaces.acpc.connection import ConnectionFault, LineConnection, MatchBroken
from railbird.notation.acpc.betting import format_action
from railbird.notation.acpc.dealing import AcpcDeck
from railbird.notation.acpc.header import MatchHeader
from railbird.notation.acpc.match import LINE_END, MatchStateLines
from railbird.notation.acpc.reply import rule
from railbird.notation.acpc.state import Score, format_hand
from railbird.notation.acpc.transactions import (
    TransactionError,
    format_time,
    format_transaction,
    parse_transaction,
)

LONGEST_READ = 4095
"""Maximum number of bytes that the official dealer reads at once; longer lines are read in pieces."""
MOST_COMMENTS = 256
"""Maximum number of comments before one decision; a line is at most `LONGEST_READ` bytes, so that is 1 MB."""
_REPORT_EVERY = 100
_MILLISECONDS = 1000
_MICROSECONDS = 1_000_000
_VERSION = re.compile(r"VERSION:\s*([0-9]{1,9})\.\s*([0-9]{1,9})\.\s*[0-9]", re.ASCII)


@dataclass(frozen=True, slots=True)
class MatchTerms:
    """The game, the players and the rules of a match."""

    name: str
    game: str
    """The name of the game, as given."""
    rules: GameRules
    hands: int
    seed: int
    players: tuple[str, ...]
    """By seat; in the first hand each player's position equals its seat."""
    limits: TimeLimits = USUAL_LIMITS
    fixed_button: bool = False
    """Whether players keep the positions of the first hand."""

    @property
    def header(self) -> MatchHeader:
        """The header of the log."""
        limits = self.limits
        return MatchHeader(
            self.name, self.game, self.hands, self.seed, limits.response, limits.hand, limits.per_hand
        )


class Dealer:
    """Plays one match. `say` receives what the official dealer writes to its standard error."""

    def __init__(
        self,
        terms: MatchTerms,
        say: Callable[[str], object],
        *,
        quiet: bool = False,
        log: TextIO | None = None,
        transactions: TextIO | None = None,
    ) -> None:
        self.terms = terms
        self.totals: list[Chips] = [0] * terms.rules.players
        self._seats: Sequence[LineConnection] = ()
        self._held = [b""] * terms.rules.players
        """By seat, the lines not sent yet."""
        self._say = say
        self._quiet = quiet
        self._log = log
        self._transactions = transactions
        self._clock = Clock()
        self._accounts = TimeAccounts(terms.limits, terms.hands, terms.rules.players)
        self._seconds = terms.limits.response / _MILLISECONDS
        self._setup = Setup.of(terms.rules)
        self._limit = terms.rules.betting is Betting.LIMIT
        self._deck = AcpcDeck(terms.rules, terms.seed)
        self._hand_number = 0
        self._state = State(self._setup, self._deck.deal())

    def play(self, seats: Sequence[LineConnection]) -> Score:
        """Play the match, or the rest of it."""
        self._seats = seats
        if not self._quiet:
            self._say(f"STARTED at {format_time(self._clock.now())}\n")
        try:
            while self._hand_number < self.terms.hands:
                self._play_hand()
                self._next_hand()
        except MatchBroken:
            with suppress(MatchBroken):
                self._catch_up()
            raise
        self._catch_up()
        if not self._quiet:
            self._say(f"FINISHED at {format_time(self._clock.now())}\n")
        return Score(self.terms.players, tuple(self.totals))

    def resume(self, transactions: Iterable[str]) -> None:
        """Replay the lines of a transaction log, with their line ends."""
        name = f"{self.terms.name}.tlog"
        for number, line in enumerate(transactions, start=1):
            state = self._state
            if self._hand_number >= self.terms.hands:
                raise TransactionError(
                    f"{name}, line {number}: the match is over after {self.terms.hands} hands"
                )
            try:
                action = parse_transaction(line, state.node, self._hand_number, self._setup)
            except TransactionError as error:
                raise TransactionError(f"{name}, line {number}: {error}") from None
            assert state.actor is not None
            seat = self._seat_of(state.actor)
            if not self._accounts.charge(seat, action.sent, action.received):
                raise TransactionError(f"{name}, line {number}: seat {seat + 1} was out of time")
            state.act(action.action)
            if state.is_over:
                self._add_up()
                self._next_hand()

    def _seat_of(self, position: int) -> int:
        return (position + self._first_seat) % len(self.totals)

    @property
    def _first_seat(self) -> int:
        """The seat in the first position."""
        return 0 if self.terms.fixed_button else self._hand_number % len(self.totals)

    def _next_hand(self) -> None:
        self._hand_number += 1
        self._accounts.begin_hand()
        self._state = State(self._setup, self._deck.deal())

    def _play_hand(self) -> None:
        state = self._state
        lines = MatchStateLines(state, self._hand_number)
        while (position := state.node.actor) is not None:
            sent = self._tell(lines, position)
            action, received = self._ask(lines, position, sent)
            if self._transactions is not None:
                text = format_action(state.node, action, self._limit)
                self._transactions.write(format_transaction(text, self._hand_number, sent, received))
                self._transactions.flush()
            state.act(action)
            lines.advance()
        self._add_up()
        if self._log is not None:
            names = [self.terms.players[self._seat_of(place)] for place in range(len(self.totals))]
            self._log.write(format_hand(state, names, str(self._hand_number), state.payoffs) + "\n")
            self._log.flush()
        self._tell(lines, None)
        if not self._quiet and self._hand_number % _REPORT_EVERY == 0:
            for seat, used in enumerate(self._accounts.used_in_match):
                self._say(f"Seconds cumulatively spent in match for seat {seat}: {used // 1_000_000}\n")

    def _add_up(self) -> None:
        for position, payoff in enumerate(self._state.payoffs):
            self.totals[self._seat_of(position)] += payoff

    def _tell(self, lines: MatchStateLines, actor: int | None) -> int:
        """Send the state to all players, and return the time at which the seat to act got it.

        Unless every line is reported with its time, only the seat to act gets its line at once. The others' lines
        briefly wait for its reply: most replies are prompt, and then several lines are sent together.
        """
        first, players = self._first_seat, len(self.totals)
        told = 0
        for seat in range(players):
            position = (seat - first) % players
            line = lines.line(position) + LINE_END
            self._held[seat] += line.encode("ascii")
            if position == actor or not self._quiet:
                self._send(seat)
            if position == actor:
                told = self._clock.now()
            if not self._quiet:
                self._say(f"TO {seat + 1} at {format_time(self._clock.now())} {line}")
        return told

    def _send(self, seat: int) -> None:
        held, self._held[seat] = self._held[seat], b""
        try:
            self._seats[seat].send(held, self._seconds)
        except ConnectionFault as fault:
            raise MatchBroken(f"seat {seat + 1} {fault}") from None

    def _catch_up(self) -> None:
        """Send all pending lines."""
        for seat, held in enumerate(self._held):
            if held:
                self._send(seat)

    def _ask(self, lines: MatchStateLines, position: int, sent: int) -> tuple[Action, int]:
        """The action of the position to act, and the time at which it arrived.

        The response time counts from when the state was sent, whatever else the player sends before its reply.
        """
        seat = self._seat_of(position)
        comments = 0
        while True:
            left = self._seconds - (self._clock.now() - sent) / _MICROSECONDS
            try:
                answer = self._seats[seat].read_line(left, self._catch_up)
            except ConnectionFault as fault:
                raise MatchBroken(f"seat {seat + 1} {fault}") from None
            if not answer:
                raise MatchBroken(f"seat {seat + 1} disconnected in hand {self._hand_number}")
            received = self._clock.now()
            reply = answer.decode("latin-1")
            if not self._quiet:
                self._say(f"FROM {seat + 1} at {format_time(received)} {printable(reply)}")
            if reply.startswith(("#", ";")):
                comments += 1
                if comments > MOST_COMMENTS or received - sent > self._seconds * _MICROSECONDS:
                    raise MatchBroken(f"seat {seat + 1} sent too many comments in hand {self._hand_number}")
                continue
            if not self._accounts.charge(seat, sent, received):
                raise MatchBroken(f"seat {seat + 1} ran out of time in hand {self._hand_number}")
            ruling = rule(reply, lines, position)
            if ruling.warning:
                self._say(f"WARNING: seat {seat + 1}, hand {self._hand_number}: {ruling.warning}\n")
            if ruling.action is not None:
                return ruling.action, received


def printable(text: str) -> str:
    """A received line with a line end and without control characters that could manipulate a terminal."""
    line = text.rstrip(LINE_END)
    if line.isascii() and line.isprintable():
        return text if text.endswith("\n") else line + "\n"
    return line.encode("unicode_escape").decode("ascii") + "\n"


def read_version(seat: int, connection: LineConnection, say: Callable[[str], object], seconds: float) -> None:
    """Read the version line of a player; a different version is only reported, as by the official dealer."""
    try:
        line = connection.read_line(seconds).decode("latin-1")
    except ConnectionFault as fault:
        raise MatchBroken(f"seat {seat + 1} {fault}, before its version") from None
    found = _VERSION.match(line)
    if found is None:
        shown = printable(line).strip()
        raise MatchBroken(f"seat {seat + 1} began with {shown[:60]!r} instead of a version")
    if int(found[1]) != 2 or int(found[2]) > 0:
        say(f"ERROR: seat {seat + 1} speaks version {found[1]}.{found[2]}, this dealer version 2.0\n")
