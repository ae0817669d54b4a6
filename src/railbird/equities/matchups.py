"""Every holding against every other one before the flop: on how many of the 1,712,304 boards it wins.

With this table, exact preflop equities of two ranges are immediate: 1,326 × 1,326 counts, 7 MB. It is built in ten
to twenty seconds on one core (an interrupted build starts over), kept in the cache folder, and memory-mapped from
then on.
"""

from math import comb
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from railbird.equities.table_files import Progress, read_array, write_array
from railbird.hands.evaluator import tables
from railbird.kernels.hands.holdings import HOLDINGS
from railbird.kernels.hands.isomorphism import BOARDS, RENAMINGS
from railbird.kernels.showdown.preflop_matchups import BATCH, add_wins, rename_and_average
from railbird.places import cache_folder

RUN_OUTS = comb(48, 5)
"""The number of boards for two disjoint holdings: each of them is a win, a tie or a loss."""
_STEP = 32 * BATCH


def matchups_file() -> Path:
    """The path of the cached table."""
    return cache_folder() / "preflop-matchups-1.npy"


def stored_matchups() -> NDArray[np.int32] | None:
    """The table if it has been built."""
    return read_array(matchups_file(), (HOLDINGS, HOLDINGS), np.int32)


def matchups(progress: Progress | None = None) -> NDArray[np.int32]:
    """The table, read or built: `wins[i, j]` boards on which holding i beats j, 0 if they share a card."""
    found = stored_matchups()
    if found is None:
        found = build_matchups(progress)
        write_array(matchups_file(), found)
    return found


def build_matchups(progress: Progress | None = None) -> NDArray[np.int32]:
    """Build the table without caching it."""
    boards = BOARDS[5]
    wins = np.zeros((HOLDINGS, HOLDINGS), dtype=np.int32)
    for first in range(0, boards, _STEP):
        beyond = min(first + _STEP, boards)
        add_wins(first, beyond, tables(), wins)
        if progress is not None:
            progress(beyond, boards)
    averaged: NDArray[np.int32] = rename_and_average(wins, RENAMINGS)
    return averaged
