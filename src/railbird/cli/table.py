"""`railbird play`: sit down at a table."""

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from railbird.engine.rules import GameRules

DEFAULT_GAME = "limit-6max"
DEFAULT_OPPONENTS = (
    "pokibot",
    "simbot",
    "jagbot",
    "pokibot:profile=tight-aggressive",
    "pokibot:profile=loose-passive",
)
"""Who sits at a table of limit hold'em unless somebody is named."""
SIMPLE_OPPONENTS = ("always-call", "random", "always-raise")
"""Who plays any game."""


def play(
    game: Annotated[
        str, typer.Option(help="A game by name, such as limit-2p, or an ACPC .game file.")
    ] = DEFAULT_GAME,
    against: Annotated[
        str | None,
        typer.Option(
            help="Opponents with commas between them; one name fills all seats.", show_default=False
        ),
    ] = None,
    hands: Annotated[
        int | None, typer.Option(min=1, help="Stop after so many hands.", show_default=False)
    ] = None,
    seed: Annotated[
        str | None, typer.Option(help="Deal the same cards again; without it nobody can.", show_default=False)
    ] = None,
    name: Annotated[str, typer.Option(help="Your name at the table.")] = "Hero",
    terminal: Annotated[bool, typer.Option("--terminal", help="Play in the terminal.")] = True,  # noqa: ARG001
) -> None:
    """Play against the bots."""
    from rich.console import Console

    from railbird.agent import make_agent
    from railbird.arena.plan import entrants_of
    from railbird.cli.progress import tell_of_compiling
    from railbird.interfaces.terminal import play_session
    from railbird.notation.game_names import find_game
    from railbird.rng import Stream
    from railbird.spec import SpecError

    rules = find_game(game)
    tell_of_compiling()
    specs = _opponents(against, rules)
    entrants = entrants_of(specs)
    labels = [entrant.label for entrant in entrants]
    if name in labels:
        raise SpecError(f"an opponent is called {name!r} already: choose another --name")
    players = [(entrant.label, make_agent(entrant.agent)) for entrant in entrants]
    for _, agent in players:
        agent.verify_game(rules)
    console = Console(highlight=False)
    console.print(
        f"{rules.name} against {', '.join(labels)}. Keys: f fold, c check or call, r raise, q leave."
    )
    play_session(
        rules,
        players,
        Stream.live() if seed is None else Stream.from_seed(seed),
        console,
        name=name,
        hands=hands,
    )


def _opponents(text: str | None, rules: "GameRules") -> list[str]:
    from railbird.spec import split_specs

    count = rules.players - 1
    if text is None:
        usual = usual_opponents(rules)
        return [usual[seat % len(usual)] for seat in range(count)]
    specs = split_specs(text)
    return specs * count if len(specs) == 1 else specs


def usual_opponents(rules: "GameRules") -> tuple[str, ...]:
    """Who sits at a table where nobody is named."""
    from railbird.agent import UnsuitableGame, make_agent

    try:
        for name in DEFAULT_OPPONENTS:
            make_agent(name).verify_game(rules)
    except UnsuitableGame:
        return SIMPLE_OPPONENTS
    return DEFAULT_OPPONENTS
