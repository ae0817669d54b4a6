"""Converting hands: from files of any format into one file, and those that did not get there into another."""

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from railbird.engine.record import HandRecord
from railbird.notation.files import STANDARD_INPUT, Found, hand_files
from railbird.notation.formats import FORMATS, Format, HandWriter, format_named, formats_of_name
from railbird.notation.outputs import (
    STANDARD_OUTPUT,
    FileOutput,
    FolderOutput,
    OneHandFile,
    Output,
    StandardOutput,
)
from railbird.notation.reading import NotationError
from railbird.notation.records import digest_of
from railbird.notation.refusals import Refused, refused_beside, refused_in_user_folder
from railbird.notation.sources import Listen, Sources
from railbird.places import is_stream, require_output


class ConversionError(ValueError):
    """A conversion that cannot be done, or was not finished and left nothing behind."""


@dataclass(slots=True)
class Summary:
    """What came of a conversion."""

    written: int = 0
    duplicates: int = 0
    losses: Counter[str] = field(default_factory=Counter)
    refused: Refused = field(default_factory=Refused)
    """What could not be converted."""

    @property
    def read(self) -> int:
        """How many hands were found, whatever became of them."""
        return self.written + self.duplicates + self.refused.count


class Conversion:
    """Writes what it is given, without duplicates, and puts aside what cannot be written."""

    def __init__(
        self,
        target: Format,
        output: Output,
        refused: Refused,
        *,
        strict: bool = False,
        keep_duplicates: bool = False,
    ) -> None:
        assert target.writer is not None
        self.summary = Summary(refused=refused)
        self._target = target
        self._writer: HandWriter = target.writer()
        self._output = output
        self._strict = strict
        self._keep_duplicates = keep_duplicates
        self._seen: set[bytes] = set()

    def add(self, found: Found) -> None:
        """Write a hand or put it aside."""
        record = found.reading
        if not isinstance(record, HandRecord):
            self._put_aside(found, record.reason)
            return
        if not self._keep_duplicates:
            digest = digest_of(record)
            if digest in self._seen:
                self.summary.duplicates += 1
                return
            self._seen.add(digest)
        self._write(found, record)

    def _write(self, found: Found, record: HandRecord) -> None:
        try:
            text = self._writer.hand(record)
        except NotationError as error:
            self._put_aside(found, f"{self._target.name} cannot hold this hand: {error}")
            return
        self._output.write(text.encode())
        self.summary.written += 1
        for loss in self._target.losses(record):
            self.summary.losses[loss.what] += 1

    def _put_aside(self, found: Found, reason: str) -> None:
        if self._strict:
            raise ConversionError(f"{found.where}: {reason}")
        self.summary.refused.add(found, reason)

    def end(self) -> None:
        """Write what stands after the last hand."""
        self._output.write(self._writer.end().encode())


@dataclass(frozen=True, slots=True)
class _Destination:
    """Where converted hands go, and in which format."""

    sources: Sources
    output: str
    to_format: str | None
    quarantine: Path | None
    strict: bool
    force: bool

    def target(self) -> Format:
        """The format that is written."""
        if self.to_format is not None:
            return writable(format_named(self.to_format))
        named = () if self.output == STANDARD_OUTPUT else formats_of_name(Path(self.output))
        if not named:
            raise ConversionError(
                f"{self.output}: the file name does not indicate the format: use --to {writable_formats()}"
            )
        return writable(next((form for form in named if form.writer is not None), named[0]))

    def _is_folder(self, target: Format) -> bool:
        path = Path(self.output)
        return target.one_hand and (path.is_dir() or target not in formats_of_name(path))

    def open_output(self, target: Format) -> Output:
        """Where the hands go."""
        if self.output == STANDARD_OUTPUT:
            if target.one_hand:
                raise ConversionError(f"{target.name} holds one hand per file: name a file or a new folder")
            return StandardOutput(held_back=self.strict)
        path = Path(self.output)
        if self._is_folder(target):
            if path.exists():
                raise ConversionError(f"{path} exists already: name a new folder")
            require_output(path)
            return FolderOutput(path, target.endings[0])
        self._require_free(path)
        return OneHandFile(path) if target.one_hand else FileOutput(path)

    def refused(self) -> Refused:
        """What could not be converted, with the file where such hands are kept."""
        path = self.quarantine
        if path is None:
            if self.output == STANDARD_OUTPUT:
                return Refused(refused_in_user_folder())
            path = refused_beside(self.output)
        elif self.output != STANDARD_OUTPUT and _same(path, Path(self.output)):
            raise ConversionError(f"{path}: the hands and the bad hands cannot go into one file")
        self._require_free(path)
        return Refused(path)

    def _require_free(self, path: Path) -> None:
        if is_stream(path):
            raise ConversionError(f"{path} is not a regular file; - as OUT writes to standard output")
        named = (source for source in self.sources.names if source != STANDARD_INPUT)
        inputs = (file for source in named for file in hand_files(Path(source)))
        require_output(path, force=self.force, inputs=inputs)


def _same(first: Path, second: Path) -> bool:
    return first.resolve() == second.resolve()


def writable(form: Format) -> Format:
    """The format itself; one that is only read is refused."""
    if form.writer is None:
        raise ConversionError(f"{form.name} can be read but not written: choose {writable_formats()}")
    return form


def writable_formats() -> str:
    """The names of the formats that can be written, for people."""
    *names, last = (form.name for form in FORMATS if form.writer is not None)
    return f"{', '.join(names)} or {last}" if names else last


def convert(
    sources: Sources,
    output: Path | str,
    *,
    to_format: str | None = None,
    quarantine: Path | None = None,
    strict: bool = False,
    keep_duplicates: bool = False,
    force: bool = False,
    progress: Listen | None = None,
) -> Summary:
    """Write the hands of all sources to one file, or to the standard output (`-`).

    Hands that cannot be read, or that the format cannot hold, go to `quarantine`: by default to `OUTPUT.bad`, or to the
    user's folder if `OUTPUT` is the standard output. With `strict` the first of them ends the conversion, and nothing
    is written.
    """
    place = _Destination(sources, str(output), to_format, quarantine, strict, force)
    target = place.target()
    hands = place.open_output(target)
    refused = place.refused()
    conversion = Conversion(target, hands, refused, strict=strict, keep_duplicates=keep_duplicates)
    summary = conversion.summary
    sources.files()
    try:
        with refused:
            for found in sources.hands(progress):
                conversion.add(found)
        if not summary.written:
            raise ConversionError(_nothing(summary, sources))
        conversion.end()
        hands.finish()
        if force and not refused.count and output != STANDARD_OUTPUT:
            assert refused.path is not None
            refused.path.unlink(missing_ok=True)  # of an earlier conversion
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            raise
        what = "the output" if output == STANDARD_OUTPUT else f"{output}:"
        raise ConversionError(f"{what} cannot be written: {error.strerror or error}") from None
    finally:
        hands.discard()
    return summary


def _nothing(summary: Summary, sources: Sources) -> str:
    refused = summary.refused
    if not refused.count:
        return f"no hand was found in {sources}{''.join(f'; {skipped}' for skipped in refused.first)}"
    hands = "the only hand could not" if refused.count == 1 else f"none of {refused.count:,} hands could"
    return f"{hands} be converted; {refused.first[0]}"
