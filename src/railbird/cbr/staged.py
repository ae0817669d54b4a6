"""Cases whose attributes and weights change from stage to stage, as one table that is easy to compare with a paper.

A row is an attribute: its values, its metric, and its weight in each stage. `None` in place of a weight means that the
cases of a stage do not have the attribute; with a weight of 0 they have it, but it does not count.

>>> from railbird.cbr.schema import Number, Symbol
>>> from railbird.cbr.similarity import AllOrNothing, Linear
>>> table = StagedTable(
...     ("quote", "repair"),
...     (
...         Row(Symbol("noise"), AllOrNothing(), (10, 30)),
...         Row(Number("wear", low=0, high=1), Linear(1.0), (None, 10)),
...     ),
...     ("oil", "replace"),
... )
>>> table.names("quote"), table.names("repair")
(('noise',), ('noise', 'wear'))
>>> table.similarity("repair")({"noise": "squeak", "wear": 0.5}, {"noise": "squeak", "wear": 0.1})
0.9
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from railbird.cbr.schema import Attribute, Schema, SchemaError
from railbird.cbr.similarity import Local, Similarity
from railbird.spec import unknown

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Row:
    """One attribute: its values, how two of them are compared, and its weight stage by stage."""

    attribute: Attribute
    metric: Local
    weights: tuple[float | None, ...]


@dataclass(frozen=True)
class StagedTable:
    """The attributes of all stages, in the order of the schemas, and the solutions."""

    stages: tuple[str, ...]
    rows: tuple[Row, ...]
    solutions: tuple[str, ...]

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row.weights) != len(self.stages):
                name, weights, stages = row.attribute.name, len(row.weights), len(self.stages)
                raise SchemaError(f"{name} has {weights} weights for {stages} stages")

    def __getitem__(self, name: str) -> Row:
        """The row of an attribute."""
        for row in self.rows:
            if row.attribute.name == name:
                return row
        raise unknown("attribute", name, [row.attribute.name for row in self.rows])

    @cached_property
    def schemas(self) -> Mapping[str, Schema]:
        """The schema of every stage."""
        return {
            stage: Schema(tuple(row.attribute for row, _ in self._used(place)), self.solutions)
            for place, stage in enumerate(self.stages)
        }

    @cached_property
    def _similarities(self) -> Mapping[str, Similarity]:
        return {
            stage: Similarity(
                self.schemas[stage],
                {row.attribute.name: (row.metric, weight) for row, weight in self._used(place)},
            )
            for place, stage in enumerate(self.stages)
        }

    def _used(self, place: int) -> list[tuple[Row, float]]:
        weights = ((row, row.weights[place]) for row in self.rows)
        return [(row, float(weight)) for row, weight in weights if weight is not None]

    def names(self, stage: str) -> tuple[str, ...]:
        """The attributes of a stage."""
        return self.schema(stage).names

    def schema(self, stage: str) -> Schema:
        """The schema of a stage."""
        return self._of_stage(self.schemas, stage)

    def similarity(self, stage: str, weights: Mapping[str, float] | None = None) -> Similarity:
        """How similar two situations of a stage are; `weights` replace those of the table for the attributes named."""
        similarity = self._of_stage(self._similarities, stage)
        return similarity.with_weights(weights) if weights else similarity

    def _of_stage(self, values: Mapping[str, _T], stage: str) -> _T:
        if stage not in values:
            raise unknown("stage", stage, self.stages)
        return values[stage]
