"""Speed figures, each as a ratio to a peer measured in the same run.

- `measuring`: times both sides alternately
- `report`: prints and writes the figures
- `parts/`: the figures of one part of the system each
"""

from collections.abc import Iterable, Iterator
from importlib import import_module
from typing import TYPE_CHECKING

from railbird.spec import unknown

if TYPE_CHECKING:
    from railbird.benchmarks.measuring import Figure

NAMES = (
    "evaluator",
    "engine",
    "environment",
    "strength",
    "arena",
    "store",
    "reading",
    "protocol",
    "decisions",
    "watching",
    "retrieval",
    "growth",
    "memory",
    "inference",
    "solving",
    "start",
)


def require_known(names: Iterable[str]) -> None:
    """Refuse names of unknown benchmarks."""
    for name in names:
        if name not in NAMES:
            raise unknown("benchmark", name, NAMES)


def figures(name: str) -> "Iterator[Figure]":
    """Measure the figures of one part of the system, yielding each as it is known."""
    require_known([name])
    yield from import_module(f"railbird.benchmarks.parts.{name}").figures()
