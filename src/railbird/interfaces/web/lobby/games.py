"""The games of the lobby, with their seats and stakes."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from railbird.engine.games import game_title, named_game
from railbird.engine.rules import GameRules


@dataclass(frozen=True, slots=True)
class Offered:
    """A kind of game."""

    id: str
    title: str
    about: str
    family: str
    seats: tuple[int, ...]
    stakes: Mapping[str, str]
    """Parameters of the game by the name of the stakes."""

    def game(self, seats: int) -> str:
        """The name of the game with a number of seats."""
        return f"{self.family}-{seats}{'p' if seats < 4 else 'max'}"


_LIMIT_STAKES = {
    "$10/$20": "",
    "$2/$4": "blinds=1/2,bets=2/4,stack=400",
    "$50/$100": "blinds=25/50,bets=50/100,stack=10000",
    "$10/$20, stacks carry over": "carry=yes",
}
_NO_LIMIT_STAKES = {
    "50/100, 200 big blinds": "",
    "50/100, 100 big blinds": "stack=10000",
    "50/100, 20 big blinds": "stack=2000",
    "50/100, 200 big blinds, stacks carry over": "carry=yes",
}
GAMES = (
    Offered(
        "limit-ring",
        "Limit, ring game",
        "The game of Loki, CASPER and BayCaRP: two to ten players, fixed bets.",
        "limit",
        tuple(range(2, 11)),
        _LIMIT_STAKES,
    ),
    Offered(
        "limit-heads-up", "Limit, heads-up", "One against one, fixed bets.", "limit", (2,), _LIMIT_STAKES
    ),
    Offered(
        "nolimit-heads-up",
        "No-limit, heads-up",
        "One against one, bets of any size.",
        "nolimit",
        (2,),
        _NO_LIMIT_STAKES,
    ),
    Offered(
        "limit-three",
        "Limit, three players",
        "Fixed bets, as in the Annual Computer Poker Competition.",
        "limit",
        (3,),
        _LIMIT_STAKES,
    ),
    Offered(
        "nolimit-ring",
        "No-limit, ring game",
        "Two to ten players, bets of any size.",
        "nolimit",
        tuple(range(2, 11)),
        _NO_LIMIT_STAKES,
    ),
)


@cache
def offered_games() -> tuple[GameRules, ...]:
    """Every offered game with every number of seats, by name."""
    return tuple(
        named_game(game) for game in sorted({each.game(seats) for each in GAMES for seats in each.seats})
    )


def games_to_json() -> list[dict[str, Any]]:
    """All kinds of games as the lobby lists them."""
    return [
        {
            "id": offered.id,
            "title": offered.title,
            "about": offered.about,
            "seats": list(offered.seats),
            "game": {str(seats): offered.game(seats) for seats in offered.seats},
            "titles": {str(seats): game_title(named_game(offered.game(seats))) for seats in offered.seats},
            "stakes": [
                {"title": title, "parameters": parameters} for title, parameters in offered.stakes.items()
            ],
        }
        for offered in GAMES
    ]
