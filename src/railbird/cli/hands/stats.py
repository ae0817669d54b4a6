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
            help="A file or folder of hands, or a store; the one in your user folder otherwise.",
            show_default=False,
        ),
    ] = None,
    player: Annotated[
        str | None,
        typer.Option(help="Everything about this player; a table of all otherwise.", show_default=False),
    ] = None,
    top: Annotated[int, typer.Option(min=1, help="How many players the table shows.")] = 20,
    json: AsJson = False,
    from_format: From = None,
    game: Annotated[
        str | None,
        typer.Option(
            help="Of a store: only this game. Of ACPC logs that do not tell it: their game.",
            show_default=False,
        ),
    ] = None,
    encoding: Encoding = "utf-8",
) -> None:
    """What players did and won, every percentage with the number of times it could have happened."""
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
        tell_refused(unfinished, "left out")
    if json:
        print(dumps(counted.to_json(), indent=2, ensure_ascii=False))
    elif player is not None:
        show_career(counted, player, wide_console())
    else:
        show_careers(counted, top, wide_console())
