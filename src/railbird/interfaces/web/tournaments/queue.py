"""The tournaments of a server: kept in a folder, played one after the other, each in a separate process.

Addresses take turns, and so do the players of one address: a player who adds ten tournaments does not keep others
waiting for all ten.

A tournament is a file, `ID.json`, and when it is finished also `ID.results.json`. Unfinished tournaments resume from
their journals when the server starts (`tournaments.process`). One server uses the folder at a time; ids are looked up
among those read from it, so nothing that a visitor sends becomes a path.
"""

import asyncio
import fcntl
import logging
import sys
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from secrets import token_hex
from time import monotonic
from typing import IO, Any, Literal

import msgspec

from railbird.arena.run.journal import journal_beside
from railbird.interfaces.web.http.room import in_turn
from railbird.interfaces.web.tournaments.plan import TournamentPlan
from railbird.interfaces.web.tournaments.process import ERROR_STATUS, results_path
from railbird.places import make_private_folder, write_whole

log = logging.getLogger(__name__)

MOST_OF_ONE = 30
"""Maximum number of tournaments kept for each player."""
MOST_WAITING = 20
MOST_KEPT = 1000
"""Maximum number for all players; the oldest finished ones of the player with the most make room."""
TRIES = 3
"""How often a process may end without a report, or send invalid ones, before its tournament has failed."""
_MODULE = "railbird.interfaces.web.tournaments.process"
_LONGEST_LINE = 1 << 22
_FAREWELL_S = 5.0

State = Literal["waiting", "playing", "finished", "failed"]


@dataclass(frozen=True, slots=True)
class Allowance:
    """The limits for one player."""

    unfinished: int
    """Maximum number of tournaments that are waiting or being played."""
    of_one_address: int
    """The same for all players of one address."""
    seconds: float
    """Time limit for each of them."""


OWN = Allowance(unfinished=20, of_one_address=20, seconds=4 * 3600.0)
"""The limits for the user of this machine."""
VISITORS = Allowance(unfinished=2, of_one_address=6, seconds=600.0)
"""The limits for everyone on a server for others."""


class TournamentError(ValueError):
    """A tournament that cannot be accepted."""


class Tournament(msgspec.Struct):
    """A tournament as stored."""

    id: str
    owner: str
    made: str
    plan: TournamentPlan
    state: State = "waiting"
    error: str = ""


class Told(msgspec.Struct):
    """A line of the process that plays."""

    progress: dict[str, int] | None = None
    standings: dict[str, Any] | None = None
    error: str = ""


