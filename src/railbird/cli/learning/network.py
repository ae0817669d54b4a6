"""`railbird network`: Bayesian networks in files."""

from pathlib import Path
from typing import Annotated

import typer

from railbird.cli.options import Force, JsonFile, refuse_idle_force, require_figures
from railbird.cli.registering import register

network = typer.Typer(
    name="network",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
)


@network.callback()
def _group() -> None:
    """Bayesian networks in XDSL, the format of GeNIe."""


@register(network, "network show")
def show(
    context: typer.Context,
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
    json: JsonFile = None,
    force: Force = False,
) -> None:
    """Show the nodes of a network with their parents and the probabilities of their states.

    Probabilities are exact, given the evidence. For one node:
    railbird network show opponents.xdsl --evidence Action=Raise --node HandGroup
    """
    refuse_idle_force(context, json, output)
    require_figures(output, "--output")
    from railbird.cli.views.network import Order, run

    run(Order(file, tuple(evidence or ()), tuple(node or ()), output, json, force))
