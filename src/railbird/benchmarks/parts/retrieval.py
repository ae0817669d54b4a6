"""Speed of case retrieval: against a full scan, scikit-learn's trees and CBRkit, all on one core.

Cases resemble CASPER's on the flop (casper-2007, table 1): twelve attributes, of which hand strength and the
potentials, those of random hands on random flops, have by far the largest weights and a linear similarity; bets are
compared by exponential decay. A query asks for every case with a similarity of at least 0.97, or else for the best 20.
The time of a query includes the call from Python and the sort, and is the median over all queries; sides take turns.

- The full scan is our own search without a tree: it examines the bytes of every case.
- scikit-learn has no such similarity. Its trees use a city-block distance that is never above the true loss, so they
  find the true cases and some more, which is less work than finding them exactly.
- Many problems at once are the hands of one public situation, as in a strategy of all holdings: they differ in hand
  strength and potentials only. Their strategies are the actions counted in the cases, and must be made at least five
  times as fast as one by one. Their lists of cases have no requirement: no strategy needs them, and every list is
  measured and sorted on its own, which is most of the work.
- CBRkit compares the same attributes with the same kinds of similarity, one case after the other.
"""

from collections.abc import Callable, Iterator
from importlib import import_module
from statistics import median
from time import process_time
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from railbird.benchmarks.measuring import Figure, bounded, compare_rates, compared, if_installed
from railbird.cbr.case_base import CaseBase
from railbird.cbr.columns import from_columns, to_columns
from railbird.cbr.cycle import index
from railbird.cbr.cycle.episode import Episode
from railbird.cbr.cycle.many import Problems, solve_many
from railbird.cbr.cycle.retrieve import AtLeastElseNearest, Retrieve, Search
from railbird.cbr.cycle.reuse import Probabilistic
from railbird.cbr.schema import Number, Schema
from railbird.cbr.similarity import Decay, Linear, Similarity
from railbird.cbr.target import Target
from railbird.equities.strength import strength
from railbird.rng import Stream

THRESHOLD = 0.97
ELSE = 20
QUERIES = 300
SITUATIONS, HANDS = 10, 500
_SPOTS = 10_000
_SEED = "bench retrieval"

_PARTS: dict[str, tuple[Linear | Decay, float]] = {
    "hand strength": (Linear(1.0), 80.0),
    "positive potential": (Linear(1.0), 80.0),
    "negative potential": (Linear(1.0), 80.0),
    "bets to call": (Decay(4.0, 4.0), 20.0),
    "bets committed": (Decay(4.0, 4.0), 20.0),
    "players": (Linear(8.0), 5.0),
    "relative position": (Linear(1.0), 5.0),
    "players in hand": (Linear(8.0), 5.0),
    "players yet to act": (Linear(9.0), 5.0),
    "pot odds": (Linear(0.5), 5.0),
    "raises": (Decay(4.0, 4.0), 5.0),
    "aggression": (Linear(1.0), 5.0),
}
SCHEMA = Schema(tuple(Number(name) for name in _PARTS), ("fold", "call", "raise"))
SIMILARITY = Similarity(SCHEMA, _PARTS)
RETRIEVE = Retrieve(SIMILARITY, AtLeastElseNearest(THRESHOLD, ELSE))

Query: TypeAlias = Callable[[Target], object]


def figures() -> Iterator[Figure]:
    """The search against the requirement and every installed peer, and the loading of a million cases."""
    spots = random_spots()
    targets = [
        Target(SCHEMA, dict(zip(SCHEMA.names, row, strict=True)))
        for row in descriptions(spots, QUERIES, "queries").tolist()
    ]
    for count, bound in ((100_000, 15.0), (1_000_000, 60.0)):
        base = case_base(descriptions(spots, count, f"{count} cases"))
        name = f"retrieval at {THRESHOLD}, {count:,} cases"
        few = targets[:30]
        ours, theirs = _medians((_search(base), targets), (_full_scan(base), few))
        yield bounded(name, ours, bound, "µs")
        yield compared(name, ours, "full scan", theirs, "µs", 10.0)
        for tree in ("KDTree", "BallTree"):
            peer = _scikit_learn(base, tree)
            ours, theirs = _medians((_search(base), targets), (peer, few))
            yield compared(name, ours, f"scikit-learn, {tree}", theirs or None, "µs", 7.0)
        yield from _at_once(base, spots, count)
        if count == 1_000_000:
            yield bounded(f"load of {count:,} cases, tree included", _loading(base), 2.0, "s")
    base = case_base(descriptions(spots, 35_000, "35000 cases"))
    ours, theirs = _medians((_search(base), targets), (_cbrkit(base), targets[:1]), turns=2)
    yield compared(f"retrieval at {THRESHOLD}, 35,000 cases", ours, "CBRkit", theirs or None, "µs", 1000.0)


