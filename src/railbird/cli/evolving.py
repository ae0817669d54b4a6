"""`railbird evolve`: weights of similarities found by evolution."""

from pathlib import Path
from typing import Annotated

import typer

from railbird.cli.watching import Force


def evolve(
    system: Annotated[str, typer.Argument(metavar="SYSTEM", help="Whose weights: casper.")],
    pack: Annotated[Path, typer.Option(metavar="PACK", help="The cases that the weights are for.")],
    output: Annotated[
        Path,
        typer.Option(
            "-o", "--output", metavar="WEIGHTS", help="The .toml file to write; a stopped run resumes."
        ),
    ],
    objective: Annotated[
        str | None,
        typer.Option(
            help="imitation: tell what the watched players did. play: win at a table (so with --table).",
            show_default=False,
        ),
    ] = None,
    table: Annotated[
        str | None,
        typer.Option(
            metavar="SEATS", help="Of play: the other players, with commas between.", show_default=False
        ),
    ] = None,
    game: Annotated[
        str | None, typer.Option(help="Of play: the game. [default: limit-9max]", show_default=False)
    ] = None,
    deals: Annotated[
        int | None,
        typer.Option(
            min=1, help="Of play: deals, each played in every seat. [default: 100]", show_default=False
        ),
    ] = None,
    agent: Annotated[
        str | None,
        typer.Option(
            help="Of play: who plays with the weights, an agent with the parameters pack and weights. "
            "[default: casper]",
            show_default=False,
        ),
    ] = None,
    targets: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Of imitation: decisions of each stage that are predicted at most. [default: 1000]",
            show_default=False,
        ),
    ] = None,
    generations: Annotated[int, typer.Option(min=1, help="How long.")] = 40,
    population: Annotated[
        int | None,
        typer.Option(
            min=4, help="Points of a generation; otherwise as CMA-ES recommends.", show_default=False
        ),
    ] = None,
    seed: Annotated[str, typer.Option(help="Names the evolution: the same seed, the same weights.")] = "1",
    workers: Annotated[str, typer.Option(help="1, a number of processes, ray, or ray://host:port.")] = "1",
    figure: Annotated[
        Path | None,
        typer.Option(help="Draw how the losses fell, into this .png or .svg file.", show_default=False),
    ] = None,
    force: Force = False,
) -> None:
    """Let weights of attributes evolve, beginning with the hand-picked ones.

    A tenth of the pack's hands are predicted to choose weights by, another tenth is held out; the others are the cases.
    What was tried is kept in a journal beside the output: the same command goes on where it was stopped, with more
    generations too.
    """
    from railbird.cli.tasks.evolution import Order, run

    run(
        Order(
            system=system,
            pack=pack,
            output=output,
            objective=objective or ("imitation" if table is None else "play"),
            table=table,
            game=game,
            deals=deals,
            agent=agent,
            targets=targets,
            generations=generations,
            population=population,
            seed=seed,
            workers=workers,
            figure=figure,
            force=force,
        )
    )
