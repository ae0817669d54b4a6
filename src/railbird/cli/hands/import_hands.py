"""`railbird import`: hands into the store."""

from typing import Annotated

import typer

from railbird.cli.options import Encoding, From, LogGame
from railbird.cli.output import hands, tell_refused


def import_hands(
    files: Annotated[
        list[str], typer.Argument(metavar="FILE", help="Files or folders of hands, any format.")
    ],
    store: Annotated[
        str | None,
        typer.Option(
            help="An SQLite file or postgresql://…; one in your user folder otherwise.", show_default=False
        ),
    ] = None,
    from_format: From = None,
    game: LogGame = None,
    encoding: Encoding = "utf-8",
) -> None:
    """Read hands into the store.

    A hand that the store has is not added again, so an import that was stopped is completed by running it again.
    Hands that cannot be read are counted and shown on the error stream; `railbird convert` can put them aside.
    """
    from railbird.cli.progress import byte_bar
    from railbird.notation.sources import Sources
    from railbird.store import importing

    sources = Sources.named(files, from_format, game, encoding)
    with byte_bar("importing") as progress:
        imported = importing.import_hands(sources, store, progress)
    there = f", {imported.known:,} were there before" if imported.known else ""
    print(f"{hands(imported.new)} added to {imported.address}{there}")
    tell_refused(imported.refused, "left out")
