"""The finished matches of an experiment on disk, from which a killed one resumes.

A journal is an append-only text file next to the results (`results.json.journal`). Its first line identifies the
experiment: {"schema": "railbird.journal/3", "digest": …, "experiment": {…}}, where the experiment is what all its
matches have in common. Every further line is one finished match: {"match": digest of its plan, "logged": whether its
hands were kept, "result": …}, or a note with another expensive value: {"note": its name, "value": …}. A match counts
as finished when its line is on disk, so kill -9 loses only the running matches; an incomplete line is truncated at
the next start.
"""

import json
from collections.abc import Mapping
from dataclasses import replace
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import Any

from railbird.agent.faults import Fault
from railbird.arena.play.guard import FaultRecord
from railbird.arena.play.match import MatchResult
from railbird.arena.play.plan import Bust, Duplicate, Entrant, FaultPolicy, Limits, MatchPlan
from railbird.arena.results.compact import compact
from railbird.arena.results.statistics import PlayerStatistics
from railbird.arena.results.tally import Tally
from railbird.arena.run.growing_journal import GrowingJournal, JournalError, canonical, difference, read_line
from railbird.places import without_passwords
from railbird.plain_data import ANY_NAME, read_json, require_like

SCHEMA = "railbird.journal/3"
SUFFIX = ".journal"


_LARGEST = 10**100
"""Upper bound for sums: no match reaches it, and larger ones could not be divided."""
_FAULT_SHAPE = {"label": "", "hand_number": (0, None), "fault": "", "detail": ""}
_TALLY_SHAPE = {"units": 0, "hands": 0, "totals": [0], "products": [[0]]}
_RESULT_SHAPE = {
    "plan": {
        "game": "",
        "entrants": [[""]],
        "hands": 0,
        "seed": "",
        "name": [("", 0)],
        "duplicate": "",
        "bust": "",
        "faults": "",
        "limits": {ANY_NAME: (None, 0.0)},
        "shuffle": True,
        "snapshot": "",
        "without_luck": True,
    },
    "tally": _TALLY_SHAPE,
    "without_luck": (None, _TALLY_SHAPE),
    "digest": "",
    "rebuys": [0],
    "statistics": [{}],
    "curve": [[0]],
    "faults": [_FAULT_SHAPE],
    "void": (None, _FAULT_SHAPE),
    "log": [""],
    "experience": [[""]],
}
"""An example of a finished match as plain data, for `require_like`."""


def journal_beside(results: Path) -> Path:
    """The path of the journal of a results file."""
    return results.with_name(results.name + SUFFIX)


def experiment_of(path: Path) -> dict[str, Any] | None:
    """What the matches of a journal have in common, as far as it can be read; None without a journal."""
    try:
        with path.open("rb") as file:
            found = read_line(file.readline()).get("experiment")
    except OSError:
        return None
    return found if isinstance(found, dict) else None


class Journal(GrowingJournal):
    """The finished matches of an experiment; open and locked inside its `with` block.

    `experiment` is plain data: everything that must be the same for matches to belong together, such as the game, the
    seed, the number of hands and the version. Players may be left out, so that new ones can join the same journal.
    """

    def __init__(self, path: Path, experiment: Mapping[str, Any]) -> None:
        super().__init__(path)
        self.experiment = experiment
        self._results: dict[str, MatchResult] = {}
        self._logged: set[str] = set()
        self._notes: dict[str, Any] = {}

    def __len__(self) -> int:
        return len(self._results)

    @property
    def is_empty(self) -> bool:
        """Whether it has neither matches nor notes."""
        return not self._results and not self._notes

    def find(self, plan: MatchPlan, *, keep_log: bool = False) -> MatchResult | None:
        """The result of a match if it is finished, and includes its hands if they are required."""
        key = plan_digest(plan)
        result = self._results.get(key)
        if result is None or (keep_log and key not in self._logged):
            return None
        # Journals name agents without passwords.
        return replace(result, plan=plan) if keep_log else replace(result, plan=plan, log=())

    def add(self, result: MatchResult, *, keep_log: bool = False) -> None:
        """Write a finished match; it is on disk when this returns."""
        key = plan_digest(result.plan)
        self._write({"match": key, "logged": keep_log, "result": match_result_to_json(result)})
        self._keep(key, result, keep_log)

    def note(self, name: str) -> Any:
        """The plain data of a note; None without one."""
        return self._notes.get(name)

    def add_note(self, name: str, value: Any) -> None:
        """Write a note with plain data; it is on disk when this returns."""
        self._write({"note": name, "value": value})
        self._notes[name] = value

    def _keep(self, key: str, result: MatchResult, logged: bool) -> None:
        self._results[key] = result
        if logged:
            self._logged.add(key)

    def _header(self) -> Mapping[str, Any]:
        return {
            "schema": SCHEMA,
            "digest": sha256(canonical(self.experiment)).hexdigest(),
            "experiment": dict(self.experiment),
        }

    def _require_ours(self, line: bytes, header: Mapping[str, Any]) -> None:
        found = read_line(line)
        if not str(found.get("schema")).startswith("railbird.journal/"):
            raise JournalError(f"{self.path} is not a journal of an experiment; the file was not changed")
        if found["schema"] != SCHEMA:
            raise JournalError(f"{self.path} has the schema {found['schema']}, but {SCHEMA} is expected")
        if found.get("digest") != header["digest"]:
            told_apart = difference(found.get("experiment"), json.loads(canonical(self.experiment)))
            raise JournalError(
                f"{self.path} belongs to another experiment{told_apart}; the file was not changed"
            )

    def _take(self, line: bytes, number: int) -> None:
        try:
            entry = read_json(line)
            if "note" in entry:
                require_like(entry["note"], "", "the note")
                self._notes[entry["note"]] = entry["value"]
                return
            result = match_result_from_json(entry["result"])
            if entry["match"] == plan_digest(result.plan):
                self._keep(entry["match"], compact(result), bool(entry["logged"]))
                return
        except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError):
            # Reported below, the same for every kind of damage.
            pass
        raise JournalError(
            f"line {number} of {self.path} is damaged; delete the line to play its match again"
        )


