"""`railbird explain`: what an agent would do in a situation, and why."""

from json import dumps
from typing import Annotated

import typer


def explain(
    agent: Annotated[str, typer.Argument(help="An agent by name, such as simbot:trials=500.")],
    state: Annotated[
        str, typer.Option(help="What the agent sees: an ACPC line, MATCHSTATE:position:hand:betting:cards.")
    ],
    game: Annotated[
        str | None,
        typer.Option(
            help="A game by name, or an ACPC .game file; by default the limit or no-limit game with as many seats.",
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
    json: Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")] = False,
) -> None:
    """Ask an agent for its decision in a situation, and for its reasons."""
    from railbird.arena.play import asking
    from railbird.cli.progress import tell_of_compiling
    from railbird.cli.views.explanation import show_answer

    tell_of_compiling()
    answer = asking.explain(agent, state, game=game, seed=seed, with_range=range_)
    if json:
        print(dumps(answer.to_json(), indent=2, ensure_ascii=False))
    else:
        show_answer(answer)
