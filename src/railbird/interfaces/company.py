"""Default opponents at a table."""

from collections.abc import Sequence

from railbird.agent import make_agent
from railbird.engine.rules import GameRules

GOOD_MIX = (
    "casper02",
    "baycarp2",
    "simbot:trials=100",
    "pokibot:profile=loose-passive",
    "casper-general",
)
"""Default opponents in limit hold'em: two that learnt by watching, one that simulates, one that calls too much, and one
with evolved weights."""
VARIANTS = ("pokibot:profile=loose-passive",)
"""Agents with parameters that are rated like agents."""
SIMPLE = ("always-call", "random", "always-raise")
"""Default opponents in any other game."""


def suits(agent: str, rules: GameRules) -> bool:
    """Whether an agent can play a game."""
    try:
        make_agent(agent).verify_game(rules)
    except ValueError:
        return False
    return True


def usual_opponents(rules: GameRules) -> list[str]:
    """A good mix of opponents for all seats but one, chosen without instantiating agents, which would be slow."""
    company: Sequence[str] = GOOD_MIX if rules.is_limit_holdem else SIMPLE
    return [company[seat % len(company)] for seat in range(rules.players - 1)]
