"""`railbird agent` and `railbird dealer`: our agents and our table in the ACPC's protocol."""

import sys
from pathlib import Path
from typing import Annotated

import typer

BROKEN_OFF = 1
"""The exit code of a match that began and did not come to its end."""


def agent(
    agent: Annotated[str, typer.Argument(help="An agent by name, or a class in a file: bot.py:Cautious.")],
    host: Annotated[str, typer.Argument(help="Where the dealer runs.")],
    port: Annotated[int, typer.Argument(min=1, max=65535, help="The port of the agent's seat.")],
    game: Annotated[
        str, typer.Option(help="The game that the dealer plays, by name or as a .game file.")
    ] = "limit-2p",
    seed: Annotated[
        str | None, typer.Option(help="The same seed, the same decisions.", show_default=False)
    ] = None,
    timeout: Annotated[
        float, typer.Option(min=0, help="Seconds that the dealer may be silent; 0 for no limit.")
    ] = 7200.0,
) -> None:
    """Play an agent on an ACPC dealer, such as the official one.

    The exit code is 0 when the match was played to its end, 1 when it broke off (the server left in the middle of a
    hand or was silent for too long, the agent failed), 2 when it could not begin or the server plays another game.
    """
    from railbird.agent import make_agent
    from railbird.interfaces.acpc.client import AcpcPlayer, connect, play_match
    from railbird.interfaces.acpc.connection import MatchBroken
    from railbird.notation.acpc.match import MatchStateError, acpc_rules
    from railbird.notation.game_names import find_game
    from railbird.rng import Stream

    rules = acpc_rules(find_game(game))
    stream = Stream.live() if seed is None else Stream.from_seed(seed)
    try:
        player = AcpcPlayer(make_agent(agent), agent, rules, stream, _warn)
        connection = connect(host, port)
        try:
            play_match(player, connection, timeout or None)
        finally:
            connection.close()
    except MatchBroken as error:
        print(f"railbird: {error}", file=sys.stderr)
        raise typer.Exit(BROKEN_OFF) from None
    except MatchStateError as error:
        raise ValueError(f"{error} (the agent plays {game}: another game is named with --game)") from None


def _warn(sentence: str) -> None:
    print(f"railbird: {sentence}", file=sys.stderr)


def dealer(
    match: Annotated[str, typer.Argument(help="The name of the match and of its files.")],
    game: Annotated[str, typer.Argument(help="A .game file, or a game by name.")],
    hands: Annotated[int, typer.Argument(min=1, max=2**32 - 1, help="How many hands are played.")],
    seed: Annotated[
        int, typer.Argument(min=0, max=2**32 - 1, help="The same seed, the cards of the official dealer.")
    ],
    players: Annotated[
        list[str], typer.Argument(help="The players' names, seat by seat.", metavar="NAME...")
    ],
    fixed: Annotated[
        bool, typer.Option("-f", help="Everyone keeps its position: the button is fixed.")
    ] = False,
    log: Annotated[bool, typer.Option("-L/-l", help="Write the hands to MATCH.log, or not.")] = True,
    ports: Annotated[
        str, typer.Option("-p", help="The ports of the seats: 5000,5001.", show_default="free ones")
    ] = "",
    quiet: Annotated[bool, typer.Option("-q", help="Do not print every message on standard error.")] = False,
    transactions: Annotated[
        bool, typer.Option("-T/-t", help="Write every action to MATCH.tlog, or not.")
    ] = False,
    append: Annotated[
        bool, typer.Option("-a", help="Append to the files; with -T, resume the match in MATCH.tlog.")
    ] = False,
    t_response: Annotated[
        int, typer.Option("--t_response", min=0, help="Milliseconds for a response.")
    ] = 600_000,
    t_hand: Annotated[int, typer.Option("--t_hand", min=0, help="Milliseconds for a hand.")] = 600_000,
    t_per_hand: Annotated[
        int, typer.Option("--t_per_hand", min=0, help="Milliseconds for a hand on average of the match.")
    ] = 7_000,
    start_timeout: Annotated[
        int,
        typer.Option("--start_timeout", help="Milliseconds for all players to come; negative: no limit."),
    ] = -1,
    host: Annotated[
        str, typer.Option(help="The address to listen at: by itself, only this machine.")
    ] = "127.0.0.1",
) -> None:
    """Deal an ACPC match to players that connect over TCP, as the official dealer does.

    The ports are printed first, seat by seat. The exit code is 1 when the match broke off: a player left, ran out of
    time, or never came.
    """
    from railbird.interfaces.acpc.clock import TimeLimits
    from railbird.interfaces.acpc.connection import MatchBroken
    from railbird.interfaces.acpc.dealer import MatchTerms
    from railbird.interfaces.acpc.house import Files, House
    from railbird.interfaces.acpc.ports import parse_ports
    from railbird.notation.acpc.match import acpc_rules
    from railbird.notation.game_names import find_game

    rules = acpc_rules(find_game(game))
    terms = MatchTerms(
        match, game, rules, hands, seed, tuple(players), TimeLimits(t_response, t_hand, t_per_hand), fixed
    )
    files = Files(
        log=Path(f"{match}.log") if log else None,
        transactions=Path(f"{match}.tlog") if transactions else None,
        append=append,
    )
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
