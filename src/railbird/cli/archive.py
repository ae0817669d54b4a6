"""`railbird import`, `railbird stats` and `railbird store`: hands in the store, and what players did in them."""

from typing import Annotated

import typer

from railbird.cli.hand_files import Encoding, From, Game

Address = Annotated[
    str | None,
    typer.Option(
        "--store",
        help="An SQLite file or postgresql://…; one in your user folder otherwise.",
        show_default=False,
    ),
]


def import_hands(
    files: Annotated[
        list[str], typer.Argument(metavar="FILE", help="Files or folders of hands, any format.")
    ],
    store: Address = None,
    from_format: From = None,
    game: Game = None,
    encoding: Encoding = "utf-8",
) -> None:
    """Read hands into the store.

    A hand that the store has is not added again, so an import that was stopped is completed by running it again.
    Hands that cannot be read are counted and shown on the error stream; `railbird convert` can put them aside.
    """
    from railbird.cli.tasks.importing import run
    from railbird.cli.tasks.sources import Sources
    from railbird.notation.formats import format_named
    from railbird.notation.game_names import find_game

    sources = Sources(
        tuple(files),
        None if from_format is None else format_named(from_format),
        None if game is None else find_game(game),
        encoding,
    )
    run(sources, store)


def stats(
    source: Annotated[
        str | None,
        typer.Argument(
            metavar="FILE|URL",
            help="A file or folder of hands, or a store; the one in your user folder otherwise.",
            show_default=False,
        ),
    ] = None,
    player: Annotated[
        str | None,
        typer.Option(help="Everything about this player; a table of all otherwise.", show_default=False),
    ] = None,
    top: Annotated[int, typer.Option(min=1, help="How many players the table shows.")] = 20,
    json: Annotated[bool, typer.Option("--json", help="Print plain data instead of tables.")] = False,
    from_format: From = None,
    game: Annotated[
        str | None,
        typer.Option(
            help="Of a store: only this game. Of ACPC logs that do not tell it: their game.",
            show_default=False,
        ),
    ] = None,
    encoding: Encoding = "utf-8",
) -> None:
    """What players did and won, every percentage with the number of times it could have happened."""
    from rich.console import Console

    from railbird.cli.tasks.importing import Asked, count_careers
    from railbird.cli.views.archive import as_json, show_career, show_careers

    counted = count_careers(Asked(source, player, from_format, game, encoding))
    if json:
        print(as_json(counted))
        return
    console = Console(highlight=False, soft_wrap=True)
    if player is not None:
        show_career(counted, player, console)
    else:
        show_careers(counted, top, console)


def store(
    address: Annotated[
        str | None,
        typer.Argument(
            metavar="FILE|URL", help="The store; the one in your user folder otherwise.", show_default=False
        ),
    ] = None,
    remove: Annotated[
        str | None,
        typer.Option(
            metavar="SOURCE",
            help="Remove a source's hands, by its name or digest; those that another source holds stay.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Show what is in a store: games, players, and the files and sessions in the browser its hands come from."""
    from rich.console import Console

    from railbird.cli.views.archive import hands, show_store
    from railbird.store.store import open_store

    with open_store(address, create=False) as opened:
        if remove is not None:
            print(f"{hands(opened.remove_source(remove))} removed with {remove}")
        else:
            show_store(opened, Console(highlight=False, soft_wrap=True))
