"""`railbird store`: the content of a store."""

from typing import Annotated

import typer

from railbird.cli.output import hands, result_console


def store(
    address: Annotated[
        str | None,
        typer.Argument(
            metavar="FILE|URL", help="The store; by default the one in your user folder.", show_default=False
        ),
    ] = None,
    remove: Annotated[
        str | None,
        typer.Option(
            metavar="SOURCE",
            help="Remove the hands of a source, given by name or digest; hands that another source contains are kept.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Show the content of a store: games, players, and the files and browser sessions its hands come from."""
    from railbird.cli.views.archive import show_store
    from railbird.store.store import open_store

    with open_store(address, create=False) as opened:
        if remove is not None:
            print(f"{hands(opened.remove_source(remove))} removed with {remove}")
        else:
            show_store(opened, result_console())
