"""`railbird play`: a table against the bots, in the browser or in the terminal."""

from typing import TYPE_CHECKING, Annotated

import typer

from railbird.cli.completing import complete_agents
from railbird.cli.options import Game, Prepare, Store, refuse_idle
from railbird.extras import require_extra
from railbird.interfaces import DEFAULT_GAME

if TYPE_CHECKING:
    from railbird.engine.rules import GameRules


def play(
    context: typer.Context,
    game: Game = DEFAULT_GAME,
    against: Annotated[
        str | None,
        typer.Option(
            help="Opponents, separated by commas; a single name fills all seats.",
            autocompletion=complete_agents,
            show_default=False,
        ),
    ] = None,
    name: Annotated[str, typer.Option(help="Your name at the table.")] = "Hero",
    port: Annotated[
        int | None,
        typer.Option(min=0, max=65535, help="The port; by default any free one.", show_default=False),
    ] = None,
    browser: Annotated[bool, typer.Option(help="Open the browser.")] = True,
    store: Store = None,
    prepare: Prepare = True,
    terminal: Annotated[bool, typer.Option("--terminal", help="Play in the terminal.")] = False,
    hands: Annotated[
        int | None,
        typer.Option(min=1, help="In the terminal: stop after this many hands.", show_default=False),
    ] = None,
    seed: Annotated[
        str | None,
        typer.Option(
            help="In the terminal: the same seed deals the same cards; random by default.", show_default=False
        ),
    ] = None,
) -> None:
    """Play against the bots, in the browser or in the terminal."""
    from railbird.notation.game_names import find_game

    if terminal:
        refuse_idle(context, "with --terminal", "port", "browser", "store", "prepare")
    else:
        refuse_idle(context, "without --terminal", "hands", "seed")
        require_extra("web", "fastapi", "railbird play")
    rules = find_game(game)
    if terminal:
        _play_in_terminal(rules, _opponents(against, rules), name, hands, seed)
    else:
        from railbird.interfaces.web.starting import play_in_browser

        play_in_browser(rules, _opponents(against, rules), name, port or 0, browser, store, prepare)


def _play_in_terminal(
    rules: "GameRules", specs: list[str], name: str, hands: int | None, seed: str | None
) -> None:
    from rich.console import Console

    from railbird.agent import make_agent
    from railbird.arena.play.plan import labels_of
    from railbird.interfaces.terminal import play_session, require_opponents
    from railbird.rng import Stream
    from railbird.spec import SpecError

    require_opponents(rules, len(specs))
    labels = labels_of(specs)
    if name in labels:
        raise SpecError(f"an opponent already has the name {name!r}: choose another --name")
    players = [(label, make_agent(spec)) for label, spec in zip(labels, specs, strict=True)]
    for _, agent in players:
        agent.verify_game(rules)
    console = Console(highlight=False)
    console.print(
        f"{rules.name} against {', '.join(labels)}. Keys: f fold, c check or call, r bet or raise, q quit."
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
    from railbird.interfaces.company import usual_opponents
    from railbird.spec import split_specs

    if text is None:
        return usual_opponents(rules)
    specs = split_specs(text)
    return specs * (rules.players - 1) if len(specs) == 1 else specs
