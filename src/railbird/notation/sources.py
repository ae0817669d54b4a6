"""Files and folders of hands, read one after another."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import TypeAlias

from railbird.engine.record import HandRecord
from railbird.engine.rules import GameRules
from railbird.notation.files import STANDARD_INPUT, Found, HandFileError, find_hands, hand_files
from railbird.notation.formats import Format, format_named
from railbird.notation.game_names import find_game
from railbird.notation.reading import BadHand

Names: TypeAlias = str | PathLike[str] | Iterable[str | PathLike[str]]
"""A file or folder of hands, or several."""
Listen = Callable[[int, int], None]
"""Is told how many bytes were read, and how many there are; the standard input counts as 0."""
_FIRST = 3


@dataclass(slots=True)
class Refused:
    """Hands that could not be used: how many, and where and why for the first few."""

    count: int = 0
    first: list[str] = field(default_factory=list)

    def note(self, where: str, reason: str) -> None:
        """Add one."""
        self.count += 1
        if len(self.first) < _FIRST:
            self.first.append(f"{where}: {reason}")


@dataclass(frozen=True, slots=True)
class Sources:
    """Which hands are read: files and folders, and what these do not tell."""

    names: tuple[str, ...]
    form: Format | None = None
    game: GameRules | None = None
    encoding: str = "utf-8"

    @classmethod
    def named(
        cls,
        names: Names,
        from_format: str | None = None,
        game: str | None = None,
        encoding: str = "utf-8",
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

    def files(self) -> tuple[list[Path | str], bool]:
        """All files, and whether some were found in folders."""
        files: list[Path | str] = []
        for source in self.names:
            if source == STANDARD_INPUT:
                files.append(source)
                continue
            path = Path(source)
            if not path.exists():
                raise HandFileError(f"{source}: there is no such file or folder")
            found = hand_files(path)
            if not found:
                raise HandFileError(f"{source}: the folder holds no files of hands")
            files += found
        return files, any(Path(source).is_dir() for source in self.names)

    def records(self, refused: Refused, listen: Listen | None = None) -> Iterator[HandRecord]:
        """The hands that can be read; the others are noted."""
        for found in self.hands(listen):
            if isinstance(found.reading, BadHand):
                refused.note(found.where, found.reading.reason)
            else:
                yield found.reading

    def hands(self, listen: Listen | None = None) -> Iterator[Found]:
        """Everything in the files, one after another. In a folder a file of no known format is one bad hand."""
        files, from_folder = self.files()
        sizes = [0 if isinstance(file, str) else file.stat().st_size for file in files]
        done = 0
        for file, size in zip(files, sizes, strict=True):
            part = None if listen is None else _from(done, sum(sizes), listen)
            found = find_hands(file, self.form, self.game, encoding=self.encoding, listen=part)
            try:
                yield from found
            except HandFileError as error:
                if not from_folder:
                    raise
                reason = str(error).removeprefix(f"{file}: ")
                yield Found(BadHand(1, reason, ""), str(file), 1)
            done += size
            if listen is not None:
                listen(done, sum(sizes))


def _from(done: int, total: int, listen: Listen) -> Callable[[int], None]:
    return lambda count: listen(done + count, total)
