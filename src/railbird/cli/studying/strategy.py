"""`railbird strategy`: solved strategies in files."""

from json import dumps
from pathlib import Path
from typing import Annotated

import typer

from railbird.cli.options import AsJson

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


@strategy.command()
def show(
    file: _File,
    betting: Annotated[
        str, typer.Option(help="The actions so far as letters, such as cr: call, raise. By default none.")
    ] = "",
    board: Annotated[str, typer.Option(help="The open board, such as 'Ah Kd 2c'.")] = "",
    json: AsJson = False,
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
) -> None:
    """Show what a strategy does in a situation: a grid of starting hands for each action.

    A digit is the probability in ninths of the greatest one. Small games have a table of cards and actions instead:
    railbird strategy show limit.strategy --betting crc --board 'Ah Kd 2c'
    """
    from railbird.cli.output import wide_console
    from railbird.cli.views.strategies import draw_situation, show_situation
    from railbird.strategies.exact_strategy import read_strategy
    from railbird.strategies.situations import StrategySituation

    situation = StrategySituation.of(read_strategy(file), betting, board)
    if output is not None:
        draw_situation(situation, output)
    if json:
        print(dumps(situation.to_json(), indent=2, ensure_ascii=False))
    else:
        show_situation(situation, wide_console())


@strategy.command()
def info(file: _File, json: AsJson = False) -> None:
    """Show how a strategy was made, its size and its digest."""
    from railbird.cli.output import wide_console
    from railbird.cli.views.strategies import facts_of, show_info
    from railbird.strategies.exact_strategy import read_strategy

    found = read_strategy(file)
    if json:
        print(dumps(facts_of(found), indent=2))
    else:
        show_info(found, wide_console())
