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
    from railbird.interfaces.terminal import play_session
    from railbird.notation.game_names import find_game
    from railbird.rng import Stream

    rules = find_game(game)
    specs = _opponents(against, rules.players - 1)
    labels = _labels(specs, name)
    console = Console(highlight=False)
    console.print(
        f"{rules.name} against {', '.join(labels)}. Keys: f fold, c check or call, r raise, q leave."
    )
    play_session(
        rules,
        [(label, make_agent(spec)) for label, spec in zip(labels, specs, strict=True)],
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


def _labels(specs: list[str], taken: str) -> list[str]:
    """A name for every opponent: its own, with a number where several have the same."""
    labels: list[str] = []
    for spec in specs:
        same = sum(other == spec for other in specs) > 1 or spec == taken
        labels.append(f"{spec} {sum(other == spec for other in specs[: len(labels) + 1])}" if same else spec)
    return labels
