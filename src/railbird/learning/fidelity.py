"""How faithful an imitator is: it learns from most hands of a player and predicts the player's decisions in the others.

1. Hold out a part of the hands. Which ones depends only on the hand's id and its file (`imitation.part_of`).
2. Learn from all other hands as `railbird watch` does; cases are merged if the system merges them.
3. Predict every held-out decision from the cases that the system's agents would retrieve (`imitation.predict`).
4. Compare the predictions with two baselines: the most frequent action of the stage (`majority`), and the most frequent
   action of the stage with or without a bet to call (`usual`).

A prediction agrees if the most probable action was the actual one; its log-loss is −ln of the probability of the actual
action, in nats. All intervals are 95 % intervals whose independent units are hands, because the decisions of one hand
depend on each other.
"""

from array import array
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from railbird import __version__
from railbird.agents.system import System
from railbird.cbr.case_base import CaseBase
from railbird.cbr.schema import Schema
from railbird.cbr.similarity import Local
from railbird.cbr.target import Target
from railbird.engine.record import HandRecord
from railbird.explanation.formats import format_percent
from railbird.frames import data_frame
from railbird.learning.imitation import (
    PARTS,
    ImitationError,
    MeanByHand,
    Predictions,
    Targets,
    part_of,
    predict,
    shares,
)
from railbird.learning.reading import prepare, read_into
from railbird.learning.systems import system_named
from railbird.learning.watching import SeenDecision, Watcher, require_cases
from railbird.notation.refusals import Refused
from railbird.notation.sources import Names, Sources

if TYPE_CHECKING:
    import polars as pl

SCHEMA = "railbird.imitation/1"
ALL = "all"
"""The name of all stages together."""
_AT_ONCE = 256

Steps = Callable[[str, int, int], None]
"""Called with the name of a step, the work done and the total."""


@dataclass(frozen=True, slots=True)
class PredictionScore:
    """How well decisions are predicted."""

    agreement: MeanByHand
    """The share in which the most probable action was the actual one."""
    log_loss: MeanByHand
    """The mean of −ln of the probability of the actual action, in nats."""


@dataclass(frozen=True, slots=True)
class Fidelity:
    """How well the decisions of one stage, or of all, are predicted."""

    cases: int
    """Number of cases for retrieval."""
    decisions: int
    """Number of predicted decisions."""
    hands: int
    """Number of hands with these decisions."""
    imitator: PredictionScore
    majority: PredictionScore
    """The most frequent action of the stage."""
    usual: PredictionScore
    """The most frequent action of the stage with, and without, a bet to call."""
    over_majority: PredictionScore
    """The imitator's score minus that of `majority`."""
    over_usual: PredictionScore
    """The imitator's score minus that of `usual`."""
    missed: float
    """The share for which no case was similar enough."""

    @property
    def is_better(self) -> bool:
        """Whether the imitator beats `usual` by agreement or by log-loss, and loses by neither, at 95 % confidence."""
        gains = [(self.over_usual.agreement, 1), (self.over_usual.log_loss, -1)]
        surely = [sign * gain.mean for gain, sign in gains if abs(gain.mean) > (gain.within or inf)]
        return bool(surely) and min(surely) > 0


@dataclass(frozen=True, slots=True)
class Imitated:
    """The fidelity of an imitator."""

    system: str
    players: tuple[str, ...]
    sources: tuple[str, ...]
    parts: int
    """One hand in this many was held out."""
    hands: int
    """Number of hands read."""
    learnt: int
    """Number of decisions that were learnt."""
    stages: dict[str, Fidelity]
    """By stage, and for all of them together under `all`; stages without held-out decisions are omitted."""
    refused: Refused = field(repr=False)
    """Hands that could not be read."""

    @property
    def warnings(self) -> tuple[str, ...]:
        """Whether the imitator is no better than the usual action, altogether or in some stages, in sentences."""
        found = self.stages[ALL]
        if not found.is_better:
            return (not_better(self.system, found),)
        weak = [stage for stage, of_stage in self.stages.items() if not of_stage.is_better]
        return tuple(f"on the {stage}: {not_better(self.system, self.stages[stage])}" for stage in weak)

    def to_json(self) -> dict[str, Any]:
        """The result as plain data."""
        return {
            "schema": SCHEMA,
            "system": self.system,
            "players": list(self.players),
            "sources": list(self.sources),
            "held_out": f"1 hand in {self.parts}",
            "hands": self.hands,
            "learnt": self.learnt,
            "stages": {stage: asdict(found) for stage, found in self.stages.items()},
            "warnings": list(self.warnings),
            "version": __version__,
        }

    def to_frame(self) -> "pl.DataFrame":
        """A row for each stage."""
        return data_frame(
            [
                {
                    "stage": stage,
                    "decisions": found.decisions,
                    **{
                        f"{measure} of {name}": getattr(getattr(found, name), measure).mean
                        for name in ("imitator", "majority", "usual")
                        for measure in ("agreement", "log_loss")
                    },
                }
                for stage, found in self.stages.items()
            ]
        )


