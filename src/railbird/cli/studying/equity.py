"""`railbird equity`: the value of a hand."""

from json import dumps
from typing import Annotated

import typer

from railbird.cli.options import AsJson


def equity(
    hands: Annotated[
        list[str], typer.Argument(help="Hands and ranges against each other: AhKs, 'QQ+, AKs', random.")
    ],
    board: Annotated[str, typer.Option(help="The board: 3, 4 or 5 cards.")] = "",
    vs: Annotated[
        list[str] | None,
        typer.Option(help="Another opponent; may be repeated.", show_default=False),
    ] = None,
    dead: Annotated[str, typer.Option(help="Dead cards.")] = "",
    exact: Annotated[bool, typer.Option("--exact", help="Never sample, however long it takes.")] = False,
    samples: Annotated[int, typer.Option(min=1, help="Number of sampled deals if not exact.")] = 400_000,
    seed: Annotated[str, typer.Option(help="Seed of the sampled deals.")] = "0",
    json: AsJson = False,
) -> None:
    """Show the equity of hands and ranges, and a hand's strength, potential, type and board texture."""
    from rich.console import Console

    from railbird.cli.progress import bar
    from railbird.cli.views.knowledge import show_equities
    from railbird.equities import asking

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
    if json:
        print(dumps(found.to_json(), indent=2))
    else:
        show_equities(found, Console(highlight=False))
