"""`railbird play`: sit down at a table; `railbird serve`: for others."""

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from railbird.engine.rules import GameRules

DEFAULT_GAME = "limit-6max"


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
    name: Annotated[str, typer.Option(help="Your name at the table.")] = "Hero",
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="By default any free one.", show_default=False)
    ] = None,
    browser: Annotated[bool, typer.Option(help="Open the browser.")] = True,
    store: Annotated[
        str | None,
        typer.Option(help="Where hands are kept: a file or a URL; by default your own.", show_default=False),
    ] = None,
    terminal: Annotated[bool, typer.Option("--terminal", help="Play in the terminal.")] = False,
    hands: Annotated[
        int | None, typer.Option(min=1, help="In the terminal: stop after so many.", show_default=False)
    ] = None,
    seed: Annotated[
        str | None,
        typer.Option(
            help="In the terminal: deal the same cards again; without it nobody can.", show_default=False
        ),
    ] = None,
) -> None:
    """Play against the bots, in the browser or in the terminal."""
    from railbird.cli.views.progress import tell_of_compiling
    from railbird.notation.game_names import find_game
    from railbird.spec import SpecError

    if not terminal and (hands is not None or seed is not None):
        raise SpecError("--hands and --seed are for play in the terminal: add --terminal")
    rules = find_game(game)
    tell_of_compiling()
    if terminal:
        _play_in_terminal(rules, _opponents(against, rules), name, hands, seed)
    else:
        from railbird.cli.tasks.serving import play_in_browser

        play_in_browser(rules, _opponents(against, rules), name, port or 0, browser, store)


def serve(
    host: Annotated[str, typer.Option(help="The address to listen at; 0.0.0.0 is every one.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 takes a free one.")] = 8000,
    name: Annotated[
        list[str] | None,
        typer.Option(
            help="A name under which the machine is reached, beside its numbers; may be repeated.",
            show_default=False,
        ),
    ] = None,
    proxy: Annotated[
        list[str] | None,
        typer.Option(
            help="The address of a reverse proxy that is believed when it says who asks; may be repeated.",
            show_default=False,
        ),
    ] = None,
    workers: Annotated[int, typer.Option(min=1, help="Processes in which the bots think.")] = 2,
    store: Annotated[
        str | None,
        typer.Option(help="Where hands are kept: a file or a URL; by default your own.", show_default=False),
    ] = None,
    keep_days: Annotated[
        int,
        typer.Option(
            min=0, max=36500, help="Days after which ended sessions are removed; 0 keeps them for ever."
        ),
    ] = 90,
) -> None:
    """Serve tables in the browser to others."""
    from railbird.cli.tasks.serving import serve_others
    from railbird.cli.views.progress import tell_of_compiling

    tell_of_compiling()
    serve_others(host, port, tuple(name or ()), tuple(proxy or ()), workers, store, keep_days)


def _play_in_terminal(
    rules: "GameRules", specs: list[str], name: str, hands: int | None, seed: str | None
) -> None:
    from rich.console import Console

    from railbird.agent import make_agent
    from railbird.arena.play.plan import labels_of
    from railbird.interfaces.terminal import play_session
    from railbird.rng import Stream
    from railbird.spec import SpecError

    labels = labels_of(specs)
    if name in labels:
        raise SpecError(f"an opponent is called {name!r} already: choose another --name")
    players = [(label, make_agent(spec)) for label, spec in zip(labels, specs, strict=True)]
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
    from railbird.interfaces.company import usual_opponents
    from railbird.spec import split_specs

    if text is None:
        return usual_opponents(rules)
    specs = split_specs(text)
    return specs * (rules.players - 1) if len(specs) == 1 else specs
