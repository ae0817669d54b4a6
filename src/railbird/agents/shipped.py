"""What agents learnt, at rest: packs, networks and weights that come with the package by name, and others by path.

A file that did not change is read once in a process: whoever keeps what was read asks by its `Stamp`.
"""

from importlib.resources import files
from pathlib import Path
from typing import NamedTuple


class MissingKnowledge(ValueError):
    """Something learnt that is not there."""


class Stamp(NamedTuple):
    """A file as it is now."""

    path: Path
    changed: int
    size: int


def shipped_path(kind: str, text: str, suffix: str) -> Path:
    """A file by its path, or one that comes with the package by its name."""
    if text.endswith(suffix):
        return Path(text)
    folder = Path(str(files("railbird.agents"))) / "data"
    path = folder / f"{text}{suffix}"
    if not path.is_file():
        shipped = ", ".join(sorted(each.stem for each in folder.glob(f"*{suffix}")))
        raise MissingKnowledge(
            f"no {kind} is called {text!r}: there are {shipped or 'none'}, or give a path that ends in {suffix}"
        )
    return path


def stamp(path: Path) -> Stamp:
    """The stamp of a file."""
    try:
        found = path.stat()
    except OSError as error:
        raise MissingKnowledge(f"{path}: cannot be read: {error.strerror}") from None
    return Stamp(path, found.st_mtime_ns, found.st_size)
