"""`railbird games`: all named games."""


def games() -> None:
    """List every named game and the parameters that change it."""
    from railbird.cli.output import result_console
    from railbird.engine.games import GAME_NAMES, PARAMETERS, named_game
    from railbird.engine.rules import UNLIMITED_STACK
    from railbird.interfaces.fitting import FittedTable

    table = FittedTable("game", "players", "blinds", "bets", "raises by round", "chips")
    for name in GAME_NAMES:
        rules = named_game(name)
        table.add_row(
            name,
            str(rules.players),
            "/".join(str(blind) for blind in sorted(rules.blinds) if blind),
            "/".join(map(str, rules.bet_sizes)),
            "/".join("any" if cap is None else str(cap) for cap in rules.raise_caps),
            "unlimited" if rules.stacks[0] == UNLIMITED_STACK else f"{rules.stacks[0]:,}",
        )
    console = result_console()
    console.print(table)
    console.print("\nParameters, as in limit-9max:cap=5,carry=yes:")
    parameters = FittedTable(show_header=False)
    for key, (_, meaning) in PARAMETERS.items():
        parameters.add_row(f"  {key}", meaning)
    console.print(parameters)
