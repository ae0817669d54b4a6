"""Railbird: a workbench for Texas Hold'em agents that learn by watching.

Everything below is imported when it is first used; `help(railbird.match)` and so on have examples.

- games and hands: `game_names`, `named_game`, `deal`, `State`, `Setup`
- cards: `parse_cards`, `format_cards`, `evaluate`, `equity`, `Range`
- files of hands: `read_hands`, `write_hands`
- agents: `agent_names`, `make_agent`, `Agent`, `Decision`, `explain`
- contests: `match`, `tournament`, between agents by name, objects and classes
- learning: `watch`, `imitate`, `train_network`

The parts have public names too: `railbird.engine`, `railbird.cbr`, `railbird.bayes`.

>>> import railbird
>>> state = railbird.deal("limit-2p", seed=7)
>>> while not state.is_over:
...     record = state.call()
>>> railbird.format_cards(state.board), state.payoffs
('7c2d7sTsQh', (10, -10))
"""

from typing import TYPE_CHECKING

from railbird.lazy import lazy_names

__version__ = "0.1.0"

__all__ = [
    "Agent",
    "Decision",
    "Range",
    "Setup",
    "State",
    "agent_names",
    "deal",
    "equity",
    "evaluate",
    "explain",
    "format_cards",
    "game_names",
    "imitate",
    "make_agent",
    "match",
    "named_game",
    "parse_cards",
    "read_hands",
    "tournament",
    "train_network",
    "watch",
    "write_hands",
]

if TYPE_CHECKING:
    from railbird.agent.contract import Agent, Decision
    from railbird.agent.registry import agent_names, make_agent
    from railbird.arena.play.asking import explain
    from railbird.arena.run.contest import match, tournament
    from railbird.cards import format_cards, parse_cards
    from railbird.engine.games import game_names, named_game
    from railbird.engine.setup import Setup
    from railbird.engine.state import State, deal
    from railbird.equities.asking import equity
    from railbird.equities.ranges import Range
    from railbird.hands.evaluator import evaluate
    from railbird.learning.fidelity import imitate
    from railbird.learning.packs import watch
    from railbird.learning.training import train_network
    from railbird.notation.hands import read_hands, write_hands
else:
    __getattr__, __dir__ = lazy_names(
        __name__,
        {
            "agent.contract": ["Agent", "Decision"],
            "agent.registry": ["agent_names", "make_agent"],
            "arena.play.asking": ["explain"],
            "arena.run.contest": ["match", "tournament"],
            "cards": ["format_cards", "parse_cards"],
            "engine.games": ["game_names", "named_game"],
            "engine.setup": ["Setup"],
            "engine.state": ["State", "deal"],
            "equities.asking": ["equity"],
            "equities.ranges": ["Range"],
            "hands.evaluator": ["evaluate"],
            "learning.fidelity": ["imitate"],
            "learning.packs": ["watch"],
            "learning.training": ["train_network"],
            "notation.hands": ["read_hands", "write_hands"],
        },
    )
