"""Situations in clusters of similar chances, by k-means (Johanson and others 2013).

The features of a situation are its chances against eight groups of the opponent's holdings, of equal size and from the
weakest to the strongest before the flop, as `kernels.solve.buckets` has them. On flop and turn there is one more: how
much the strength on the river spreads, which tells a draw from a made hand.

1. Tables of features over all situations of turn and flop are built once and kept in the cache folder:

       street    situations      size
       flop       1,286,792     10 MB
       turn      13,960,050    112 MB

2. Centroids are found from a sample, in which every deal is as probable, and kept.
3. On flop and turn every situation gets the number of the nearest centroid, in a table; on the river the nearest
   centroid is found when it is needed.

Clusters are numbered from the weakest mean chance to the strongest.
"""

import os
from concurrent.futures import ThreadPoolExecutor, as_completed
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from railbird.equities.matchups import matchups
from railbird.equities.table_files import Progress, read_array, write_array
from railbird.equities.tables import StrengthMeasure, table
from railbird.hands.evaluator import tables as evaluator_tables
from railbird.hands.holdings import CLASS_OF_HOLDING, CLASS_SIZES, CLASSES, HOLDINGS
from railbird.hands.isomorphism import BOARDS, SITUATIONS
from railbird.kernels.hands.isomorphism import count_deals
from railbird.kernels.solve import buckets as kernels
from railbird.kernels.solve.boards import LIVE
from railbird.kernels.strength.tables import enter_boards
from railbird.places import cache_folder
from railbird.rng import Stream

SPREAD_WEIGHT = 4.0
"""How much the standard deviation of the final hand strength counts beside the chances, which range from −1 to 1."""
SAMPLE = 60_000
RIVER_BOARDS = 400
ROUNDS = 12
_PIECE = 128


