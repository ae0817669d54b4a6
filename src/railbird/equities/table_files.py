"""Tables at rest: arrays in the cache folder, written whole and read memory-mapped."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import DTypeLike, NDArray

from railbird.places import write_whole

Progress: TypeAlias = Callable[[int, int], object]
"""Called now and then while a table is built, with what is done and what there is to do."""


def read_array(path: Path, shape: tuple[int, ...], dtype: DTypeLike) -> NDArray[Any] | None:
    """The array in a file, memory-mapped and read-only; None if there is none, or another one."""
    try:
        found = np.load(path, mmap_mode="r", allow_pickle=False)
    except (FileNotFoundError, ValueError, EOFError):
        return None
    # A plain array, which compiled code takes, over the mapped file.
    return np.asarray(found) if found.shape == shape and found.dtype == dtype else None


def write_array(path: Path, array: NDArray[Any]) -> None:
    """Write an array so that readers find all of it or nothing."""
    write_whole(path, lambda file: np.save(file, array, allow_pickle=False))
