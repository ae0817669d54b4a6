"""Options that several commands share."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from railbird.cli.completing import complete_agents, complete_games
from railbird.extras import require_extra

if TYPE_CHECKING:
    from railbird.engine.rules import GameRules


def _get_workers_ready(workers: str) -> str:
    """Start what forks a pool's workers, so that it loads what they need while this command still loads the same."""
    if workers.isdigit() and workers != "1":
        from railbird.arena.run.fork_server import open_fork_server

        open_fork_server()
    return workers


# Contests

Game = Annotated[
    str,
    typer.Option(
        help="A game by name, such as limit-2p, or an ACPC .game file.", autocompletion=complete_games
    ),
]
Hands = Annotated[int, typer.Option(min=1, help="Number of deals in each match.")]
Seats = Annotated[
    str, typer.Option(help="The agents, seat by seat, separated by commas.", autocompletion=complete_agents)
]
Seed = Annotated[str, typer.Option(help="Seed of the experiment; the same seed gives the same results.")]
Json = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Write the results to this file, with the journal of finished matches next to it; - for standard output.",
        show_default=False,
    ),
]
Workers = Annotated[
    str,
    typer.Option(help="Number of processes, ray, or ray://host:port.", callback=_get_workers_ready),
]
Faults = Annotated[
    str,
    typer.Option(help="native: check or fold, and forfeit at the third fault; strict: the match is void."),
]
Bust = Annotated[str, typer.Option(help="Players without chips: leave, or rebuy (which is counted).")]
DecisionTime = Annotated[
    float | None,
    typer.Option(help="Seconds per decision; agents then run in separate processes.", show_default=False),
]
HandTime = Annotated[
    float | None, typer.Option(help="Seconds for all decisions of a hand together.", show_default=False)
]
Memory = Annotated[int | None, typer.Option(help="Memory limit of an agent in MB.", show_default=False)]
Duplicate = Annotated[bool, typer.Option(help="Play every deal in several seatings to reduce luck.")]
Seatings = Annotated[
    str | None,
    typer.Option(
        help="For duplicate deals: rotations, or permutations (up to 3 players).", show_default=False
    ),
]
Shuffle = Annotated[bool, typer.Option("--shuffle-seats", help="Draw a new seating order for every match.")]
Experience = Annotated[
    Path | None,
    typer.Option(
        help="Experience book of agents that learn: matches start from it and are added to it.",
        show_default=False,
    ),
]
Snapshot = Annotated[
    int | None,
    typer.Option(
        min=0, help="Use only this many matches from the beginning of the book.", show_default=False
    ),
]
Figures = Annotated[Path | None, typer.Option(help="Draw figures into this folder.", show_default=False)]

# Files of hands

From = Annotated[
    str | None,
    typer.Option("--from", help="Input format. By default it is detected.", show_default=False),
]
LogGame = Annotated[
    str | None,
    typer.Option(
        "--game",
        autocompletion=complete_games,
        help="The game of ACPC logs that do not name it: a name or a .game file.",
        show_default=False,
    ),
]
Encoding = Annotated[str, typer.Option(help="Text encoding: utf-8, cp1252, or auto to detect it.")]
Logs = Annotated[
    list[str],
    typer.Argument(metavar="LOG", help="Files or folders of hands in any supported format."),
]
LearningSystem = Annotated[
    str,
    typer.Option(
        "--as",
        metavar="SYSTEM",
        help="The system that learns from the cases: casper, baycarp, sartre, sartre-3p, or sartre-nl for no-limit; "
        "some with parameters, such as sartre:strength=categories,solutions=single, baycarp:ranges=mass or "
        "casper:look-ahead=2.",
    ),
]
WatchedPlayers = Annotated[
    list[str] | None,
    typer.Option("--player", metavar="NAME", help="A player to watch; may be repeated."),
]
AllPlayers = Annotated[bool, typer.Option("--all-players", help="Watch all players.")]
OpponentNetwork = Annotated[
    str,
    typer.Option(
        "--network", metavar="FILE", help="For baycarp: the network that reads opponents, an XDSL file."
    ),
]
Force = Annotated[bool, typer.Option("--force", help="Overwrite existing files.")]
JsonFile = Annotated[
    Path | None,
    typer.Option(
        "--json",
        metavar="FILE",
        help="Write the results as JSON to this file; - for standard output, instead of text.",
        show_default=False,
    ),
]

# Tables

Store = Annotated[
    str | None,
    typer.Option(
        help="Store for the hands: a file or a URL; by default in your user folder.",
        show_default=False,
    ),
]
Prepare = Annotated[
    bool, typer.Option(help="Compile the bots' code before tables open and in the background.")
]


def refuse_idle(context: typer.Context, when: str, *names: str) -> None:
    """Refuse options that were given but have no effect; `when` ends the sentence: "without --until-decided"."""
    for parameter in context.command.params:
        if parameter.name not in names:
            continue
        source = context.get_parameter_source(parameter.name)
        if source is not None and source.name != "DEFAULT":
            is_negated = context.params[parameter.name] is False and parameter.secondary_opts
            option = max(parameter.secondary_opts if is_negated else parameter.opts, key=len)
            raise typer.BadParameter(f"{option} has no effect {when}", ctx=context)


def refuse_idle_force(context: typer.Context, *files: Path | None) -> None:
    """Refuse --force where none of these files is written."""
    if not any(file is not None and file != Path("-") for file in files):
        refuse_idle(context, "without a file to write", "force")


def require_figures(figures: Path | None, option: str) -> None:
    """Refuse an option that draws figures where nothing can draw them."""
    if figures is not None:
        require_extra("figures", "matplotlib", option)


def require_seatings(context: typer.Context, seatings: str | None, players: int) -> None:
    """Refuse unknown seatings, --duplicate if it contradicts them, and an order drawn where all are played."""
    from railbird.arena.play.plan import Duplicate as Seatings
    from railbird.spec import parse_choice

    is_duplicate = context.params["duplicate"]
    chosen = Seatings.usual(players) if is_duplicate else Seatings.NONE
    if seatings is not None:
        chosen = parse_choice("--seatings", seatings, Seatings)
        if is_duplicate is (chosen is Seatings.NONE):
            refuse_idle(context, f"with --seatings {seatings}", "duplicate")
    if chosen.count(players) == Seatings.PERMUTATIONS.count(players):
        refuse_idle(context, "where every deal is played in all orders of the seats", "shuffle")


def require_policies(faults: str, bust: str) -> None:
    """Raise an error for unknown policies that names the option."""
    from railbird.arena.play.plan import Bust as BustPolicy
    from railbird.arena.play.plan import FaultPolicy
    from railbird.spec import parse_choice

    parse_choice("--faults", faults, FaultPolicy)
    parse_choice("--bust", bust, BustPolicy)


def require_carried(context: typer.Context, rules: "GameRules") -> None:
    """Refuse a policy for players without chips in a game where every hand begins with full stacks."""
    if not rules.carry:
        refuse_idle(context, "unless stacks carry over, as with carry=yes", "bust")


def require_book(
    context: typer.Context, experience: Path | None, snapshot: int | None, agents: list[str]
) -> None:
    """Refuse a snapshot without an experience book, and a book where nobody has experiences for later matches."""
    from railbird.agent import keeps_experience
    from railbird.arena.play.plan import PlanError

    if snapshot is not None and experience is None:
        raise PlanError("--snapshot selects a part of an experience book, so --experience must be given")
    if experience is not None and not any(map(keeps_experience, agents)):
        refuse_idle(context, "without an agent that learns from match to match, such as casey", "experience")
