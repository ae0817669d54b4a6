"""`railbird evolve`: weights of similarities found by evolution."""

import sys
from pathlib import Path
from shlex import join
from typing import Annotated

import typer

from railbird.cli.options import Force, Workers
from railbird.cli.output import wide_console

_OBJECTIVES = ("imitation", "play")
_GAME, _DEALS, _AGENT, _TARGETS = "limit-9max", 100, "casper", 1000


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
    workers: Workers = "1",
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
    from railbird.cli.progress import bar, tell_of_compiling
    from railbird.cli.views.evolution import show_evolved
    from railbird.learning.evolve.evolution import EvolutionError
    from railbird.learning.evolve.objectives import Imitation, Objective, Play
    from railbird.learning.evolve.weights import evolve_weights, require_output, tried_beside
    from railbird.spec import split_specs, unknown

    by = objective or ("imitation" if table is None else "play")
    if by not in _OBJECTIVES:
        raise unknown("objective", by, _OBJECTIVES)
    require_output(system, output, figure, workers=workers, force=force)
    of_play = {"table": table, "game": game, "deals": deals, "agent": agent}
    for name, value in (of_play if by == "imitation" else {"targets": targets}).items():
        if value is not None:
            raise EvolutionError(f"--{name} does not belong to the objective {by}")
    aim: Objective
    if by == "imitation":
        aim = Imitation.of(pack, targets or _TARGETS)
    else:
        if table is None:
            raise EvolutionError("to evolve by play, --table names the other players")
        aim = Play(
            agent=agent or _AGENT,
            pack=pack,
            game=game or _GAME,
            table=tuple(split_specs(table)),
            deals=deals or _DEALS,
            seed=seed,
            folder=tried_beside(output),
        )
        aim.verify()
    tell_of_compiling()
    with bar(f"evolving by {by}") as progress:
        evolved = evolve_weights(
            aim,
            pack,
            output,
            system=system,
            generations=generations,
            population=population,
            seed=seed,
            workers=workers,
            figure=figure,
            force=force,
            command=join(["railbird", *(word for word in sys.argv[1:] if word != "--force")]),
            progress=progress,
        )
    show_evolved(evolved, output, wide_console())
