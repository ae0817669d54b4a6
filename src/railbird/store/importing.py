"""Importing hands: from files into a store, each file as a source of its own."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from railbird.notation.files import STANDARD_INPUT, HandFileError
from railbird.notation.sources import Listen, Refused, Sources
from railbird.store.sources import Source
from railbird.store.store import open_store


@dataclass(frozen=True, slots=True)
class Imported:
    """What came of an import."""

    address: str
    """Of the store."""
    new: int
    """Number of hands that were added."""
    known: int
    """Number of hands that the store had before."""
    refused: Refused


def import_hands(sources: Sources, address: str | None = None, progress: Listen | None = None) -> Imported:
    """Add the hands of all files to a store, by default the user's own.

    A hand that the store has is not added again, so the same call completes an import that was stopped.
    """
    files, from_folder = sources.files()
    if STANDARD_INPUT in files:
        raise HandFileError(
            "the standard input cannot be imported: the store keeps which file a hand is from"
        )
    paths = [Path(file) for file in files]
    for path in paths:
        if path.exists() and not path.is_file():
            raise HandFileError(f"{path}: is no plain file, which could be read twice: first for its digest")
    total = sum(path.stat().st_size for path in paths)
    refused = Refused()
    new = known = done = 0
    with open_store(address) as store:
        for path in paths:
            source = Source.of_file(path)
            of_file = Sources((str(path),), sources.form, sources.game, sources.encoding)
            records = of_file.records(refused, _from(done, total, progress))
            try:
                added = store.add_hands(records, source, refuse=_noting(path, refused))
            except HandFileError as error:
                if not from_folder:
                    raise
                refused.note(str(path), str(error).removeprefix(f"{path}: "))
            else:
                new, known = new + added.new, known + added.known
            done += path.stat().st_size
    return Imported(store.address, new, known, refused)


def _noting(path: Path, refused: Refused) -> Callable[[ValueError], None]:
    return lambda error: refused.note(str(path), str(error))


def _from(done: int, total: int, progress: Listen | None) -> Listen | None:
    return None if progress is None else lambda count, _: progress(done + count, total)
