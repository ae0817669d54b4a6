"""`railbird train-network`: a Bayesian network that reads opponents, learnt from hands."""

from pathlib import Path
from typing import Annotated

import typer

from railbird.cli.hand_files import Encoding, From, Game


def train_network(
    logs: Annotated[
        list[str],
        typer.Argument(metavar="LOG", help="Files or folders of hands, in any format that is read."),
    ],
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
    game: Game = None,
    encoding: Encoding = "utf-8",
    force: Annotated[bool, typer.Option("--force", help="Write over a file that exists.")] = False,
) -> None:
    """Learn what players hold from what they do: a Bayesian network in XDSL, which GeNIe opens.

    The hands must stand in the order in which they were played: how loose and how aggressive a player is, is counted
    along the way. The recipe and the hash of every source are kept in the file.
    """
    from railbird.cli.tasks.network_training import Order, run

    run(
        Order(
            tuple(logs),
            output,
            variant,
            who,
            expectation,
            pseudo_count,
            backing,
            groups,
            from_format,
            game,
            encoding,
            force,
        )
    )
