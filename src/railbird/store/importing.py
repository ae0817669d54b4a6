"""Importing hands: from files into a store, each file as a source of its own."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from railbird.engine.record import HandRecord
from railbird.notation.files import STANDARD_INPUT, Found, HandFileError, find_hands
from railbird.notation.refusals import Refused, refused_beside, refused_in_user_folder
from railbird.notation.sources import Listen, Sources
from railbird.store.sources import Source, UnreadableSource
from railbird.store.store import Store, open_store
from railbird.store.writing import Added


@dataclass(frozen=True, slots=True)
class Imported:
    """What came of an import."""

    address: str
    """Of the store."""
    new: int
    """Number of hands that were added."""
    known: int
    """Number of hands that the store had before."""
    unchanged: int
    """Number of files that were skipped because they had been imported before."""
    refused: Refused


def import_hands(
    sources: Sources,
    address: str | None = None,
    progress: Listen | None = None,
    *,
    again: bool = False,
    quarantine: Path | None = None,
) -> Imported:
    """Add the hands of all files to a store, by default the user's own.

    A hand that the store has is not added again, so the same call completes an import that was stopped. A file that
    was imported completely, by its SHA-256, is read again only if told so. Refused hands go to `quarantine`: by default
    to `STORE.bad`, or to the user's folder if the store is not a file. An error of the store itself, such as
    a full disk, ends the import.
    """
    if STANDARD_INPUT in sources.files():
        raise HandFileError(
            "the standard input cannot be imported: the store records the file that a hand comes from"
        )
    files, skipped = sources.found()
    with open_store(address) as store, Refused(quarantine or _bad_file(store)) as refused:
        for name, reason in skipped.items():
            refused.skip(name, reason)
        imports = _Import(store, sources, refused, progress, sum(map(_size, files)))
        complete = {} if again else {each.digest: each.hands for each in store.sources() if each.complete}
        added, unchanged = Added(), 0
        for path in map(Path, files):
            try:
                if not path.is_file():
                    raise HandFileError(
                        f"{path}: is not a regular file, and importing reads a file twice, first for its digest"
                    )
                source = Source.of_file(path)
                if known := complete.get(source.digest):
                    added += Added(known=known)
                    unchanged += 1
                else:
                    added += imports.add(path, source)
            except (HandFileError, UnreadableSource) as error:
                refused.skip(str(path), str(error).removeprefix(f"{path}: "))
            imports.done += _size(path)
    if not (added.new or added.known or refused.count) and refused.files:
        raise HandFileError(refused.first[0])
    return Imported(store.address, added.new, added.known, unchanged, refused)


class _Import:
    """Adds one file after another."""

    def __init__(
        self, store: Store, sources: Sources, refused: Refused, progress: Listen | None, total: int
    ) -> None:
        self.done = 0
        """The bytes of the files before."""
        self._store, self._sources, self._refused = store, sources, refused
        self._progress, self._total = progress, total
        self._latest: Found | None = None

    def add(self, path: Path, source: Source) -> Added:
        """Add the hands of a file; those that cannot be read or stored are refused."""
        return self._store.add_hands(self._records(path), source, refuse=self._refuse)

    def _records(self, path: Path) -> Iterator[HandRecord]:
        sources = self._sources
        for found in find_hands(
            path, sources.form, sources.game, encoding=sources.encoding, listen=self._listen
        ):
            if isinstance(found.reading, HandRecord):
                self._latest = found
                yield found.reading
            else:
                self._refused.add(found)

    def _refuse(self, error: ValueError) -> None:
        assert self._latest is not None
        self._refused.add(self._latest, str(error))

    def _listen(self, count: int) -> None:
        if self._progress is not None:
            self._progress(self.done + count, self._total)


def _bad_file(store: Store) -> Path | None:
    return refused_in_user_folder() if "://" in store.address else refused_beside(store.address)


def _size(path: Path | str) -> int:
    try:
        return Path(path).stat().st_size
    except OSError:
        return 0
