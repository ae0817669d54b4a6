"""`railbird import`: hands into the store."""

from pathlib import Path
from typing import Annotated

import typer

from railbird.cli.options import Encoding, From, LogGame
from railbird.cli.output import end_refused, hands, tell_refused


def import_hands(
    files: Annotated[
        list[str], typer.Argument(metavar="FILE", help="Files or folders of hands in any supported format.")
    ],
    store: Annotated[
        str | None,
        typer.Option(
            help="An SQLite file or postgresql://…; by default a file in your user folder.",
            show_default=False,
        ),
    ] = None,
    from_format: From = None,
    game: LogGame = None,
    encoding: Encoding = "auto",
    again: Annotated[
        bool, typer.Option("--again", help="Also read files that were imported before and have not changed.")
    ] = False,
    quarantine: Annotated[
        Path | None,
        typer.Option(
            help="File for hands that cannot be imported. By default STORE.bad, or in your user folder.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Import hands into the store.

    Hands that are already in the store are not added again, so an interrupted import is completed by running it again.
    Files that were imported before and have not changed are skipped. Hands that cannot be read go to STORE.bad: JSON
    lines with file, line, reason and text.

    Exit codes: 0 if every hand was imported, 1 if hands or files were refused, 2 if no file could be read.
    """
    from railbird.cli.interrupts import tells_when_stopped
    from railbird.cli.progress import byte_bar
    from railbird.notation.sources import Sources
    from railbird.store import importing

    sources = Sources.named(files, from_format, game, encoding)
    kept = "the hands imported so far are kept; this command completes the import"
    with tells_when_stopped(kept), byte_bar("importing") as progress:
        imported = importing.import_hands(sources, store, progress, again=again, quarantine=quarantine)
    there = f", {imported.known:,} already present" if imported.known else ""
    print(f"{hands(imported.new)} added to {imported.address}{there}")
    if imported.unchanged:
        print(f"{imported.unchanged:,} unchanged file{'' if imported.unchanged == 1 else 's'} skipped")
    tell_refused(imported.refused, "could not be imported")
    end_refused(imported.refused)