def not_better(system: str, found: Fidelity) -> str:
    """The warning about an imitator that is no better than the usual action."""
    return (
        f"these hands do not show that {system} predicts better than the most frequent action with or without a bet to "
        f"call: it agrees with {format_percent(found.imitator.agreement.mean)} of the decisions, that action with "
        f"{format_percent(found.usual.agreement.mean)}"
    )


def imitate(
    logs: Names,
    players: Iterable[str] | None = None,
    *,
    system: str | System = "casper",
    network: str = "",
    parts: int = PARTS,
    most: int | None = None,
    from_format: str | None = None,
    game: str | None = None,
    encoding: str = "auto",
    bad: Path | None = None,
    progress: Steps | None = None,
) -> Imitated:
    """Measure how well an imitator of players predicts their decisions in hands that it has not seen.

    >>> import railbird, tempfile
    >>> log = f"{tempfile.mkdtemp()}/hands.log"
    >>> results = railbird.match(["always-call", "random"], hands=100, seed=1, log=log)
    >>> imitated = imitate(log, ["always-call"], system="casper")
    >>> imitated.stages["all"].imitator.agreement.mean
    1.0

    Args:
        logs: Files or folders of hands, in any format.
        players: The players to imitate; all players by default.
        system: The system that learns, as for `watch`.
        network: For BayCaRP, the network that reads opponents, an XDSL file.
        parts: One hand in this many is held out.
        most: Maximum number of predicted decisions per stage, evenly spread; all by default.
        from_format: The format of the logs; recognised by default.
        game: The game of ACPC logs that do not name it.
        encoding: The encoding of the logs.
        bad: The file to which hands that cannot be read are written, if any.
        progress: Called with the name of a step, the work done and the total.

    """
    if parts < 2:
        raise ImitationError(f"hands must be divided into at least 2 parts, not {parts}")
    learner = system if isinstance(system, System) else system_named(system, network)
    sources = Sources.named(logs, from_format, game, encoding)
    tell = progress or (lambda _step, _done, _total: None)
    prepare(learner, sources, partial(tell, "building tables"))
    watched = tuple(players or ())
    lesson = Lesson(learner, parts)
    watcher = Watcher(learner, watched, lesson.add)
    read = read_into(watcher.add, sources, partial(tell, "watching"), bad=bad)
    require_cases(str(sources), watched, watcher, read.refused)
    stages = lesson.examine(most, partial(tell, "predicting"))
    if not stages:
        raise ImitationError(f"{sources}: 1 hand in {parts} is held out, which leaves no decision to predict")
    return Imitated(
        learner.name,
        tuple(watcher.players),
        tuple(file.name for file in read.files),
        parts,
        watcher.counts.hands,
        lesson.learnt,
        stages,
        read.refused,
    )


class _Stage:
    """What is learnt and held out in one stage."""

    def __init__(self, schema: Schema) -> None:
        self.cases = CaseBase(schema)
        self.counts = np.zeros((2, len(schema.solutions)), np.int64)
        """The learnt decisions by solution, without (row 0) and with (row 1) a bet to call."""
        self.held_out = CaseBase(schema)
        self.own: dict[int, dict[str, Local]] = {}
        """Similarities specific to held-out decisions."""
        self.facing, self.hands = array("q"), array("q")
        """Of every held-out decision, whether there was a bet to call, and the number of the hand."""

    def targets(self, rows: NDArray[np.int64]) -> Targets:
        """Some of the held-out decisions."""
        base = self.held_out
        problems = [
            Target(base.schema, base.description(row), self.own.get(row, {})) for row in rows.tolist()
        ]
        return Targets(rows, tuple(problems), base.counts[rows].argmax(axis=1), np.asarray(self.facing)[rows])


