"""`railbird train-network`: a Bayesian network that reads opponents, learnt from hands."""

from pathlib import Path
from typing import Annotated

import typer

from railbird.cli.options import Encoding, Force, From, LogGame, Logs
from railbird.cli.output import end_refused, tell_refused


def train_network(
    logs: Logs,
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="NETWORK", help="The .xdsl file to write.")
    ],
    variant: Annotated[
        str,
        typer.Option(
            metavar="NAMES",
            help="Extensions, separated by commas: partial, split-call, pot-odds, aggression, folds.",
        ),
    ] = "",
    who: Annotated[
        str,
        typer.Option(
            "--from-players", metavar="WHO", help="Players to learn from: showdown, flop or everybody."
        ),
    ] = "showdown",
    expectation: Annotated[
        bool, typer.Option("--em", help="Estimate hands that were not shown instead of skipping them.")
    ] = False,
    pseudo_count: Annotated[
        float, typer.Option("--prior", min=0, help="Prior count of every combination of states.")
    ] = 0.1,
    backing: Annotated[
        float,
        typer.Option(
            min=0, help="Weight, in training rows, of the fallback table, which ignores the action."
        ),
    ] = 1.0,
    groups: Annotated[
        int,
        typer.Option(
            metavar="COUNT",
            min=0,
            help="Number of player groups by style, each with its own network: NETWORK-1 and so on, next to NETWORK.",
        ),
    ] = 0,
    digits: Annotated[
        int | None,
        typer.Option(
            min=5,
            help="Significant digits of written probabilities, for smaller files. All by default.",
            show_default=False,
        ),
    ] = None,
    from_format: From = None,
    game: LogGame = None,
    encoding: Encoding = "auto",
    force: Force = False,
) -> None:
    """Learn what players hold from what they do: a Bayesian network in XDSL, the format of GeNIe.

    The hands must be in the order in which they were played, because players' looseness and aggression are counted
    along the way. The recipe and the hash of every source are stored in the file.
    """
    from railbird.cli.interrupts import NOTHING_WRITTEN, tells_when_stopped
    from railbird.cli.progress import byte_bar
    from railbird.learning import training

    with tells_when_stopped(NOTHING_WRITTEN), byte_bar("learning") as progress:
        trained = training.train_network(
            logs,
            output=output,
            variant=variant,
            who=who,
            expectation=expectation,
            pseudo_count=pseudo_count,
            backing=backing,
            groups=groups,
            digits=digits,
            from_format=from_format,
            game=game,
            encoding=encoding,
            force=force,
            progress=progress,
        )
    trainer, network = trained.trainer, trained.network
    print(f"{trainer.hands:,} hands, {len(trainer.rows()):,} training rows ({who})")
    if trainer.other_games:
        print(f"{trainer.other_games:,} hands of other games skipped")
    numbers = sum(table.size for table in network.tables.values())
    print(f"{output}: {len(network.structure.variables)} nodes, {numbers:,} probabilities")
    for path, group in zip(trained.outputs[1:], trained.groups, strict=True):
        print(
            f"{path}: {group.players:,} players with VPIP {group.centre.vpip:.0f} %, PFR {group.centre.pfr:.0f} %, "
            f"aggression {group.centre.aggression:.0f} %, {group.rows:,} rows"
        )
    tell_refused(trained.refused, "could not be read")
    end_refused(trained.refused)
