"""`railbird convert` and `railbird replay`: files of hands."""

from pathlib import Path
from typing import Annotated

import typer

From = Annotated[
    str | None,
    typer.Option("--from", help="The format that is read; recognised otherwise.", show_default=False),
]
Game = Annotated[
    str | None,
    typer.Option(
        help="The game of ACPC logs that do not tell it: a name or a .game file.", show_default=False
    ),
]
Encoding = Annotated[str, typer.Option(help="How text is encoded: utf-8, or cp1252 in old files.")]


def convert(
    inputs: Annotated[
        list[str], typer.Argument(metavar="IN", help="Files or folders of hands; - is the standard input.")
    ],
    output: Annotated[
        str, typer.Argument(metavar="OUT", help="The file to write; - is the standard output.")
    ],
    from_format: From = None,
    to_format: Annotated[
        str | None,
        typer.Option("--to", help="The format that is written; otherwise by OUT's name.", show_default=False),
    ] = None,
    game: Game = None,
    encoding: Encoding = "utf-8",
    strict: Annotated[
        bool, typer.Option("--strict", help="Stop at the first bad hand, write nothing.")
    ] = False,
    quarantine: Annotated[
        Path | None, typer.Option(help="Where bad hands go; OUT.bad otherwise.", show_default=False)
    ] = None,
    keep_duplicates: Annotated[
        bool, typer.Option("--keep-duplicates", help="Write a hand as often as it is read.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Write over files that exist.")] = False,
) -> None:
    """Convert hands from one format to another.

    Formats are known by their contents and by the names of files, compressed (.xz, .gz, .zst) or not. A folder
    is read with everything below it. Hands that cannot be read, or that OUT's format cannot hold, are put aside
    in OUT.bad: JSON lines with file, line, reason and text. Hands that were read before are left out.

    Exit codes: 0 when OUT was written, also when hands were put aside, which is said on the error stream; 2 when
    nothing was written.
    """
    from railbird.cli.tasks.conversion import Order, run

    run(
        Order(
            inputs=tuple(inputs),
            output=output,
            from_format=from_format,
            to_format=to_format,
            game=game,
            encoding=encoding,
            quarantine=quarantine,
            strict=strict,
            keep_duplicates=keep_duplicates,
            force=force,
        )
    )


def replay(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A file of hands; - is the standard input.")],
    hand: Annotated[
        str, typer.Option(help="The number of the hand in the file, or its id (id:7 where that is a number).")
    ] = "1",
    player: Annotated[
        str | None, typer.Option(help="Show only the cards that this player saw.", show_default=False)
    ] = None,
    from_format: From = None,
    game: Game = None,
    encoding: Encoding = "utf-8",
) -> None:
    """Step through a hand: Enter goes on, b back, a number to that step, q leaves.

    At the end of a hand Enter goes on to the next one in the file. Where the output is no terminal, the whole hand is
    printed at once.
    """
    import sys

    from rich.console import Console

    from railbird.interfaces.replayer import find_hand, show_hand, step_through
    from railbird.notation.files import read_hands
    from railbird.notation.formats import format_named
    from railbird.notation.game_names import find_game

    found = read_hands(
        file,
        None if from_format is None else format_named(from_format),
        None if game is None else find_game(game),
        encoding=encoding,
    )
    record, following = find_hand(found, hand, file)
    console = Console(highlight=False, soft_wrap=True)
    if console.is_terminal and sys.stdin.isatty():
        step_through(record, following, console, player=player)
    else:
        show_hand(record, console, player=player)
