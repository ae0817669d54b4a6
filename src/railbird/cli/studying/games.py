"""`railbird games`: all named games."""


def games() -> None:
    """List every named game and the parameters that change it."""
    from rich.console import Console
    from rich.table import Table

    from railbird.engine.games import GAME_NAMES, PARAMETERS, named_game

    table = Table(
        "game", "players", "blinds", "bets", "raises by round", "chips", box=None, padding=(0, 2, 0, 0)
    )
    for name in GAME_NAMES:
        rules = named_game(name)
        table.add_row(
            name,
            str(rules.players),
            "/".join(str(blind) for blind in sorted(rules.blinds) if blind),
            "/".join(map(str, rules.bet_sizes)),
            "/".join("any" if cap is None else str(cap) for cap in rules.raise_caps),
            f"{rules.stacks[0]:,}",
        )
    console = Console()
    console.print(table)
    console.print("\nParameters, as in limit-9max:cap=5,carry=yes:")
    parameters = Table(box=None, padding=(0, 2, 0, 0), show_header=False)
    for key, (_, meaning) in PARAMETERS.items():
        parameters.add_row(f"  {key}", meaning)
    console.print(parameters)