def plan_digest(plan: MatchPlan) -> str:
    """The digest of a plan."""
    return sha256(canonical(plan_to_json(plan))).hexdigest()


def plan_to_json(plan: MatchPlan) -> dict[str, Any]:
    """A plan as plain data."""
    return {
        "game": plan.game,
        "entrants": [
            [entrant.label, without_passwords(entrant.agent), entrant.files] for entrant in plan.entrants
        ],
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
        "without_luck": plan.without_luck,
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
        without_luck=data["without_luck"],
    )


def match_result_to_json(result: MatchResult) -> dict[str, Any]:
    """A finished match as plain data; sums are exact ints, however large."""
    return {
        "plan": plan_to_json(result.plan),
        "tally": _tally_to_json(result.tally),
        "without_luck": None if result.without_luck is None else _tally_to_json(result.without_luck),
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
    """The result that `match_result_to_json` wrote; raises an error for another shape or number of players."""
    require_like(data, _RESULT_SHAPE, "the result")
    plan, without_luck = plan_from_json(data["plan"]), data["without_luck"]
    _require_sizes(data, len(plan.entrants))
    return MatchResult(
        plan=plan,
        tally=_tally_from_json(data["tally"]),
        without_luck=None if without_luck is None else _tally_from_json(without_luck),
        digest=data["digest"],
        rebuys=tuple(data["rebuys"]),
        statistics=tuple(map(PlayerStatistics.from_json, data["statistics"])),
        curve=tuple(map(tuple, data["curve"])),
        faults=tuple(map(_fault_from_json, data["faults"])),
        void=None if data["void"] is None else _fault_from_json(data["void"]),
        log=tuple(data["log"]),
        experience=tuple(map(tuple, data["experience"])),
    )


def _require_sizes(data: Mapping[str, Any], players: int) -> None:
    """Raise an error for a result that does not have one entry for each player."""
    tallies = [data["tally"], *[data["without_luck"]] * (data["without_luck"] is not None)]
    lists = [data["rebuys"], data["statistics"]]
    for tally in tallies:
        lists += [tally["totals"], tally["products"], *tally["products"]]
    lists += [point[1:] for point in data["curve"]]
    if data["experience"]:
        lists.append(data["experience"])
    are_sums = all(0 <= tally["units"] <= tally["hands"] for tally in tallies)
    if any(len(each) != players for each in lists) or not are_sums:
        raise JournalError(f"the result is not for {players} players")
    numbers = [*data["rebuys"]]
    for tally in tallies:
        numbers += [tally["hands"], *tally["totals"], *chain.from_iterable(tally["products"])]
    numbers += chain.from_iterable(data["curve"])
    if any(abs(number) > _LARGEST for number in numbers):
        raise JournalError("the result has a number outside the possible range")


def _tally_to_json(tally: Tally) -> dict[str, Any]:
    return {
        "units": tally.units,
        "hands": tally.hands,
        "totals": list(tally.totals),
        "products": [list(row) for row in tally.products],
    }


def _tally_from_json(data: Mapping[str, Any]) -> Tally:
    return Tally(data["units"], data["hands"], tuple(data["totals"]), tuple(map(tuple, data["products"])))


def _fault_to_json(record: FaultRecord) -> dict[str, Any]:
    return {
        "label": record.label,
        "hand_number": record.hand_number,
        "fault": record.fault.value,
        "detail": record.detail,
        "seating": record.seating,
    }


def _fault_from_json(data: Mapping[str, Any]) -> FaultRecord:
    seating = data.get("seating", 0)  # missing in journals of earlier versions
    require_like(seating, 0, "the seating of a fault")
    return FaultRecord(data["label"], data["hand_number"], Fault(data["fault"]), data["detail"], seating)
