"""`railbird selfplay`: hands to learn from."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from railbird.cli.options import (
    Bust,
    Game,
    Hands,
    Seats,
    Seed,
    Workers,
    require_policies,
)


def selfplay(
    seats: Seats,
    output: Annotated[Path, typer.Option("--output", "-o", help="Write the hands to this file.")],
    game: Game = "limit-2p",
    hands: Hands = 1000,
    seed: Seed = "0",
    workers: Workers = "1",
    bust: Bust = "rebuy",
) -> None:
    """Play hands to learn from and write them to a log with all cards known."""
    from rich.console import Console

    from railbird.arena.play.plan import labels_of
    from railbird.arena.run import contest
    from railbird.cli.progress import contest_bar, tell_of_compiling
    from railbird.cli.views.contest import show_match
    from railbird.notation.game_names import find_game
    from railbird.spec import split_specs

    require_policies("native", bust)
    agents, rules = split_specs(seats), find_game(game)
    tell_of_compiling()
    with contest_bar(rules, labels_of(agents)) as progress:
        results = contest.match(
            agents,
            game=game,
            hands=hands,
            seed=seed,
            bust=bust,
            workers=workers,
            log=output,
            progress=progress,
            command=["railbird", *sys.argv[1:]],
        )
    show_match(results, Console(highlight=False))
