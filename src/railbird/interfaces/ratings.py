"""How strong the agents are in each game, as `railbird rate` measured it, and their stars.

An agent's rate is what it wins per hand from the field: all agents of the package that play the game with some skill.
Agents that do not look at their cards, start without knowledge, or are somebody else in every match sit down with the
field too, but what the field wins from them does not count: otherwise the agent that exploits the weakest opponents
would come first.

Stars follow from the 95 % intervals of these rates, so agents that the measurement cannot tell apart share them:

    5  among the strongest: its interval overlaps that of the best, and is above zero if that is, or else contains zero
    4  wins: its whole interval is above zero
    3  roughly breaks even: its interval contains zero
    2  loses, but less than by folding every hand
    1  loses about as much as by folding every hand, or more
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from railbird.engine.rules import GameRules
from railbird.plain_data import read_json

SCHEMA = "railbird.ratings/1"
FOLDING = "always-fold"
"""The agent whose rate is that of folding every hand."""
MEANINGS = {
    5: "among the strongest",
    4: "wins",
    3: "roughly breaks even",
    2: "loses",
    1: "a beginner",
}
"""What each number of stars means, in words."""
RING = 6
"""Number of players at the tables that rate agents for all ring games."""
SMALLEST_RING = 4


@dataclass(frozen=True, slots=True)
class Rating:
    """What an agent wins per hand from the field, in the unit of the game."""

    agent: str
    mean: float
    low: float
    high: float
    hands: int
    stars: int

    @property
    def margin(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2


@dataclass(frozen=True, slots=True)
class GameRatings:
    """All ratings of one game."""

    game: str
    """The game that was played for them."""
    unit: str
    field: tuple[str, ...]
    """The agents whose money counts; empty if no agent plays the game with skill."""
    ratings: Mapping[str, Rating]
    """Ratings by agent, the best first: by stars, then by the mean."""


def stars_of(mean: Mapping[str, float], intervals: Mapping[str, tuple[float, float]]) -> dict[str, int]:
    """The stars of agents with these means and intervals, by the rule above.

    >>> rates = {"one": (0.2, 0.4), "two": (0.1, 0.3), "three": (0.1, 0.15), "always-fold": (-0.5, -0.5)}
    >>> stars_of({name: sum(bounds) / 2 for name, bounds in rates.items()}, rates)
    {'one': 5, 'two': 5, 'three': 4, 'always-fold': 1}
    """
    best = intervals[max(mean, key=lambda agent: mean[agent])][0]
    folding = intervals[FOLDING][1]

    def stars(low: float, high: float) -> int:
        if high >= best and (low > 0 or best <= 0 <= high):
            return 5
        if low > 0:
            return 4
        if high >= 0:
            return 3
        return 2 if low > folding else 1

    return {agent: stars(*interval) for agent, interval in intervals.items()}


def rated_game(rules: GameRules) -> str:
    """The game whose ratings hold for a game: one of six players for all ring games, with any stakes.

    >>> from railbird.engine.games import named_game
    >>> rated_game(named_game("limit-9max")), rated_game(named_game("nolimit-2p"))
    ('limit-6max', 'nolimit-2p')
    """
    family = rules.name.partition(":")[0].partition("-")[0]
    return f"{family}-{rules.players}p" if rules.players < SMALLEST_RING else f"{family}-{RING}max"


@cache
def shipped_ratings() -> Mapping[str, GameRatings]:
    """The ratings that come with the package, by game."""
    data = read_json(files("railbird.interfaces").joinpath("data", "ratings.json").read_bytes())
    return ratings_from_json(data)


def ratings_from_json(data: Any) -> Mapping[str, GameRatings]:
    """Ratings from the plain data that `railbird rate` writes."""
    if not isinstance(data, dict) or data.get("schema") != SCHEMA:
        raise ValueError(f"ratings have the schema {SCHEMA}")
    return {game: _game(game, found) for game, found in data["games"].items()}


def _game(game: str, found: Mapping[str, Any]) -> GameRatings:
    agents: Mapping[str, Mapping[str, Any]] = found["agents"]
    stars = stars_of(
        {agent: rate["mean"] for agent, rate in agents.items()},
        {agent: (rate["low"], rate["high"]) for agent, rate in agents.items()},
    )
    rated = [Rating(agent, **rate, stars=stars[agent]) for agent, rate in agents.items()]
    best_first = sorted(rated, key=lambda rating: (rating.stars, rating.mean), reverse=True)
    return GameRatings(
        game, found["unit"], tuple(found["field"]), {rating.agent: rating for rating in best_first}
    )


def ratings_for(rules: GameRules) -> GameRatings | None:
    """The ratings that hold for a game; None if there are none."""
    return shipped_ratings().get(rated_game(rules))
