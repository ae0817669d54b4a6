"""`railbird solve`: equilibria of hold'em in abstractions, and of small games."""

from pathlib import Path
from typing import Annotated

import typer

from railbird.cli.completing import complete_games
from railbird.cli.options import Force, refuse_idle


def solve(
    context: typer.Context,
    output: Annotated[
        Path,
        typer.Option(
            "-o",
            "--output",
            metavar="STRATEGY",
            help="The strategy file to write; an interrupted run resumes.",
        ),
    ],
    game: Annotated[
        str,
        typer.Option(
            help="limit-2p, nolimit-2p, limit-3p, or a small game: kuhn-2p, kuhn-3p, leduc-2p.",
            autocompletion=complete_games,
        ),
    ] = "limit-2p",
    actions: Annotated[
        str | None,
        typer.Option(
            help="Action abstraction: letters such as fcpa for fold, call, pot and all-in; / separates the letters "
            "after no raise, one raise … in a betting round, and -merged at the end forgets most of earlier rounds. "
            "[default: fcr in limit-2p, fcr/fcr/fc in limit-3p, fchpa/fcpa/fcpa/fca in nolimit-2p]",
            show_default=False,
        ),
    ] = None,
    cards: Annotated[
        str | None,
        typer.Option(
            help="Card abstraction of hold'em, such as percentiles:200 or, for flop, turn and river, "
            "percentiles:200/200/190; in limit-2p also clusters:2000/1000/500. The default depends on the game.",
            show_default=False,
        ),
    ] = None,
    against: Annotated[
        str | None,
        typer.Option(
            help="The opponents against whom each seat learns: in limit-2p a finer card abstraction; in other games "
            "strangers:0.01, so that in this share of hands some of the others ignore their cards.",
            show_default=False,
        ),
    ] = None,
    iterations: Annotated[
        int | None,
        typer.Option(
            min=1, help="Number of iterations, including those of earlier runs.", show_default=False
        ),
    ] = None,
    minutes: Annotated[
        float | None,
        typer.Option(min=0, help="Minutes to solve for, instead of --iterations.", show_default=False),
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of the sampled boards or deals.")] = 0,
    threads: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Number of threads; the result does not depend on it. By default one per processor.",
            show_default=False,
        ),
    ] = None,
    workers: Annotated[
        str,
        typer.Option(
            help="Number of processes, ray, or ray://host:port, which solve both seats of --against at the same time "
            "and measure flops. All other solvers use threads only.",
        ),
    ] = "1",
    measure: Annotated[
        int,
        typer.Option(
            min=0,
            help="In limit-2p: number of flops on which exploitability is measured from time to time; 0 for never.",
        ),
    ] = 0,
    force: Force = False,
) -> None:
    """Solve a game: write a strategy that is close to an equilibrium.

    Hold'em is solved in abstractions of cards and actions, small games exactly. The same command resumes an interrupted
    run, also with more iterations: a checkpoint is written next to the strategy every minute. With --minutes, the
    strategy file records the number of iterations reached; --iterations with this number reproduces it.
    """
    from railbird.cli.interrupts import stopped_by_interrupt, tells_when_stopped
    from railbird.cli.output import result_console
    from railbird.cli.progress import solving_bar
    from railbird.cli.views.strategies import show_solved
    from railbird.engine.games import named_game
    from railbird.learning import solve as solving

    if not named_game(game).is_holdem:
        refuse_idle(context, f"in {game}, which is solved exactly", "threads", "workers", "measure", "seed")
    elif against is None and not measure:
        refuse_idle(context, "without --against or --measure", "workers")
    elif against is not None and against.startswith("strangers:"):
        refuse_idle(context, "with strangers: one process learns against them", "workers")
    if (iterations is None) == (minutes is None):
        raise solving.SolvingError("give either --iterations or --minutes")

    def kept() -> str:
        if not solving.checkpoint_beside(output).exists():
            return "nothing was kept yet; this command starts over"
        return "the iterations up to the checkpoint are kept; this command resumes"

    with tells_when_stopped(kept), stopped_by_interrupt() as is_stopped, solving_bar() as display:
        strategy = solving.solve(
            game,
            output,
            iterations=iterations,
            minutes=minutes,
            actions=actions,
            cards=cards,
            against=against,
            seed=seed,
            threads=threads,
            workers=workers,
            flops=measure,
            force=force,
            listener=display,
            tables=display.tables,
            is_stopped=is_stopped,
        )
        if strategy is None:
            raise KeyboardInterrupt
    show_solved(strategy, display.last, output, result_console())
