"""`railbird explain`: what an agent would do in a situation, and why."""

from typing import Annotated

import typer

from railbird.cli.completing import complete_agents, complete_games
from railbird.cli.options import Force, JsonFile, refuse_idle_force
from railbird.cli.output import require_json, write_json


def explain(
    context: typer.Context,
    agent: Annotated[
        str,
        typer.Argument(help="An agent by name, such as simbot:trials=500.", autocompletion=complete_agents),
    ],
    state: Annotated[
        str, typer.Option(help="What the agent sees: an ACPC line, MATCHSTATE:position:hand:betting:cards.")
    ],
    game: Annotated[
        str | None,
        typer.Option(
            help="A game by name, or an ACPC .game file; by default the limit or no-limit game with as many seats "
            "as --state.",
            autocompletion=complete_games,
            show_default=False,
        ),
    ] = None,
    seed: Annotated[str, typer.Option(help="Seed of the agent's randomness.")] = "0",
    range_: Annotated[
        bool,
        typer.Option(
            "--range",
            help="Also show the agent's whole range: a grid of starting hands for each action.",
        ),
    ] = False,
    json: JsonFile = None,
    force: Force = False,
) -> None:
    """Ask an agent for its decision in a situation, and for its reasons."""
    from railbird.arena.play import asking
    from railbird.cli.views.explanation import show_answer

    refuse_idle_force(context, json)
    require_json(json, force=force)
    answer = asking.explain(agent, state, game=game, seed=seed, with_range=range_)
    if not write_json(json, answer.to_json):
        show_answer(answer)
