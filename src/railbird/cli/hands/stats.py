"""`railbird stats`: what players did and won."""

from json import dumps
from typing import Annotated

import typer

from railbird.cli.options import AsJson, Encoding, From
from railbird.cli.output import tell_refused, wide_console


def stats(
    source: Annotated[
        str | None,
        typer.Argument(
            metavar="FILE|URL",
            help="A file or folder of hands, or a store; by default the store in your user folder.",
            show_default=False,
        ),
    ] = None,
    player: Annotated[
        str | None,
        typer.Option(
            help="Show everything about this player instead of a table of all players.", show_default=False
        ),
    ] = None,
    top: Annotated[int, typer.Option(min=1, help="Number of players in the table.")] = 20,
    json: AsJson = False,
    from_format: From = None,
    game: Annotated[
        str | None,
        typer.Option(
            help="For a store: only this game. For ACPC logs that do not name their game: the game.",
            show_default=False,
        ),
    ] = None,
    encoding: Encoding = "utf-8",
) -> None:
    """Show what players did and won, every percentage with its sample size."""
    from railbird.arena.results.archive import Archive, count_careers
    from railbird.cli.progress import bar, byte_bar
    from railbird.cli.views.archive import show_career, show_careers
    from railbird.notation.sources import Refused

    archive = Archive(source, from_format, game, encoding)
    bad, unfinished = Refused(), Refused()
    try:
        with (bar if archive.is_store else byte_bar)("counting") as progress:
            counted = count_careers(archive, player, bad=bad, unfinished=unfinished, progress=progress)
    finally:
        tell_refused(bad, "could not be read")
        tell_refused(unfinished, "skipped")
    if json:
        print(dumps(counted.to_json(), indent=2, ensure_ascii=False))
    elif player is not None:
        show_career(counted, player, wide_console())
    else:
        show_careers(counted, top, wide_console())
