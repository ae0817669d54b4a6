"""Tables of HS, E[HS] and E[HS²] over all canonical situations of a street (sartre-2012 §5.2.1, §5.3.1).

E[HS²] is the mean over run-outs of the squared final hand strength, not the square of the mean. A table has a row
of three single-precision floats (relative error below 6e-8) for every situation of `railbird.hands.isomorphism`:

    street    situations       size   built on two cores in about
    flop       1,286,792    15.4 MB    6 s
    turn      13,960,050   167.5 MB   10 s

It is built once, kept in the cache folder, and memory-mapped from then on. It is built board by board, and finished
pieces are kept, so that an interrupted build resumes. On the river the measures are the hand strength and its
square, which are faster to compute than to look up in a table of 1.5 GB; only the distribution of the strengths is
kept, for percentile buckets.

In compiled code, `kernels.strength.tables.look_up` and `look_up_board` read the array that `table` returns.
"""

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from railbird.cards import Card
from railbird.equities.strength import hand_strength, strength
from railbird.equities.table_files import Progress, read_array, write_array
from railbird.hands.evaluator import tables as evaluator_tables
from railbird.hands.isomorphism import BOARDS, SITUATIONS, situation_index
from railbird.kernels.hands.holdings import HOLDINGS
from railbird.kernels.hands.isomorphism import count_deals
from railbird.kernels.strength import tables as kernels
from railbird.places import cache_folder

_VERSION = 1
"""Part of every file name; to be increased when the numbers or their order change."""


class StrengthMeasure(IntEnum):
    """A measure of hand strength, and its column in a table."""

    HS = kernels.STRENGTH
    """The share of opponents' holdings beaten now, ties counting half."""
    EXPECTED_HS = kernels.MEAN_STRENGTH
    """E[HS], the mean of HS on the river over all run-outs."""
    EXPECTED_HS_SQUARED = kernels.MEAN_SQUARE
    """E[HS²], the mean of its square."""


class StrengthTableError(ValueError):
    """A table that does not exist."""


@dataclass(frozen=True, slots=True)
class StrengthTable:
    """The table of a street: its name, the number of boards it covers, and the number of boards per piece."""

    street: str
    board_cards: int
    boards: int
    piece: int

    @property
    def file(self) -> Path:
        """The path of the cached table."""
        return cache_folder() / f"strength-{self.street}-{_VERSION}.npy"

    @property
    def _shape(self) -> tuple[int, int]:
        return SITUATIONS[self.board_cards], kernels.MEASURES

    def stored(self) -> NDArray[np.float32] | None:
        """The table if it has been built, memory-mapped."""
        return read_array(self.file, self._shape, np.float32)

    def read_or_build(self, progress: Progress | None = None) -> NDArray[np.float32]:
        """The table; `progress(done, total)` counts boards while it is built."""
        found = self.stored()
        if found is None:
            self._build(progress)
            found = self.stored()
            assert found is not None
        return found

    def _build(self, progress: Progress | None) -> None:
        """Compute the missing pieces on all cores, join the pieces and cache the table."""
        table = np.full(self._shape, np.nan, dtype=np.float32)
        pieces = range(0, self.boards, self.piece)
        done = 0
        pool = ThreadPoolExecutor(max_workers=os.cpu_count())
        try:
            for entered in as_completed([pool.submit(self._enter_piece, first, table) for first in pieces]):
                done += entered.result()
                if progress is not None:
                    progress(done, self.boards)
        finally:
            pool.shutdown(cancel_futures=True)
        write_array(self.file, table)
        for first in pieces:
            self._piece_file(first).unlink(missing_ok=True)

    def _enter_piece(self, first: int, table: NDArray[np.float32]) -> int:
        """Read or compute a piece and enter it into the table; returns its number of boards."""
        shape = (min(self.piece, self.boards - first), HOLDINGS, kernels.MEASURES)
        rows = read_array(self._piece_file(first), shape, np.float32)
        if rows is None:
            rows = np.empty(shape, dtype=np.float32)
            kernels.measure_boards(first, self.board_cards, evaluator_tables(), rows)
            write_array(self._piece_file(first), rows)
        # Boards share no situation, so threads never write to the same row.
        kernels.enter_boards(first, self.board_cards, rows, table)
        return len(rows)

    def _piece_file(self, first: int) -> Path:
        return self.file.with_suffix(f".piece-{first:05}.npy")


