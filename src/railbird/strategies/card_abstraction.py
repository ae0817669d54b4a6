"""Holdings put into buckets on every street: which situations a strategy treats alike.

Before the flop every class of holdings is a bucket of its own. There are two kinds of abstractions: `percentiles`
divides the deals evenly, by E[HS²] on flop and turn and by hand strength on the river; `clusters` puts situations
together that have similar chances against groups of the opponent's holdings (`strategies.clusters`). An abstraction is
named by its kind and its numbers of buckets on flop, turn and river:

>>> CardAbstraction.parse("percentiles:200").buckets
(169, 200, 200, 200)
>>> str(CardAbstraction.parse("clusters:2000/1000/500"))
'clusters:2000/1000/500'

Buckets of flop and turn are tables over situations up to suits, made once and kept in the cache folder.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from railbird.cards import Card
from railbird.equities.buckets import Buckets, percentile_buckets
from railbird.equities.table_files import Progress, read_array, write_array
from railbird.equities.tables import StrengthMeasure, table
from railbird.hands.evaluator import tables as evaluator_tables
from railbird.hands.holdings import CLASS_OF_HOLDING, CLASSES, HOLDINGS
from railbird.hands.isomorphism import SITUATIONS
from railbird.kernels.solve import boards
from railbird.kernels.solve import buckets as kernels
from railbird.kernels.strength.tables import RIVER_SCORES
from railbird.places import cache_folder
from railbird.strategies import clusters

_NAME = re.compile(r"(?P<kind>percentiles|clusters):(?P<counts>\d+(?:/\d+/\d+)?)")
MOST_BUCKETS = 1 << 14


class CardAbstractionError(ValueError):
    """Something that is not a card abstraction."""


@dataclass(frozen=True, slots=True)
class CardAbstraction:
    """A way to put holdings into buckets."""

    kind: str
    counts: tuple[int, int, int]
    """The numbers of buckets on flop, turn and river."""

    @classmethod
    def parse(cls, text: str) -> "CardAbstraction":
        """The abstraction of a name."""
        found = _NAME.fullmatch(text)
        if not found:
            raise CardAbstractionError(
                f"{text!r} is not a card abstraction: write percentiles:200, or clusters:2000/1000/500 for flop, "
                "turn and river"
            )
        numbers = [int(number) for number in found["counts"].split("/")]
        flop, turn, river = numbers * 3 if len(numbers) == 1 else numbers
        for count in (flop, turn, river):
            if not 1 <= count <= MOST_BUCKETS:
                raise CardAbstractionError(f"a street has 1 to {MOST_BUCKETS:,} buckets, not {count:,}")
        return cls(found["kind"], (flop, turn, river))

    def __str__(self) -> str:
        counts = self.counts[:1] if len(set(self.counts)) == 1 else self.counts
        return f"{self.kind}:{'/'.join(map(str, counts))}"

    @property
    def buckets(self) -> tuple[int, int, int, int]:
        """The numbers of buckets by street."""
        return (CLASSES, *self.counts)

    def tables(self, progress: Progress | None = None) -> kernels.Buckets:
        """The buckets as compiled code reads them; what is not there yet is made."""
        flop, turn, river = self.counts
        classes = CLASS_OF_HOLDING.astype(np.uint16)
        if self.kind == "clusters":
            return kernels.Buckets(
                classes,
                clusters.cluster_table(3, flop, progress),
                clusters.cluster_table(4, turn, progress),
                np.empty(0, dtype=np.uint16),
                clusters.centroids(5, river),
                clusters.groups(),
            )
        return kernels.Buckets(
            classes,
            _situation_buckets(3, flop, progress),
            _situation_buckets(4, turn, progress),
            _river_buckets(river, progress),
            np.empty((kernels.GROUPS + 1, 0), dtype=np.float32),
            np.zeros(HOLDINGS, dtype=np.int64),
        )

    def on_board(self, board: Sequence[Card], street: int) -> NDArray[np.int64]:
        """The bucket of every holding on a street of a board; −1 where the open cards block it."""
        cards = np.array(board[: (0, 3, 4, 5)[street]], dtype=np.uint8)
        tables = self.tables()
        if street == 0:
            return tables.classes.astype(np.int64)
        found = np.full(HOLDINGS, -1, dtype=np.int64)
        if street == 3:
            ordered = boards.empty_board()
            boards.order_holdings(cards, evaluator_tables(), boards.board_room(), ordered)
            kernels.find_river_buckets(tables, 0, kernels.bucket_room(1), ordered)
            found[ordered.holdings] = ordered.buckets[3]
        else:
            kernels.buckets_of_board(cards, tables.flop if street == 1 else tables.turn, found)
        return found


def _situation_buckets(board_cards: int, count: int, progress: Progress | None) -> NDArray[np.uint16]:
    """The percentile bucket of every situation of a flop or turn by E[HS²]."""
    if count == 1:
        return np.zeros(SITUATIONS[board_cards], dtype=np.uint16)
    path = cache_folder() / "buckets-1" / f"{board_cards}-cards-situations-{count}.npy"
    shape = (SITUATIONS[board_cards],)
    found = read_array(path, shape, np.uint16)
    if found is None:
        buckets = percentile_buckets(count, board_cards, StrengthMeasure.EXPECTED_HS_SQUARED, progress)
        values = table(board_cards, progress)[:, StrengthMeasure.EXPECTED_HS_SQUARED]
        write_array(path, np.searchsorted(buckets.boundaries, values, side="right").astype(np.uint16))
        found = read_array(path, shape, np.uint16)
        assert found is not None
    return found


def _river_buckets(count: int, progress: Progress | None) -> NDArray[np.uint16]:
    """The percentile bucket of every score on the river."""
    if count == 1:
        return np.zeros(RIVER_SCORES, dtype=np.uint16)
    buckets: Buckets = percentile_buckets(count, 5, StrengthMeasure.HS, progress)
    strengths = np.arange(RIVER_SCORES) / (RIVER_SCORES - 1)
    return buckets.bucket_all(strengths).astype(np.uint16)
