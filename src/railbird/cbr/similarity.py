"""How similar two values are, and two descriptions.

A local similarity is a small frozen object that is called with the target's value and the case's, and returns 1.0 for
an exact match down to 0.0 for nothing in common:

- `Linear`: falls evenly with the difference ("Euclidean" in casper-2007, equation 1; with a rate in sartre-2012,
  equation 2)
- `Decay`: e^(−rate · difference) (casper-2007, equation 2), or of the difference as a fraction of the range
  (baycarp-2011 §5.4.3)
- `AllOrNothing`: equal or not
- `Matrix`: a similarity for every pair of symbols (sartre-2012, figure 3)
- `SymbolPairs`: similarities of some pairs of symbols, and one for all other pairs
- `ByProbability`: how close the probabilities of two symbols are (baycarp-2011 §5.4.3)

For symbols, any function of two names can be used; one that is a `GroupedSimilarity` is compared faster. `Similarity`
is the weighted mean (casper-2007, equation 3).

>>> Decay(4.0, span=168)(1, 18)  # baycarp-2011: pocket aces against jack-ten suited
0.667...
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import exp, isfinite
from typing import Protocol, TypeAlias, cast, runtime_checkable

from railbird.cbr.schema import Number, Schema, Value
from railbird.spec import unknown

LEAST_WEIGHT = 1e-300
"""Minimum weight above 0: products with smaller weights would lose precision."""


class SimilarityError(ValueError):
    """An invalid similarity, or one that does not fit its attribute."""


def _require_positive(what: str, number: float) -> None:
    if not (isfinite(number) and number > 0):
        raise SimilarityError(f"{what} must be a number above 0, not {number}")


@dataclass(frozen=True, slots=True)
class Linear:
    """Falls linearly to 0 at a difference of the whole span; `rate` times as fast."""

    span: float
    rate: float = 1.0

    def __post_init__(self) -> None:
        _require_positive("the span of a linear similarity", self.span)
        _require_positive("the rate of a linear similarity", self.rate)

    def __call__(self, target: float, case: float) -> float:
        """How similar two numbers are."""
        return max(0.0, 1.0 - self.rate * (abs(case - target) / self.span))


@dataclass(frozen=True, slots=True)
class Decay:
    """Falls exponentially with the difference, or with a span, with the difference as a fraction of it."""

    rate: float
    span: float = 1.0

    def __post_init__(self) -> None:
        _require_positive("the rate of an exponential decay", self.rate)
        _require_positive("the span of an exponential decay", self.span)

    def __call__(self, target: float, case: float) -> float:
        """How similar two numbers are."""
        return exp(-(self.rate * (abs(case - target) / self.span)))


@dataclass(frozen=True, slots=True)
class AllOrNothing:
    """1 if equal, else 0."""

    def __call__(self, target: Value, case: Value) -> float:
        """Whether two values are equal."""
        return 1.0 if target == case else 0.0


@dataclass(frozen=True)
class Matrix:
    """A similarity for every pair of symbols: one row for each symbol of the target, one column for each of a case."""

    symbols: tuple[str, ...]
    rows: tuple[tuple[float, ...], ...]

    def __post_init__(self) -> None:
        size = len(self.symbols)
        if len(set(self.symbols)) != size:
            raise SimilarityError(f"a symbol occurs twice in the matrix of {', '.join(self.symbols)}")
        if len(self.rows) != size or any(len(row) != size for row in self.rows):
            raise SimilarityError(f"a matrix of {size} symbols must have {size} rows of {size} similarities")

    @cached_property
    def _places(self) -> Mapping[str, int]:
        return {symbol: place for place, symbol in enumerate(self.symbols)}

    def __call__(self, target: str, case: str) -> float:
        """How similar two symbols are."""
        try:
            return self.rows[self._places[target]][self._places[case]]
        except KeyError as error:
            raise SimilarityError(str(unknown("symbol of the matrix", error.args[0], self.symbols))) from None


@dataclass(frozen=True)
class SymbolPairs:
    """Similarities of some pairs, in either order; 1 for equal symbols and `otherwise` for all other pairs."""

    pairs: tuple[tuple[str, str, float], ...]
    otherwise: float = 0.0

    @cached_property
    def _of_pair(self) -> Mapping[tuple[str, str], float]:
        turned = {(second, first): similarity for first, second, similarity in self.pairs}
        return turned | {(first, second): similarity for first, second, similarity in self.pairs}

    def __call__(self, target: str, case: str) -> float:
        """How similar two symbols are."""
        if target == case:
            return self._of_pair.get((target, case), 1.0)
        return self._of_pair.get((target, case), self.otherwise)


@dataclass(frozen=True)
class ByProbability:
    """1 − |P(target) − P(case)| among the symbols that have a probability; 0 for all others."""

    probabilities: tuple[tuple[str, float], ...]

    @cached_property
    def _of_symbol(self) -> Mapping[str, float]:
        return dict(self.probabilities)

    def __call__(self, target: str, case: str) -> float:
        """How similar two symbols are."""
        of = self._of_symbol
        if target not in of or case not in of:
            return 0.0
        return 1.0 - abs(of[target] - of[case])


@runtime_checkable
class GroupedSimilarity(Protocol):
    """A similarity of symbols that have nothing in common unless they are in the same group."""

    def group(self, symbol: str) -> str:
        """The group of a symbol."""
        ...

    def __call__(self, target: str, case: str) -> float:
        """How similar two symbols are."""
        ...


SymbolSimilarity: TypeAlias = Callable[[str, str], float]
Local: TypeAlias = Linear | Decay | AllOrNothing | Matrix | SymbolPairs | ByProbability | SymbolSimilarity


@dataclass(frozen=True)
class Similarity:
    """The weighted mean of the local similarities: Σ weight · similarity / Σ weight, in the order of the schema."""

    schema: Schema
    parts: Mapping[str, tuple[Local, float]]
    """The local similarity and the weight of every attribute."""

    def __post_init__(self) -> None:
        for name in self.parts:
            if name not in self.schema.places:
                raise SimilarityError(str(unknown("attribute", name, self.schema.names)))
        for attribute in self.schema.attributes:
            if attribute.name not in self.parts:
                raise SimilarityError(f"the attribute {attribute.name!r} has no similarity")
            local, weight = self.parts[attribute.name]
            numeric = isinstance(local, Linear | Decay)
            if isinstance(attribute, Number) != numeric and not isinstance(local, AllOrNothing):
                kind = "numbers" if isinstance(attribute, Number) else "symbols"
                raise SimilarityError(f"{attribute.name}: {type(local).__name__} does not compare {kind}")
            if not (isfinite(weight) and weight >= 0):
                raise SimilarityError(f"{attribute.name}: a weight must be 0 or more, not {weight}")
            if 0 < weight < LEAST_WEIGHT:
                raise SimilarityError(
                    f"{attribute.name}: a weight must be 0 or at least {LEAST_WEIGHT}, not {weight}"
                )
        if self.total <= 0:
            raise SimilarityError("at least one attribute must have a weight above 0")

    @cached_property
    def total(self) -> float:
        """The sum of all weights."""
        total = 0.0
        for name in self.schema.names:
            total += self.parts[name][1]
        return total

    def weights(self) -> dict[str, float]:
        """The weight of every attribute, in the order of the schema."""
        return {name: self.parts[name][1] for name in self.schema.names}

    def with_weights(self, weights: Mapping[str, float]) -> "Similarity":
        """The same local similarities with other weights; attributes that are not named keep theirs."""
        for name in weights:
            if name not in self.parts:
                raise SimilarityError(str(unknown("attribute", name, self.schema.names)))
        return Similarity(
            self.schema,
            {name: (local, weights.get(name, weight)) for name, (local, weight) in self.parts.items()},
        )

    def locals_of(
        self,
        target: Mapping[str, Value],
        case: Mapping[str, Value],
        own: Mapping[str, Local] | None = None,
    ) -> dict[str, float]:
        """The similarity of every attribute, in the order of the schema; `own` replaces some local similarities."""
        found = {}
        for name in self.schema.names:
            local = (own or {}).get(name, self.parts[name][0])
            found[name] = cast(Callable[[Value, Value], float], local)(target[name], case[name])
        return found

    def __call__(self, target: Mapping[str, Value], case: Mapping[str, Value]) -> float:
        """How similar a case's description is to the target's."""
        found = 0.0
        for name, similarity in self.locals_of(target, case).items():
            found += self.parts[name][1] * similarity
        return found / self.total
