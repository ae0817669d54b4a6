"""`railbird dealer`: an ACPC match for players who connect over TCP."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from railbird.cli.completing import complete_games
from railbird.cli.options import Force, refuse_idle
from railbird.cli.playing.agent import BROKEN_OFF


def dealer(
    context: typer.Context,
    match: Annotated[str, typer.Argument(help="The name of the match and its files.")],
    game: Annotated[
        str, typer.Argument(help="A .game file, or a game by name.", autocompletion=complete_games)
    ],
    hands: Annotated[int, typer.Argument(min=1, max=2**32 - 1, help="Number of hands.")],
    seed: Annotated[
        int,
        typer.Argument(
            min=0, max=2**32 - 1, help="The same seed deals the same cards as the official dealer."
        ),
    ],
    players: Annotated[
        list[str], typer.Argument(help="The players' names, seat by seat.", metavar="NAME...")
    ],
    fixed: Annotated[
        bool, typer.Option("-f", help="Players keep their positions: the button is fixed.")
    ] = False,
    log: Annotated[bool, typer.Option("-L/-l", help="Write the hands to MATCH.log (-L) or not (-l).")] = True,
    ports: Annotated[
        str, typer.Option("-p", help="The ports of the seats: 5000,5001.", show_default="free ones")
    ] = "",
    quiet: Annotated[
        bool, typer.Option("-q", help="Print only warnings, errors and the score on standard error.")
    ] = False,
    transactions: Annotated[
        bool, typer.Option("-T/-t", help="Write every action to MATCH.tlog (-T) or not (-t).")
    ] = False,
    append: Annotated[
        bool, typer.Option("-a", help="Append to the files; with -T, resume the match in MATCH.tlog.")
    ] = False,
    t_response: Annotated[
        int, typer.Option("--t_response", min=0, help="Milliseconds per response.")
    ] = 600_000,
    t_hand: Annotated[int, typer.Option("--t_hand", min=0, help="Milliseconds per hand.")] = 600_000,
    t_per_hand: Annotated[
        int, typer.Option("--t_per_hand", min=0, help="Milliseconds per hand, averaged over the match.")
    ] = 7_000,
    start_timeout: Annotated[
        int,
        typer.Option(
            "--start_timeout", help="Milliseconds for all players to connect; negative for no limit."
        ),
    ] = -1,
    host: Annotated[
        str, typer.Option(help="The address to listen on; by default only this machine can connect.")
    ] = "127.0.0.1",
    force: Force = False,
) -> None:
    """Deal an ACPC match to players who connect over TCP, as the official dealer does.

    The ports are printed first, seat by seat. The exit code is 1 if the match was aborted: a player disconnected, ran
    out of time, or never connected.
    """
    from railbird.interfaces.acpc.clock import TimeLimits
    from railbird.interfaces.acpc.connection import MatchBroken
    from railbird.interfaces.acpc.dealer import MatchTerms
    from railbird.interfaces.acpc.house import Files, House
    from railbird.interfaces.acpc.ports import parse_ports
    from railbird.notation.acpc.match import acpc_rules
    from railbird.notation.game_names import find_game
    from railbird.places import require_output

    rules = acpc_rules(find_game(game))
    terms = MatchTerms(
        match, game, rules, hands, seed, tuple(players), TimeLimits(t_response, t_hand, t_per_hand), fixed
    )
    files = Files(
        log=Path(f"{match}.log") if log else None,
        transactions=Path(f"{match}.tlog") if transactions else None,
        append=append,
    )
    if append:
        refuse_idle(context, "with -a", "force")
    if files.log is None and files.transactions is None:
        refuse_idle(context, "without a file to write", "force", "append")
    for file in filter(None, (files.log, files.transactions)):
        require_output(file, force=force or append)
    house = House(
        terms,
        files,
        parse_ports(ports, rules.players),
        host=host,
        quiet=quiet,
        start_seconds=None if start_timeout < 0 else start_timeout / 1000,
    )
    try:
        house.run(sys.stdout, sys.stderr)
    except MatchBroken as error:
        print(f"ERROR: {error}", file=sys.stderr)
        raise typer.Exit(BROKEN_OFF) from None
