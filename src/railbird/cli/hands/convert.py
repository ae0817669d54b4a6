"""`railbird convert`: hands from one format to another."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from railbird.cli.options import Encoding, From, LogGame
from railbird.cli.output import hands

if TYPE_CHECKING:
    from railbird.notation.conversion import Summary


def convert(
    inputs: Annotated[
        list[str], typer.Argument(metavar="IN", help="Files or folders of hands; - is the standard input.")
    ],
    output: Annotated[
        str, typer.Argument(metavar="OUT", help="The file to write; - is the standard output.")
    ],
    from_format: From = None,
    to_format: Annotated[
        str | None,
        typer.Option("--to", help="The format that is written; otherwise by OUT's name.", show_default=False),
    ] = None,
    game: LogGame = None,
    encoding: Encoding = "utf-8",
    strict: Annotated[
        bool, typer.Option("--strict", help="Stop at the first bad hand, write nothing.")
    ] = False,
    quarantine: Annotated[
        Path | None, typer.Option(help="Where bad hands go; OUT.bad otherwise.", show_default=False)
    ] = None,
    keep_duplicates: Annotated[
        bool, typer.Option("--keep-duplicates", help="Write a hand as often as it is read.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Write over files that exist.")] = False,
) -> None:
    """Convert hands from one format to another.

    Formats are known by their contents and by the names of files, compressed (.xz, .gz, .zst) or not. A folder
    is read with everything below it. Hands that cannot be read, or that OUT's format cannot hold, are put aside
    in OUT.bad: JSON lines with file, line, reason and text. Hands that were read before are left out.

    Exit codes: 0 when OUT was written, also when hands were put aside, which is said on the error stream; 2 when
    nothing was written.
    """
    from railbird.cli.progress import byte_bar
    from railbird.notation import conversion
    from railbird.notation.sources import Sources

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


def _report(summary: "Summary", *, to_standard_output: bool) -> None:
    """Say how many hands went where, and what was lost on the way."""
    stream = sys.stderr if to_standard_output else sys.stdout
    print(f"{hands(summary.read)} read, {summary.written:,} written", file=stream)
    if summary.duplicates:
        print(f"{hands(summary.duplicates)} left out: the same had been read before", file=stream)
    for what, count in sorted(summary.losses.items()):
        print(f"{hands(count)}: {what} left out", file=stream)
    if summary.bad:
        kept = summary.quarantine
        where = "not kept: --quarantine FILE keeps them" if kept is None else f"now in {kept}"
        print(f"{hands(summary.bad)} put aside, {where}; the first: {summary.first_bad}", file=sys.stderr)
