"""Who sits at a table: default opponents, tables recommended by strength, and the strongest agent of a game."""

from dataclasses import dataclass

from railbird.agent import make_agent
from railbird.engine.rules import GameRules
from railbird.interfaces.ratings import ratings_for

GOOD_MIX = (
    "casper02",
    "baycarp2",
    "simbot:trials=100",
    "pokibot:profile=loose-passive",
    "casper-general",
)
"""Default opponents in limit hold'em with four or more players: two that learnt by watching, one that simulates, one
that calls too much, and one with evolved weights."""
SIMPLE = ("always-call", "random", "always-raise")
"""Default opponents in games that no agent plays with skill."""
VARIANTS = ("pokibot:profile=loose-passive",)
"""Agents with parameters that are rated like agents."""
_RING = 4


@dataclass(frozen=True, slots=True)
class Recommended:
    """A table for somebody who does not know the agents yet."""

    id: str
    title: str
    about: str
    opponents: tuple[str, ...]
    """As many as the table has seats sit down, in this order."""


def suits(agent: str, rules: GameRules) -> bool:
    """Whether an agent can play a game."""
    try:
        make_agent(agent).verify_game(rules)
    except ValueError:
        return False
    return True


def recommended_tables(rules: GameRules) -> tuple[Recommended, ...]:
    """A friendly, a tougher and the toughest table, from the ratings; none if no agent plays the game with skill.

    The friendly table starts with the weakest agent of the field, the tougher one with those in the middle, the
    toughest one with the strongest.
    """
    ratings = ratings_for(rules)
    if ratings is None:
        return ()
    field = [agent for agent in ratings.ratings if agent in ratings.field]
    middle = (len(field) - 1) / 2
    central = sorted(field, key=lambda agent: abs(field.index(agent) - middle))
    return (
        Recommended("friendly", "Friendly", "The easiest bots to beat: a good start.", tuple(field[::-1])),
        Recommended("tougher", "Tougher", "Bots that punish mistakes.", tuple(central)),
        Recommended("toughest", "Toughest", "The strongest bots in this game.", tuple(field)),
    )


def strongest_agent(rules: GameRules) -> str | None:
    """The agent with the highest rating in a game; None if no agent plays it with skill."""
    tables = recommended_tables(rules)
    return tables[-1].opponents[0] if tables else None


def usual_opponents(rules: GameRules) -> list[str]:
    """Default opponents for all seats but one, chosen without instantiating agents, which would be slow."""
    tables = {table.id: table.opponents for table in recommended_tables(rules)}
    company = GOOD_MIX if tables and rules.players >= _RING else tables.get("tougher", SIMPLE)
    return [company[seat % len(company)] for seat in range(rules.players - 1)]
