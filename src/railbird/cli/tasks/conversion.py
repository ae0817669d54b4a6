"""What `railbird convert` does: hands from files of any format into one file, and a list of what did not get there."""

import json
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from railbird.cli.tasks.output import (
    STANDARD_OUTPUT,
    FileOutput,
    FolderOutput,
    OneHandFile,
    Output,
    StandardOutput,
)
from railbird.cli.tasks.sources import Sources
from railbird.cli.views.progress import byte_bar
from railbird.engine.record import HandRecord
from railbird.notation.files import STANDARD_INPUT, Found, hand_files
from railbird.notation.formats import FORMATS, Format, HandWriter, format_named, formats_of_name
from railbird.notation.game_names import find_game
from railbird.notation.reading import BadHand, NotationError
from railbird.notation.records import digest_of, format_record
from railbird.places import is_stream


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
        name = "standard input" if found.source == STANDARD_INPUT else found.source
        where = f"{name}, line {found.line}: {reason}"
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
class Order:
    """What the command was asked to do."""

    inputs: tuple[str, ...]
    output: str
    from_format: str | None
    to_format: str | None
    game: str | None
    encoding: str
    quarantine: Path | None
    strict: bool
    keep_duplicates: bool
    force: bool

    def sources(self) -> Sources:
        """What is read."""
        return Sources(
            self.inputs,
            None if self.from_format is None else format_named(self.from_format),
            None if self.game is None else find_game(self.game),
            self.encoding,
        )

    def target(self) -> Format:
        """The format that is written."""
        if self.to_format is not None:
            target = format_named(self.to_format)
        else:
            named = () if self.output == STANDARD_OUTPUT else formats_of_name(Path(self.output))
            if not named:
                raise ConversionError(
                    f"{self.output}: the name does not tell the format: say --to {writable_formats()}"
                )
            target = next((form for form in named if form.writer is not None), named[0])
        if target.writer is None:
            raise ConversionError(f"{target.name} is only read: write {writable_formats()}")
        return target

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
        for source in self.inputs:
            if source != STANDARD_INPUT and any(_same(path, file) for file in hand_files(Path(source))):
                raise ConversionError(f"{path}: is read and cannot be written at the same time")
        if path.exists() and not self.force:
            raise ConversionError(f"{path}: exists already: --force writes over it")
        _require_folder_of(path)


def _same(first: Path, second: Path) -> bool:
    return first.resolve() == second.resolve()


def _require_folder_of(path: Path) -> None:
    if not path.parent.is_dir():
        raise ConversionError(f"{path.parent} is not a folder to write {path.name} into")


def writable_formats() -> str:
    """The names of the formats that can be written, for people."""
    *names, last = (form.name for form in FORMATS if form.writer is not None)
    return f"{', '.join(names)} or {last}" if names else last


def run(order: Order) -> None:
    """Convert and say what came of it."""
    sources, target = order.sources(), order.target()
    output, quarantine = order.open_output(target), order.open_quarantine()
    conversion = Conversion(
        target, output, quarantine, strict=order.strict, keep_duplicates=order.keep_duplicates
    )
    summary = conversion.summary
    try:
        with byte_bar("converting") as listen:
            for found in sources.hands(listen):
                conversion.add(found)
        if not summary.written:
            raise ConversionError(_nothing(summary, order))
        conversion.end()
        output.finish()
        if quarantine is not None:
            if order.force and not summary.bad:
                quarantine.path.unlink(missing_ok=True)  # of an earlier conversion
            quarantine.finish()
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            raise
        raise ConversionError(f"{order.output}: cannot be written: {error.strerror or error}") from None
    finally:
        output.discard()
        if quarantine is not None:
            quarantine.discard()
    report(summary, order, quarantine)


def _nothing(summary: Summary, order: Order) -> str:
    if not summary.bad:
        return f"no hand was found in {', '.join(order.inputs)}"
    hands = "hand could" if summary.bad == 1 else f"of {summary.bad:,} hands could"
    return f"no {hands} be converted; {summary.first_bad}"


def report(summary: Summary, order: Order, quarantine: FileOutput | None) -> None:
    """Say how many hands went where, and what was lost on the way."""
    stream = sys.stderr if order.output == STANDARD_OUTPUT else sys.stdout
    print(f"{_hands(summary.read)} read, {summary.written:,} written", file=stream)
    if summary.duplicates:
        print(f"{_hands(summary.duplicates)} left out: the same had been read before", file=stream)
    for what, count in sorted(summary.losses.items()):
        print(f"{_hands(count)}: {what} left out", file=stream)
    if summary.bad:
        where = (
            "not kept: --quarantine FILE keeps them" if quarantine is None else f"now in {quarantine.path}"
        )
        print(f"{_hands(summary.bad)} put aside, {where}; the first: {summary.first_bad}", file=sys.stderr)


def _hands(count: int) -> str:
    return "1 hand" if count == 1 else f"{count:,} hands"