@dataclass(frozen=True, slots=True, eq=False)
class Marks:
    """Decision by decision: the hand, and for imitator, majority and usual whether they agreed, and their losses."""

    hands: NDArray[np.int64]
    right: NDArray[np.float64]
    losses: NDArray[np.float64]
    met: NDArray[np.bool_]

    @classmethod
    def of(
        cls,
        predicted: Predictions,
        targets: Targets,
        hands: NDArray[np.int64],
        majority: NDArray[np.float64],
        usual: NDArray[np.float64],
    ) -> "Marks":
        """The marks of predictions and of the baselines; `usual` has a row without and one with a bet to call."""
        right, chances = [predicted.right], [predicted.chances]
        for baseline in (np.tile(majority, (len(targets), 1)), usual[targets.facing_bet]):
            right.append(baseline.argmax(axis=1) == targets.done)
            chances.append(baseline[np.arange(len(targets)), targets.done])
        return cls(
            hands,
            np.stack(right, axis=1).astype(np.float64),
            -np.log(np.stack(chances, axis=1)),
            predicted.met,
        )

    @classmethod
    def joined(cls, marks: Sequence["Marks"]) -> "Marks":
        """The marks of all decisions together."""
        return cls(
            np.concatenate([each.hands for each in marks]),
            np.concatenate([each.right for each in marks]),
            np.concatenate([each.losses for each in marks]),
            np.concatenate([each.met for each in marks]),
        )

    def fidelity(self, cases: int) -> Fidelity:
        """How well these decisions are predicted from so many cases."""

        def score(*columns: int) -> PredictionScore:
            """The score of one column, or of the first minus the second."""
            return PredictionScore(
                *(
                    MeanByHand.of(np.subtract.reduce(values[:, columns], axis=1), self.hands)
                    for values in (self.right, self.losses)
                )
            )

        return Fidelity(
            cases,
            len(self.hands),
            len(np.unique(self.hands)),
            score(0),
            score(1),
            score(2),
            score(0, 1),
            score(0, 2),
            float(1.0 - self.met.mean()),
        )


class Lesson:
    """Divides decisions into those that are learnt and those that are held out, and predicts the latter."""

    def __init__(self, system: System, parts: int) -> None:
        self.stages = {stage: _Stage(schema) for stage, schema in system.table.schemas.items()}
        self._system = system
        self._parts = parts
        self._hand: HandRecord | None = None
        self._is_held_out = False
        self._held_out_hands = 0

    @property
    def learnt(self) -> int:
        """Number of decisions learnt."""
        return sum(int(stage.counts.sum()) for stage in self.stages.values())

    def add(self, seen: SeenDecision, _outcome: float | None) -> None:
        """Learn a decision or hold it out."""
        if seen.record is not self._hand:
            self._hand = seen.record
            part = part_of(seen.source, seen.record.hand_id, self._parts)
            self._is_held_out = part == self._parts - 1
            self._held_out_hands += self._is_held_out
        stage, described = self.stages[seen.stage], seen.described
        facing = int(seen.observation.to_call > 0)
        if not self._is_held_out:
            stage.cases.add(described.attributes, described.solution, merge=self._system.merges)
            stage.counts[facing, stage.cases.schema.solution_place(described.solution)] += 1
            return
        row = stage.held_out.add(described.attributes, described.solution)
        stage.facing.append(facing)
        stage.hands.append(self._held_out_hands)
        if described.own:
            stage.own[row] = dict(described.own)

    def examine(
        self, most: int | None, progress: Callable[[int, int], None] = lambda _done, _total: None
    ) -> dict[str, Fidelity]:
        """Predict the held-out decisions."""
        marks: dict[str, Marks] = {}
        asked = {name: _rows(len(stage.held_out), most) for name, stage in self.stages.items()}
        done, total = 0, sum(map(len, asked.values()))
        for name, rows in asked.items():
            if not len(rows):
                continue
            parts = []
            for chosen in np.split(rows, range(_AT_ONCE, len(rows), _AT_ONCE)):
                parts.append(self._marks(name, chosen))
                done += len(chosen)
                progress(done, total)
            marks[name] = Marks.joined(parts)
        found = {name: each.fidelity(len(self.stages[name].cases)) for name, each in marks.items()}
        if found:
            cases = sum(len(self.stages[name].cases) for name in found)
            found[ALL] = Marks.joined([*marks.values()]).fidelity(cases)
        return found

    def _marks(self, name: str, rows: NDArray[np.int64]) -> Marks:
        stage, system = self.stages[name], self._system
        targets = stage.targets(rows)
        usual = np.stack([shares(counts) for counts in stage.counts])
        predicted = predict(
            stage.cases, targets, system.table.similarity(name), system.retrieval(name), usual
        )
        return Marks.of(
            predicted, targets, np.asarray(stage.hands)[rows], shares(stage.counts.sum(axis=0)), usual
        )


def _rows(count: int, most: int | None) -> NDArray[np.int64]:
    """All rows, or `most` of them, evenly spread."""
    return np.arange(count) if most is None or most >= count else np.arange(most) * count // most
