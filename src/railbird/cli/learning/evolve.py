"""`railbird evolve`: finds weights of similarities by evolution."""

from pathlib import Path
from shlex import join
from typing import Annotated

import typer

from railbird.cli.completing import complete_games, complete_packs
from railbird.cli.options import Force, Workers, require_figures
from railbird.cli.output import command_words, result_console
from railbird.extras import require_extra

_OBJECTIVES = ("imitation", "play")
_GAME, _DEALS, _TARGETS = "limit-9max", 100, 1000


def evolve(
    system: Annotated[
        str, typer.Argument(metavar="SYSTEM", help="The system the weights are for: casper or baycarp.")
    ],
    pack: Annotated[
        Path,
        typer.Option(
            metavar="PACK", help="The pack of cases the weights are for.", autocompletion=complete_packs
        ),
    ],
    output: Annotated[
        Path,
        typer.Option(
            "-o", "--output", metavar="WEIGHTS", help="The .toml file to write; an interrupted run resumes."
        ),
    ],
    objective: Annotated[
        str | None,
        typer.Option(
            help="imitation: predict the watched players' actions. play: win at a table (requires --table).",
            show_default=False,
        ),
    ] = None,
    table: Annotated[
        str | None,
        typer.Option(
            metavar="SEATS", help="For play: the other players, separated by commas.", show_default=False
        ),
    ] = None,
    game: Annotated[
        str | None,
        typer.Option(
            help="For play: the game. [default: limit-9max]",
            autocompletion=complete_games,
            show_default=False,
        ),
    ] = None,
    deals: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="For play: number of deals, each played in every seat. [default: 100]",
            show_default=False,
        ),
    ] = None,
    agent: Annotated[
        str | None,
        typer.Option(
            help="For play: the agent that uses the weights; it must have the parameters pack and weights. "
            "[default: casper or baycarp2]",
            show_default=False,
        ),
    ] = None,
    targets: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="For imitation: maximum number of predicted decisions per stage. [default: 1000]",
            show_default=False,
        ),
    ] = None,
    generations: Annotated[int, typer.Option(min=1, help="Number of generations.")] = 40,
    population: Annotated[
        int | None,
        typer.Option(
            min=4, help="Points per generation; by default as CMA-ES recommends.", show_default=False
        ),
    ] = None,
    seed: Annotated[
        str, typer.Option(help="Seed of the evolution; the same seed gives the same weights.")
    ] = "1",
    workers: Workers = "1",
    figure: Annotated[
        Path | None,
        typer.Option(
            help="Plot the losses over the generations to this .png or .svg file.", show_default=False
        ),
    ] = None,
    force: Force = False,
) -> None:
    """Evolve the weights of attributes, starting from the hand-picked ones.

    A tenth of the pack's hands is predicted to select weights, another tenth is held out; the rest are the cases.
    Results are kept in a journal next to the output: the same command resumes an interrupted run, also with more
    generations.
    """
    require_extra("learn", "cma", "railbird evolve")
    require_figures(figure, "--figure")

    from railbird.cli.interrupts import tells_when_stopped
    from railbird.cli.progress import bar
    from railbird.cli.views.evolution import show_evolved
    from railbird.learning.evolve.evolution import EvolutionError
    from railbird.learning.evolve.objectives import Imitation, Objective, Play
    from railbird.learning.evolve.weighted import weighted_system
    from railbird.learning.evolve.weights import evolve_weights, require_evolution, tried_beside
    from railbird.spec import split_specs, unknown

    by = objective or ("imitation" if table is None else "play")
    if by not in _OBJECTIVES:
        raise unknown("objective", by, _OBJECTIVES)
    require_evolution(system, output, figure, workers=workers, force=force)
    of_play = {"table": table, "game": game, "deals": deals, "agent": agent}
    for name, value in (of_play if by == "imitation" else {"targets": targets}).items():
        if value is not None:
            raise EvolutionError(f"--{name} does not apply to the objective {by}")
    aim: Objective
    if by == "imitation":
        aim = Imitation.of(pack, targets or _TARGETS, system)
    else:
        if table is None:
            raise EvolutionError("evolving by play needs --table with the other players")
        aim = Play(
            agent=agent or weighted_system(system).agent,
            pack=pack,
            game=game or _GAME,
            table=tuple(split_specs(table)),
            deals=deals or _DEALS,
            seed=seed,
            folder=tried_beside(output),
        )
        aim.verify()
    kept = "the finished trials are kept; this command resumes"
    with tells_when_stopped(kept), bar(f"evolving by {by}") as progress:
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
            command=join(command_words()),
            progress=progress,
        )
    show_evolved(evolved, output, result_console())
