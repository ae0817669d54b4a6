"""Cases in columns, and their searches.

A case is one row: the values of its attributes and, for every solution, how often it was chosen, how many of these
outcomes are known, and their sum. A *single* case holds one decision; a *merged* case holds all decisions with the same
description (sartre-2012 §5.2.3). Both use the same columns, so all functions work on both. Cases are numbered in the
order in which they were added.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import isfinite
from struct import Struct
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from railbird.cbr.cycle.index import Index
from railbird.cbr.measure import Measure
from railbird.cbr.schema import Schema, Symbol, Value
from railbird.cbr.similarity import Similarity
from railbird.cbr.target import Target
from railbird.kernels.cases.tallies import SEVERAL


class CaseBaseError(ValueError):
    """Invalid case data, or a case that does not exist."""


@dataclass(frozen=True, slots=True)
class Case:
    """One case in readable form: how often each solution was chosen, and the known outcomes."""

    number: int
    description: Mapping[str, Value]
    counts: Mapping[str, int]
    known: Mapping[str, int]
    sums: Mapping[str, float]


class CaseBase:
    """Cases of one schema; they are added, never changed, except that equal descriptions may be merged."""

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        attributes, solutions = len(schema.attributes), len(schema.solutions)
        self._count = 0
        self._row = Struct(f"{attributes}d")
        self._values: NDArray[np.float64] = np.empty((0, attributes))
        self._counts: NDArray[np.int64] = np.empty((0, solutions), dtype=np.int64)
        self._known: NDArray[np.int64] = np.empty((0, solutions), dtype=np.int64)
        self._sums: NDArray[np.float64] = np.empty((0, solutions))
        self._vocabularies: list[list[str] | None] = [
            list(attribute.values) if isinstance(attribute, Symbol) else None
            for attribute in schema.attributes
        ]
        self._codes = [
            None if words is None else {word: code for code, word in enumerate(words)}
            for words in self._vocabularies
        ]
        self._chosen: NDArray[np.int16] | None = None
        self._measure: Measure | None = None
        self._index: Index | None = None
        self._situations: dict[bytes, int] | None = None
        self._situation_of: NDArray[np.int64] = np.empty(0, dtype=np.int64)

    @classmethod
    def of_arrays(
        cls,
        schema: Schema,
        values: NDArray[np.float64],
        counts: NDArray[np.int64],
        known: NDArray[np.int64],
        sums: NDArray[np.float64],
        vocabularies: Mapping[str, ArrayLike],
    ) -> "CaseBase":
        """Cases from arrays that are already checked; the case base keeps a reference to them."""
        base = cls(schema)
        base._count = len(values)
        base._values, base._counts, base._known, base._sums = values, counts, known, sums
        for name, symbols in vocabularies.items():
            words = [str(symbol) for symbol in np.asarray(symbols).tolist()]
            base._vocabularies[schema.places[name]] = words
            base._codes[schema.places[name]] = {word: code for code, word in enumerate(words)}
        return base

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Case]:
        return map(self.case, range(self._count))

    @property
    def values(self) -> NDArray[np.float64]:
        """The values of the attributes, by row; a symbol is its number in the vocabulary."""
        return self._values[: self._count]

    @property
    def counts(self) -> NDArray[np.int64]:
        """How often every solution was chosen, by row."""
        return self._counts[: self._count]

    @property
    def known(self) -> NDArray[np.int64]:
        """The number of known outcomes of every solution, by row."""
        return self._known[: self._count]

    @property
    def sums(self) -> NDArray[np.float64]:
        """The sum of the known outcomes of every solution, by row."""
        return self._sums[: self._count]

    @property
    def chosen(self) -> NDArray[np.int16]:
        """The only decision of every case: the number of a solution, or `SEVERAL` if it has more decisions."""
        if self._chosen is None:
            self._chosen = np.full(len(self._counts), SEVERAL, dtype=np.int16)
            is_single = self.counts.sum(axis=1) == 1
            self._chosen[: self._count][is_single] = self.counts[is_single].argmax(axis=1)
        return self._chosen[: self._count]

    @property
    def decisions(self) -> int:
        """The total number of decisions in all cases."""
        return int(self.counts.sum())

    @property
    def is_single(self) -> bool:
        """Whether every case holds one decision."""
        return self.decisions == self._count

    def vocabulary(self, attribute: str) -> tuple[str, ...]:
        """The symbols of an attribute, by number."""
        words = self._vocabularies[self.schema.place(attribute)]
        if words is None:
            raise CaseBaseError(f"{attribute} is a number and has no vocabulary")
        return tuple(words)

    def vocabularies(self) -> dict[str, tuple[str, ...]]:
        """The symbols of every symbolic attribute."""
        names = zip(self.schema.names, self._vocabularies, strict=True)
        return {name: tuple(words) for name, words in names if words is not None}

    def case(self, number: int) -> Case:
        """One case."""
        solutions = self.schema.solutions
        return Case(
            number,
            self.description(number),
            dict(zip(solutions, self._counts[number].tolist(), strict=True)),
            dict(zip(solutions, self._known[number].tolist(), strict=True)),
            dict(zip(solutions, self._sums[number].tolist(), strict=True)),
        )

    def description(self, number: int) -> dict[str, Value]:
        """The description of one case; whole numbers as ints."""
        if not 0 <= number < self._count:
            raise CaseBaseError(f"there is no case {number}: there are {self._count} cases, numbered from 0")
        found: dict[str, Value] = {}
        for attribute, words, value in zip(
            self.schema.attributes, self._vocabularies, self._values[number].tolist(), strict=True
        ):
            if words is not None:
                found[attribute.name] = words[int(value)]
            else:
                whole = not isinstance(attribute, Symbol) and attribute.whole
                found[attribute.name] = int(value) if whole else value
        return found

    def target(self, number: int) -> Target:
        """The description of one case as a problem."""
        return Target(self.schema, self.description(number))

    def add(
        self,
        description: Mapping[str, Value],
        solution: str,
        outcome: float | None = None,
        *,
        merge: bool = False,
    ) -> int:
        """Add a decision and return the number of its case: a new one, or with `merge` the one so described."""
        place = self.schema.solution_place(solution)
        if outcome is not None and not isfinite(outcome):
            raise CaseBaseError(f"an outcome must be a finite number or unknown, not {outcome}")
        row = self._encode(description)
        known = self._number_of(row) if merge else None
        number = self._append(row) if known is None else known
        self._counts[number, place] += 1
        if self._chosen is not None:
            self._chosen[number] = place if known is None else SEVERAL
        if outcome is not None:
            self._known[number, place] += 1
            self._sums[number, place] += outcome
        return number

    def _encode(self, description: Mapping[str, Value]) -> bytes:
        """The row of a checked description; new symbols are added to the vocabularies."""
        self.schema.require_names(description)
        row = []
        for place, attribute in enumerate(self.schema.attributes):
            value, codes = description[attribute.name], self._codes[place]
            if codes is None:
                attribute.require(value)
                # Adding zero makes a negative zero positive, so that equal values have equal bytes.
                row.append(float(value) + 0.0)
                continue
            code = codes.get(cast(str, value))
            if code is None:
                self.schema.require(description)
                code = self._new_symbol(place, cast(str, value))
            row.append(code)
        return self._row.pack(*row)

    def _new_symbol(self, place: int, word: str) -> int:
        words, codes = self._vocabularies[place], self._codes[place]
        assert words is not None
        assert codes is not None
        codes[word] = len(words)
        words.append(word)
        return codes[word]

    def _append(self, row: bytes) -> int:
        number = self._count
        if number == len(self._values):
            size = max(64, 2 * number)
            self._values = _grown(self._values, size)
            self._counts = _grown(self._counts, size)
            self._known = _grown(self._known, size)
            self._sums = _grown(self._sums, size)
            if self._chosen is not None:
                self._chosen = _grown(self._chosen, size)
            if self._situations is not None:
                self._situation_of = _grown(self._situation_of, size)
        self._values[number] = np.frombuffer(row)
        self._count += 1
        if self._index is not None:
            self._index.append(self._values[number])
        if self._situations is not None:
            self._situation_of[number] = self._situations.setdefault(row, number)
        return number

    def _number_of(self, row: bytes) -> int | None:
        """The first case with this description."""
        return self._known_situations().get(row)

    def _known_situations(self) -> dict[bytes, int]:
        if self._situations is None:
            first: dict[bytes, int] = {}
            size = self._values.shape[1] * self._values.itemsize
            joined = np.ascontiguousarray(self.values).tobytes()
            self._situation_of = np.zeros(len(self._values), dtype=np.int64)
            self._situation_of[: self._count] = [
                first.setdefault(joined[number * size : (number + 1) * size], number)
                for number in range(self._count)
            ]
            self._situations = first
        return self._situations

    def situations(self) -> NDArray[np.int64]:
        """For every case, the number of the first case with the same description."""
        self._known_situations()
        return self._situation_of[: self._count]

    def select(self, rows: ArrayLike) -> "CaseBase":
        """A case base of these cases only, renumbered in the given order; `rows` may be a boolean mask."""
        chosen = np.asarray(rows)
        return CaseBase.of_arrays(
            self.schema,
            self.values[chosen].copy(),
            self.counts[chosen].copy(),
            self.known[chosen].copy(),
            self.sums[chosen].copy(),
            self.vocabularies(),
        )

    def measure(self, similarity: Similarity) -> Measure:
        """A similarity in compiled form; the last one is cached."""
        if self._measure is None or self._measure.similarity is not similarity:
            if similarity.schema != self.schema:
                raise CaseBaseError("the similarity compares cases of another schema")
            self._measure = Measure(similarity, self._vocabularies)
        return self._measure

    def index(self, measure: Measure) -> Index:
        """The search tree, laid out by the weights of the first similarity that uses it."""
        if self._index is None:
            self._index = Index(np.ascontiguousarray(self.values), measure)
        return self._index


def _grown(array: NDArray[Any], size: int) -> NDArray[Any]:
    new = np.zeros((size, *array.shape[1:]), dtype=array.dtype)
    new[: len(array)] = array
    return new
