"""`railbird match`: agents against each other."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from railbird.cli.options import (
    Bust,
    DecisionTime,
    Duplicate,
    Experience,
    Faults,
    Figures,
    Game,
    Hands,
    HandTime,
    Json,
    Memory,
    Seatings,
    Seats,
    Seed,
    Shuffle,
    Snapshot,
    Workers,
    require_book,
    require_policies,
    require_seatings,
)


def match(
    seats: Seats,
    game: Game = "limit-2p",
    hands: Hands = 1000,
    duplicate: Duplicate = False,
    seatings: Seatings = None,
    matches: Annotated[int, typer.Option(min=1, help="Number of matches, each with its own deals.")] = 1,
    shuffle: Shuffle = False,
    until_decided: Annotated[
        bool,
        typer.Option(
            "--until-decided",
            help="Stop after the match that decides whether the first player wins or loses (a sequential test).",
        ),
    ] = False,
    error_rate: Annotated[
        float, typer.Option(help="Error rate of this test: the probability of a wrong decision at any time.")
    ] = 0.05,
    reduce_luck: Annotated[
        bool,
        typer.Option(
            "--reduce-luck", help="Also report rates without the luck of all-ins and starting hands."
        ),
    ] = False,
    seed: Seed = "0",
    json: Json = None,
    log: Annotated[
        Path | None, typer.Option(help="Write every hand to this file.", show_default=False)
    ] = None,
    workers: Workers = "1",
    faults: Faults = "native",
    bust: Bust = "leave",
    decision_time: DecisionTime = None,
    hand_time: HandTime = None,
    memory: Memory = None,
    experience: Experience = None,
    snapshot: Snapshot = None,
    figures: Figures = None,
) -> None:
    """Play one or more matches between agents."""
    from rich.console import Console

    from railbird.arena.play.plan import Limits, labels_of
    from railbird.arena.run import contest
    from railbird.cli.progress import contest_bar, tell_of_compiling
    from railbird.cli.views.contest import show_match
    from railbird.notation.game_names import find_game
    from railbird.spec import split_specs

    require_seatings(seatings)
    require_policies(faults, bust)
    require_book(experience, snapshot)
    agents, rules = split_specs(seats), find_game(game)
    tell_of_compiling()
    with contest_bar(rules, labels_of(agents)) as progress:
        results = contest.match(
            agents,
            game=game,
            hands=hands,
            seed=seed,
            duplicate=seatings or duplicate,
            matches=matches,
            shuffle=shuffle,
            until_decided=error_rate if until_decided else None,
            reduce_luck=reduce_luck,
            faults=faults,
            bust=bust,
            limits=Limits(decision_time, hand_time, memory),
            workers=workers,
            experience=experience,
            snapshot=snapshot,
            results=json,
            log=log,
            progress=progress,
            command=["railbird", *sys.argv[1:]],
        )
    if figures is not None:
        results.draw(figures)
    show_match(results, Console(highlight=False))
