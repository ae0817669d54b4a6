"""`railbird convert`: hands from one format to another."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from railbird.cli.options import Encoding, From, LogGame, refuse_idle, refuse_idle_force
from railbird.cli.output import end_refused, hands, tell_refused

if TYPE_CHECKING:
    from railbird.notation.conversion import Summary


def convert(
    context: typer.Context,
    inputs: Annotated[
        list[str], typer.Argument(metavar="IN", help="Files or folders of hands; - for standard input.")
    ],
    output: Annotated[str, typer.Argument(metavar="OUT", help="The file to write; - for standard output.")],
    from_format: From = None,
    to_format: Annotated[
        str | None,
        typer.Option("--to", help="Output format. By default, from the name of OUT.", show_default=False),
    ] = None,
    game: LogGame = None,
    encoding: Encoding = "auto",
    strict: Annotated[
        bool, typer.Option("--strict", help="Stop at the first bad hand and write nothing.")
    ] = False,
    quarantine: Annotated[
        Path | None,
        typer.Option(
            help="File for bad hands. By default OUT.bad, or in your user folder.", show_default=False
        ),
    ] = None,
    keep_duplicates: Annotated[bool, typer.Option("--keep-duplicates", help="Keep repeated hands.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Overwrite existing files.")] = False,
) -> None:
    """Convert hands from one format to another.

    Formats are detected from content and file name, compressed (.xz, .gz, .zst) or not. Folders are read
    recursively. Hands that cannot be read, or cannot be written in the format of OUT, go to OUT.bad: JSON lines with
    file, line, reason and text. Files that cannot be read at all are skipped, and so are repeated hands.

    Exit codes: 0 if every hand was written; 1 if OUT was written, but hands or files were refused, which is reported
    on standard error; 2 if OUT was not written.
    """
    from railbird.cli.progress import byte_bar
    from railbird.notation import conversion
    from railbird.notation.sources import Sources

    if strict:
        refuse_idle(context, "with --strict", "quarantine")
    refuse_idle_force(context, Path(output), quarantine)
    sources = Sources.named(inputs, from_format, game, encoding)
    with byte_bar("converting") as progress:
        summary = conversion.convert(
            sources,
            output,
            to_format=to_format,
            quarantine=quarantine,
            strict=strict,
            keep_duplicates=keep_duplicates,
            force=force,
            progress=progress,
        )
    _report(summary, to_standard_output=output == "-")
    tell_refused(summary.refused, "could not be converted")
    end_refused(summary.refused)


def _report(summary: "Summary", *, to_standard_output: bool) -> None:
    """Report how many hands were read and written, and what was lost."""
    stream = sys.stderr if to_standard_output else sys.stdout
    print(f"{hands(summary.read)} read, {summary.written:,} written", file=stream)
    if summary.duplicates:
        print(f"{hands(summary.duplicates)} skipped as duplicates", file=stream)
    for what, count in sorted(summary.losses.items()):
        print(f"{hands(count)}: {what} omitted", file=stream)
