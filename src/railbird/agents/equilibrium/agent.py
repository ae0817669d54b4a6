"""Equilibrium: plays a solved strategy (docs/solving.md).

1. Follow the betting of the real hand through the strategy's tree (`strategies.following`); bets that are not in the
   tree are read as ones that are.
2. Find the bucket of the hole cards on the board (`strategies.card_abstraction`).
3. Draw an action by the probabilities of this decision and bucket.

Shipped strategies are found by the game they are for (`agents/data/limit-2p.strategy`). `strategy=FILE` plays another
one, made by `railbird solve`. Stacks and chips may have any size; a strategy is best with the stacks it was made for.
"""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray

from railbird.agent import Agent, Decision, MatchAgent, MatchStart, Meaning, Strategies, UnsuitableGame, drawn
from railbird.agents.equilibrium.explanation import Consulted, explain
from railbird.agents.equilibrium.self_play import Draws, SelfPlay
from railbird.agents.shipped import Stamp, shipped_path, shipped_paths, stamp
from railbird.engine.games import named_game
from railbird.engine.rules import GameRules
from railbird.engine.setup import Setup
from railbird.equities.table_files import Progress
from railbird.observation import Observation
from railbird.strategies.actions import Translation
from railbird.strategies.card_abstraction import BucketFinder
from railbird.strategies.following import NOWHERE, Follower, is_same_game
from railbird.strategies.table_strategy import WHOLE, TableStrategy

_SUFFIX = ".strategy"
WORTH_TABLES = 100_000
"""Number of hands from which building tables of buckets saves time: half a minute once, half a millisecond a hand."""
_MOST_STRATEGIES = 4
"""Maximum number of strategies kept open."""


class Equilibrium(MatchAgent):
    """Plays a strategy close to an equilibrium of the game, found by regret minimisation."""

    title = "Equilibrium"

    reads = ("strategy",)

    def __init__(
        self,
        strategy: Annotated[
            str, Meaning("A file written by railbird solve; by default the shipped one for the game.")
        ] = "",
        translation: Annotated[
            Literal["soft", "hard"],
            Meaning(
                "How bets that are not in the strategy are read: as one of the two nearest, at random (soft), or as "
                "the nearer one (hard).",
                "sartre-2012 §6.2",
            ),
        ] = "soft",
    ) -> None:
        self.strategy = strategy
        self.translation = translation

    def verify_game(self, rules: GameRules) -> None:
        """Refuse a game that the strategy is not for, and a strategy that cannot be read; shipped ones are not read."""
        if self.strategy:
            self._open(rules)
        else:
            self._shipped(rules)

    def files(self) -> tuple[Path, ...]:
        """The strategy file, or all shipped ones: which of them is played depends on the game."""
        return (self._named(),) if self.strategy else shipped_paths(_SUFFIX)

    def prepare(self, rules: GameRules, hands: int, progress: Progress) -> None:
        """Build the tables of buckets of the strategy's card abstraction before many hands."""
        if hands >= WORTH_TABLES:
            self._open(rules)[1].build(progress)

    def table(self, rules: GameRules) -> TableStrategy:
        """The strategy for a game."""
        return self._open(rules)[0]

    def start(self, match: MatchStart) -> None:
        """Open the strategy, and take the match's randomness."""
        self.strategy_, self.finder_ = self._open(match.rules)
        self.follower_ = Follower(self.strategy_.tree, Translation(self.translation), match.stream)
        self.draws_ = Draws(match.stream.generator())

    def bookmark(self) -> Any:
        """How many numbers it has drawn."""
        return {"drawn": self.draws_.taken}

    def go_on(self, bookmark: Any) -> None:
        """Draw on from there."""
        self.draws_.skip(bookmark["drawn"])

    def _named(self) -> Path:
        return shipped_path("strategy", self.strategy, _SUFFIX)

    def _shipped(self, rules: GameRules) -> Path:
        games = {path.stem: path for path in shipped_paths(_SUFFIX)}
        for game, path in games.items():
            if is_same_game(named_game(game), rules):
                return path
        name, known = type(self).__name__, ", ".join(games) or "no game"
        raise UnsuitableGame(
            f"{name} has a strategy for {known}, but not for {rules.name}: give one with strategy=FILE"
        )

    def _open(self, rules: GameRules) -> tuple[TableStrategy, BucketFinder]:
        if not self.strategy:
            return _strategy_of(stamp(self._shipped(rules)))
        found = _strategy_of(stamp(self._named()))
        solved = found[0].tree.rules
        if not is_same_game(solved, rules):
            name = type(self).__name__
            raise UnsuitableGame(f"{name} has a strategy for {solved.name} here, but not for {rules.name}")
        return found

    def choose(self, observation: Observation) -> Decision:
        """Draw an action by the probabilities of the holding's bucket."""
        spot = self.follower_.spot(observation.node, observation.hand_number)
        bucket, shares = 0, [WHOLE]
        if spot.node != NOWHERE:
            bucket = self.finder_.bucket(observation.hole_cards, observation.board)
            shares = spot.merged(self.strategy_.parts(spot.node, bucket))
        chances = tuple([(action, share / WHOLE) for action, share in zip(spot.actions, shares, strict=True)])
        seen = Consulted(self.strategy_, self.finder_, self.follower_, spot, bucket, observation)
        return Decision(drawn(chances, self.draws_.next()), explain(seen, chances), chances)

    def self_play(self, agents: Sequence[Agent], setup: Setup) -> SelfPlay | None:
        """Play hands between agents with this strategy, of the very game that it is for, from tables in the cache."""
        usual = Setup.of(self.strategy_.tree.rules)
        players = [agent for agent in agents if type(agent) is Equilibrium]
        known = self.finder_.tables()
        if setup != usual or len(players) < len(agents) or known is None:
            return None
        if any(agent.strategy_ is not self.strategy_ for agent in players):
            return None
        return SelfPlay(self.strategy_, known, [agent.draws_ for agent in players], setup)

    def _strategies(self, observation: Observation, holdings: NDArray[np.int64]) -> Strategies:
        spot = self.follower_.spot(observation.node, observation.hand_number)
        if spot.node == NOWHERE:
            return Strategies(spot.actions, holdings, np.ones((len(holdings), 1)))
        rows = self.strategy_.bytes_of(spot.node)[self.finder_.on_board(observation.board)[holdings]]
        return Strategies(spot.actions, holdings, np.column_stack(spot.merged(list(rows.T))) / WHOLE)


@lru_cache(maxsize=_MOST_STRATEGIES)
def _strategy_of(found: Stamp) -> tuple[TableStrategy, BucketFinder]:
    """The strategy of a file, and the buckets of its abstraction; shared by all agents and never changed."""
    strategy = TableStrategy.read(found.path)
    return strategy, strategy.finder
