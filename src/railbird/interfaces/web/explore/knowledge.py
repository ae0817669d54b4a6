"""The packs and networks available for exploration, by ids that are not paths.

They are those shipped with the package, and those in the user's folder: `packs/*.parquet` and `networks/*.xdsl` below
`places.data_folder()`. An id is looked up in a list of the available files; client input never becomes a path.
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
    """A pack or network that does not exist or cannot be read."""


@dataclass(frozen=True, slots=True)
class Item:
    """A file with a pack or a network."""

    id: str
    title: str
    comes_along: bool
    path: Path
    size: int


def items(kind: str) -> dict[str, Item]:
    """All files of a kind by id: the shipped ones first, then the user's."""
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
    """A file by its id."""
    known = items(kind)
    if name not in known:
        raise KnowledgeError(str(unknown(kind.removesuffix("s"), name, known)))
    if known[name].size > _MOST_BYTES:
        raise KnowledgeError(f"{name} has more than {_MOST_BYTES // 2**20} MB, too much to explore")
    return known[name]


class Shelf(Generic[Content]):
    """A cache of the most recently used files; a file is read again only if it has changed."""

    def __init__(self, read: Callable[[Path], Content], most: int) -> None:
        self._read = read
        self._most = most
        self._lock = Lock()
        self._kept: OrderedDict[Stamp, Content] = OrderedDict()

    def get(self, found: Item) -> Content:
        """The content of a file; errors do not contain the path."""
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
