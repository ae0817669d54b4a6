"""`railbird equity` and `railbird tables`: what a hand is worth."""

from typing import Annotated

import typer


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
    json: Annotated[bool, typer.Option("--json", help="Print plain data instead of tables.")] = False,
) -> None:
    """Equity of hands and ranges, and a hand's strength, potential, type and board texture."""
    from math import inf

    from rich.console import Console

    from railbird.cards import parse_cards
    from railbird.cli.views.knowledge import as_json, parse_player, show
    from railbird.equity.matchups import matchups
    from railbird.equity.ranges import Range
    from railbird.equity.reading import read_hand
    from railbird.equity.showdown import equity as equity_of

    texts = [*hands, *(vs or [])]
    if len(texts) == 1:
        texts.append("random")
    players = [parse_player(text) for text in texts]
    cards, gone = parse_cards(board), parse_cards(dead)
    if exact and len(players) == 2 and not cards:
        from railbird.cli.views.progress import bar

        with bar("preflop match-ups") as progress:
            matchups(progress)
    result = equity_of(players, cards, gone, exact_within=inf if exact else 1.0, samples=samples, seed=seed)
    # A hand's strength is against the range it meets; with several opponents, against a random holding.
    met = players[1] if len(players) == 2 and isinstance(players[1], Range) else None
    readings = [read_hand(players[0], cards, met)] if not isinstance(players[0], Range) else []
    if json:
        print(as_json(texts, board, result, readings))
    else:
        show(texts, result, readings, Console(highlight=False))


def tables(
    names: Annotated[
        list[str] | None,
        typer.Argument(help="flop, turn, preflop; all if nothing is named.", show_default=False),
    ] = None,
) -> None:
    """Build the look-up tables of strength and match-ups now instead of at their first use."""
    from railbird.cli.views.progress import bar
    from railbird.equity.matchups import matchups, matchups_file
    from railbird.equity.tables import STRENGTH_TABLES, table
    from railbird.spec import unknown

    streets = {"flop": 3, "turn": 4}
    chosen = names or ["preflop", *streets]
    for name in chosen:
        if name not in streets and name != "preflop":
            raise unknown("table", name, ["preflop", *streets])
    for name in chosen:
        with bar(f"{name} table") as progress:
            if name == "preflop":
                matchups(progress)
                file = matchups_file()
            else:
                table(streets[name], progress)
                file = STRENGTH_TABLES[streets[name]].file
        print(f"{name}: {file.stat().st_size / 1e6:.1f} MB in {file}")
