"""`railbird imitate`: how faithful an imitator is."""

from typing import Annotated

import typer

from railbird.cli.learning.watch import require_players
from railbird.cli.options import (
    AllPlayers,
    Encoding,
    Force,
    From,
    JsonFile,
    LearningSystem,
    LogGame,
    Logs,
    OpponentNetwork,
    WatchedPlayers,
    refuse_idle_force,
)
from railbird.cli.output import end_refused, require_json, result_console, tell_refused, write_json


def imitate(
    context: typer.Context,
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
    json: JsonFile = None,
    force: Force = False,
    from_format: From = None,
    game: LogGame = None,
    encoding: Encoding = "auto",
) -> None:
    """Measure how faithful an imitator is: learn from most hands, predict decisions in the others.

    Shows, stage by stage, how often the most probable action was the actual one, and the log-loss of the predictions,
    next to two baselines: the most frequent action of the stage, and the most frequent action of the stage with or
    without a bet to call. The held-out hands are always the same.
    """
    from railbird.cli.interrupts import NOTHING_WRITTEN, tells_when_stopped
    from railbird.cli.progress import steps_bar
    from railbird.cli.views.imitation import show_imitated
    from railbird.learning import fidelity
    from railbird.notation.refusals import refused_in_user_folder

    refuse_idle_force(context, json)
    require_json(json, force=force)
    require_players(logs, player, all_players, from_format, game, encoding)
    with tells_when_stopped(NOTHING_WRITTEN), steps_bar() as progress:
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
            bad=refused_in_user_folder(),
            progress=progress,
        )
    if not write_json(json, imitated.to_json):
        show_imitated(imitated, result_console())
    tell_refused(imitated.refused, "could not be read")
    end_refused(imitated.refused)
