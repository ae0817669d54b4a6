"""`railbird equity`: the value of a hand."""

from typing import Annotated

import typer

from railbird.cli.options import Force, JsonFile, refuse_idle, refuse_idle_force
from railbird.cli.output import require_json, write_json


def equity(
    context: typer.Context,
    hands: Annotated[
        list[str], typer.Argument(help="Hands and ranges against each other: AhKs, 'QQ+, AKs', random.")
    ],
    board: Annotated[str, typer.Option(help="The board: 3, 4 or 5 cards.")] = "",
    vs: Annotated[
        list[str] | None,
        typer.Option(help="The hand or range of another opponent; may be repeated.", show_default=False),
    ] = None,
    dead: Annotated[str, typer.Option(help="Dead cards.")] = "",
    exact: Annotated[bool, typer.Option("--exact", help="Never sample, however long it takes.")] = False,
    samples: Annotated[int, typer.Option(min=1, help="Number of deals, if they are sampled.")] = 400_000,
    seed: Annotated[str, typer.Option(help="Seed of the sampled deals.")] = "0",
    json: JsonFile = None,
    force: Force = False,
) -> None:
    """Show the equity of hands and ranges, and a hand's strength, potential, type and board texture."""
    from railbird.cli.output import result_console
    from railbird.cli.progress import bar
    from railbird.cli.views.knowledge import show_equities
    from railbird.equities import asking

    if exact:
        refuse_idle(context, "with --exact", "samples", "seed")
    refuse_idle_force(context, json)
    require_json(json, force=force)
    with bar("preflop match-ups") as progress:
        found = asking.equity(
            *hands,
            vs=vs or (),
            board=board,
            dead=dead,
            exact=exact,
            samples=samples,
            seed=seed,
            progress=progress,
        )
    if not write_json(json, found.to_json):
        show_equities(found, result_console())
