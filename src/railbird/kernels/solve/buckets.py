"""In which bucket every holding of a board is, and the features by which clusters are made.

On the river a holding's *features* are its chances against groups of the opponent's holdings: against each group, the
share that it beats less the share that beats it, from −1 to 1 (Johanson and others 2013: "opponent cluster hand
strength"). Groups stand in different lanes, so that one sweep over the board finds the chances against all of them. On
flop and turn they are the means over all run-outs. A cluster's holdings are those whose features are nearest to its
centroid.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from railbird.kernels.compiler import njit
from railbird.kernels.hands.board_textures import texture_of
from railbird.kernels.hands.expert_categories import holding_categories
from railbird.kernels.hands.holdings import HOLDINGS
from railbird.kernels.hands.isomorphism import list_cards, situation_sets, situations_of_board
from railbird.kernels.solve.boards import (
    LIVE,
    STREETS,
    Board,
    BoardRoom,
    board_room,
    empty_board,
    order_holdings,
)
from railbird.kernels.solve.ends import DECK, win_showdown_or_fold
from railbird.kernels.solve.lanes import LANES, load, maximum, splat, store

GROUPS = 8
SCALE = 127
"""Features in tables are bytes, from −127 to 127."""

_LEAST = np.float32(1e-6)


class Buckets(NamedTuple):
    """A card abstraction as compiled code reads it."""

    classes: NDArray[np.uint16]
    """Before the flop: the bucket of every holding."""
    flop: NDArray[np.uint16]
    """The bucket of every situation of a flop, as `kernels.hands.isomorphism` numbers them."""
    turn: NDArray[np.uint16]
    river: NDArray[np.uint16]
    """The bucket of every score on the river (`kernels.strength.tables.RIVER_SCORES`), where scores decide."""
    centroids: NDArray[np.float32]
    """Where features decide on the river: by feature and cluster, and in a last row half the squared lengths."""
    groups: NDArray[np.int64]
    """The group of every holding."""
    per_texture: int
    """The number of buckets of each board texture on the river; 0 if textures do not count."""
    categories: NDArray[np.int16]
    """Where categories decide on the river: the bucket of every code of `kernels.hands.expert_categories`."""


class BucketRoom(NamedTuple):
    """Where buckets are found."""

    situations: NDArray[np.int64]
    categories: NDArray[np.int16]
    marks: NDArray[np.int64]
    ranges: NDArray[np.float32]
    chances: NDArray[np.float32]
    cards: NDArray[np.float32]


@njit(cache=True, nogil=True)
def bucket_room(most_buckets: int) -> BucketRoom:
    """Room for finding buckets, for streets of at most so many."""
    return BucketRoom(
        np.empty(HOLDINGS, dtype=np.int64),
        np.empty(HOLDINGS, dtype=np.int16),
        np.full(most_buckets, -1, dtype=np.int64),
        np.zeros((LIVE, LANES), dtype=np.float32),
        np.zeros((2 * LIVE, LANES), dtype=np.float32),
        np.zeros((DECK, LANES), dtype=np.float32),
    )


@njit(cache=True, nogil=True)
def find_buckets(
    cards: NDArray[np.uint8], buckets: Buckets, book: int, room: BucketRoom, board: Board
) -> None:
    """Write the buckets of the ordered holdings on all streets for a book, and number those that occur."""
    first = STREETS * book
    for row in range(LIVE):
        board.buckets[first, row] = buckets.classes[board.holdings[row]]
    situations_of_board(cards[:3], room.situations)
    for row in range(LIVE):
        board.buckets[first + 1, row] = buckets.flop[room.situations[board.holdings[row]]]
    situations_of_board(cards[:4], room.situations)
    for row in range(LIVE):
        board.buckets[first + 2, row] = buckets.turn[room.situations[board.holdings[row]]]
    find_river_buckets(cards, buckets, book, room, board)
    for street in range(first, first + STREETS):
        count = 0
        for row in range(LIVE):
            bucket = board.buckets[street, row]
            if room.marks[bucket] < 0:
                room.marks[bucket] = count
                board.present[street, count] = bucket
                count += 1
            board.slots[street, row] = room.marks[bucket]
        board.slot_counts[street] = count
        for slot in range(count):
            room.marks[board.present[street, slot]] = -1


@njit(cache=True, nogil=True)
def find_river_buckets(
    cards: NDArray[np.uint8], buckets: Buckets, book: int, room: BucketRoom, board: Board
) -> None:
    """Write the buckets of the ordered holdings on the river for a book."""
    street = STREETS * book + 3
    clusters = buckets.centroids.shape[1]
    if len(buckets.categories):
        holding_categories(cards.astype(np.int64), buckets.categories, room.categories)
        for row in range(LIVE):
            board.buckets[street, row] = room.categories[board.holdings[row]]
    elif clusters == 0:
        for row in range(LIVE):
            board.buckets[street, row] = buckets.river[board.scores[row]]
    else:
        find_chances(board, buckets.groups, room)
        distances = np.empty(clusters, dtype=np.float32)
        for row in range(LIVE):
            board.buckets[street, row] = _nearest(room.chances[row], buckets.centroids, distances)
    if buckets.per_texture:
        before = buckets.per_texture * texture_of(cards)
        for row in range(LIVE):
            board.buckets[street, row] += before


@njit(cache=True, nogil=True)
def find_chances(board: Board, groups: NDArray[np.int64], room: BucketRoom) -> None:
    """Write the chances of the ordered holdings against every group into the first rows of `room.chances`."""
    room.ranges[:] = 0
    for row in range(LIVE):
        room.ranges[row, groups[board.holdings[row]]] = 1
    one, least = splat(np.float32(1)), splat(_LEAST)
    win_showdown_or_fold(
        room.ranges,
        0,
        board.high,
        board.low,
        board.ties,
        one,
        one,
        room.cards,
        room.chances,
        0,
        LIVE,
    )
    for row in range(LIVE):
        # A group of which the holding leaves nothing is neither beaten nor beats: 0 / least.
        store(room.chances, row, load(room.chances, row) / maximum(load(room.chances, LIVE + row), least))


@njit(forceinline=True)
def _nearest(
    features: NDArray[np.float32], centroids: NDArray[np.float32], distances: NDArray[np.float32]
) -> int:
    """The centroid at the least distance: |x − c|² / 2 = |x|² / 2 − x · c + |c|² / 2, of which |x| is the same."""
    last = centroids.shape[0] - 1
    for cluster in range(centroids.shape[1]):
        distances[cluster] = centroids[last, cluster]
    for feature in range(last):
        value = features[feature]
        for cluster in range(centroids.shape[1]):
            distances[cluster] -= value * centroids[feature, cluster]
    nearest = 0
    for cluster in range(1, centroids.shape[1]):
        if distances[cluster] < distances[nearest]:
            nearest = cluster
    return nearest


@njit(cache=True, nogil=True)
def assign(
    features: NDArray[np.float32], centroids: NDArray[np.float32], nearest: NDArray[np.uint16]
) -> None:
    """Write for every row of features the number of the nearest centroid."""
    distances = np.empty(centroids.shape[1], dtype=np.float32)
    for row in range(len(features)):
        nearest[row] = _nearest(features[row], centroids, distances)


@njit(cache=True, nogil=True)
def buckets_of_board(cards: NDArray[np.uint8], table: NDArray[np.uint16], out: NDArray[np.int64]) -> None:
    """The bucket of every holding on a flop or turn; −1 where the board blocks it."""
    situations = np.empty(HOLDINGS, dtype=np.int64)
    situations_of_board(cards, situations)
    for holding in range(HOLDINGS):
        out[holding] = -1 if situations[holding] < 0 else table[situations[holding]]


@njit(cache=True, nogil=True)
def river_features(
    boards: NDArray[np.uint8],
    groups: NDArray[np.int64],
    tables: NDArray[np.uint16],
    out: NDArray[np.float32],
) -> None:
    """Write the features of all live holdings on full boards, a row of `out` for each board and holding."""
    board, compared, room = empty_board(), board_room(), bucket_room(1)
    for number in range(len(boards)):
        order_holdings(boards[number], tables, compared, board)
        find_chances(board, groups, room)
        for row in range(LIVE):
            for group in range(GROUPS):
                out[number * LIVE + row, group] = room.chances[row, group]


@njit(cache=True, nogil=True)
def turn_features(
    first: int, groups: NDArray[np.int64], tables: NDArray[np.uint16], rows: NDArray[np.int8]
) -> None:
    """Write the features of all holdings on the turns from board number `first` on; blocked ones get zeros."""
    board, compared, room = empty_board(), board_room(), bucket_room(1)
    cards = np.empty(5, dtype=np.uint8)
    sums = np.empty((HOLDINGS, LANES), dtype=np.float32)
    for row in range(len(rows)):
        list_cards(situation_sets(first + row, 0, 4)[1], cards[:4])
        sums[:] = 0
        for river in range(DECK):
            if river not in cards[:4]:
                cards[4] = river
                _add_chances(cards, groups, tables, compared, room, board, sums)
        for holding in range(HOLDINGS):
            for group in range(GROUPS):
                rows[row, holding, group] = np.int8(np.rint(sums[holding, group] * np.float32(SCALE / 46)))


@njit(cache=True, nogil=True)
def _add_chances(
    cards: NDArray[np.uint8],
    groups: NDArray[np.int64],
    tables: NDArray[np.uint16],
    compared: BoardRoom,
    room: BucketRoom,
    board: Board,
    sums: NDArray[np.float32],
) -> None:
    order_holdings(cards, tables, compared, board)
    find_chances(board, groups, room)
    for row in range(LIVE):
        holding = board.holdings[row]
        store(sums, holding, load(sums, holding) + load(room.chances, row))


@njit(cache=True, nogil=True)
def flop_features(first: int, turns: NDArray[np.int8], rows: NDArray[np.int8]) -> None:
    """Write the features of all holdings on the flops from board number `first` on: the means over all turns."""
    cards = np.empty(4, dtype=np.uint8)
    situations = np.empty(HOLDINGS, dtype=np.int64)
    sums = np.empty((HOLDINGS, GROUPS), dtype=np.int64)
    for row in range(len(rows)):
        list_cards(situation_sets(first + row, 0, 3)[1], cards[:3])
        sums[:] = 0
        for turn in range(DECK):
            if turn not in cards[:3]:
                cards[3] = turn
                situations_of_board(cards, situations)
                for holding in range(HOLDINGS):
                    if situations[holding] >= 0:
                        for group in range(GROUPS):
                            sums[holding, group] += turns[situations[holding], group]
        for holding in range(HOLDINGS):
            for group in range(GROUPS):
                rows[row, holding, group] = np.int8(np.rint(sums[holding, group] / 47))
