"""`railbird train-network`: a Bayesian network that reads opponents, learnt from hands."""

from pathlib import Path
from typing import Annotated

import typer

from railbird.cli.options import Encoding, Force, From, LogGame, Logs
from railbird.cli.output import tell_refused


def train_network(
    logs: Logs,
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="NETWORK", help="The .xdsl file to write.")
    ],
    variant: Annotated[
        str,
        typer.Option(
            metavar="NAMES",
            help="Additions, with commas between: partial, split-call, pot-odds, aggression, folds.",
        ),
    ] = "",
    who: Annotated[
        str,
        typer.Option(
            "--from-players", metavar="WHO", help="Who is learnt from: showdown, flop or everybody."
        ),
    ] = "showdown",
    expectation: Annotated[
        bool, typer.Option("--em", help="Estimate hands that nobody showed instead of leaving them out.")
    ] = False,
    pseudo_count: Annotated[
        float, typer.Option("--prior", min=0, help="How often everything was seen before anything was.")
    ] = 0.1,
    backing: Annotated[
        float,
        typer.Option(
            min=0, help="How many rows the table without the action counts that hands fall back on."
        ),
    ] = 1.0,
    groups: Annotated[
        int,
        typer.Option(
            metavar="COUNT",
            min=0,
            help="So many groups of players by their styles, each with a network: NETWORK-1 and so on beside NETWORK.",
        ),
    ] = 0,
    from_format: From = None,
    game: LogGame = None,
    encoding: Encoding = "utf-8",
    force: Force = False,
) -> None:
    """Learn what players hold from what they do: a Bayesian network in XDSL, which GeNIe opens.

    The hands must stand in the order in which they were played: how loose and how aggressive a player is, is counted
    along the way. The recipe and the hash of every source are kept in the file.
    """
    from railbird.cli.progress import byte_bar
    from railbird.learning import training

    with byte_bar("learning") as progress:
        trained = training.train_network(
            logs,
            output=output,
            variant=variant,
            who=who,
            expectation=expectation,
            pseudo_count=pseudo_count,
            backing=backing,
            groups=groups,
            from_format=from_format,
            game=game,
            encoding=encoding,
            force=force,
            progress=progress,
        )
    trainer, network = trained.trainer, trained.network
    print(f"{trainer.hands:,} hands, {len(trainer.rows()):,} rows of players learnt from ({who})")
    if trainer.other_games:
        print(f"{trainer.other_games:,} hands of other games left out")
    numbers = sum(table.size for table in network.tables.values())
    print(f"{output}: {len(network.structure.variables)} nodes, {numbers:,} probabilities")
    for path, group in zip(trained.outputs[1:], trained.groups, strict=True):
        print(
            f"{path}: {group.players:,} players with VPIP {group.centre.vpip:.0f} %, PFR {group.centre.pfr:.0f} %, "
            f"aggression {group.centre.aggression:.0f} %, {group.rows:,} rows"
        )
    tell_refused(trained.refused, "could not be read")
