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


def match(
    seats: Annotated[str, typer.Option(help="The agents, seat by seat, with commas between them.")],
    game: Game = "limit-2p",
    hands: Hands = 1000,
    duplicate: Duplicate = False,
    seatings: Seatings = None,
    matches: Annotated[int, typer.Option(min=1, help="Matches, each with deals of its own.")] = 1,
    shuffle: Shuffle = False,
    until_decided: Annotated[
        bool,
        typer.Option(
            "--until-decided",
            help="Stop after the match that decides whether the first player wins or loses (a sequential test).",
        ),
    ] = False,
    error_rate: Annotated[
        float, typer.Option(help="Of that test: the probability of deciding wrongly, ever.")
    ] = 0.05,
    reduce_luck: Annotated[
        bool,
        typer.Option("--reduce-luck", help="Also give rates without the luck of all-ins and starting hands."),
    ] = False,
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
    experience: Experience = None,
    snapshot: Snapshot = None,
    figures: Figures = None,
) -> None:
    """Play a match between agents, or several."""
    from railbird.cli.tasks.contest import Contest, seatings_for

    contest = Contest(
        game=game,
        hands=hands,
        seed=seed,
        seatings=seatings_for(duplicate, seatings),
        faults=faults,
        bust=bust,
        decision_time=decision_time,
        hand_time=hand_time,
        memory=memory,
        workers=workers,
        shuffle=shuffle,
        experience=experience,
        snapshot=snapshot,
    )
    contest.match(
        seats,
        matches,
        json,
        log,
        figures,
        error_rate=error_rate if until_decided else None,
        reduce_luck=reduce_luck,
    )


def tournament(
    agents: Annotated[str, typer.Option(help="The agents, with commas between them.")],
    game: Game = "limit-2p",
    hands: Hands = 1000,
    matches: Annotated[int, typer.Option(min=1, help="Matches of each table.")] = 1,
    duplicate: Duplicate = True,
    seatings: Seatings = None,
    shuffle: Shuffle = False,
    seed: Seed = "0",
    json: Json = None,
    workers: Workers = "1",
    faults: Faults = "native",
    bust: Bust = "leave",
    decision_time: DecisionTime = None,
    hand_time: HandTime = None,
    memory: Memory = None,
    experience: Experience = None,
    snapshot: Snapshot = None,
    figures: Figures = None,
) -> None:
    """Play a round robin: every table of agents, as often as asked."""
    from railbird.cli.tasks.contest import Contest, seatings_for

    contest = Contest(
        game=game,
        hands=hands,
        seed=seed,
        seatings=seatings_for(duplicate, seatings),
        faults=faults,
        bust=bust,
        decision_time=decision_time,
        hand_time=hand_time,
        memory=memory,
        workers=workers,
        shuffle=shuffle,
        experience=experience,
        snapshot=snapshot,
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
    from railbird.cli.tasks.contest import Contest

    contest = Contest(game=game, hands=hands, seed=seed, bust=bust, workers=workers)
    contest.match(seats, 1, None, output, None)
