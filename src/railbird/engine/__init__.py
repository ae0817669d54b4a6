"""The table: rules as data, one hand's state, and the record of what happened.

- `rules`: `GameRules`, a game as frozen data, and its named options
- `games`: named games and their parameters (`limit-9max:cap=5`)
- `actions`: fold, call, raise-to, and what is legal
- `events`: what happens in a hand, as frozen records
- `setup`: the start of a hand: players, stacks and blinds
- `betting_tree`: the betting situations of a setup, each computed once
- `betting_facts`: public facts of a betting situation
- `state`: `State`, one hand in progress
- `dealing`: hands dealt many at a time
- `positions`: what players call the positions of a hand
- `wording`: actions and chips in words
- `history`: the events of a hand, and what happens in words
- `record`: `HandRecord`, the form in which hands are stored and exchanged
- `json_form`: rules and records as plain data
- `table`: between hands: button, blinds, missing players, stacks
- `batch`: many hands at once in compiled code

Public names are imported when they are first used:

>>> from railbird.engine import CALL, Setup, State, deal, raise_to
>>> deal("limit-2p", seed=7).can_raise_to(20)
True
"""

from typing import TYPE_CHECKING

from railbird.lazy import lazy_names

__all__ = [
    "CALL",
    "FOLD",
    "Action",
    "ActionError",
    "ActionKind",
    "GameRules",
    "HandRecord",
    "LegalActions",
    "RulesError",
    "Setup",
    "State",
    "Table",
    "deal",
    "game_names",
    "named_game",
    "raise_to",
]

if TYPE_CHECKING:
    from railbird.engine.actions import CALL, FOLD, Action, ActionError, ActionKind, LegalActions, raise_to
    from railbird.engine.games import game_names, named_game
    from railbird.engine.record import HandRecord
    from railbird.engine.rules import GameRules, RulesError
    from railbird.engine.setup import Setup
    from railbird.engine.state import State, deal
    from railbird.engine.table import Table
else:
    __getattr__, __dir__ = lazy_names(
        __name__,
        {
            "actions": ["CALL", "FOLD", "Action", "ActionError", "ActionKind", "LegalActions", "raise_to"],
            "games": ["game_names", "named_game"],
            "record": ["HandRecord"],
            "rules": ["GameRules", "RulesError"],
            "setup": ["Setup"],
            "state": ["State", "deal"],
            "table": ["Table"],
        },
    )
