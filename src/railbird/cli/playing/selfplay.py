"""`railbird selfplay`: hands to learn from."""

from pathlib import Path
from typing import Annotated

import typer

from railbird.cli.options import (
    Bust,
    Force,
    Game,
    Hands,
    Seats,
    Seed,
    Workers,
    require_carried,
    require_policies,
)
from railbird.cli.output import PLAYERS_FAILED, command_words, result_console


def selfplay(
    context: typer.Context,
    seats: Seats,
    output: Annotated[Path, typer.Option("--output", "-o", help="Write the hands to this file.")],
    game: Game = "limit-2p",
    hands: Hands = 1000,
    seed: Seed = "0",
    workers: Workers = "1",
    bust: Bust = "rebuy",
    force: Force = False,
) -> None:
    """Play hands to learn from and write them to a log with all cards known.

    The exit code is 3 if a player crashed, was late or acted illegally; the results are still shown, with the reason.
    """
    from railbird.arena.play.plan import labels_of
    from railbird.arena.run import contest
    from railbird.cli.interrupts import kept_of_contest, tells_when_stopped
    from railbird.cli.progress import ContestDisplay
    from railbird.cli.views.contest import show_match
    from railbird.notation.game_names import find_game
    from railbird.places import require_output
    from railbird.spec import split_specs

    require_policies("native", bust)
    agents, rules = split_specs(seats), find_game(game)
    require_carried(context, rules)
    require_output(output, force=force)
    display = ContestDisplay(rules, labels_of(agents))
    with tells_when_stopped(lambda: kept_of_contest(display)), display:
        results = contest.match(
            agents,
            game=game,
            hands=hands,
            seed=seed,
            bust=bust,
            workers=workers,
            log=output,
            resume=True,
            progress=display,
            command=command_words(),
        )
    show_match(results, result_console())
    if results.failed:
        raise typer.Exit(PLAYERS_FAILED)
