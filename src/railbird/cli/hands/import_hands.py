"""`railbird import`: hands into the store."""

from typing import Annotated

import typer

from railbird.cli.options import Encoding, From, LogGame
from railbird.cli.output import hands, tell_refused


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
    encoding: Encoding = "utf-8",
) -> None:
    """Import hands into the store.

    Hands that are already in the store are not added again, so an interrupted import is completed by running it again.
    Hands that cannot be read are counted and reported on standard error; `railbird convert` can extract them.
    """
    from railbird.cli.progress import byte_bar
    from railbird.notation.sources import Sources
    from railbird.store import importing

    sources = Sources.named(files, from_format, game, encoding)
    with byte_bar("importing") as progress:
        imported = importing.import_hands(sources, store, progress)
    there = f", {imported.known:,} already present" if imported.known else ""
    print(f"{hands(imported.new)} added to {imported.address}{there}")
    tell_refused(imported.refused, "skipped")
