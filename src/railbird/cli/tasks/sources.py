"""The files of hands that a command was given, one after another."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from railbird.engine.rules import GameRules
from railbird.notation.files import STANDARD_INPUT, Found, HandFileError, hand_files, read_hands
from railbird.notation.formats import Format
from railbird.notation.reading import BadHand

Listen = Callable[[int, int], None]
"""Is told how many bytes of how many were read; of the standard input nobody knows how many there are."""


@dataclass(frozen=True, slots=True)
class Sources:
    """Which hands are read: the files, and what they do not tell themselves."""

    names: tuple[str, ...]
    form: Format | None
    game: GameRules | None
    encoding: str

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

    def hands(self, listen: Listen) -> Iterator[Found]:
        """Everything in the files, one after another. In a folder a file of no known format is one bad hand."""
        files, from_folder = self.files()
        sizes = [0 if isinstance(file, str) else file.stat().st_size for file in files]
        done = 0
        for file, size in zip(files, sizes, strict=True):
            found = read_hands(
                file, self.form, self.game, encoding=self.encoding, listen=_from(done, sum(sizes), listen)
            )
            try:
                yield from found
            except HandFileError as error:
                if not from_folder:
                    raise
                reason = str(error).removeprefix(f"{file}: ")
                yield Found(BadHand(1, reason, ""), str(file), 1)
            done += size
            listen(done, sum(sizes))


def _from(done: int, total: int, listen: Listen) -> Callable[[int], None]:
    return lambda count: listen(done + count, total)
