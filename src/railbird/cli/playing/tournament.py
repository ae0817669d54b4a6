"""`railbird tournament`: a round robin of agents."""

import sys
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
    Seed,
    Shuffle,
    Snapshot,
    Workers,
    require_book,
    require_policies,
    require_seatings,
)


def tournament(
    agents: Annotated[str, typer.Option(help="The agents, separated by commas.")],
    game: Game = "limit-2p",
    hands: Hands = 1000,
    matches: Annotated[int, typer.Option(min=1, help="Number of matches at each table.")] = 1,
    duplicate: Duplicate = True,
    seatings: Seatings = None,
    shuffle: Shuffle = False,
    seed: Seed = "0",
    json: Json = None,
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
    """Play a round robin: every table of agents meets equally often."""
    from rich.console import Console

    from railbird.arena.play.plan import Limits, labels_of
    from railbird.arena.run import contest
    from railbird.cli.progress import contest_bar, tell_of_compiling
    from railbird.cli.views.contest import show_tournament
    from railbird.notation.game_names import find_game
    from railbird.spec import split_specs

    require_seatings(seatings)
    require_policies(faults, bust)
    require_book(experience, snapshot)
    entrants, rules = split_specs(agents), find_game(game)
    tell_of_compiling()
    with contest_bar(rules, labels_of(entrants)) as progress:
        results = contest.tournament(
            entrants,
            game=game,
            hands=hands,
            seed=seed,
            duplicate=seatings or duplicate,
            matches=matches,
            shuffle=shuffle,
            faults=faults,
            bust=bust,
            limits=Limits(decision_time, hand_time, memory),
            workers=workers,
            experience=experience,
            snapshot=snapshot,
            results=json,
            progress=progress,
            command=["railbird", *sys.argv[1:]],
        )
    if figures is not None:
        results.draw(figures)
    show_tournament(results, Console(highlight=False))
