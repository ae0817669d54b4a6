"""The process that plays a tournament: `python -m railbird.interfaces.web.tournaments.process FOLDER ID`.

It plays the matches missing in the journal next to the results, so that a killed tournament resumes where it was. Every
line that it writes is JSON: `{"progress": …, "standings": …}` now and then, `{"error": message}` if it cannot continue.
What agents print goes to standard error. When the server is gone, its end of standard input closes, and the process
ends immediately.
"""

import os
import sys
from pathlib import Path
from threading import Thread
from time import monotonic
from typing import IO, Any

import msgspec

from railbird import __version__
from railbird.arena.play.match import MatchResult
from railbird.arena.play.plan import Entrant, entrants_of
from railbird.arena.results.interim import standings_so_far
from railbird.arena.run import contest
from railbird.arena.run.experiment import Progress
from railbird.arena.run.journal import Journal, journal_beside
from railbird.engine.rules import GameRules
from railbird.interfaces.web.tournaments.plan import TournamentPlan
from railbird.places import without_passwords, write_whole

ERROR_STATUS = 2
_LEFT_ALONE = 3
_NICENESS = 10
"""Niceness: tables with people have priority."""
_EVERY_S = 0.25
_REST = 10.0
"""Minimum pause between progress reports, as a multiple of the time that a report takes."""


def results_path(folder: Path, tournament: str) -> Path:
    """The path of the results of a tournament."""
    return folder / f"{tournament}.results.json"


class Teller:
    """Reports the progress of a tournament to the server."""

    def __init__(self, rules: GameRules, entrants: tuple[Entrant, ...], lines: IO[bytes]) -> None:
        self._rules, self._entrants, self._lines = rules, entrants, lines
        self._results: list[MatchResult] = []
        self._next = 0.0
        """The time of the next report."""

    def __call__(self, progress: Progress) -> None:
        """Receive progress, and report it if the last report was long enough ago.

        Unfinished matches count as far as they have been played.
        """
        if progress.latest is not None:
            self._results.append(progress.latest)
        began = monotonic()
        finished = progress.matches == progress.all_matches
        if not finished and began < self._next:
            return
        told = {
            "matches": progress.matches,
            "all_matches": progress.all_matches,
            "hands": progress.hands,
            "all_hands": progress.all_hands,
        }
        standings = standings_so_far(self._rules, self._entrants, self._results, progress.unfinished)
        tell(self._lines, {"progress": told, "standings": standings})
        now = monotonic()
        self._next = now + max(_EVERY_S, _REST * (now - began))


def tell(lines: IO[bytes], data: dict[str, Any]) -> None:
    """Write a line to the server."""
    lines.write(msgspec.json.encode(data) + b"\n")
    lines.flush()


def play(folder: Path, tournament: str, plan: TournamentPlan, lines: IO[bytes]) -> None:
    """Play a tournament, or the rest of it, and write its results."""
    entrants = entrants_of(plan.agents, trusted=True)  # a plan is played only after its agents were accepted
    results = results_path(folder, tournament)
    experiment = {"tournament": tournament, "plan": msgspec.to_builtins(plan), "version": __version__}
    with Journal(journal_beside(results), experiment) as journal:
        played = contest.tournament(
            plan.agents,
            game=plan.game,
            hands=plan.hands,
            matches=plan.matches,
            seed=plan.seed,
            journal=journal,
            progress=Teller(plan.rules(), entrants, lines),
        )
    report = msgspec.json.encode(played.to_json())
    write_whole(results, lambda file: file.write(msgspec.json.format(report)))


def _end_with_the_server() -> None:
    # Unbuffered, because the exit of this process would wait for the buffer's lock.
    while os.read(sys.stdin.fileno(), 1):
        pass
    os._exit(_LEFT_ALONE)


def main() -> int:
    """Play the tournament given by the server; its plan is the first line of standard input."""
    folder, tournament = Path(sys.argv[1]), sys.argv[2]
    with open(sys.stdin.fileno(), "rb", buffering=0, closefd=False) as server:
        plan = msgspec.json.decode(server.readline(), type=TournamentPlan)
    Thread(target=_end_with_the_server, daemon=True).start()
    os.nice(_NICENESS)
    lines = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    try:
        play(folder, tournament, plan, lines)
    except ValueError as error:
        tell(lines, {"error": without_passwords(str(error)).replace(f"{folder}{os.sep}", "")})
        return ERROR_STATUS
    except OSError as error:  # such as a full disk
        tell(lines, {"error": f"the results could not be written: {error.strerror}"})
        return ERROR_STATUS
    return 0


if __name__ == "__main__":
    sys.exit(main())
