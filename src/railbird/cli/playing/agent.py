"""`railbird agent`: an agent on an ACPC dealer."""

import sys
from typing import Annotated

import typer

from railbird.cli.completing import complete_agents, complete_games

BROKEN_OFF = 1
"""The exit code of a match that began but was not completed."""


def agent(
    agent: Annotated[
        str,
        typer.Argument(
            help="An agent by name, or a class in a file: bot.py:Cautious.", autocompletion=complete_agents
        ),
    ],
    host: Annotated[str, typer.Argument(help="The dealer's host.")],
    port: Annotated[int, typer.Argument(min=1, max=65535, help="The port of the agent's seat.")],
    game: Annotated[
        str,
        typer.Option(help="The dealer's game, by name or as a .game file.", autocompletion=complete_games),
    ] = "limit-2p",
    seed: Annotated[
        str | None, typer.Option(help="The same seed gives the same decisions.", show_default=False)
    ] = None,
    timeout: Annotated[
        float, typer.Option(min=0, help="Seconds to wait for the dealer; 0 for no limit.")
    ] = 7200.0,
) -> None:
    """Play an agent on an ACPC dealer, such as the official one.

    Before the agent connects, a copy of it plays a few hands, so that code is compiled and files are read before the
    dealer's clock runs: about a minute on the first run, otherwise a second or two.

    The exit code is 0 if the match was completed, 1 if it was aborted (the server disconnected in the middle of a hand
    or did not answer in time, or the agent failed), and 2 if it could not begin or the server plays another game.
    """
    from railbird.agent import UnsuitableGame, make_agent
    from railbird.interfaces.acpc.client import AcpcPlayer, connect, play_match
    from railbird.interfaces.acpc.connection import MatchBroken
    from railbird.interfaces.acpc.rehearsing import rehearse
    from railbird.notation.acpc.match import MatchStateError, acpc_rules
    from railbird.notation.game_names import find_game
    from railbird.rng import Stream

    rules = acpc_rules(find_game(game))
    playing = make_agent(agent)
    try:
        playing.verify_game(rules)
    except UnsuitableGame as error:
        raise ValueError(f"{error} (use --game for another game)") from None
    rehearse(agent, rules)
    stream = Stream.live() if seed is None else Stream.from_seed(seed)
    try:
        player = AcpcPlayer(playing, agent, rules, stream, _warn)
        connection = connect(host, port)
        try:
            play_match(player, connection, timeout or None)
        finally:
            connection.close()
    except MatchBroken as error:
        print(f"railbird: {error}", file=sys.stderr)
        raise typer.Exit(BROKEN_OFF) from None
    except MatchStateError as error:
        raise ValueError(f"{error} (the agent plays {game}; use --game for another game)") from None


def _warn(sentence: str) -> None:
    print(f"railbird: {sentence}", file=sys.stderr)
