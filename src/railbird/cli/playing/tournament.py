"""`railbird tournament`: a round robin of agents."""

from typing import Annotated

import typer

from railbird.cli.completing import complete_agents
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
    Seed,
    Shuffle,
    Snapshot,
    Workers,
    refuse_idle_force,
    require_book,
    require_carried,
    require_figures,
    require_policies,
    require_seatings,
)
from railbird.cli.output import PLAYERS_FAILED, command_words, is_standard_output, result_console, write_json


def tournament(
    context: typer.Context,
    agents: Annotated[
        str, typer.Option(help="The agents, separated by commas.", autocompletion=complete_agents)
    ],
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
    force: Force = False,
) -> None:
    """Play a round robin: all groups of agents meet equally often.

    The exit code is 3 if a player crashed, was late or acted illegally; the results are still shown, with the reason.
    """
    from railbird.arena.play.plan import Limits, labels_of
    from railbird.arena.run import contest
    from railbird.cli.interrupts import kept_of_contest, tells_when_stopped
    from railbird.cli.progress import ContestDisplay
    from railbird.cli.views.contest import show_tournament
    from railbird.notation.game_names import find_game
    from railbird.spec import split_specs

    require_policies(faults, bust)
    refuse_idle_force(context, figures)
    require_figures(figures, "--figures")
    entrants, rules = split_specs(agents), find_game(game)
    require_seatings(context, seatings, rules.players)
    require_book(context, experience, snapshot, entrants)
    require_carried(context, rules)
    if figures is not None:
        from railbird.arena.results.drawing import require_tournament_figures

        require_tournament_figures(figures, labels_of(entrants), force=force)
    display = ContestDisplay(rules, labels_of(entrants))
    with tells_when_stopped(lambda: kept_of_contest(display)), display:
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
            results=None if is_standard_output(json) else json,
            resume=True,
            progress=display,
            command=command_words(),
        )
    if is_standard_output(json):
        write_json(json, results.to_json)
    else:
        show_tournament(results, result_console())
    if figures is not None:
        results.draw(figures)
    if results.failed:
        raise typer.Exit(PLAYERS_FAILED)
