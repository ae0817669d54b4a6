"""How CASPER's cases are made: one situation at a time."""

from functools import partial

from railbird.agents.casper.agent import ELSE_NEAREST, THRESHOLD
from railbird.agents.casper.attributes import LOOK_AHEAD, describe
from railbird.agents.casper.cases import TABLE, system_name
from railbird.agents.holdem import plays_limit_holdem
from railbird.agents.system import Described, System
from railbird.cbr.cycle.retrieve import AtLeastElseNearest
from railbird.engine.actions import Action
from railbird.engine.record import HandRecord
from railbird.observation import Observation


class _Describer:
    """Describes each situation independently."""

    def __init__(self, look_ahead: int) -> None:
        self._look_ahead = look_ahead

    def describe(self, observation: Observation, action: Action) -> Described:
        """A decision: its attributes, and the amount won or lost in the whole hand."""
        return Described(describe(observation, self._look_ahead), action.kind.name.lower(), float)

    def follow(self, record: HandRecord) -> None:
        """Nothing is learnt about the players."""


def casper_system(look_ahead: int = LOOK_AHEAD) -> System:
    """CASPER's cases, whose potentials look one or two cards ahead on the flop."""
    outcome = "what the player won or lost in the whole hand, in small bets"
    return System(
        system_name(look_ahead),
        TABLE,
        partial(_Describer, look_ahead),
        plays_limit_holdem,
        "limit hold'em",
        outcome,
        retrieval=lambda _stage: AtLeastElseNearest(THRESHOLD, ELSE_NEAREST),
    )
