"""`railbird serve`: tables in the browser for others."""

from typing import Annotated

import typer

from railbird.cli.options import Store


def serve(
    host: Annotated[str, typer.Option(help="The address to listen at; 0.0.0.0 is every one.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 takes a free one.")] = 8000,
    name: Annotated[
        list[str] | None,
        typer.Option(
            help="A name under which the machine is reached, beside its numbers; may be repeated.",
            show_default=False,
        ),
    ] = None,
    proxy: Annotated[
        list[str] | None,
        typer.Option(
            help="The address of a reverse proxy that is believed when it says who asks; may be repeated.",
            show_default=False,
        ),
    ] = None,
    workers: Annotated[int, typer.Option(min=1, help="Processes in which the bots think.")] = 2,
    store: Store = None,
    keep_days: Annotated[
        int,
        typer.Option(
            min=0, max=36500, help="Days after which ended sessions are removed; 0 keeps them for ever."
        ),
    ] = 90,
) -> None:
    """Serve tables in the browser to others."""
    from railbird.cli.progress import tell_of_compiling
    from railbird.interfaces.web.starting import serve_others

    tell_of_compiling()
    serve_others(host, port, tuple(name or ()), tuple(proxy or ()), workers, store, keep_days)
