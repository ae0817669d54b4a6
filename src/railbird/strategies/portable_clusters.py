"""Clusters as a strategy file carries them, so that its player finds buckets without tables of 150 MB.

- On the flop the bucket of every situation is carried (2.6 MB): to compute one takes a thousand run-outs.
- On the turn the centroids are carried; the board's features are computed as they were for the tables, by the same
  kernels on the same canonical board, so that the nearest centroid is the same to the last bit.
- On the river the centroids are carried; the nearest one is found as always.
- The groups of holdings against which chances are counted are carried too: they come from all preflop match-ups.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from railbird.cards import Card
from railbird.hands.evaluator import tables as evaluator_tables
from railbird.hands.holdings import HOLDINGS, holding
from railbird.hands.isomorphism import SITUATIONS, board_index, situation_index
from railbird.hands.isomorphism import board as canonical_board
from railbird.kernels.hands.isomorphism import situations_of_board
from railbird.kernels.solve import boards
from railbird.kernels.solve import buckets as kernels
from railbird.kernels.strength.tables import MEASURES, measure_boards
from railbird.strategies import clusters


@dataclass(frozen=True, slots=True, eq=False)
class PortableClusters:
    """The clusters of flop, turn and river."""

    groups: NDArray[np.int64]
    """The group of every holding."""
    flop: NDArray[np.uint16]
    """The cluster of every situation of a flop."""
    turn: NDArray[np.float32]
    """Centroids as kernels read them, as those of the river."""
    river: NDArray[np.float32]

    @classmethod
    def of_table(cls, flop: NDArray[np.uint16], counts: tuple[int, int, int]) -> "PortableClusters":
        """The clusters of a table of flops and of the centroids in the cache folder."""
        _, turn, river = counts
        return cls(clusters.groups(), flop, clusters.centroids(4, turn), clusters.centroids(5, river))

    @classmethod
    def of_bytes(cls, content: NDArray[np.uint8], counts: tuple[int, int, int]) -> "PortableClusters":
        """The clusters that `parts` wrote one after another."""
        ends = np.cumsum([np.prod(shape) * np.dtype(kind).itemsize for kind, shape in _layout(counts)])
        found: list[NDArray[Any]] = [
            np.frombuffer(part.tobytes(), dtype=kind).reshape(shape)
            for part, (kind, shape) in zip(np.split(content, ends[:-1]), _layout(counts), strict=True)
        ]
        return cls(found[0].astype(np.int64), *found[1:])

    @staticmethod
    def size(counts: tuple[int, int, int]) -> int:
        """The number of bytes of all parts."""
        return sum(int(np.prod(shape)) * np.dtype(kind).itemsize for kind, shape in _layout(counts))

    def parts(self) -> list[NDArray[Any]]:
        """The clusters as arrays for a file."""
        return [self.groups.astype(np.uint8), self.flop, self.turn, self.river]

    def bucket(self, hole: Sequence[Card], board: Sequence[Card]) -> int:
        """The cluster of one holding on a flop, turn or river."""
        if len(board) == 3:
            return int(self.flop[situation_index(hole, board)])
        if len(board) == 4:
            points, situations = self._turn_points(board)
            row = np.flatnonzero(situations == situation_index(hole, board))[-1:]
            return int(_nearest(points[row], self.turn)[0])
        chances, holdings = self._river_chances(board)
        return int(_nearest(chances[holdings == holding(hole)], self.river)[0])

    def on_board(self, board: Sequence[Card]) -> NDArray[np.int64]:
        """The cluster of every holding on a flop, turn or river; −1 where the board blocks it."""
        found = np.full(HOLDINGS, -1, dtype=np.int64)
        if len(board) == 3:
            kernels.buckets_of_board(np.array(board, dtype=np.uint8), self.flop, found)
        elif len(board) == 4:
            points, known = self._turn_points(board)
            nearest = _nearest(points, self.turn)
            # As in tables, the last of equal situations decides; the others may differ by a rounding.
            order = np.argsort(known, kind="stable")
            situations = _situations(board)
            rows = order[np.searchsorted(known[order], situations, side="right") - 1]
            found[situations >= 0] = nearest[rows[situations >= 0]]
        else:
            chances, holdings = self._river_chances(board)
            found[holdings] = _nearest(chances, self.river)
        return found

    def _turn_points(self, board: Sequence[Card]) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
        """The points of all holdings on the canonical board of a turn, and their situations."""
        number = board_index(board)
        features = np.empty((1, HOLDINGS, kernels.GROUPS), dtype=np.int8)
        strengths = np.empty((1, HOLDINGS, MEASURES), dtype=np.float32)
        kernels.turn_features(number, self.groups, evaluator_tables(), features)
        measure_boards(number, 4, evaluator_tables(), strengths)
        return clusters.as_points(features[0], strengths[0]), _situations(canonical_board(number, 4))

    def _river_chances(self, board: Sequence[Card]) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
        """The chances of the live holdings of a full board, and the holdings."""
        ordered, room = boards.empty_board(), kernels.bucket_room(1)
        cards = np.array(board, dtype=np.uint8)
        boards.order_holdings(cards, evaluator_tables(), boards.board_room(), ordered)
        kernels.find_chances(ordered, self.groups, room)
        return np.ascontiguousarray(room.chances[: boards.LIVE, : kernels.GROUPS]), ordered.holdings


def _layout(counts: tuple[int, int, int]) -> list[tuple[type, tuple[int, ...]]]:
    """The type and the shape of every part."""
    _, turn, river = counts
    return [
        (np.uint8, (HOLDINGS,)),
        (np.uint16, (SITUATIONS[3],)),
        (np.float32, clusters.centroids_shape(4, turn)),
        (np.float32, clusters.centroids_shape(5, river)),
    ]


def _nearest(points: NDArray[np.float32], centroids: NDArray[np.float32]) -> NDArray[np.uint16]:
    nearest = np.empty(len(points), dtype=np.uint16)
    kernels.assign(points, centroids, nearest)
    return nearest


def _situations(board: Sequence[Card]) -> NDArray[np.int64]:
    found = np.empty(HOLDINGS, dtype=np.int64)
    situations_of_board(np.array(board, dtype=np.uint8), found)
    return found
