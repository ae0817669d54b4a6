"""`railbird match`, `tournament` and `selfplay`: agents against each other."""

from pathlib import Path
from typing import Annotated

import typer

Game = Annotated[str, typer.Option(help="A game by name, such as limit-2p, or an ACPC .game file.")]
Hands = Annotated[int, typer.Option(min=1, help="Deals of each match.")]
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
Figures = Annotated[
    Path | None, typer.Option(help="Draw figures into this folder.", show_default=False, file_okay=False)
]


def match(
    seats: Annotated[str, typer.Option(help="The agents, seat by seat, with commas between them.")],
    game: Game = "limit-2p",
    hands: Hands = 1000,
    duplicate: Duplicate = False,
    seatings: Seatings = None,
    seed: Seed = "0",
    json: Json = None,
    log: Annotated[
        Path | None, typer.Option(help="Write every hand to this file.", show_default=False)
    ] = None,
    workers: Workers = "1",
    faults: Faults = "native",
    bust: Bust = "leave",
    decision_time: DecisionTime = None,
    hand_time: HandTime = None,
    memory: Memory = None,
    figures: Figures = None,
) -> None:
    """Play a match between agents."""
    from railbird.cli.contest import Contest, seatings_for

    contest = Contest(
        game,
        hands,
        seed,
        seatings_for(duplicate, seatings),
        faults,
        bust,
        decision_time,
        hand_time,
        memory,
        workers,
    )
    contest.match(seats, json, log, figures)


def tournament(
    agents: Annotated[str, typer.Option(help="The agents, with commas between them.")],
    game: Game = "limit-2p",
    hands: Hands = 1000,
    matches: Annotated[int, typer.Option(min=1, help="Matches of each table.")] = 1,
    duplicate: Duplicate = True,
    seatings: Seatings = None,
    seed: Seed = "0",
    json: Json = None,
    workers: Workers = "1",
    faults: Faults = "native",
    bust: Bust = "leave",
    decision_time: DecisionTime = None,
    hand_time: HandTime = None,
    memory: Memory = None,
    figures: Figures = None,
) -> None:
    """Play a round robin: every table of agents, as often as asked."""
    from railbird.cli.contest import Contest, seatings_for

    contest = Contest(
        game,
        hands,
        seed,
        seatings_for(duplicate, seatings),
        faults,
        bust,
        decision_time,
        hand_time,
        memory,
        workers,
    )
    contest.tournament(agents, matches, json, figures)


def selfplay(
    seats: Annotated[str, typer.Option(help="The agents, seat by seat, with commas between them.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="Write the hands to this file.")],
    game: Game = "limit-2p",
    hands: Hands = 1000,
    seed: Seed = "0",
    workers: Workers = "1",
    bust: Bust = "rebuy",
) -> None:
    """Play hands to learn from, all cards known, into a log."""
    from railbird.cli.contest import Contest

    contest = Contest(game, hands, seed, "none", "native", bust, None, None, None, workers)
    contest.match(seats, None, output, None)
