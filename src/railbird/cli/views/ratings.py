"""The ratings of agents as tables."""

from collections.abc import Iterable

from rich.console import Console

from railbird.explanation.formats import format_signed
from railbird.interfaces.fitting import FittedTable
from railbird.interfaces.ratings import GameRatings


def show_ratings(games: Iterable[GameRatings], console: Console) -> None:
    """Print a table for each game, the best agent first."""
    for game in games:
        console.print(f"\n{game.game}, in {game.unit} with 95 % intervals")
        table = FittedTable("agent", "stars", "rate", "interval", "hands")
        for rating in game.ratings.values():
            interval = f"{format_signed(rating.low, 3)} … {format_signed(rating.high, 3)}"
            stars = "★" * rating.stars
            table.add_row(rating.agent, stars, format_signed(rating.mean, 3), interval, f"{rating.hands:,}")
        console.print(table)
