"""How SARTRE's cases are made: one situation at a time, equal ones merged unless cases are single."""

from railbird.agents.holdem import plays_limit_holdem
from railbird.agents.sartre.cases import SOLUTIONS, limit_table
from railbird.agents.sartre.hand_strength import HandFinder, HandStrength
from railbird.agents.sartre.situations import Situations
from railbird.agents.sartre.systems import USUAL, system_name
from railbird.agents.system import Described, System
from railbird.engine.actions import Action
from railbird.engine.record import HandRecord
from railbird.engine.rules import GameRules
from railbird.observation import Observation

_OUTCOME = "what the player won or lost in the whole hand, in small bets"


class _Describer:
    """Describes each situation independently."""

    def __init__(self, strength: HandStrength) -> None:
        self._situations = Situations(strength)

    def describe(self, observation: Observation, action: Action) -> Described:
        """A decision: its attributes, and the amount won or lost in the whole hand."""
        return Described(self._situations.describe(observation), SOLUTIONS[action.kind], float)

    def follow(self, record: HandRecord) -> None:
        """Nothing is learnt about the players."""


def limit_system(players: int, strength: HandStrength = USUAL, *, single: bool = False) -> System:
    """SARTRE's cases of limit hold'em with two or three players."""

    def fits(rules: GameRules) -> bool:
        return plays_limit_holdem(rules) and rules.players == players

    game = f"limit hold'em with {('two', 'three')[players - 2]} players"
    name = system_name(strength, players)
    return System(
        name,
        limit_table(strength, players),
        lambda: _Describer(strength),
        fits,
        game,
        _OUTCOME,
        merges=not single,
        prepare=HandFinder(strength).build,
    )
