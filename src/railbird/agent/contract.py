"""The contract between agents and the arena: `Agent`, the messages it gets and the decisions it returns.

The shortest useful bot:

    class Cautious(Agent):
        \"\"\"Checks and calls small bets.\"\"\"

        def act(self, observation: Observation) -> Decision:
            cheap = observation.to_call <= observation.rules.small_bet
            return Decision(CALL if cheap or not observation.legal_actions.fold else FOLD)
"""

import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any, ClassVar, TypeAlias, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from railbird.engine.actions import Action
from railbird.engine.betting_tree import BettingNode
from railbird.engine.events import Chips, Event
from railbird.engine.rules import GameRules
from railbird.engine.setup import Setup
from railbird.equities.table_files import Progress
from railbird.explanation import UNEXPLAINED, Explanation
from railbird.hands.holdings import HOLDINGS, HoldingError, blocked_by, format_holding
from railbird.observation import Observation
from railbird.rng import Stream

_Option = TypeVar("_Option")


@dataclass(frozen=True, slots=True)
class ActionValue:
    """What an agent expects of an action, in chips; folding is worth 0."""

    action: Action
    chips: float
    error: float
    """The standard error of what it falls behind the best action."""


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
    """Actions with their probabilities; empty if the agent does not play a strategy."""
    values: tuple[ActionValue, ...] = ()
    """The expected values of all actions that the agent considered; empty if it estimates none."""


def drawn(strategy: Sequence[tuple[_Option, float]], number: float) -> _Option:
    """The option of a strategy that a number in [0, 1) falls on; the last one if rounding leaves a gap."""
    for option, chance in strategy:
        number -= chance
        if number < 0.0:
            return option
    return strategy[-1][0]


@dataclass(frozen=True, slots=True, eq=False)
class Strategies:
    """What an agent would do in one public situation with each of many holdings."""

    actions: tuple[Action, ...]
    """In the order of `Decision.strategy`."""
    holdings: NDArray[np.int64]
    """Numbers of `hands.holdings`."""
    probabilities: NDArray[np.float64]
    """A row for each holding, a column for each action."""

    def __post_init__(self) -> None:
        shape = (len(self.holdings), len(self.actions))
        if self.probabilities.shape != shape:
            raise ValueError(f"probabilities of shape {self.probabilities.shape}, not {shape}")

    def row(self, place: int) -> tuple[tuple[Action, float], ...]:
        """The strategy of one of the holdings, in the form of `Decision.strategy`."""
        return tuple(zip(self.actions, self.probabilities[place].tolist(), strict=True))


class NoStrategy(ValueError):
    """The agent cannot state what it would do with other cards; the message gives the reason."""


@dataclass(frozen=True, slots=True)
class MatchStart:
    """The start of a match; sent again when the agent is reset between duplicate seatings."""

    rules: GameRules
    label: str
    """The agent's own name at this table."""
    players: tuple[str, ...]
    """The labels of all players; opponents keep them for the whole match."""
    stream: Stream
    """The agent's own source of randomness."""
    is_reset: bool = False
    experience: tuple[str, ...] = ()
    """This agent's experiences of earlier matches, as returned by `Agent.lived`, oldest first."""

    @classmethod
    def live(cls, observation: Observation) -> "MatchStart":
        """The start of a match that was not announced, from an observation; randomness is seeded live."""
        players = observation.players
        return cls(observation.rules, players[observation.seat], players, Stream.live())


@dataclass(frozen=True, slots=True)
class HandResult:
    """A finished hand as one seat saw it: cards that were not shown are None."""

    seat: int
    players: tuple[str, ...]
    events: tuple[Event, ...]
    payoffs: tuple[Chips, ...]
    hand_number: int = 0


HandPlayer: TypeAlias = Callable[[NDArray[np.int64]], BettingNode]
"""Plays a hand between all its players: from its cards to the end of the betting."""


class UnsuitableGame(ValueError):
    """The agent does not play this game."""


