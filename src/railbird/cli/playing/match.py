"""`railbird match`: agents against each other."""

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
    Force,
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
    refuse_idle,
    refuse_idle_force,
    require_book,
    require_carried,
    require_figures,
    require_policies,
    require_seatings,
)
from railbird.cli.output import PLAYERS_FAILED, command_words, is_standard_output, result_console, write_json


def match(
    context: typer.Context,
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
        float,
        typer.Option(help="Error rate of --until-decided: the probability of a wrong decision at any time."),
    ] = 0.05,
    reduce_luck: Annotated[
        bool,
        typer.Option(
            "--reduce-luck",
            help="Also report rates adjusted for the luck of starting hands and of the board.",
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
    force: Force = False,
) -> None:
    """Play one or more matches between agents.

    The exit code is 3 if a player crashed, was late or acted illegally; the results are still shown, with the reason.
    """
    from railbird.arena.play.plan import Limits, labels_of
    from railbird.arena.run import contest
    from railbird.cli.interrupts import kept_of_contest, tells_when_stopped
    from railbird.cli.progress import ContestDisplay
    from railbird.cli.views.contest import show_match
    from railbird.notation.game_names import find_game
    from railbird.places import require_output
    from railbird.spec import split_specs

    if not until_decided:
        refuse_idle(context, "without --until-decided", "error_rate")
    require_policies(faults, bust)
    refuse_idle_force(context, log, figures)
    require_figures(figures, "--figures")
    agents, rules = split_specs(seats), find_game(game)
    require_seatings(context, seatings, rules.players)
    require_book(context, experience, snapshot, agents)
    require_carried(context, rules)
    if log is not None:
        require_output(log, force=force)
    if figures is not None:
        from railbird.arena.results.drawing import require_match_figures

        require_match_figures(figures, labels_of(agents), force=force)
    display = ContestDisplay(rules, labels_of(agents))
    with tells_when_stopped(lambda: kept_of_contest(display)), display:
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
            results=None if is_standard_output(json) else json,
            log=log,
            resume=True,
            progress=display,
            command=command_words(),
        )
    if is_standard_output(json):
        write_json(json, results.to_json)
    else:
        show_match(results, result_console())
    if figures is not None:
        results.draw(figures)
    if results.failed:
        raise typer.Exit(PLAYERS_FAILED)
