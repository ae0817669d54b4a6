"""`railbird serve`: tables in the browser for others."""

from typing import Annotated

import typer

from railbird.cli.options import Prepare, Store
from railbird.extras import require_extra


def serve(
    host: Annotated[str, typer.Option(help="The address to listen on; 0.0.0.0 for all.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 for any free port.")] = 8000,
    name: Annotated[
        list[str] | None,
        typer.Option(
            help="A host name under which clients reach the machine, in addition to its IP addresses; may be repeated.",
            show_default=False,
        ),
    ] = None,
    proxy: Annotated[
        list[str] | None,
        typer.Option(
            help="The address of a trusted reverse proxy, whose forwarded client addresses are used; may be repeated.",
            show_default=False,
        ),
    ] = None,
    workers: Annotated[int, typer.Option(min=1, help="Number of processes that run the bots.")] = 2,
    store: Store = None,
    keep_days: Annotated[
        int,
        typer.Option(
            min=0, max=36500, help="Days after which finished sessions are removed; 0 keeps them forever."
        ),
    ] = 90,
    prepare: Prepare = True,
) -> None:
    """Serve tables in the browser to other people."""
    require_extra("web", "fastapi", "railbird serve")
    from railbird.interfaces.web.starting import serve_others

    serve_others(host, port, tuple(name or ()), tuple(proxy or ()), workers, store, keep_days, prepare)
