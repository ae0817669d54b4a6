"""`railbird replay`: a hand, step by step."""

import sys
from typing import Annotated

import typer

from railbird.cli.options import Encoding, From, LogGame
from railbird.cli.output import result_console


def replay(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A file of hands; - for standard input.")],
    hand: Annotated[
        str, typer.Option(help="The number of the hand in the file, or its id (id:7 if the id is a number).")
    ] = "1",
    player: Annotated[
        str | None, typer.Option(help="Show only the cards that this player saw.", show_default=False)
    ] = None,
    from_format: From = None,
    game: LogGame = None,
    encoding: Encoding = "auto",
) -> None:
    """Step through a hand: Enter for the next step, b to go back, a number for that step, q to quit.

    At the end of a hand, Enter continues with the next one in the file. If the output is not a terminal, the whole
    hand is printed at once.
    """
    from railbird.interfaces.replayer import find_hand, show_hand, step_through
    from railbird.notation.files import find_hands
    from railbird.notation.formats import format_named
    from railbird.notation.game_names import find_game

    found = find_hands(
        file,
        None if from_format is None else format_named(from_format),
        None if game is None else find_game(game),
        encoding=encoding,
    )
    record, following = find_hand(found, hand, file)
    console = result_console(markup=True)
    if console.is_terminal and sys.stdin.isatty():
        step_through(record, following, console, player=player)
    else:
        show_hand(record, console, player=player)
