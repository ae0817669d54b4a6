"""`railbird stats`: what players did and won."""

from typing import Annotated

import typer

from railbird.cli.options import Encoding, Force, From, JsonFile, refuse_idle, refuse_idle_force
from railbird.cli.output import (
    end_refused,
    hands,
    is_standard_output,
    require_json,
    result_console,
    tell,
    tell_refused,
    write_json,
)


def stats(
    context: typer.Context,
    sources: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="FILE|URL",
            help="Files or folders of hands, or one store; by default the store in your user folder.",
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
    json: JsonFile = None,
    force: Force = False,
    from_format: From = None,
    game: Annotated[
        str | None,
        typer.Option(
            help="For a store: only this game. For ACPC logs that do not name their game: the game.",
            show_default=False,
        ),
    ] = None,
    encoding: Encoding = "auto",
) -> None:
    """Show what players did and won, every percentage with its sample size.

    Winnings are added up by currency; hands for play chips have none. Hands that are not over, and showdowns whose
    winner the source does not name, are left out.

    Exit codes: 0 if every hand could be read, 1 if hands or files were refused, 2 if there is nothing to count.
    """
    from railbird.arena.results.archive import Archive, count_careers
    from railbird.cli.progress import bar, byte_bar
    from railbird.cli.views.archive import show_career, show_careers
    from railbird.notation.refusals import Refused, refused_in_user_folder

    refuse_idle_force(context, json)
    require_json(json, force=force)
    if player is not None:
        refuse_idle(context, "with --player", "top")
    if is_standard_output(json):
        refuse_idle(context, "with --json -, which has all players", "top")
    archive = Archive(tuple(sources or ()), from_format, game, encoding)
    if archive.is_store:
        refuse_idle(context, "for a store", "from_format", "encoding")
    with (
        Refused(None if archive.is_store else refused_in_user_folder()) as refused,
        (bar if archive.is_store else byte_bar)("counting") as progress,
    ):
        counted = count_careers(archive, player, refused=refused, progress=progress)
    if not write_json(json, counted.to_json):
        if player is not None:
            show_career(counted, player, result_console())
        else:
            show_careers(counted, top, result_console())
    for reason, count in counted.left_out.items():
        tell(f"{hands(count)} left out: {reason.sentence}")
    tell_refused(refused, "could not be read")
    end_refused(refused)
