"""Who sits at a table where nobody is named."""

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
"""Who plays limit hold'em: two that learnt by watching, one that simulates, one that calls too much, and one whose
weights evolved."""
SIMPLE = ("always-call", "random", "always-raise")
"""Who plays any game."""


def suits(agent: str, rules: GameRules) -> bool:
    """Whether an agent plays a game."""
    try:
        make_agent(agent).verify_game(rules)
    except ValueError:
        return False
    return True


def usual_opponents(rules: GameRules) -> list[str]:
    """A good mix for all seats but one, none of whom is made for it: that would take longer than all the rest."""
    company: Sequence[str] = GOOD_MIX if rules.is_limit_holdem else SIMPLE
    return [company[seat % len(company)] for seat in range(rules.players - 1)]
