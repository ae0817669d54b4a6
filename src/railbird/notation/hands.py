"""Hands in and out of files, the short way: `read_hands` and `write_hands`."""

from collections.abc import Iterable, Iterator
from os import PathLike
from pathlib import Path

from railbird.engine.record import HandRecord
from railbird.notation.conversion import ConversionError, writable, writable_formats
from railbird.notation.files import HandFileError
from railbird.notation.formats import format_named, formats_of_name
from railbird.notation.outputs import FileOutput, OneHandFile
from railbird.notation.reading import BadHand
from railbird.notation.refusals import Refused
from railbird.notation.sources import Names, Sources
from railbird.places import require_output


def read_hands(
    files: Names,
    *,
    format: str | None = None,  # noqa: A002
    game: str | None = None,
    encoding: str = "auto",
    refused: Refused | None = None,
) -> Iterator[HandRecord]:
    """The hands of files or folders in any format, one after another.

    A hand or file that cannot be read is an error, unless it can be added to `refused`. The format is recognised where
    none is named; `game` is for ACPC logs that do not name theirs.

    >>> import railbird, tempfile
    >>> log = f"{tempfile.mkdtemp()}/hands.log"
    >>> results = railbird.match(["random", "always-call"], hands=3, seed=1, log=log)
    >>> [hand.payoffs for hand in railbird.read_hands(log)]
    [(20, -20), (5, -5), (10, -10)]
    """
    sources = Sources.named(files, format, game, encoding)
    if refused is not None:
        yield from sources.records(refused)
        return
    for found in sources.hands():
        if isinstance(found.reading, BadHand):
            raise HandFileError(f"{found.where}: {found.reading.reason}")
        yield found.reading


def write_hands(
    hands: Iterable[HandRecord],
    file: str | PathLike[str],
    *,
    format: str | None = None,  # noqa: A002
    force: bool = False,
) -> int:
    """Write hands to a new file, and return how many there are.

    The name of the file tells the format where none is named, and whether it is compressed: `hands.phhs.xz`.

    >>> import railbird, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> results = railbird.match(["random", "always-call"], hands=3, seed=1, log=f"{folder}/hands.log")
    >>> railbird.write_hands(railbird.read_hands(f"{folder}/hands.log"), f"{folder}/hands.phhs")
    3
    """
    path = Path(file)
    named = (format_named(format),) if format is not None else formats_of_name(path)
    if not named:
        raise ConversionError(
            f"{path}: the file name does not indicate the format: choose {writable_formats()}"
        )
    form = writable(next((form for form in named if form.writer is not None), named[0]))
    require_output(path, force=force)
    assert form.writer is not None
    writer, output = form.writer(), OneHandFile(path) if form.one_hand else FileOutput(path)
    count = 0
    try:
        for hand in hands:
            output.write(writer.hand(hand).encode())
            count += 1
        output.write(writer.end().encode())
        output.finish()
    finally:
        output.discard()
    return count