def _medians(
    ours: tuple[Query, list[Target]], theirs: tuple[Query | None, list[Target]], turns: int = 5
) -> tuple[list[float], list[float]]:
    """The median time of a query in µs in each turn, on both sides; the first turn is a warm-up."""
    times: tuple[list[float], list[float]] = ([], [])
    for turn in range(turns + 1):
        for (query, targets), side in zip((ours, theirs), times, strict=True):
            if query is None:
                continue
            durations = []
            for target in targets:
                start = process_time()
                query(target)
                durations.append(process_time() - start)
            if turn:
                side.append(median(durations) * 1e6)
    return times


def _at_once(base: CaseBase, spots: NDArray[np.float64], count: int) -> Iterator[Figure]:
    """Many hands in a few public situations at once, against one by one: their cases, and their strategies."""
    hands = descriptions(spots, HANDS, "hands")
    varying = {name: hands[:, place] for place, name in enumerate(SCHEMA.names[:3])}
    situations = [
        Problems(Target(SCHEMA, dict(zip(SCHEMA.names, row, strict=True))), varying)
        for row in descriptions(spots, SITUATIONS, "situations").tolist()
    ]
    numbers = [each.distinct()[0] for each in situations]
    targets = [
        Target(SCHEMA, dict(zip(SCHEMA.names, row, strict=True))) for rows in numbers for row in rows.tolist()
    ]
    reuse = Probabilistic()

    def cases_at_once() -> int:
        searches = [Search(base, SIMILARITY, each.target) for each in situations]
        found = zip(searches, numbers, strict=True)
        return sum(len(list(RETRIEVE.policy.many(search, rows))) for search, rows in found)

    def cases_one_by_one() -> int:
        return len([RETRIEVE(base, Episode(target)) for target in targets])

    def strategies_at_once() -> int:
        return sum(len(solve_many(RETRIEVE, reuse, base, each, (0.0, 1.0, 0.0))) for each in situations)

    def strategies_one_by_one() -> int:
        return len([reuse(base, RETRIEVE(base, Episode(target))) for target in targets])

    for name, together, alone, required in (
        ("cases", cases_at_once, cases_one_by_one, None),
        ("strategies", strategies_at_once, strategies_one_by_one, 5.0),
    ):
        yield compare_rates(
            f"{name} of {HANDS} hands at once, {count:,} cases",
            together,
            "one by one",
            alone,
            unit="hands/s",
            required=required,
        )


def random_spots() -> NDArray[np.float64]:
    """Hand strength, PPot and NPot of random hands on random flops."""
    generator = Stream.from_seed(_SEED).child("spots").generator()
    spots = np.empty((_SPOTS, 3))
    for place in range(_SPOTS):
        cards = generator.permutation(52)[:5].tolist()
        found = strength(cards[:2], cards[2:])
        spots[place] = found.hs, found.ppot, found.npot
    return spots


