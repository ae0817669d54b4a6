"""One run of the dealer: its files, its ports, the connecting players, and the final score."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import TextIO

from railbird.interfaces.acpc.dealer import LONGEST_READ, Dealer, MatchTerms, read_version
from railbird.interfaces.acpc.ports import LOOPBACK, accept_players, listen, port_of
from railbird.notation.acpc.state import format_score_line
from railbird.notation.reading import LONGEST_LINE


class HouseError(ValueError):
    """A match that cannot start."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Files:
    """The output files of a match."""

    log: Path | None = None
    transactions: Path | None = None
    append: bool = False
    """Whether to append to existing files; a transaction log is then resumed."""


class House:
    """One match with its files, ports and connections."""

    def __init__(
        self,
        terms: MatchTerms,
        files: Files,
        ports: Sequence[int],
        *,
        host: str = LOOPBACK,
        quiet: bool = False,
        start_seconds: float | None = None,
    ) -> None:
        _check_names(terms)
        self.terms = terms
        self.files = files
        self.ports = ports
        self.host = host
        self.quiet = quiet
        self.start_seconds = start_seconds
        """Time limit for all players to connect and send their versions; None waits forever for connections."""

    def run(self, output: TextIO, errors: TextIO) -> None:
        """Play the match: ports and score are written to `output`, messages to `errors`."""
        with ExitStack() as closing:
            listeners = listen(self.host, self.ports)
            for listener in listeners:
                closing.callback(listener.close)
            log = self._open(closing, self.files.log)
            transactions = self._open(closing, self.files.transactions)
            dealer = Dealer(self.terms, errors.write, quiet=self.quiet, log=log, transactions=transactions)
            if self.files.append and self.files.transactions is not None:
                dealer.resume(_lines_of(self.files.transactions))
            print(*map(port_of, listeners), file=output, flush=True)
            for file in filter(None, (errors, log)):
                file.write(str(self.terms.header))
                file.flush()
            began = monotonic()
            seats = accept_players(listeners, LONGEST_READ, self.start_seconds)
            for connection in seats:
                closing.callback(connection.close)
            for seat, connection in enumerate(seats):
                read_version(seat, connection, errors.write, self._seconds_left(began))
            score = format_score_line(dealer.play(seats)) + "\n"
            for file in filter(None, (output, errors, log)):
                file.write(score)
                file.flush()

    def _seconds_left(self, began: float) -> float:
        """Seconds left for a connected player to send its version; without a start limit, the limit of a response."""
        if self.start_seconds is None:
            return self.terms.limits.response / 1000
        return self.start_seconds + began - monotonic()

    def _open(self, closing: ExitStack, path: Path | None) -> TextIO | None:
        if path is None:
            return None
        try:
            return closing.enter_context(
                path.open("a" if self.files.append else "w", encoding="utf-8", newline="\n")
            )
        except OSError as error:
            raise HouseError(f"{path} cannot be written: {error.strerror}") from None


def _check_names(terms: MatchTerms) -> None:
    seats = terms.rules.players
    if len(terms.players) != seats:
        raise HouseError(f"{terms.game} needs {seats} players, not {len(terms.players)}")
    for name in terms.players:
        if not name or not name.isprintable() or "|" in name or " #" in name:
            raise HouseError(f"{name!r} is not a valid player name: the log could not be read back")


def _lines_of(path: Path) -> Iterator[str]:
    """The lines of a transaction log with their line ends; invalid or overlong lines are refused by its reader."""
    with path.open(encoding="ascii", errors="replace", newline="\n") as file:
        while line := file.readline(LONGEST_LINE + 1):
            yield line