@cache
def groups() -> NDArray[np.int64]:
    """The group of every holding: eight of nearly equal size, by equity before the flop, the weakest first."""
    wins = matchups().astype(np.int64)
    by_holding = wins.sum(axis=1) - wins.sum(axis=0)
    by_class = np.bincount(CLASS_OF_HOLDING, by_holding, CLASSES) / CLASS_SIZES
    order = np.argsort(by_class, kind="stable")
    middles = np.cumsum(CLASS_SIZES[order]) - CLASS_SIZES[order] / 2
    of_class = np.empty(CLASSES, dtype=np.int64)
    of_class[order] = np.minimum(middles * kernels.GROUPS // HOLDINGS, kernels.GROUPS - 1)
    return of_class[CLASS_OF_HOLDING]


def features(board_cards: int, progress: Progress | None = None) -> NDArray[np.int8]:
    """The chances of every situation of a flop or turn against the groups, in parts of 127; read or built."""
    path = _file(f"features-{board_cards}-cards")
    shape = (SITUATIONS[board_cards], kernels.GROUPS)
    found = read_array(path, shape, np.int8)
    if found is None:
        write_array(path, _build_features(board_cards, progress))
        found = read_array(path, shape, np.int8)
        assert found is not None
    return found


def _build_features(board_cards: int, progress: Progress | None) -> NDArray[np.int8]:
    built = np.zeros((SITUATIONS[board_cards], kernels.GROUPS), dtype=np.int8)
    turns = features(4, progress) if board_cards == 3 else built

    def measure(first: int) -> int:
        rows = np.zeros((min(_PIECE, BOARDS[board_cards] - first), HOLDINGS, kernels.GROUPS), dtype=np.int8)
        if board_cards == 3:
            kernels.flop_features(first, turns, rows)
        else:
            kernels.turn_features(first, groups(), evaluator_tables(), rows)
        # Boards share no situation, so threads never write to the same row.
        enter_boards(first, board_cards, rows, built)  # type: ignore[arg-type]  # rows of any type are copied
        return len(rows)

    done = 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        try:
            pieces = [pool.submit(measure, first) for first in range(0, BOARDS[board_cards], _PIECE)]
            for finished in as_completed(pieces):
                done += finished.result()
                if progress is not None:
                    progress(done, BOARDS[board_cards])
        finally:
            pool.shutdown(cancel_futures=True)
    return built


def _points(board_cards: int, places: NDArray[np.int64] | slice) -> NDArray[np.float32]:
    return as_points(features(board_cards)[places], table(board_cards)[places])


def as_points(chances: NDArray[np.int8], strengths: NDArray[np.float32]) -> NDArray[np.float32]:
    """Situations of a flop or turn as points: chances, then the weighted spread of the final strength."""
    known = strengths.astype(np.float64)
    mean, square = known[:, StrengthMeasure.EXPECTED_HS], known[:, StrengthMeasure.EXPECTED_HS_SQUARED]
    spread = SPREAD_WEIGHT * np.sqrt(np.maximum(square - mean**2, 0))
    return np.column_stack((chances / kernels.SCALE, spread)).astype(np.float32)


def cluster_table(board_cards: int, count: int, progress: Progress | None = None) -> NDArray[np.uint16]:
    """The cluster of every situation of a flop or turn; read or built."""
    found = stored_cluster_table(board_cards, count)
    if found is None:
        features(board_cards, progress)
        made = _assign_all(board_cards, centroids(board_cards, count), progress)
        write_array(_clusters_file(board_cards, count), made)
        found = stored_cluster_table(board_cards, count)
        assert found is not None
    return found


def stored_cluster_table(board_cards: int, count: int) -> NDArray[np.uint16] | None:
    """The cluster of every situation of a flop or turn if it has been built."""
    return read_array(_clusters_file(board_cards, count), (SITUATIONS[board_cards],), np.uint16)


def _assign_all(
    board_cards: int, known: NDArray[np.float32], progress: Progress | None
) -> NDArray[np.uint16]:
    total, step = SITUATIONS[board_cards], 1 << 18
    nearest = np.empty(total, dtype=np.uint16)

    def assign(first: int) -> int:
        places = slice(first, min(first + step, total))
        kernels.assign(_points(board_cards, places), known, nearest[places])
        return places.stop - first

    done = 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for finished in pool.map(assign, range(0, total, step)):
            done += finished
            if progress is not None:
                progress(done, total)
    return nearest


def centroids(board_cards: int, count: int) -> NDArray[np.float32]:
    """The centroids of so many clusters of a flop, turn or river (3, 4 or 5 cards), as kernels read them."""
    path = _file(f"centroids-{board_cards}-cards-{count}")
    found = read_array(path, centroids_shape(board_cards, count), np.float32)
    if found is None:
        generator = Stream.from_seed("clusters").child(board_cards, count).generator()
        found = k_means(_sample(board_cards, generator), count, generator)
        write_array(path, found)
    return np.ascontiguousarray(found)


def centroids_shape(board_cards: int, count: int) -> tuple[int, int]:
    """By feature and cluster: chances, on flop and turn the spread, and in a last row half the squared lengths."""
    return kernels.GROUPS + (1 if board_cards == 5 else 2), count


def _sample(board_cards: int, generator: np.random.Generator) -> NDArray[np.float32]:
    """Points of a street, every deal of hole cards and board as probable."""
    if board_cards < 5:
        deals = np.empty(SITUATIONS[board_cards], dtype=np.uint8)
        count_deals(0, 2, board_cards, deals)
        beyond = np.cumsum(deals, dtype=np.int64)
        drawn = generator.integers(0, beyond[-1], SAMPLE)
        return _points(board_cards, np.sort(np.searchsorted(beyond, drawn, side="right")))
    boards = np.array([generator.permutation(52)[:5] for _ in range(RIVER_BOARDS)], dtype=np.uint8)
    points = np.empty((RIVER_BOARDS * LIVE, kernels.GROUPS), dtype=np.float32)
    kernels.river_features(boards, groups(), evaluator_tables(), points)
    return points[generator.choice(len(points), SAMPLE, replace=False)]


def k_means(
    points: NDArray[np.float32], count: int, generator: np.random.Generator, rounds: int = ROUNDS
) -> NDArray[np.float32]:
    """Centroids of points: by feature and cluster, and in a last row half the squared lengths.

    It begins with random points; a cluster that gets none begins anew at a random point.
    """
    means = points[generator.choice(len(points), count, replace=len(points) < count)].astype(np.float64)
    nearest = np.empty(len(points), dtype=np.uint16)
    for _ in range(rounds):
        kernels.assign(points, _as_kernels_read(means), nearest)
        members = np.bincount(nearest, minlength=count)
        anew = points[generator.choice(len(points), count)]
        for feature in range(points.shape[1]):
            sums = np.bincount(nearest, points[:, feature], count)
            means[:, feature] = np.where(members > 0, sums / np.maximum(members, 1), anew[:, feature])
    chances = means[:, : kernels.GROUPS].mean(axis=1)
    return _as_kernels_read(means[np.argsort(chances, kind="stable")])


def _as_kernels_read(means: NDArray[np.float64]) -> NDArray[np.float32]:
    return np.ascontiguousarray(np.vstack((means.T, (means**2).sum(axis=1) / 2)), dtype=np.float32)


def _clusters_file(board_cards: int, count: int) -> Path:
    return _file(f"clusters-{board_cards}-cards-{count}")


def _file(name: str) -> Path:
    return cache_folder() / "clusters-1" / f"{name}.npy"
