"""What an experiment has finished so far, on disk: a killed one goes on where it was.

A journal is a text file that only grows, beside the results that it will lead to (`results.json.journal`). Its first
line says whose it is: {"schema": "railbird.journal/2", "digest": …, "experiment": {…}}, where the experiment is what
all of its matches have in common. Every further line is one finished match: {"match": digest of its plan, "logged":
whether its hands were kept, "result": …}. A match counts as finished when its line is on the disk, so kill -9 costs the
running matches only; what it leaves of an unfinished line is cut off at the next start.
"""

import fcntl
import json
import os
from collections.abc import Mapping
from dataclasses import replace
from hashlib import sha256
from io import BufferedRandom
from pathlib import Path
from types import TracebackType
from typing import Any

from railbird.arena.faults import Fault, FaultRecord
from railbird.arena.match import MatchResult
from railbird.arena.plan import Bust, Duplicate, Entrant, FaultPolicy, Limits, MatchPlan
from railbird.arena.statistics import PlayerStatistics
from railbird.arena.tally import Tally

SCHEMA = "railbird.journal/2"
SUFFIX = ".journal"


class JournalError(ValueError):
    """A journal that cannot be used for this experiment."""


def journal_beside(results: Path) -> Path:
    """Where the journal of a file of results is kept."""
    return results.with_name(results.name + SUFFIX)


def experiment_of(path: Path) -> dict[str, Any] | None:
    """What the matches of a journal have in common, as far as it can be read; None where there is no journal yet."""
    try:
        with path.open("rb") as file:
            header = json.loads(file.readline())
    except (OSError, ValueError):
        return None
    found = header.get("experiment") if isinstance(header, dict) else None
    return found if isinstance(found, dict) else None


class Journal:
    """The finished matches of an experiment; open (and locked) between `with` and its end.

    `experiment` is plain data: whatever must be the same for matches to belong together, such as the game, the seed,
    the number of hands and the version. Players may be left out, so that one more of them joins the same journal.
    """

    def __init__(self, path: Path, experiment: Mapping[str, Any]) -> None:
        self.path = path
        self.experiment = experiment
        self._file: BufferedRandom | None = None
        self._results: dict[str, MatchResult] = {}
        self._logged: set[str] = set()

    def __enter__(self) -> "Journal":
        try:
            # Opened without a buffer mode of its own, because "a+" could not cut off a torn line and "w+" would clear.
            descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        except OSError as error:
            raise JournalError(f"{self.path} cannot be written: {error.strerror}") from None
        file = os.fdopen(descriptor, "r+b")
        try:
            self._lock(file)
            self._read(file)
        except BaseException:
            file.close()
            raise
        self._file = file
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def __len__(self) -> int:
        return len(self._results)

    def find(self, plan: MatchPlan, *, keep_log: bool = False) -> MatchResult | None:
        """The result of a match, if it is finished, and with its hands if they are wanted."""
        key = plan_digest(plan)
        result = self._results.get(key)
        if result is None or (keep_log and key not in self._logged):
            return None
        return result if keep_log else replace(result, log=())

    def add(self, result: MatchResult, *, keep_log: bool = False) -> None:
        """Write down a finished match; it is on the disk when this returns."""
        if self._file is None:
            raise JournalError(f"{self.path} is not open")
        key = plan_digest(result.plan)
        entry = {"match": key, "logged": keep_log, "result": match_result_to_json(result)}
        try:
            _append(self._file, entry)
        except OSError as error:
            raise JournalError(f"{self.path} cannot be written: {error.strerror}") from None
        self._keep(key, result, keep_log)

    def _keep(self, key: str, result: MatchResult, logged: bool) -> None:
        self._results[key] = result
        if logged:
            self._logged.add(key)

    def _lock(self, file: BufferedRandom) -> None:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise JournalError(f"{self.path} is in use by another run") from None

    def _read(self, file: BufferedRandom) -> None:
        data = file.read()
        header = {
            "schema": SCHEMA,
            "digest": sha256(_canonical(self.experiment)).hexdigest(),
            "experiment": dict(self.experiment),
        }
        first, has_ended, rest = data.partition(b"\n")
        if not has_ended and _canonical(header).startswith(first):
            # New, or killed before even the first line was written.
            file.seek(0)
            file.truncate()
            _append(file, header)
            return
        self._require_ours(first, header)
        *lines, torn = rest.split(b"\n")
        for number, line in enumerate(lines, start=2):
            self._keep(*self._entry(line, number))
        file.truncate(len(data) - len(torn))
        file.seek(0, os.SEEK_END)

    def _require_ours(self, line: bytes, header: Mapping[str, Any]) -> None:
        try:
            found = json.loads(line)
        except ValueError:
            found = None
        if not isinstance(found, dict) or not str(found.get("schema")).startswith("railbird.journal/"):
            raise JournalError(f"{self.path} is no journal of an experiment, and is left as it is")
        if found["schema"] != SCHEMA:
            raise JournalError(f"{self.path} has the form {found['schema']}, but {SCHEMA} is expected")
        if found.get("digest") != header["digest"]:
            difference = _difference(found.get("experiment"), json.loads(_canonical(self.experiment)))
            raise JournalError(f"{self.path} belongs to another experiment{difference}, and is left as it is")

    def _entry(self, line: bytes, number: int) -> tuple[str, MatchResult, bool]:
        try:
            entry = json.loads(line)
            result = match_result_from_json(entry["result"])
            if entry["match"] == plan_digest(result.plan):
                return entry["match"], result, bool(entry["logged"])
        except (ValueError, LookupError, TypeError, AttributeError):
            # Said below, for every kind of damage alike.
            pass
        raise JournalError(
            f"line {number} of {self.path} is damaged; without that line its match is played again"
        )


