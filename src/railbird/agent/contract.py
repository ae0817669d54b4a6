"""The contract between agents and the arena: `Agent`, and what it is told and answers.

The shortest useful bot:

    class Cautious(Agent):
        \"\"\"Checks and calls small bets.\"\"\"

        def act(self, observation: Observation) -> Decision:
            cheap = observation.to_call <= observation.rules.small_bet
            return Decision(CALL if cheap or not observation.legal_actions.fold else FOLD)
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from railbird.engine.actions import Action
from railbird.engine.events import Chips, Event
from railbird.engine.rules import GameRules
from railbird.explanation import UNEXPLAINED, Explanation
from railbird.observation import Observation
from railbird.rng import Stream


@dataclass(frozen=True, slots=True)
class Decision:
    """An action, the strategy it was drawn from, and the reasons.

    >>> from railbird.engine.actions import CALL
    >>> str(Decision(CALL).action)
    'call'
    """

    action: Action
    explanation: Explanation = UNEXPLAINED
    strategy: tuple[tuple[Action, float], ...] = ()
    """Actions with their probabilities; empty where the agent does not play a strategy."""


@dataclass(frozen=True, slots=True)
class MatchStart:
    """What an agent is told before a match, and again when it is reset between duplicate seatings."""

    rules: GameRules
    label: str
    """The agent's own name at this table."""
    players: tuple[str, ...]
    """Everyone's labels; opponents keep them for the whole match."""
    stream: Stream
    """The agent's own source of randomness."""
    is_reset: bool = False
    experience: tuple[str, ...] = ()
    """What this agent lived through in earlier matches, as it wrote it down (`Agent.lived`), oldest first."""


@dataclass(frozen=True, slots=True)
class HandResult:
    """A finished hand as one seat saw it: cards that were not shown are None."""

    seat: int
    players: tuple[str, ...]
    events: tuple[Event, ...]
    payoffs: tuple[Chips, ...]
    hand_number: int = 0


class UnsuitableGame(ValueError):
    """A game that an agent does not play."""


class Agent(ABC):
    """A player. Only `act` must be written; the rest is there for agents that listen and learn.

    >>> from railbird.engine.actions import CALL
    >>> class Caller(Agent):
    ...     def act(self, observation):
    ...         return Decision(CALL)
    >>> Caller().files()
    ()
    """

    paper: ClassVar[str] = ""
    """The publication that describes the agent, where there is one."""
    reads: ClassVar[tuple[str, ...]] = ()
    """The parameters that name files, whose content is part of what the agent is."""

    def verify_game(self, rules: GameRules) -> None:  # noqa: B027
        """Refuse with `UnsuitableGame` a game that this agent does not play; most play all of them."""

    def files(self) -> tuple[Path, ...]:
        """The files whose content is part of what the agent is, such as what it learnt: those that `reads` names."""
        return tuple(Path(getattr(self, name)) for name in self.reads)

    def begin_match(self, match: MatchStart) -> None:  # noqa: B027
        """A match begins, or the agent is reset; forget the opponents."""

    def hear(self, event: Event) -> None:  # noqa: B027
        """Something public happened, or the agent's own cards were dealt."""

    @abstractmethod
    def act(self, observation: Observation) -> Decision:
        """Decide. The observation must not be changed."""

    def end_hand(self, result: HandResult) -> None:  # noqa: B027
        """A hand is over."""

    def lived(self) -> Sequence[str]:
        """What later matches should know of this one, a text for each experience; asked when the match is over.

        Every match of an experiment begins with the same `MatchStart.experience`; what was lived is added afterwards,
        in the order of the matches, so that results do not depend on which match was played first.
        """
        return ()
