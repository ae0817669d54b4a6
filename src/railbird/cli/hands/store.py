"""`railbird store`: what a store holds."""

from typing import Annotated

import typer

from railbird.cli.output import hands, wide_console


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
    from railbird.cli.views.archive import show_store
    from railbird.store.store import open_store

    with open_store(address, create=False) as opened:
        if remove is not None:
            print(f"{hands(opened.remove_source(remove))} removed with {remove}")
        else:
            show_store(opened, wide_console())
