"""`railbird watch`: hands into cases."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from railbird.cli.options import (
    AllPlayers,
    Encoding,
    Force,
    From,
    LearningSystem,
    LogGame,
    Logs,
    OpponentNetwork,
    WatchedPlayers,
)
from railbird.cli.output import end_refused, result_console, tell_refused
from railbird.extras import require_extra

if TYPE_CHECKING:
    from railbird.notation.sources import Sources

_NAMES_SHOWN = 10


def watch(
    logs: Logs,
    system: LearningSystem,
    output: Annotated[Path, typer.Option("-o", "--output", metavar="PACK", help="The pack to write.")],
    player: WatchedPlayers = None,
    all_players: AllPlayers = False,
    network: OpponentNetwork = "",
    from_format: From = None,
    game: LogGame = None,
    encoding: Encoding = "auto",
    force: Force = False,
) -> None:
    """Learn by watching: turn every decision of a player whose hole cards are known into a case.

    The cases are written to a new pack: a Parquet file, readable by common data tools, with the recipe and the hash of
    every source. Unreadable hands, duplicates, hands of games that the system does not play and hands with unknown
    cards are counted and skipped.

    To add more hands, write another pack and merge them with railbird casebase merge.
    """
    from railbird.cli.interrupts import NOTHING_WRITTEN, tells_when_stopped
    from railbird.cli.progress import steps_bar
    from railbird.cli.views.packs import show_watched
    from railbird.learning import packs

    require_extra("learn", "polars", "railbird watch")
    require_players(logs, player, all_players, from_format, game, encoding)
    with tells_when_stopped(NOTHING_WRITTEN), steps_bar() as progress:
        watched = packs.watch(
            logs,
            player,
            system=system,
            output=output,
            network=network,
            from_format=from_format,
            game=game,
            encoding=encoding,
            force=force,
            progress=partial(progress, "watching"),
            tables=partial(progress, "building tables"),
        )
    show_watched(watched, output, result_console())
    tell_refused(watched.refused, "could not be read")
    end_refused(watched.refused)


def require_players(
    logs: list[str],
    player: list[str] | None,
    all_players: bool,
    from_format: str | None,
    game: str | None,
    encoding: str,
) -> None:
    """Raise an error unless either players are named or all players are to be watched."""
    from railbird.learning.watching import WatchingError
    from railbird.notation.sources import Sources

    if player and all_players:
        raise WatchingError("--player and --all-players cannot be combined")
    if not player and not all_players:
        raise WatchingError(_whom(Sources.named(logs, from_format, game, encoding)))


def _whom(sources: "Sources") -> str:
    """The message that asks for the players to watch."""
    from railbird.learning.packs import players_in

    names = players_in(sources)
    shown = ", ".join(names[:_NAMES_SHOWN]) or "no readable hands"
    more = " and others" if len(names) > _NAMES_SHOWN else ""
    return f"choose players with --player NAME or --all-players: {sources} has {shown}{more}"
