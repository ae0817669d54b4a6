"""How CASPER's cases are made: one situation at a time."""

from railbird.agents.casper.agent import ELSE_NEAREST, THRESHOLD
from railbird.agents.casper.attributes import describe
from railbird.agents.casper.cases import SYSTEM, TABLE
from railbird.agents.holdem import plays_limit_holdem
from railbird.agents.system import Described, System
from railbird.cbr.cycle.retrieve import AtLeastElseNearest
from railbird.engine.actions import Action
from railbird.engine.record import HandRecord
from railbird.observation import Observation


class _Describer:
    """Describes each situation independently."""

    def describe(self, observation: Observation, action: Action) -> Described:
        """A decision: its attributes, and the amount won or lost in the whole hand."""
        return Described(describe(observation), action.kind.name.lower(), float)

    def follow(self, record: HandRecord) -> None:
        """Nothing is learnt about the players."""


def casper_system() -> System:
    """CASPER's cases."""
    outcome = "what the player won or lost in the whole hand, in small bets"
    return System(
        SYSTEM,
        TABLE,
        _Describer,
        plays_limit_holdem,
        "limit hold'em",
        outcome,
        retrieval=lambda _stage: AtLeastElseNearest(THRESHOLD, ELSE_NEAREST),
    )
