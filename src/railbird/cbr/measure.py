"""A similarity in the form that compiled searches use (`kernels.cases.similarity`)."""

from collections.abc import Sequence
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from railbird.cbr.schema import Symbol
from railbird.cbr.similarity import (
    AllOrNothing,
    Decay,
    GroupedSimilarity,
    Linear,
    Local,
    Similarity,
    SimilarityError,
    SymbolSimilarity,
)
from railbird.cbr.target import Target
from railbird.kernels.cases.similarity import (
    COUNT,
    DECAY,
    EQUAL,
    FIRST,
    KIND,
    LINEAR,
    RATE,
    SPAN,
    SYMBOL,
    WEIGHT,
)

_NO_SYMBOLS: NDArray[np.float64] = np.zeros(1)
_REMEMBERED = 1_000_000
"""Maximum number of cached similarities between symbols."""


class Sought(NamedTuple):
    """A problem in the form that compiled searches use."""

    numbers: NDArray[np.float64]
    """Its values in the order of the schema; 0 for symbols."""
    measure: NDArray[np.float64]
    """The rows of the measure."""
    symbols: NDArray[np.float64]
    """The similarities of all known symbols to its own."""

    @property
    def greatest(self) -> float:
        """How similar a case can be at most: with equal numbers, and of every symbol the most similar known one."""
        of_symbols = self.measure[self.measure[:, KIND] == SYMBOL]
        lost = 0.0
        for weight, first, count in of_symbols[:, [WEIGHT, FIRST, COUNT]].tolist():
            known = self.symbols[int(first) : int(first + count)]
            lost += weight * (1.0 - float(known.max(initial=0.0)))
        return 1.0 - lost / float(self.measure[:, WEIGHT].sum())


class Measure:
    """A similarity over the vocabularies of a case base, which may grow."""

    def __init__(self, similarity: Similarity, vocabularies: Sequence[list[str] | None]) -> None:
        self.similarity = similarity
        self.rows: NDArray[np.float64] = np.zeros((len(similarity.schema.attributes), 4))
        self._vocabularies = vocabularies
        self._symbols: list[int] = []
        self._remembered: dict[tuple[int, str], NDArray[np.float64]] = {}
        self._groups: dict[int, _Groups] = {}
        for place, attribute in enumerate(similarity.schema.attributes):
            local, weight = similarity.parts[attribute.name]
            self.rows[place, WEIGHT] = weight
            if isinstance(attribute, Symbol):
                self.rows[place, KIND] = SYMBOL
                self._symbols.append(place)
            elif isinstance(local, Linear | Decay):
                kind = LINEAR if isinstance(local, Linear) else DECAY
                self.rows[place, [KIND, RATE, SPAN]] = kind, local.rate, local.span
            else:
                assert isinstance(local, AllOrNothing)
                self.rows[place, [KIND, RATE, SPAN]] = EQUAL, 1.0, 1.0

    def sought(self, target: Target) -> Sought:
        """A problem in compiled form."""
        return Sought(target.numbers, self.rows, self._symbols_of(target))

    def _symbols_of(self, target: Target) -> NDArray[np.float64]:
        """The similarities of all known symbols to the target's, by attribute; writes their places to `rows`."""
        if not self._symbols:
            return _NO_SYMBOLS
        parts, first = [], 0
        for place in self._symbols:
            part = self._similarities(place, target)
            self.rows[place, FIRST], self.rows[place, COUNT] = first, len(part)
            first += len(part)
            parts.append(part)
        return np.concatenate(parts) if first else _NO_SYMBOLS

    def _similarities(self, place: int, target: Target) -> NDArray[np.float64]:
        name = self.similarity.schema.names[place]
        wanted = cast(str, target.description[name])
        vocabulary = self._vocabularies[place]
        assert vocabulary is not None
        own = target.own.get(name)
        if own is not None:
            return _compare(name, own, wanted, vocabulary)
        known = self._remembered.get((place, wanted))
        if known is None or len(known) < len(vocabulary):
            if len(self._remembered) * len(vocabulary) > _REMEMBERED:
                self._remembered.clear()
            local = self.similarity.parts[name][0]
            if isinstance(local, GroupedSimilarity):
                groups = self._groups.setdefault(place, _Groups(local, vocabulary))
                members = groups.members(wanted)
                known = np.zeros(len(vocabulary))
                known[members] = _compare(name, local, wanted, [vocabulary[each] for each in members])
            else:
                known = _compare(name, local, wanted, vocabulary)
            self._remembered[place, wanted] = known
        return known


class _Groups:
    """The symbols of a vocabulary, which may grow, by their groups."""

    def __init__(self, similarity: GroupedSimilarity, vocabulary: list[str]) -> None:
        self._similarity = similarity
        self._vocabulary = vocabulary
        self._count = 0
        self._members: dict[str, list[int]] = {}

    def members(self, symbol: str) -> list[int]:
        """The places of all symbols in the group of a symbol."""
        group = self._similarity.group
        for place in range(self._count, len(self._vocabulary)):
            self._members.setdefault(group(self._vocabulary[place]), []).append(place)
        self._count = len(self._vocabulary)
        return self._members.get(group(symbol), [])


def _compare(name: str, local: Local, wanted: str, vocabulary: Sequence[str]) -> NDArray[np.float64]:
    compare = cast(SymbolSimilarity, local)
    found = np.array([compare(wanted, symbol) for symbol in vocabulary], dtype=np.float64)
    wrong = ~((found >= 0.0) & (found <= 1.0))
    if wrong.any():
        place = int(wrong.argmax())
        raise SimilarityError(
            f"{name}: the similarity of {wanted!r} to {vocabulary[place]!r} is {found[place]}, not between 0 and 1"
        )
    return found