class Tournaments:
    """All tournaments; used only from the event loop."""

    def __init__(self, folder: Path, allowance: Allowance = OWN) -> None:
        self._folder, self._allowance = folder, allowance
        self._lock: IO[bytes] | None = None
        self._kept: dict[str, Tournament] = {}
        """By id, the oldest first."""
        self._told: dict[str, Told] = {}
        """The last report of each tournament that was played since the server started."""
        self._addresses: dict[str, str] = {}
        """The address from which a tournament was started; unknown for those read from the folder."""
        self._last_turns: dict[str, float] = {}
        """When the last tournament of an address, or of a player, began."""
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._playing: str | None = None
        self._process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        """Read the folder and play what is not finished."""
        await asyncio.to_thread(self._take_folder)
        self._wake.set()
        self._task = asyncio.create_task(self._play_all())

    async def close(self) -> None:
        """Stop; an unfinished tournament resumes at the next start."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    # Asking

    def of_owner(self, owner: str) -> list[Tournament]:
        """The tournaments of a player, the newest first."""
        return [each for each in reversed(self._kept.values()) if each.owner == owner]

    def find(self, owner: str, tournament: str) -> Tournament | None:
        """A tournament of a player."""
        found = self._kept.get(tournament)
        return found if found is not None and found.owner == owner else None

    def told(self, tournament: str) -> Told:
        """The progress of a tournament."""
        return self._told.get(tournament, Told())

    def place(self, tournament: str) -> int:
        """Number of tournaments before a waiting one."""
        waiting = [each.id for each in self._in_turn()]
        before = waiting.index(tournament) if tournament in waiting else 0
        return before + (self._playing is not None)

    def results(self, tournament: Tournament) -> bytes | None:
        """The results of a finished tournament as JSON; reads a file."""
        try:
            return results_path(self._folder, tournament.id).read_bytes()
        except OSError:
            return None

    # Changing

    def require_room(self, owner: str, address: str) -> None:
        """Raise an error for another tournament if a player, an address or the whole server has reached its limit."""
        own = self.of_owner(owner)
        if len(own) >= MOST_OF_ONE:
            raise TournamentError(f"a player can have at most {MOST_OF_ONE} tournaments: remove one first")
        if sum(each.state in ("waiting", "playing") for each in own) >= self._allowance.unfinished:
            raise TournamentError(
                f"{self._allowance.unfinished} of your tournaments are not finished: wait for one, or remove it"
            )
        near = sum(
            self._addresses.get(each.id) == address
            for each in self._kept.values()
            if each.state in ("waiting", "playing")
        )
        if near >= self._allowance.of_one_address:
            raise TournamentError(
                f"{near} tournaments from your address are not finished: wait for one, or remove it"
            )
        if len(self._waiting()) >= MOST_WAITING:
            raise TournamentError(f"{MOST_WAITING} tournaments are already waiting: try again later")

    async def add(self, owner: str, address: str, plan: TournamentPlan) -> str:
        """Add a checked tournament; it is stored when this returns."""
        if self._lock is None:
            await asyncio.to_thread(self._take_folder)
        if self._lock is None:
            raise TournamentError("another server on this machine is using the tournaments at the moment")
        self.require_room(owner, address)
        made = datetime.now(UTC).isoformat(timespec="milliseconds")
        tournament = Tournament(token_hex(8), owner, made, plan.seeded())
        self._kept[tournament.id] = tournament
        self._addresses[tournament.id] = address
        try:
            await self._write(tournament)
        except OSError as error:
            self._kept.pop(tournament.id, None)
            self._addresses.pop(tournament.id, None)
            raise TournamentError(f"the tournament could not be stored: {error.strerror}") from None
        if tournament.id not in self._kept:
            # Removed while it was being written, which may have finished after that.
            await asyncio.to_thread(_unlink, self._files(tournament.id))
            return tournament.id
        while len(self._kept) > MOST_KEPT and (old := self._superfluous()) is not None:
            await self._forget(old)
        self._wake.set()
        return tournament.id

    def _superfluous(self) -> Tournament | None:
        """The tournament that makes room: the oldest finished one of the owner with the most."""
        many = Counter(map(self._whose, self._kept.values()))
        over = [each for each in self._kept.values() if each.state in ("finished", "failed")]
        return max(over, key=lambda each: many[self._whose(each)], default=None)

    def _whose(self, tournament: Tournament) -> str:
        """The address of a tournament, or its player if the address is unknown."""
        return self._addresses.get(tournament.id, tournament.owner)

    async def remove(self, tournament: Tournament) -> None:
        """Stop a tournament and delete it."""
        process = self._process if self._playing == tournament.id else None
        await self._forget(tournament)
        if process is not None:
            with suppress(ProcessLookupError):
                process.kill()

    async def _forget(self, tournament: Tournament) -> None:
        self._kept.pop(tournament.id, None)
        self._told.pop(tournament.id, None)
        self._addresses.pop(tournament.id, None)
        await asyncio.to_thread(_unlink, self._files(tournament.id))

    # Playing

    def _waiting(self) -> list[Tournament]:
        return [each for each in self._kept.values() if each.state == "waiting"]

    def _in_turn(self) -> list[Tournament]:
        """The waiting tournaments in the order in which they will be played."""
        by_player = in_turn(self._waiting(), lambda each: each.owner, self._last_turns)
        return in_turn(by_player, self._whose, self._last_turns)

    async def _play_all(self) -> None:
        while True:
            await self._wake.wait()
            waiting = self._in_turn()
            if not waiting:
                self._wake.clear()
                continue
            try:
                await self._play(waiting[0])
            except Exception as error:
                # The broad except: the disk may be full, or there may be an internal error; what was played is in the
                # journal, and later tournaments still have a chance.
                log.exception("tournament %s could not be played", waiting[0].id)
                reason = error.strerror if isinstance(error, OSError) else type(error).__name__
                waiting[0].state, waiting[0].error = "failed", f"it could not be played or stored: {reason}"

    async def _play(self, tournament: Tournament) -> None:
        self._playing, tournament.state = tournament.id, "playing"
        for whose in (tournament.owner, self._whose(tournament)):
            self._last_turns[whose] = monotonic()
        for whose in sorted(self._last_turns, key=self._last_turns.__getitem__)[:-MOST_KEPT]:
            del self._last_turns[whose]
        try:
            state, error = await self._result_of(tournament)
        finally:
            self._playing = None
        if tournament.id in self._kept:
            await self._write(msgspec.structs.replace(tournament, state=state, error=error))
            if state == "finished":
                await asyncio.to_thread(_unlink, [journal_beside(results_path(self._folder, tournament.id))])
            tournament.state, tournament.error = state, error
        if tournament.id not in self._kept:
            # Removed meanwhile; also delete what was written after that.
            await asyncio.to_thread(_unlink, self._files(tournament.id))

    async def _result_of(self, tournament: Tournament) -> tuple[State, str]:
        """Play to the end, with a new process for one that ended without a report or sent an invalid one."""
        try:
            async with asyncio.timeout(self._allowance.seconds):
                for _ in range(TRIES):
                    status = await self._run_process(tournament)
                    if status == 0:
                        return "finished", ""
                    if status == ERROR_STATUS or tournament.id not in self._kept:
                        return "failed", self.told(tournament.id).error or "it could not be played"
                    if status is not None:
                        log.warning("the process of tournament %s ended with %s", tournament.id, status)
        except TimeoutError:
            minutes = self._allowance.seconds / 60
            return "failed", f"it took longer than {minutes:g} minutes, the limit of this server"
        return "failed", f"its process was started {TRIES} times, but never reported a result"

    async def _run_process(self, tournament: Tournament) -> int | None:
        """Start a process and read its reports; returns its exit status, or None if it was killed for a bad report."""
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-P", "-m", _MODULE, str(self._folder), tournament.id,
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, limit=_LONGEST_LINE,
        )  # fmt: skip
        assert process.stdin is not None
        assert process.stdout is not None
        self._process = process
        try:
            if tournament.id not in self._kept:
                # Removed while the process was being started, when it could not be killed.
                await _end(process)
                return None
            process.stdin.write(msgspec.json.encode(tournament.plan) + b"\n")
            while line := await process.stdout.readline():
                if tournament.id in self._kept:
                    self._told[tournament.id] = msgspec.json.decode(line, type=Told)
            return await process.wait()
        except ValueError as error:
            log.warning("the process of tournament %s sent an invalid report: %s", tournament.id, error)
            await _end(process)
            return None
        except BaseException:
            await _end(process)
            raise
        finally:
            self._process = None

    # Files

    def _files(self, tournament: str) -> list[Path]:
        results = results_path(self._folder, tournament)
        return [self._folder / f"{tournament}.json", results, journal_beside(results)]

    async def _write(self, tournament: Tournament) -> None:
        content = msgspec.json.encode(tournament)
        await asyncio.to_thread(write_whole, self._files(tournament.id)[0], lambda file: file.write(content))

    def _take_folder(self) -> None:
        """Read the folder, unless another server uses it."""
        make_private_folder(self._folder)
        lock = (self._folder / ".lock").open("ab")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.close()
            return
        self._lock = lock
        found = [_read(path) for path in self._folder.glob("*.json") if path.suffixes == [".json"]]
        for tournament in sorted((each for each in found if each is not None), key=lambda each: each.made):
            if tournament.state == "playing":
                tournament.state = "waiting"
            self._kept[tournament.id] = tournament


async def _end(process: asyncio.subprocess.Process) -> None:
    """Kill a process and read the rest of its output, because until then it does not count as ended."""
    with suppress(ProcessLookupError):
        process.kill()
    with suppress(TimeoutError):
        async with asyncio.timeout(_FAREWELL_S):
            await process.communicate()


def _read(path: Path) -> Tournament | None:
    try:
        found = msgspec.json.decode(path.read_bytes(), type=Tournament)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        log.warning("%s is not a valid tournament and was not changed: %s", path, error)
        return None
    return found if found.id == path.stem else None


def _unlink(paths: Sequence[Path]) -> None:
    for path in paths:
        path.unlink(missing_ok=True)
