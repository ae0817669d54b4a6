"""What agents learnt and may be looked at: packs of cases and networks, by ids that are no paths.

There are those that come along, and those that lie in the user's folder: `packs/*.parquet` and `networks/*.xdsl` below
`places.data_folder()`. An id is looked up in a list of what there is; nothing that a visitor sends becomes a path.
"""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from threading import Lock
from typing import Generic, TypeVar

from railbird.agents.shipped import Stamp, stamp
from railbird.places import data_folder
from railbird.spec import unknown

PACKS, NETWORKS = "packs", "networks"
_SUFFIXES = {PACKS: ".parquet", NETWORKS: ".xdsl"}
_OWN = "own-"
_MOST_LISTED = 200
_MOST_BYTES = 256 * 1024 * 1024

Content = TypeVar("Content")


class KnowledgeError(ValueError):
    """Something learnt that is not there, or cannot be read."""


@dataclass(frozen=True, slots=True)
class Item:
    """Something learnt at rest."""

    id: str
    title: str
    comes_along: bool
    path: Path
    size: int


def items(kind: str) -> dict[str, Item]:
    """Everything there is of a kind by id: what comes along first, then what the user has."""
    suffix = _SUFFIXES[kind]
    shipped = Path(str(files("railbird.agents"))) / "data"
    found: dict[str, Item] = {}
    for folder, prefix in ((shipped, ""), (data_folder() / kind, _OWN)):
        for path in sorted(folder.glob(f"*{suffix}"))[:_MOST_LISTED]:
            if path.is_file():
                name = f"{prefix}{path.stem}"
                found.setdefault(name, Item(name, path.stem, not prefix, path, path.stat().st_size))
    return found


def item(kind: str, name: str) -> Item:
    """One of them."""
    known = items(kind)
    if name not in known:
        raise KnowledgeError(str(unknown(kind.removesuffix("s"), name, known)))
    if known[name].size > _MOST_BYTES:
        raise KnowledgeError(f"{name} has more than {_MOST_BYTES // 2**20} MB, too much to look at here")
    return known[name]


class Shelf(Generic[Content]):
    """What was read of a few files, those that were asked for last; a file that did not change is read once."""

    def __init__(self, read: Callable[[Path], Content], most: int) -> None:
        self._read = read
        self._most = most
        self._lock = Lock()
        self._kept: OrderedDict[Stamp, Content] = OrderedDict()

    def get(self, found: Item) -> Content:
        """The content of a file; what is wrong with it is told without the path."""
        with self._lock:
            key = stamp(found.path)
            if key not in self._kept:
                try:
                    content = self._read(found.path)
                except ValueError as error:
                    raise KnowledgeError(str(error).replace(str(found.path), found.title)) from None
                self._kept[key] = content
                while len(self._kept) > self._most:
                    self._kept.popitem(last=False)
            self._kept.move_to_end(key)
            return self._kept[key]
