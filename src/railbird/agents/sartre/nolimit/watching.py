"""How SartreNL's cases are made: bets are read by hard translation, so that the same hands give the same cases."""

from railbird.agents.sartre.hand_strength import HandFinder
from railbird.agents.sartre.nolimit.cases import nolimit_table
from railbird.agents.sartre.nolimit.sequences import SequenceReader
from railbird.agents.sartre.nolimit.situations import NoLimitSituations
from railbird.agents.sartre.systems import USUAL, nolimit_name
from railbird.agents.system import Described, System
from railbird.engine.actions import Action
from railbird.engine.record import HandRecord
from railbird.engine.rules import Betting, GameRules
from railbird.observation import Observation
from railbird.strategies.actions import SARTRE, ActionAbstraction, Translation, Translator

_OUTCOME = "what the player won or lost in the whole hand, in big blinds"


def plays_heads_up_no_limit(rules: GameRules) -> bool:
    """Whether SartreNL plays a game."""
    return rules.is_holdem and rules.betting is Betting.NO_LIMIT and rules.players == 2


class _Describer:
    """Describes each situation independently."""

    def __init__(self, actions: ActionAbstraction) -> None:
        self._situations = NoLimitSituations(SequenceReader(actions, Translator(Translation.HARD)))

    def describe(self, observation: Observation, action: Action) -> Described:
        """A decision: its attributes, its letter, and the amount won or lost in the whole hand."""
        letter = self._situations.reader.letter(observation.node, action)
        return Described(self._situations.describe(observation), letter, float)

    def follow(self, record: HandRecord) -> None:
        """Nothing is learnt about the players."""


def nolimit_system(actions: ActionAbstraction = SARTRE, *, single: bool = False) -> System:
    """SartreNL's cases of heads-up no-limit hold'em."""
    return System(
        nolimit_name(actions),
        nolimit_table(actions),
        lambda: _Describer(actions),
        plays_heads_up_no_limit,
        "no-limit hold'em with two players",
        _OUTCOME,
        merges=not single,
        prepare=HandFinder(USUAL).build,
    )
