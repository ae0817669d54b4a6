"""How the cost of retrieval grows with the number of cases: time, building and memory from 10,000 to 10 million.

The cases and queries are those of `retrieval`. Two kinds of queries are measured: for every case above the threshold,
whose number grows with the case base, and for the 20 most similar cases. The bound of each figure is three times that
of a tenth of the cases. Memory is what remains allocated once the case base and its tree are built from columns; it is
counted in a second building, because counting takes time. 10 million cases take about 3 GB, and the descriptions that
they are built from another one.
"""

import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from statistics import median
from time import process_time

import numpy as np
from numpy.typing import NDArray

from railbird.benchmarks.measuring import Figure, bounded, plain
from railbird.benchmarks.parts.retrieval import (
    ELSE,
    QUERIES,
    SCHEMA,
    SIMILARITY,
    THRESHOLD,
    case_base,
    descriptions,
    random_spots,
)
from railbird.cbr.case_base import CaseBase
from railbird.cbr.cycle.episode import Episode
from railbird.cbr.cycle.retrieve import AtLeast, Nearest, Retrieve
from railbird.cbr.target import Target

COUNTS = (10_000, 100_000, 1_000_000, 10_000_000)
FACTOR = 3.0
"""By how much the cost of a query may grow when the number of cases grows tenfold."""
TURNS = 3


@dataclass(frozen=True, slots=True)
class Cost:
    """What a case base of one size costs."""

    threshold: list[float]
    """The time of a query for all cases above the threshold, in µs, in several turns."""
    nearest: list[float]
    """The same for the most similar cases."""
    building: float
    """The processor time to build the case base and its tree, in seconds."""
    size: float
    """The memory of a case and its place in the tree, in bytes."""


def figures() -> Iterator[Figure]:
    """The figures of every size; those of the smallest have no bound."""
    spots = random_spots()
    targets = [
        Target(SCHEMA, dict(zip(SCHEMA.names, row, strict=True)))
        for row in descriptions(spots, QUERIES, "queries").tolist()
    ]
    before: Cost | None = None
    for count in COUNTS:
        cost = cost_of(descriptions(spots, count, f"{count} cases"), targets)
        for name, of in _QUERIES.items():
            title = f"{name}, {count:,} cases"
            if before is None:
                figure = plain(title, of(cost), "µs")
            else:
                figure = bounded(title, of(cost), FACTOR * median(of(before)), "µs")
            yield replace(figure, point=(name, count))
        yield plain(f"building of {count:,} cases", [cost.building], "s")
        yield plain(f"memory of a case, {count:,} cases", [cost.size], "bytes")
        before = cost


_QUERIES: dict[str, Callable[[Cost], list[float]]] = {
    f"all cases above {THRESHOLD}": lambda cost: cost.threshold,
    f"the {ELSE} most similar cases": lambda cost: cost.nearest,
}


def cost_of(values: NDArray[np.float64], targets: list[Target]) -> Cost:
    """Build a case base of these descriptions, and measure it with these queries."""
    start = process_time()
    base = _built(values)
    building = process_time() - start
    above, nearest = (Retrieve(SIMILARITY, policy) for policy in (AtLeast(THRESHOLD), Nearest(ELSE)))
    times: tuple[list[float], list[float]] = ([], [])
    for turn in range(TURNS + 1):
        for retrieve, turns in zip((above, nearest), times, strict=True):
            each = _median_time(retrieve, base, targets)
            if turn:
                turns.append(each)
    del base
    tracemalloc.start()
    try:
        base = _built(values)
        size = tracemalloc.get_traced_memory()[0] / len(base)
    finally:
        tracemalloc.stop()
    return Cost(*times, building, size)


def _built(values: NDArray[np.float64]) -> CaseBase:
    base = case_base(values)
    base.index(base.measure(SIMILARITY))
    return base


def _median_time(retrieve: Retrieve, base: CaseBase, targets: list[Target]) -> float:
    durations = []
    for target in targets:
        start = process_time()
        retrieve(base, Episode(target))
        durations.append(process_time() - start)
    return 1e6 * median(durations)