def _append(file: BufferedRandom, entry: Mapping[str, Any]) -> None:
    file.write(_canonical(entry) + b"\n")
    file.flush()
    os.fsync(file.fileno())


def _canonical(data: Mapping[str, Any]) -> bytes:
    return json.dumps(data, sort_keys=True, separators=(",", ":")).encode("ascii")


def _difference(theirs: Any, ours: Mapping[str, Any]) -> str:
    """What tells two experiments apart, in a few words."""
    if not isinstance(theirs, dict):
        return ""
    for key in sorted(theirs.keys() | ours.keys()):
        if theirs.get(key) != ours.get(key):
            return f" (its {key} is {theirs.get(key)!r}, not {ours.get(key)!r})"
    return ""


def plan_digest(plan: MatchPlan) -> str:
    """A name for everything that a plan says."""
    return sha256(_canonical(plan_to_json(plan))).hexdigest()


def plan_to_json(plan: MatchPlan) -> dict[str, Any]:
    """A plan as plain data."""
    return {
        "game": plan.game,
        "entrants": [[entrant.label, entrant.agent, entrant.files] for entrant in plan.entrants],
        "hands": plan.hands,
        "seed": plan.seed,
        "name": list(plan.name),
        "duplicate": plan.duplicate.value,
        "bust": plan.bust.value,
        "faults": plan.faults.value,
        "limits": {
            "decision_s": plan.limits.decision_s,
            "hand_s": plan.limits.hand_s,
            "memory_mb": plan.limits.memory_mb,
            "open_files": plan.limits.open_files,
        },
        "shuffle": plan.shuffle,
        "snapshot": plan.snapshot,
    }


def plan_from_json(data: Mapping[str, Any]) -> MatchPlan:
    """The plan that `plan_to_json` wrote."""
    return MatchPlan(
        game=data["game"],
        entrants=tuple(Entrant(*fields) for fields in data["entrants"]),
        hands=data["hands"],
        seed=data["seed"],
        name=tuple(data["name"]),
        duplicate=Duplicate(data["duplicate"]),
        bust=Bust(data["bust"]),
        faults=FaultPolicy(data["faults"]),
        limits=Limits(**data["limits"]),
        shuffle=data["shuffle"],
        snapshot=data["snapshot"],
    )


def match_result_to_json(result: MatchResult) -> dict[str, Any]:
    """A finished match as plain data; sums are exact ints, however large."""
    tally = result.tally
    return {
        "plan": plan_to_json(result.plan),
        "tally": {
            "units": tally.units,
            "hands": tally.hands,
            "totals": list(tally.totals),
            "products": [list(row) for row in tally.products],
        },
        "digest": result.digest,
        "rebuys": list(result.rebuys),
        "statistics": [statistics.to_json() for statistics in result.statistics],
        "curve": [list(point) for point in result.curve],
        "faults": [_fault_to_json(record) for record in result.faults],
        "void": None if result.void is None else _fault_to_json(result.void),
        "log": list(result.log),
        "experience": [list(texts) for texts in result.experience],
    }


def match_result_from_json(data: Mapping[str, Any]) -> MatchResult:
    """The result that `match_result_to_json` wrote."""
    tally = data["tally"]
    return MatchResult(
        plan=plan_from_json(data["plan"]),
        tally=Tally(
            units=tally["units"],
            hands=tally["hands"],
            totals=tuple(tally["totals"]),
            products=tuple(map(tuple, tally["products"])),
        ),
        digest=data["digest"],
        rebuys=tuple(data["rebuys"]),
        statistics=tuple(map(PlayerStatistics.from_json, data["statistics"])),
        curve=tuple(map(tuple, data["curve"])),
        faults=tuple(map(_fault_from_json, data["faults"])),
        void=None if data["void"] is None else _fault_from_json(data["void"]),
        log=tuple(data["log"]),
        experience=tuple(map(tuple, data["experience"])),
    )


def _fault_to_json(record: FaultRecord) -> dict[str, Any]:
    return {
        "label": record.label,
        "hand_number": record.hand_number,
        "fault": record.fault.value,
        "detail": record.detail,
    }


def _fault_from_json(data: Mapping[str, Any]) -> FaultRecord:
    return FaultRecord(data["label"], data["hand_number"], Fault(data["fault"]), data["detail"])
