"""`railbird imitate`: how faithful an imitator is."""

from pathlib import Path
from typing import Annotated

import typer

from railbird.cli.learning.watch import require_players
from railbird.cli.options import (
    AllPlayers,
    Encoding,
    From,
    LearningSystem,
    LogGame,
    Logs,
    OpponentNetwork,
    WatchedPlayers,
)
from railbird.cli.output import tell_refused, wide_console


def imitate(
    logs: Logs,
    system: LearningSystem = "casper",
    player: WatchedPlayers = None,
    all_players: AllPlayers = False,
    network: OpponentNetwork = "",
    parts: Annotated[int, typer.Option(min=2, help="One hand in this many is held out.")] = 10,
    targets: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Maximum number of predicted decisions per stage, evenly spread; all by default.",
            show_default=False,
        ),
    ] = None,
    json: Annotated[
        Path | None, typer.Option(help="Write the results to this file.", show_default=False)
    ] = None,
    from_format: From = None,
    game: LogGame = None,
    encoding: Encoding = "utf-8",
) -> None:
    """Measure how faithful an imitator is: learn from most hands, predict decisions in the others.

    Shows, stage by stage, how often the most probable action was the actual one, and the log-loss of the predictions,
    next to two baselines: the most frequent action of the stage, and the most frequent action of the stage with or
    without a bet to call. The held-out hands are always the same.
    """
    from json import dumps

    from railbird.cli.progress import steps_bar
    from railbird.cli.views.imitation import show_imitated
    from railbird.learning import fidelity
    from railbird.places import write_whole

    require_players(logs, player, all_players, from_format, game, encoding)
    with steps_bar() as progress:
        imitated = fidelity.imitate(
            logs,
            player,
            system=system,
            network=network,
            parts=parts,
            most=targets,
            from_format=from_format,
            game=game,
            encoding=encoding,
            progress=progress,
        )
    if json is not None:
        text = dumps(imitated.to_json(), indent=2) + "\n"
        write_whole(json, lambda file: file.write(text.encode()), make_folder=False)
    show_imitated(imitated, wide_console())
    tell_refused(imitated.refused, "could not be read")
