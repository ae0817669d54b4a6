"""Options that several commands share."""

from pathlib import Path
from typing import Annotated

import typer

# Contests

Game = Annotated[str, typer.Option(help="A game by name, such as limit-2p, or an ACPC .game file.")]
Hands = Annotated[int, typer.Option(min=1, help="Deals of each match.")]
Seats = Annotated[str, typer.Option(help="The agents, seat by seat, with commas between them.")]
Seed = Annotated[str, typer.Option(help="Names the experiment: the same seed, the same results.")]
Json = Annotated[
    Path | None,
    typer.Option(help="Write the results to this file; a run that was stopped resumes.", show_default=False),
]
Workers = Annotated[str, typer.Option(help="1, a number of processes, ray, or ray://host:port.")]
Faults = Annotated[
    str, typer.Option(help="native: check or fold, three strikes forfeit; strict: the match is void.")
]
Bust = Annotated[str, typer.Option(help="Without chips: leave, or rebuy and count it.")]
DecisionTime = Annotated[
    float | None,
    typer.Option(help="Seconds for a decision; agents then run in processes.", show_default=False),
]
HandTime = Annotated[
    float | None, typer.Option(help="Seconds for all decisions of a hand.", show_default=False)
]
Memory = Annotated[int | None, typer.Option(help="MB that an agent may use.", show_default=False)]
Duplicate = Annotated[bool, typer.Option(help="Play every deal in several seatings, so that luck is shared.")]
Seatings = Annotated[
    str | None,
    typer.Option(
        help="Of duplicate deals: rotations, or permutations (up to 3 players).", show_default=False
    ),
]
Shuffle = Annotated[
    bool, typer.Option("--shuffle-seats", help="Draw the order of the seats for every match.")
]
Experience = Annotated[
    Path | None,
    typer.Option(
        help="A book of what agents that learn lived through: matches start from it and are added to it.",
        show_default=False,
    ),
]
Snapshot = Annotated[
    int | None,
    typer.Option(min=0, help="Start from the first so many matches of the book only.", show_default=False),
]
Figures = Annotated[
    Path | None, typer.Option(help="Draw figures into this folder.", show_default=False, file_okay=False)
]

# Files of hands

From = Annotated[
    str | None,
    typer.Option("--from", help="The format that is read; recognised otherwise.", show_default=False),
]
LogGame = Annotated[
    str | None,
    typer.Option(
        "--game",
        help="The game of ACPC logs that do not tell it: a name or a .game file.",
        show_default=False,
    ),
]
Encoding = Annotated[str, typer.Option(help="How text is encoded: utf-8, or cp1252 in old files.")]
Logs = Annotated[
    list[str],
    typer.Argument(metavar="LOG", help="Files or folders of hands, in any format that is read."),
]
Force = Annotated[bool, typer.Option("--force", help="Write over a file that exists.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print plain data instead of tables.")]

# Tables

Store = Annotated[
    str | None,
    typer.Option(help="Where hands are kept: a file or a URL; by default your own.", show_default=False),
]


def require_seatings(seatings: str | None) -> None:
    """Refuse seatings that there are not, by the name of the option."""
    from railbird.arena.play.plan import Duplicate as Seatings
    from railbird.spec import parse_choice

    if seatings is not None:
        parse_choice("--seatings", seatings, Seatings)


def require_policies(faults: str, bust: str) -> None:
    """Refuse policies that there are not, by the names of their options."""
    from railbird.arena.play.plan import Bust as BustPolicy
    from railbird.arena.play.plan import FaultPolicy
    from railbird.spec import parse_choice

    parse_choice("--faults", faults, FaultPolicy)
    parse_choice("--bust", bust, BustPolicy)


def require_book(experience: Path | None, snapshot: int | None) -> None:
    """Refuse a snapshot without the book that it is a part of."""
    from railbird.arena.play.plan import PlanError

    if snapshot is not None and experience is None:
        raise PlanError("--snapshot says how much of a book counts, so --experience must name the book")
