"""The `railbird` command: the only place that puts everything together.

Each command imports what it needs when it runs, so that `railbird --help` answers at once.
"""

import sys

import typer

from railbird.cli.archive import import_hands, stats, store
from railbird.cli.brain import brain
from railbird.cli.compete import match, selfplay, tournament
from railbird.cli.evolving import evolve
from railbird.cli.explain import explain
from railbird.cli.hand_files import convert, replay
from railbird.cli.knowledge import equity, tables
from railbird.cli.listing import agents, games
from railbird.cli.measure import bench
from railbird.cli.network import network
from railbird.cli.protocol import agent, dealer
from railbird.cli.reproduce import reproduce
from railbird.cli.table import play, serve
from railbird.cli.training import train_network
from railbird.cli.watching import casebase, watch

app = typer.Typer(
    name="railbird",
    help="A workbench for Texas Hold'em agents that learn by watching.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
for command in (
    play,
    serve,
    match,
    tournament,
    selfplay,
    explain,
    agents,
    games,
    equity,
    tables,
    convert,
    replay,
    import_hands,
    stats,
    store,
    watch,
    train_network,
    evolve,
    agent,
    dealer,
    brain,
    reproduce,
    bench,
):
    # Python keeps the word `import` for itself.
    app.command("import" if command is import_hands else None)(command)
app.add_typer(casebase)
app.add_typer(network)


def _version(wanted: bool) -> None:
    if wanted:
        from railbird import __version__

        print(f"railbird {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: bool = typer.Option(
        False, "--version", callback=_version, is_eager=True, help="Show the version and leave."
    ),
) -> None:
    """A workbench for Texas Hold'em agents that learn by watching."""


def main() -> None:
    """Run the command; what a user can cause ends in one line and exit code 2."""
    try:
        app()
    except ValueError as error:
        print(f"railbird: {error}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
