"""`railbird network`: Bayesian networks in files."""

from pathlib import Path
from typing import Annotated

import typer

network = typer.Typer(
    name="network",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
)


@network.callback()
def _group() -> None:
    """Bayesian networks in XDSL, the format of GeNIe."""


@network.command()
def show(
    file: Annotated[Path, typer.Argument(metavar="NETWORK", help="An .xdsl file.")],
    evidence: Annotated[
        list[str] | None,
        typer.Option(metavar="NODE=STATE", help="Evidence; may be repeated."),
    ] = None,
    node: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Only this node; may be repeated."),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="PICTURE", help="Draw the network into a .png or .svg file."),
    ] = None,
    json: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Also write the data as JSON to this file.", show_default=False),
    ] = None,
) -> None:
    """Show the nodes of a network with their parents and the probabilities of their states.

    Probabilities are exact, given the evidence:
    railbird network show opponents.xdsl --evidence Action=Raise --node HandGroup
    """
    from railbird.cli.views.network import Order, run

    run(Order(file, tuple(evidence or ()), tuple(node or ()), output, json))
