"""Converting hands: from files of any format into one file, with a list of those that did not get there."""

import json
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
from railbird.notation.reading import BadHand, NotationError
from railbird.notation.records import digest_of, format_record
from railbird.notation.sources import Listen, Sources
from railbird.places import OutputExists, is_stream


class ConversionError(ValueError):
    """A conversion that cannot be done, or was not finished and left nothing behind."""


@dataclass(slots=True)
class Summary:
    """What came of a conversion."""

    written: int = 0
    duplicates: int = 0
    losses: Counter[str] = field(default_factory=Counter)
    bad: int = 0
    """How many hands were put aside."""
    first_bad: str = ""
    """Where the first of them stands, and why it was put aside."""
    quarantine: Path | None = None
    """The file of the hands that were put aside."""

    @property
    def read(self) -> int:
        """How many hands were found, whatever became of them."""
        return self.written + self.duplicates + self.bad


class Conversion:
    """Writes what it is given, without duplicates, and puts aside what cannot be written."""

    def __init__(
        self,
        target: Format,
        output: Output,
        quarantine: Output | None,
        *,
        strict: bool = False,
        keep_duplicates: bool = False,
    ) -> None:
        assert target.writer is not None
        self.summary = Summary()
        self._target = target
        self._writer: HandWriter = target.writer()
        self._output = output
        self._quarantine = quarantine
        self._strict = strict
        self._keep_duplicates = keep_duplicates
        self._seen: set[bytes] = set()

    def add(self, found: Found) -> None:
        """Write a hand or put it aside."""
        if isinstance(found.reading, BadHand):
            self._put_aside(found, found.reading.reason, found.reading.text)
            return
        record = found.reading
        if not self._keep_duplicates:
            digest = digest_of(record)
            if digest in self._seen:
                self.summary.duplicates += 1
                return
            self._seen.add(digest)
        self._write(found, record)

    def _write(self, found: Found, record: HandRecord) -> None:
        try:
            losses = self._target.losses(record)
            text = self._writer.hand(record)
        except NotationError as error:
            reason = f"{self._target.name} cannot hold this hand: {error}"
            self._put_aside(found, reason, format_record(record))
            return
        self._output.write(text.encode())
        self.summary.written += 1
        for loss in losses:
            self.summary.losses[loss.what] += 1

    def _put_aside(self, found: Found, reason: str, text: str) -> None:
        where = f"{found.where}: {reason}"
        if self._strict:
            raise ConversionError(where)
        self.summary.bad += 1
        self.summary.first_bad = self.summary.first_bad or where
        if self._quarantine is not None:
            entry = {"file": found.source, "line": found.line, "reason": reason, "text": text}
            self._quarantine.write(json.dumps(entry, ensure_ascii=False).encode(errors="replace") + b"\n")

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
                f"{self.output}: the name does not tell the format: say --to {writable_formats()}"
            )
        return writable(next((form for form in named if form.writer is not None), named[0]))

    def _is_folder(self, target: Format) -> bool:
        path = Path(self.output)
        return target.one_hand and (path.is_dir() or target not in formats_of_name(path))

    def open_output(self, target: Format) -> Output:
        """Where the hands go."""
        if self.output == STANDARD_OUTPUT:
            if target.one_hand:
                raise ConversionError(f"{target.name} holds one hand a file: name a file or a new folder")
            return StandardOutput(held_back=self.strict)
        path = Path(self.output)
        if self._is_folder(target):
            if path.exists():
                raise ConversionError(f"{path}: exists already: name a new folder")
            _require_folder_of(path)
            return FolderOutput(path, target.endings[0])
        self._require_free(path)
        return OneHandFile(path) if target.one_hand else FileOutput(path)

    def open_quarantine(self) -> FileOutput | None:
        """Where bad hands go; nowhere when the hands go to the standard output and no place is named."""
        path = self.quarantine
        if path is None:
            if self.output == STANDARD_OUTPUT:
                return None
            path = Path(f"{self.output.rstrip('/')}.bad")
        elif self.output != STANDARD_OUTPUT and _same(path, Path(self.output)):
            raise ConversionError(f"{path}: the hands and the bad hands cannot go into one file")
        self._require_free(path)
        return FileOutput(path)

    def _require_free(self, path: Path) -> None:
        if path.is_dir():
            raise ConversionError(f"{path}: is a folder, but a file is to be written")
        if is_stream(path):
            raise ConversionError(f"{path}: is no plain file; - as OUT writes to the standard output")
        for source in self.sources.names:
            if source != STANDARD_INPUT and any(_same(path, file) for file in hand_files(Path(source))):
                raise ConversionError(f"{path}: is read and cannot be written at the same time")
        if path.exists() and not self.force:
            raise OutputExists(path)
        _require_folder_of(path)


def _same(first: Path, second: Path) -> bool:
    return first.resolve() == second.resolve()


def _require_folder_of(path: Path) -> None:
    if not path.parent.is_dir():
        raise ConversionError(f"{path.parent} is not a folder to write {path.name} into")


def writable(form: Format) -> Format:
    """The format itself; one that is only read is refused."""
    if form.writer is None:
        raise ConversionError(f"{form.name} is only read: write {writable_formats()}")
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

    Hands that cannot be read, or that the format cannot hold, go to `quarantine`, by default `OUTPUT.bad`; with
    `strict` the first of them ends the conversion, and nothing is written.
    """
    place = _Destination(sources, str(output), to_format, quarantine, strict, force)
    target = place.target()
    hands, bad_hands = place.open_output(target), place.open_quarantine()
    conversion = Conversion(target, hands, bad_hands, strict=strict, keep_duplicates=keep_duplicates)
    summary = conversion.summary
    try:
        for found in sources.hands(progress):
            conversion.add(found)
        if not summary.written:
            raise ConversionError(_nothing(summary, sources))
        conversion.end()
        hands.finish()
        if bad_hands is not None:
            if force and not summary.bad:
                bad_hands.path.unlink(missing_ok=True)  # of an earlier conversion
            bad_hands.finish()
            summary.quarantine = bad_hands.path
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            raise
        raise ConversionError(f"{output}: cannot be written: {error.strerror or error}") from None
    finally:
        hands.discard()
        if bad_hands is not None:
            bad_hands.discard()
    return summary


def _nothing(summary: Summary, sources: Sources) -> str:
    if not summary.bad:
        return f"no hand was found in {sources}"
    hands = "hand could" if summary.bad == 1 else f"of {summary.bad:,} hands could"
    return f"no {hands} be converted; {summary.first_bad}"
