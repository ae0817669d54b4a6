"""Random schemas with a similarity, and random cases and problems: with ties, symbols, merged cases and any weights."""

from collections.abc import Callable
from random import Random

from railbird.cbr.case_base import CaseBase
from railbird.cbr.schema import Attribute, Number, Schema, Symbol, Value
from railbird.cbr.similarity import (
    AllOrNothing,
    ByProbability,
    Decay,
    Linear,
    Local,
    Matrix,
    Similarity,
    SymbolPairs,
)
from railbird.cbr.target import Target

SYMBOLS = tuple("abcdefghij")
SOLUTIONS = ("stay", "go", "run")


def shared_letters(target: str, case: str) -> float:
    """A similarity of names that no table holds, as betting sequences need one."""
    return len(set(target) & set(case)) / len(set(target) | set(case))


class EquallyLong:
    """The same for names of one length; others have nothing in common."""

    def group(self, symbol: str) -> str:
        return str(len(symbol))

    def __call__(self, target: str, case: str) -> float:
        return shared_letters(target, case) if len(target) == len(case) else 0.0


def random_attribute(draw: Random, name: str) -> tuple[Attribute, Local, Callable[[], Value]]:
    """An attribute with a similarity and a way to draw values: few ones, so that there are ties, or any."""
    span = draw.choice((0.5, 1.0, 7.0, 168.0))
    few = [draw.uniform(0, span) for _ in range(draw.randint(1, 6))]
    values = draw.choice((lambda: draw.choice(few), lambda: draw.uniform(0, span)))
    wide = lambda: draw.gauss(0, 2 * span)  # noqa: E731
    matrix = Matrix(SYMBOLS, tuple(tuple(round(draw.random(), 1) for _ in SYMBOLS) for _ in SYMBOLS))
    pairs = tuple((draw.choice(SYMBOLS), draw.choice(SYMBOLS), draw.random()) for _ in range(5))
    names = lambda: "".join(draw.choices("rc-", k=draw.randint(1, 9)))  # noqa: E731
    symbols = lambda: draw.choice(SYMBOLS)  # noqa: E731
    kinds: list[tuple[Attribute, Local, Callable[[], Value]]] = [
        (Number(name), Linear(span), values),
        (Number(name), Linear(span, rate=3.0), values),
        (Number(name), Linear(span), wide),
        (Number(name), Decay(1.0), values),
        (Number(name), Decay(4.0, span), values),
        (Number(name), AllOrNothing(), values),
        (Number(name, whole=True), Decay(2.0, 5.0), lambda: draw.randint(0, 5)),
        (Symbol(name, SYMBOLS), AllOrNothing(), symbols),
        (Symbol(name, SYMBOLS), matrix, symbols),
        (Symbol(name), SymbolPairs(pairs, otherwise=0.1), symbols),
        (Symbol(name), shared_letters, names),
        (Symbol(name), EquallyLong(), names),
    ]
    return draw.choice(kinds)


class World:
    """A random schema with a similarity, and cases and targets to draw from it."""

    def __init__(self, draw: Random) -> None:
        self.draw = draw
        kinds = [
            random_attribute(draw, f"attribute {place}") for place in range(draw.choice((1, 2, 3, 5, 9, 12)))
        ]
        self.schema = Schema(tuple(attribute for attribute, _, _ in kinds), SOLUTIONS)
        weights = [draw.choice((0.0, 1.0, 5.0, 80.0, draw.random())) for _ in kinds]
        weights[0] = weights[0] or 1.0
        parts = zip(self.schema.names, kinds, weights, strict=True)
        self.similarity = Similarity(self.schema, {name: (kind[1], weight) for name, kind, weight in parts})
        self.values = {name: kind[2] for name, kind in zip(self.schema.names, kinds, strict=True)}
        self.base = CaseBase(self.schema)
        self.merges = draw.random() < 0.3

    def description(self) -> dict[str, Value]:
        if len(self.base) and self.draw.random() < 0.3:
            return self.base.description(self.draw.randrange(len(self.base)))
        return {name: value() for name, value in self.values.items()}

    def add(self, count: int) -> None:
        for _ in range(count):
            self.base.add(
                self.description(), self.draw.choice(SOLUTIONS), self.draw.random(), merge=self.merges
            )

    def target(self) -> Target:
        own: dict[str, Local] = {}
        for attribute in self.schema.attributes:
            if isinstance(attribute, Symbol) and self.draw.random() < 0.2:
                chances = ((symbol, self.draw.random()) for symbol in self.draw.sample(SYMBOLS, 3))
                own[attribute.name] = ByProbability(tuple(chances))
        return Target(self.schema, self.description(), own)
