"""Table files: arrays in the cache folder, written atomically and read memory-mapped."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import DTypeLike, NDArray

from railbird.places import write_whole

Progress: TypeAlias = Callable[[int, int], object]
"""Called periodically while a table is built, with the work done and the total."""


def read_array(path: Path, shape: tuple[int, ...], dtype: DTypeLike) -> NDArray[Any] | None:
    """The array in a file, memory-mapped and read-only; None if the file is missing or holds a different array."""
    try:
        found = np.load(path, mmap_mode="r", allow_pickle=False)
    except (FileNotFoundError, ValueError, EOFError):
        return None
    # A plain array over the mapped file, because compiled code does not accept `memmap`.
    return np.asarray(found) if found.shape == shape and found.dtype == dtype else None


def write_array(path: Path, array: NDArray[Any]) -> None:
    """Write an array atomically."""
    write_whole(path, lambda file: np.save(file, array, allow_pickle=False))
