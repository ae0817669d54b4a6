"""How commands are registered: with a full summary, an example, and a notice while code is compiled."""

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

import typer

EXAMPLES = {
    "play": "--game limit-2p --against simbot",
    "serve": "--host 0.0.0.0 --port 8000",
    "match": "--seats simbot,pokibot --hands 500 --duplicate",
    "tournament": "--agents simbot,pokibot,casper02 --hands 200",
    "selfplay": "--seats pokibot,pokibot --hands 1000 -o hands.log",
    "explain": "simbot --state 'MATCHSTATE:0:7:rc/:AhKd|/2c3d4h'",
    "agents": "simbot",
    "games": "",
    "papers": "",
    "equity": "AhKs --board QhJh2c --vs 'TT+, AQs+'",
    "tables": "flop",
    "convert": "hands.txt.xz hands.phhs",
    "replay": "hands.phhs --hand 7",
    "import": "folder/",
    "stats": "hands.phhs --player ann",
    "store": "",
    "watch": "hands.log --player ann --as casper -o ann.parquet",
    "imitate": "hands.log --player ann --as casper",
    "train-network": "hands.log -o opponents.xdsl",
    "evolve": "casper --pack ann.parquet -o ann.toml",
    "solve": "--game kuhn-2p --iterations 1000 -o kuhn.strategy",
    "exploit": "casper02 --hands 2000",
    "agent": "simbot localhost 5000",
    "dealer": "demo limit-2p 1000 7 ann bob",
    "brain": "simbot pokibot --port 8001",
    "rate": "--quick -o ratings.json",
    "reproduce": "loki-simulation --quick",
    "bench": "evaluator engine",
    "casebase show": "ann.parquet",
    "casebase merge": "ann.parquet bob.parquet -o both.parquet",
    "casebase thin": "ann.parquet --most preflop=30000,flop=30000 -o fewer.parquet",
    "casebase export": "ann.parquet ann.csv --base flop",
    "casebase verify": "ann.parquet hands.log",
    "network show": "opponents.xdsl --evidence Action=Raise",
    "strategy show": "kuhn.strategy --betting cr",
    "strategy info": "kuhn.strategy",
}
"""The arguments of an example for each command."""
_COMPILE_NOTHING = (
    "agents",
    "games",
    "papers",
    "store",
    "network show",
    "casebase merge",
    "casebase thin",
    "casebase export",
)

_Command = TypeVar("_Command", bound=Callable[..., None])


def register(app: typer.Typer, path: str) -> Callable[[_Command], _Command]:
    """A decorator that registers a function as the command with this path, such as `casebase show`."""

    def registered(command: _Command) -> _Command:
        summary = (inspect.getdoc(command) or "").partition("\n\n")[0].replace("\n", " ")
        told = command if path in _COMPILE_NOTHING else _telling_of_compiling(command)
        app.command(
            path.rpartition(" ")[2],
            short_help=summary,
            epilog=f"Example: railbird {path} {EXAMPLES[path]}".rstrip(),
        )(told)
        return command

    return registered


def _telling_of_compiling(command: Callable[..., None]) -> Callable[..., None]:
    @wraps(command)
    def told(*arguments: Any, **named: Any) -> None:
        from railbird.cli.compiling import tell_of_compiling

        tell_of_compiling()
        command(*arguments, **named)

    return told
