"""`railbird tables`: builds look-up tables before their first use."""

from typing import Annotated

import typer


def tables(
    names: Annotated[
        list[str] | None,
        typer.Argument(help="flop, turn or preflop; by default all.", show_default=False),
    ] = None,
) -> None:
    """Build the look-up tables of strength and match-ups now instead of on first use."""
    from railbird.cli.progress import bar
    from railbird.equities.matchups import matchups, matchups_file
    from railbird.equities.tables import STRENGTH_TABLES, table
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
