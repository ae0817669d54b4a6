"""The `railbird` command: the only place that combines everything.

Each command imports what it needs when it runs, so that `railbird --help` responds instantly.

- `playing/`: `play`, `serve`, `match`, `tournament`, `selfplay`, `agent`, `dealer`, `brain`
- `hands/`: `convert`, `replay`, `import`, `stats`, `store`
- `learning/`: `watch`, `imitate`, `casebase`, `train-network`, `network`, `evolve`, `solve`
- `studying/`: `explain`, `strategy`, `exploit`, `equity`, `tables`, `agents`, `games`, `papers`, `rate`, `reproduce`,
  `bench`
- `registering`: how commands are registered, with an example of each
- `options`: options that several commands share
- `plain_values`: most values are read without Pydantic
- `completing`: completion of values in the shell
- `usage`: errors of the command line in one sentence
- `progress`: progress bars
- `compiling`: a notice while code is compiled
- `interrupts`: Ctrl-C: what a stopped command kept, and how it goes on
- `output`: formatting of what commands print
- `views/`: how commands show their results
"""

import atexit
import gc
import os
import sys
from contextlib import suppress
from typing import NoReturn

import typer

from railbird.cli.hands.convert import convert
from railbird.cli.hands.import_hands import import_hands
from railbird.cli.hands.replay import replay
from railbird.cli.hands.stats import stats
from railbird.cli.hands.store import store
from railbird.cli.learning.casebase import casebase
from railbird.cli.learning.evolve import evolve
from railbird.cli.learning.imitate import imitate
from railbird.cli.learning.network import network
from railbird.cli.learning.solve import solve
from railbird.cli.learning.train_network import train_network
from railbird.cli.learning.watch import watch
from railbird.cli.plain_values import read_plain_values
from railbird.cli.playing.agent import agent
from railbird.cli.playing.brain import brain
from railbird.cli.playing.dealer import dealer
from railbird.cli.playing.match import match
from railbird.cli.playing.play import play
from railbird.cli.playing.selfplay import selfplay
from railbird.cli.playing.serve import serve
from railbird.cli.playing.tournament import tournament
from railbird.cli.registering import register
from railbird.cli.studying.agents import agents
from railbird.cli.studying.bench import bench
from railbird.cli.studying.equity import equity
from railbird.cli.studying.explain import explain
from railbird.cli.studying.exploit import exploit
from railbird.cli.studying.games import games
from railbird.cli.studying.papers import papers
from railbird.cli.studying.rate import rate
from railbird.cli.studying.reproduce import reproduce
from railbird.cli.studying.strategy import strategy
from railbird.cli.studying.tables import tables
from railbird.cli.usage import UsageError, is_help, usage_sentence
from railbird.places import OutputExists, require_home, without_passwords

read_plain_values()
app = typer.Typer(
    name="railbird",
    help="A workbench for Texas Hold'em agents that learn by watching.",
    no_args_is_help=True,
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
    papers,
    equity,
    tables,
    convert,
    replay,
    import_hands,
    stats,
    store,
    watch,
    imitate,
    train_network,
    evolve,
    solve,
    exploit,
    agent,
    dealer,
    brain,
    rate,
    reproduce,
    bench,
):
    # `import` is a Python keyword.
    register(app, "import" if command is import_hands else command.__name__.replace("_", "-"))(command)
app.add_typer(casebase)
app.add_typer(network)
app.add_typer(strategy)


def _version(wanted: bool) -> None:
    if wanted:
        from railbird import __version__

        print(f"railbird {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: bool = typer.Option(  # noqa: ARG001
        False, "--version", callback=_version, is_eager=True, help="Show the version and exit."
    ),
) -> None:
    """A workbench for Texas Hold'em agents that learn by watching."""
    require_home()


GARBAGE = 100_000
"""Number of new objects after which Python collects garbage; by default it often searches what a command has just
imported, which takes a tenth of a short command's time."""


def main() -> None:
    """Run the command; errors caused by the user end in one line and exit code 2."""
    gc.set_threshold(GARBAGE)
    # At its end Python would search all memory for garbage once more, which takes an eighth of a short command's time.
    atexit.register(gc.freeze)
    if sys.stdout is None:
        # Closed by the caller: discard output, and keep a newly opened file from taking the descriptor.
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    try:
        try:
            sys.exit(app(prog_name="railbird", standalone_mode=False))
        finally:
            # Flush here, where errors of a full disk or a closed pipe can still be reported.
            sys.stdout.flush()
    except UsageError as error:
        if is_help(error):
            print(error, file=sys.stderr)
            sys.exit(2)
        _end(usage_sentence(error))
    except OutputExists as error:
        _end(f"{error}: use --force to overwrite it")
    except ValueError as error:
        _end(str(error))
    except BrokenPipeError:
        _drop_output()
        sys.exit(1)
    except OSError as error:
        # The user can fix errors of the operating system, such as a full disk.
        _end(f"{error.filename or 'the output cannot be written'}: {error.strerror or error}")
    except KeyboardInterrupt:
        sys.exit(130)


def _end(sentence: str) -> NoReturn:
    sentence = without_passwords(sentence)
    # Messages may quote untrusted files, whose control characters must not reach the terminal.
    shown = "".join(letter if letter.isprintable() or letter == "\n" else "�" for letter in sentence)
    print(f"railbird: {shown}", file=sys.stderr)
    try:
        sys.stdout.flush()
    except OSError:
        _drop_output()
    sys.exit(2)


def _drop_output() -> None:
    """Discard output that cannot be written; the interpreter would try to write it again at exit."""
    with suppress(OSError, ValueError):  # a stream in a test has no descriptor
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