class Agent(ABC):
    """A player. Only `act` is required; the other methods are for agents that observe and learn.

    >>> from railbird.engine.actions import CALL
    >>> class Caller(Agent):
    ...     def act(self, observation):
    ...         return Decision(CALL)
    >>> Caller().files()
    ()
    """

    title: ClassVar[str] = ""
    """The agent's name for people, stated by each class; without it, the registered name."""
    papers: ClassVar[str] = ""
    """The publications that describe the agent, separated by semicolons: keys of `railbird.papers`, or other texts."""
    reads: ClassVar[tuple[str, ...]] = ()
    """The parameters that name files whose content is part of the agent."""

    def __init_subclass__(cls, preset: Mapping[str, Any] | None = None, **rest: Any) -> None:
        """Make the class a preset of its base: the same agent with other defaults for some parameters."""
        super().__init_subclass__(**rest)
        if preset:
            setattr(cls, "__init__", _with_defaults(cls.__init__, preset))  # noqa: B010

    def verify_game(self, rules: GameRules) -> None:  # noqa: B027
        """Raise `UnsuitableGame` for a game that this agent does not play; by default it plays every game."""

    def files(self) -> tuple[Path, ...]:
        """The files whose content is part of the agent, such as learnt cases: those given by `reads`."""
        return tuple(Path(getattr(self, name)) for name in self.reads)

    def prepare(self, rules: GameRules, hands: int, progress: Progress) -> None:  # noqa: B027
        """Build tables that make many hands of a game faster, if this pays for the number of hands.

        Called on an agent of its own before matches are played. Tables are kept in the cache folder, and actions do
        not depend on them.
        """

    def begin_match(self, match: MatchStart) -> None:  # noqa: B027
        """A match begins, or the agent is reset; forget the opponents."""

    def hear(self, event: Event) -> None:  # noqa: B027
        """Something public happened, or the agent's own cards were dealt."""

    @abstractmethod
    def act(self, observation: Observation) -> Decision:
        """Decide. The observation must not be changed."""

    def strategies(self, observation: Observation, holdings: ArrayLike) -> Strategies:
        """What the agent would do now with each of many holdings, if these were its cards.

        The row of a holding is the strategy that `act` would state with it. The hole cards of the observation do not
        matter, and later play does not change: no randomness is drawn, and nothing is remembered. An agent whose play
        is not a strategy, or depends on earlier random choices with its own cards, raises `NoStrategy`. A holding
        blocked by the board raises `HoldingError`.
        """
        asked = np.asarray(holdings, dtype=np.int64)
        if not asked.size:
            raise HoldingError("at least one holding is required")
        for number in asked[(asked < 0) | (asked >= HOLDINGS)].tolist():
            raise HoldingError(f"{number} is not a holding: holdings are 0..{HOLDINGS - 1}")
        for number in asked[blocked_by(observation.board)[asked]].tolist():
            raise HoldingError(f"{format_holding(number)} cannot be held: one of its cards is on the board")
        return self._strategies(observation, asked)

    def _strategies(self, observation: Observation, holdings: NDArray[np.int64]) -> Strategies:  # noqa: ARG002
        """`strategies` of possible holdings; implemented by agents that state their strategy."""
        raise NoStrategy(f"{type(self).__name__} cannot state a strategy for other cards than its own")

    def self_play(self, agents: Sequence["Agent"], setup: Setup) -> "HandPlayer | None":  # noqa: ARG002
        """A faster way to play hands between agents of this class, by position, who would act in the same way if asked.

        It is given the cards of a hand (hole cards seat by seat, then the board), and returns the end of the betting.
        None, the default, if there is none for these agents.
        """
        return None

    def end_hand(self, result: HandResult) -> None:  # noqa: B027
        """A hand is over."""

    def bookmark(self) -> Any:
        """Plain data for `go_on` after a break between two hands of a match; None, the default, if it cannot go on.

        An agent that offers bookmarks lets an interrupted match resume where it was: a new one begins the match, is
        told of the hands before (`hear`, `recall`) but not asked, and goes on. The bookmark has what else changed, such
        as the state of its generator. It should be short: it is written every few seconds.
        """
        return None

    def hand_note(self) -> Any:
        """Plain data on the hand that has just ended for `recall`: what it learnt from its own decisions, if anything.

        Called after every hand of a match that may be interrupted.
        """
        return None

    def recall(self, result: HandResult, asked: Sequence[Observation], note: Any) -> None:  # noqa: ARG002
        """A hand before a break, instead of `end_hand`: with the situations in which it was asked, and its note."""
        self.end_hand(result)

    def go_on(self, bookmark: Any) -> None:  # noqa: B027
        """Go on at a bookmark. If this fails, or `recall`, the match starts again."""

    def lived(self) -> Sequence[str]:
        """The experiences of this match for later ones, one text each; called when the match is over.

        Every match of an experiment begins with the same `MatchStart.experience`; new experiences are added
        afterwards in the order of the matches, so that results do not depend on the order of play.
        """
        return ()

    @property
    def is_learner(self) -> bool:
        """Whether what it knows grows with the hands that it plays; by default, whether it has experiences."""
        return type(self).lived is not Agent.lived

    @property
    def keeps_experience(self) -> bool:
        """Whether its experiences of a match are there for later ones; by default, those of every learner are."""
        return self.is_learner and type(self).lived is not Agent.lived


def _with_defaults(constructor: Callable[..., None], preset: Mapping[str, Any]) -> Callable[..., None]:
    """A constructor with other defaults for some of its parameters."""
    signature = inspect.signature(constructor)
    assert preset.keys() <= signature.parameters.keys()
    changed = signature.replace(
        parameters=[
            parameter.replace(default=preset.get(name, parameter.default))
            for name, parameter in signature.parameters.items()
        ]
    )

    @wraps(constructor)
    def with_defaults(*arguments: Any, **named: Any) -> None:
        bound = changed.bind(*arguments, **named)
        bound.apply_defaults()
        constructor(*bound.args, **bound.kwargs)

    with_defaults.__signature__ = changed  # type: ignore[attr-defined]
    return with_defaults


class MatchAgent(Agent):
    """An agent with state that lasts for a match. `start` initialises all of it.

    The match begins when it is announced, or with the agent's first decision if it is not.
    """

    match_: MatchStart | None = None
    """The current match; None before the first one."""

    @abstractmethod
    def start(self, match: MatchStart) -> None:
        """Initialise the state of a match; `match_` is still the previous one."""

    def begin_match(self, match: MatchStart) -> None:
        """Forget the previous match and begin this one."""
        self.verify_game(match.rules)
        self.start(match)
        self.match_ = match

    def act(self, observation: Observation) -> Decision:
        """Decide, in a match that has begun."""
        self._require_match(observation)
        return self.choose(observation)

    @abstractmethod
    def choose(self, observation: Observation) -> Decision:
        """`act` in a match that has begun."""

    def strategies(self, observation: Observation, holdings: ArrayLike) -> Strategies:
        """What the agent would do now with each of many holdings, in a match that has begun."""
        self._require_match(observation)
        return super().strategies(observation, holdings)

    def _require_match(self, observation: Observation) -> None:
        if self.match_ is None:
            self.begin_match(MatchStart.live(observation))
