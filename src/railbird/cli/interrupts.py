"""Ctrl-C: what a stopped command kept, and how it goes on; commands that finish a step before they stop."""

import shlex
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import typer

from railbird.places import without_passwords

if TYPE_CHECKING:
    from railbird.cli.progress import ContestDisplay

INTERRUPTED = 130
NOTHING_WRITTEN = "nothing was written; this command starts over"


@contextmanager
def tells_when_stopped(kept: str | Callable[[], str]) -> Iterator[None]:
    """On Ctrl-C, print what was kept and the command that goes on, and end with exit code 130.

    `kept` is the part of the sentence before the command, such as "the finished flops are kept; this command resumes".
    """
    try:
        yield
    except KeyboardInterrupt:
        sentence = kept if isinstance(kept, str) else kept()
        after_key = "\n" if sys.stderr.isatty() else ""  # terminals show Ctrl-C as ^C
        print(f"{after_key}railbird: stopped; {sentence}: {this_command()}", file=sys.stderr)
        raise typer.Exit(INTERRUPTED) from None


def kept_of_contest(display: "ContestDisplay") -> str:
    """What is kept of a contest, by its latest progress."""
    progress = display.last
    if progress is None or not (progress.matches or progress.kept_hands):
        why_not = progress and (progress.write_error or progress.obstacle)
        reason = f" ({why_not})" if why_not else ""
        return f"no match is finished, so nothing was kept{reason}; this command starts over"
    hands = f"{progress.kept_hands:,} {'hand' if progress.kept_hands == 1 else 'hands'}"
    if progress.all_matches == 1:
        verb = "is" if progress.kept_hands == 1 else "are"
        return f"{hands} of {progress.all_hands:,} {verb} kept; this command resumes"
    matches = f"{progress.matches:,} of {progress.all_matches:,} matches"
    more = f" and {hands} of others" if progress.kept_hands else ""
    return f"{matches}{more} are kept; this command resumes"


def this_command() -> str:
    """The command line that was run, without passwords."""
    return shlex.join(["railbird", *map(without_passwords, sys.argv[1:])])


@contextmanager
def stopped_by_interrupt() -> Iterator[Callable[[], bool]]:
    """Whether Ctrl-C was pressed while the body runs; the second time it ends the body at once, as usual."""
    stopped = threading.Event()
    usual = signal.getsignal(signal.SIGINT)

    def stop(*_: object) -> None:
        stopped.set()
        signal.signal(signal.SIGINT, usual)

    signal.signal(signal.SIGINT, stop)
    try:
        yield stopped.is_set
    finally:
        signal.signal(signal.SIGINT, usual)
