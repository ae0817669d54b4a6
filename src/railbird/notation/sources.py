"""Files and folders of hands, read one after another."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TypeAlias

from railbird.engine.record import HandRecord
from railbird.engine.rules import GameRules
from railbird.notation.files import STANDARD_INPUT, Found, HandFileError, find_hands, hand_files
from railbird.notation.formats import Format, format_named
from railbird.notation.game_names import find_game
from railbird.notation.reading import BadFile
from railbird.notation.refusals import Refused

Names: TypeAlias = str | PathLike[str] | Iterable[str | PathLike[str]]
"""A file or folder of hands, or several."""
Listen = Callable[[int, int], None]
"""Is told how many bytes were read, and how many there are; the standard input counts as 0."""


@dataclass(frozen=True, slots=True)
class Sources:
    """Which hands are read: files and folders, and what these do not tell."""

    names: tuple[str, ...]
    form: Format | None = None
    game: GameRules | None = None
    encoding: str = "auto"

    @classmethod
    def named(
        cls,
        names: Names,
        from_format: str | None = None,
        game: str | None = None,
        encoding: str = "auto",
    ) -> "Sources":
        """Sources with their format and game by name."""
        return cls(
            (str(names),) if isinstance(names, str | PathLike) else tuple(map(str, names)),
            None if from_format is None else format_named(from_format),
            None if game is None else find_game(game),
            encoding,
        )

    def __str__(self) -> str:
        return ", ".join(self.names)

    def files(self) -> list[Path | str]:
        """All files that can be looked for hands; it is an error if there are none."""
        files, skipped = self.found()
        if not files:
            raise HandFileError(next(f"{name}: {reason}" for name, reason in skipped.items()))
        return files

    def found(self) -> tuple[list[Path | str], dict[str, str]]:
        """All files, and names under which there are none, with the reason."""
        files: list[Path | str] = []
        skipped: dict[str, str] = {}
        for source in self.names:
            if source == STANDARD_INPUT:
                files.append(source)
            elif (path := Path(source)).is_file():
                files.append(path)
            elif not path.exists():
                skipped[source] = "there is no such file or folder"
            elif found := hand_files(path):
                files += found
            else:
                skipped[source] = "the folder holds no files of hands"
        return files, skipped

    def records(self, refused: Refused, listen: Listen | None = None) -> Iterator[HandRecord]:
        """The hands that can be read; everything else is added to `refused`."""
        for found in self.hands(listen):
            if isinstance(found.reading, HandRecord):
                yield found.reading
            else:
                refused.add(found)

    def hands(self, listen: Listen | None = None) -> Iterator[Found]:
        """Everything in the files, one after another; a file that cannot be read does not hide the others."""
        files, skipped = self.found()
        for name, reason in skipped.items():
            yield Found(BadFile(reason), name, 0)
        sizes = [0 if listen is None or isinstance(file, str) else _size(file) for file in files]
        done = 0
        for file, size in zip(files, sizes, strict=True):
            part = None if listen is None else _from(done, sum(sizes), listen)
            found = find_hands(file, self.form, self.game, encoding=self.encoding, listen=part)
            try:
                yield from found
            except HandFileError as error:
                yield Found(BadFile(str(error).removeprefix(f"{file}: ")), str(file), 0)
            done += size
            if listen is not None:
                listen(done, sum(sizes))


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except OSError:
        return 0


def _from(done: int, total: int, listen: Listen) -> Callable[[int], None]:
    return lambda count: listen(done + count, total)
