"""The ratings of agents as tables."""

from collections.abc import Iterable

from rich.console import Console
from rich.table import Table

from railbird.interfaces.ratings import GameRatings


def show_ratings(games: Iterable[GameRatings], console: Console) -> None:
    """Print a table for each game, the best agent first."""
    for game in games:
        console.print(f"\n{game.game}, in {game.unit} with 95 % intervals")
        table = Table("agent", "stars", "rate", "interval", "hands", box=None, padding=(0, 2, 0, 0))
        for rating in game.ratings.values():
            interval = f"{rating.low:+.3f} … {rating.high:+.3f}"
            stars = "★" * rating.stars
            table.add_row(rating.agent, stars, f"{rating.mean:+.3f}", interval, f"{rating.hands:,}")
        console.print(table)
