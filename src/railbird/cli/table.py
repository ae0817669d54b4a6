"""`railbird play`: sit down at a table."""

from typing import Annotated

import typer

DEFAULT_GAME = "limit-6max"
DEFAULT_OPPONENTS = ("always-call", "random", "always-raise")


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
    from railbird.interfaces.terminal import play_session
    from railbird.notation.game_names import find_game
    from railbird.rng import Stream
    from railbird.spec import SpecError

    rules = find_game(game)
    specs = _opponents(against, rules.players - 1)
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


def _opponents(text: str | None, count: int) -> list[str]:
    if text is None:
        return [DEFAULT_OPPONENTS[seat % len(DEFAULT_OPPONENTS)] for seat in range(count)]
    from railbird.spec import split_specs

    specs = split_specs(text)
    return specs * count if len(specs) == 1 else specs