def descriptions(spots: NDArray[np.float64], count: int, name: str) -> NDArray[np.float64]:
    """`count` descriptions: slightly shifted random spots in betting situations of a limit ring game."""
    generator = Stream.from_seed(_SEED).child(name).generator()
    chosen = spots[generator.integers(0, len(spots), count)] + generator.normal(
        0, (0.01, 0.004, 0.004), (count, 3)
    )
    hs, ppot, npot = np.clip(chosen, 0.0, 1.0).T
    players = generator.choice(
        np.arange(2, 11), count, p=[0.06, 0.05, 0.06, 0.08, 0.12, 0.14, 0.15, 0.17, 0.17]
    )
    in_hand = np.minimum(players, 2 + generator.binomial(players - 2, 0.25))
    to_call = generator.choice(4, count, p=[0.55, 0.3, 0.12, 0.03])
    committed = np.minimum(4, generator.poisson(0.6 + 0.4 * to_call))
    pot = 2 + 1.2 * in_hand + 2 * committed + generator.exponential(2, count)
    columns = (
        hs ** np.sqrt(np.maximum(1, in_hand - 1)),
        ppot,
        npot,
        to_call,
        committed,
        players,
        np.round(generator.integers(0, 10, count) % players / (players - 1), 3),
        in_hand,
        generator.binomial(in_hand - 1, 0.5),
        np.round(to_call / (pot + to_call), 3),
        np.minimum(4, to_call + generator.poisson(0.3, count)),
        np.round(generator.beta(2, 3, count), 2),
    )
    return np.stack([column.astype(np.float64) for column in columns], axis=1)


def case_base(values: NDArray[np.float64]) -> CaseBase:
    """Cases of these descriptions, with random solutions."""
    columns: dict[str, NDArray[Any]] = dict(zip(SCHEMA.names, values.T, strict=True))
    columns["solution"] = Stream.from_seed(_SEED).child("solutions").generator().integers(0, 3, len(values))
    columns["outcome"] = np.full(len(values), np.nan)
    return from_columns(SCHEMA, columns)


def _search(base: CaseBase) -> Query:
    return lambda target: RETRIEVE(base, Episode(target))


def _full_scan(base: CaseBase) -> Query:
    measure = base.measure(SIMILARITY)
    usual = index.LEAF_SIZE
    index.LEAF_SIZE = len(base)
    try:
        scan = index.Index(base.values, measure)
    finally:
        index.LEAF_SIZE = usual
    return lambda target: scan.above(THRESHOLD, measure.sought(target))


def _loading(base: CaseBase) -> list[float]:
    """The time from columns to the first answer, in seconds, in three turns."""
    columns = to_columns(base)
    target = base.target(0)
    durations = []
    for _ in range(3):
        start = process_time()
        RETRIEVE(from_columns(SCHEMA, columns), Episode(target))
        durations.append(process_time() - start)
    return durations


@if_installed
def _scikit_learn(base: CaseBase, tree: str) -> Query:
    neighbors = import_module("sklearn.neighbors")
    # The chord of a decay over its span is below it, so the distance is never above the loss.
    slopes = np.array(
        [
            weight / local.span * (1.0 if isinstance(local, Linear) else 1.0 - np.exp(-local.rate))
            for local, weight in _PARTS.values()
        ]
    )
    found = getattr(neighbors, tree)(base.values * slopes, metric="manhattan")
    radius = (1.0 - THRESHOLD) * SIMILARITY.total

    def query(target: Target) -> object:
        return found.query_radius(
            (target.numbers * slopes)[np.newaxis], radius, return_distance=True, sort_results=True
        )

    return query


@if_installed
def _cbrkit(base: CaseBase) -> Query:
    cbrkit = import_module("cbrkit")
    similarity = cbrkit.sim.attribute_value(
        attributes={
            name: cbrkit.sim.numbers.linear(max=local.span)
            if isinstance(local, Linear)
            else cbrkit.sim.numbers.exponential(alpha=local.rate / local.span)
            for name, (local, _) in _PARTS.items()
        },
        aggregator=cbrkit.sim.aggregator(
            pooling="mean", pooling_weights={name: weight for name, (_, weight) in _PARTS.items()}
        ),
    )
    cases = {number: base.description(number) for number in range(len(base))}
    retrieval = cbrkit.retrieval
    if hasattr(retrieval, "dropout"):
        apply = retrieval.apply_query
        retriever = retrieval.dropout(retrieval.build(similarity), min_similarity=THRESHOLD)
    else:
        # CBRkit 0.14, the last version for Python 3.11.
        apply = retrieval.apply
        retriever = retrieval.build(similarity, min_similarity=THRESHOLD)

    def query(target: Target) -> object:
        return apply(cases, dict(target.description), retriever)

    return query
