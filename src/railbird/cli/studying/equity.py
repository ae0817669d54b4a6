"""`railbird equity`: what a hand is worth."""

from json import dumps
from typing import Annotated

import typer

from railbird.cli.options import AsJson


def equity(
    hands: Annotated[
        list[str], typer.Argument(help="Hands and ranges against each other: AhKs, 'QQ+, AKs', random.")
    ],
    board: Annotated[str, typer.Option(help="The open board: 3, 4 or 5 cards.")] = "",
    vs: Annotated[
        list[str] | None,
        typer.Option(help="One more opponent; may be given several times.", show_default=False),
    ] = None,
    dead: Annotated[str, typer.Option(help="Cards that are out of play.")] = "",
    exact: Annotated[bool, typer.Option("--exact", help="Never sample, however long it takes.")] = False,
    samples: Annotated[
        int, typer.Option(min=1, help="How many deals to draw where it is not exact.")
    ] = 400_000,
    seed: Annotated[str, typer.Option(help="Draw the same deals again.")] = "0",
    json: AsJson = False,
) -> None:
    """Equity of hands and ranges, and a hand's strength, potential, type and board texture."""
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