STRENGTH_TABLES = {
    3: StrengthTable("flop", board_cards=3, boards=BOARDS[3], piece=64),
    4: StrengthTable("turn", board_cards=4, boards=BOARDS[4], piece=512),
}
"""The tables by the number of cards on the board."""


_opened: dict[Path, NDArray[np.float32]] = {}


def table(board_cards: int, progress: Progress | None = None) -> NDArray[np.float32]:
    """The table for boards of three or four cards: a row of the three `StrengthMeasure`s for every situation.

    It is opened once per process, and built if necessary.
    """
    street = _strength_table(board_cards)
    if street.file not in _opened:
        _opened[street.file] = street.read_or_build(progress)
    return _opened[street.file]


def look_up(hole: Sequence[Card], board: Sequence[Card], measure: StrengthMeasure) -> float:
    """One measure of hole cards on a flop or turn, from the table, which is built if necessary."""
    found = table(len(board))
    return float(found[situation_index(hole, board), measure])


class StrengthFinder:
    """Finds a measure of hole cards on a flop, turn or river: in tables that have been built, else by computing it.

    Which tables there are is found out at the first use of each street.
    """

    def __init__(self, measure: StrengthMeasure) -> None:
        self.measure = measure
        self._tables: dict[int, NDArray[np.float32] | None] = {}

    def __call__(self, hole: Sequence[Card], board: Sequence[Card]) -> float:
        """The measure of hole cards on a board."""
        measure = self.measure
        if len(board) == 5 or measure is StrengthMeasure.HS:
            found = hand_strength(hole, board)
            return found * found if measure is StrengthMeasure.EXPECTED_HS_SQUARED else found
        built = self._table(len(board))
        if built is not None:
            return float(built[situation_index(hole, board), measure])
        computed = strength(hole, board)
        return (
            computed.expected_hs if measure is StrengthMeasure.EXPECTED_HS else computed.expected_hs_squared
        )

    def build(self, progress: Progress | None = None) -> None:
        """Build the tables of flop and turn, unless they are in the cache folder."""
        self._tables = {board_cards: table(board_cards, progress) for board_cards in STRENGTH_TABLES}

    def _table(self, board_cards: int) -> NDArray[np.float32] | None:
        if board_cards not in self._tables:
            self._tables[board_cards] = _strength_table(board_cards).stored()
        return self._tables[board_cards]


def _strength_table(board_cards: int) -> StrengthTable:
    if board_cards not in STRENGTH_TABLES:
        raise StrengthTableError(f"there are tables for boards of 3 and 4 cards, not of {board_cards}")
    return STRENGTH_TABLES[board_cards]


@dataclass(frozen=True, slots=True)
class Distribution:
    """The values of a measure, ascending, and the number of deals of hole cards and board with each."""

    values: NDArray[np.float32]
    deals: NDArray[np.int64]


def distribution(
    board_cards: int, measure: StrengthMeasure, progress: Progress | None = None
) -> Distribution:
    """How a measure is distributed over all deals of a flop, turn or river."""
    if board_cards == 5:
        counts = _river_counts(progress)
        strengths = np.arange(kernels.RIVER_SCORES) / (kernels.RIVER_SCORES - 1)
        values = strengths**2 if measure == StrengthMeasure.EXPECTED_HS_SQUARED else strengths
        occurring = counts > 0
        return Distribution(values[occurring].astype(np.float32), counts[occurring])
    column = table(board_cards, progress)[:, measure]
    multiplicities = np.empty(len(column), dtype=np.uint8)
    count_deals(0, 2, board_cards, multiplicities)
    order = np.argsort(column)
    ascending = column[order]
    starts = np.flatnonzero(np.diff(ascending, prepend=np.float32(-1)))
    return Distribution(ascending[starts], np.add.reduceat(multiplicities[order], starts, dtype=np.int64))


def _river_counts(progress: Progress | None) -> NDArray[np.int64]:
    """The deals of hole cards and river boards by score (see `RIVER_SCORES`); read or built."""
    path = cache_folder() / f"strength-river-counts-{_VERSION}.npy"
    counts = read_array(path, (kernels.RIVER_SCORES,), np.int64)
    if counts is None:
        counts = np.zeros(kernels.RIVER_SCORES, dtype=np.int64)
        step = 4096
        for first in range(0, BOARDS[5], step):
            beyond = min(first + step, BOARDS[5])
            kernels.count_river_scores(first, beyond, evaluator_tables(), counts)
            if progress is not None:
                progress(beyond, BOARDS[5])
        write_array(path, counts)
    return counts
