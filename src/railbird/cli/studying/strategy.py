"""`railbird strategy`: solved strategies in files."""

from pathlib import Path
from typing import Annotated

import typer

from railbird.cli.options import Force, JsonFile, refuse_idle_force, require_figures
from railbird.cli.output import require_json, write_json
from railbird.cli.registering import register

strategy = typer.Typer(
    name="strategy",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
)
_File = Annotated[Path, typer.Argument(metavar="STRATEGY", help="A file written by railbird solve.")]


@strategy.callback()
def _group() -> None:
    """Solved strategies in files."""


@register(strategy, "strategy show")
def show(
    context: typer.Context,
    file: _File,
    betting: Annotated[
        str, typer.Option(help="The actions so far as letters, such as cr: call, raise. By default none.")
    ] = "",
    board: Annotated[str, typer.Option(help="The open board, such as 'Ah Kd 2c'.")] = "",
    json: JsonFile = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="PICTURE",
            help="Draw the grids into a .png or .svg file.",
            show_default=False,
        ),
    ] = None,
    force: Force = False,
) -> None:
    """Show what a strategy does in a situation: a grid of starting hands for each action.

    A digit is a probability in ninths of the greatest one in the grid. Small games have a table of cards and actions
    instead. With a board: railbird strategy show limit.strategy --betting crc --board 'Ah Kd 2c'
    """
    from railbird.cli.output import result_console
    from railbird.cli.views.strategies import draw_situation, require_grids, show_situation
    from railbird.strategies.exact_strategy import read_strategy
    from railbird.strategies.situations import StrategySituation

    require_figures(output, "--output")
    refuse_idle_force(context, json, output)
    require_json(json, force=force)
    if output is not None:
        from railbird.arena.results.figures import require_figure

        require_figure(output, force=force)
    situation = StrategySituation.of(read_strategy(file), betting, board)
    if output is not None:
        require_grids(situation)
    if not write_json(json, situation.to_json):
        show_situation(situation, result_console())
    if output is not None:
        draw_situation(situation, output)


@register(strategy, "strategy info")
def info(context: typer.Context, file: _File, json: JsonFile = None, force: Force = False) -> None:
    """Show how a strategy was made, its size and its digest."""
    from railbird.cli.output import result_console
    from railbird.cli.views.strategies import facts_of, show_info
    from railbird.strategies.exact_strategy import read_strategy

    refuse_idle_force(context, json)
    require_json(json, force=force)
    found = read_strategy(file)
    if not write_json(json, lambda: facts_of(found)):
        show_info(found, result_console())
