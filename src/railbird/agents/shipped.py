"""Files that agents learnt: packs, networks, weights, strategies; shipped with the package by name, others by path.

A file that does not change is read once per process: caches of file contents use its `Stamp` as their key.
"""

from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

_FOLDER = Path(str(files("railbird.agents"))) / "data"


class MissingKnowledge(ValueError):
    """A file of learnt cases, weights or networks is missing."""


class Stamp(NamedTuple):
    """The identity of a file's present content."""

    path: Path
    changed: int
    size: int


def shipped_path(kind: str, text: str, suffix: str) -> Path:
    """The path of a file given by its path, or by its name if it is shipped with the package."""
    if text.endswith(suffix):
        return Path(text)
    path = _FOLDER / f"{text}{suffix}"
    if not path.is_file():
        shipped = ", ".join(each.stem for each in shipped_paths(suffix))
        raise MissingKnowledge(
            f"no {kind} is called {text!r}: there are {shipped or 'none'}, or give a path that ends in {suffix}"
        )
    return path


def shipped_paths(suffix: str) -> tuple[Path, ...]:
    """The paths of all files with a suffix that are shipped with the package, by name."""
    return tuple(sorted(_FOLDER.glob(f"*{suffix}")))


def is_shipped(path: Path) -> bool:
    """Whether a file is shipped with the package."""
    return path.parent == _FOLDER


def stamp(path: Path) -> Stamp:
    """The stamp of a file."""
    try:
        found = path.stat()
    except OSError as error:
        raise MissingKnowledge(f"{path}: cannot be read: {error.strerror}") from None
    return Stamp(path, found.st_mtime_ns, found.st_size)
