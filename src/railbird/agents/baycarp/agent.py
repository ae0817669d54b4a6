"""BayCaRP: acts by similar cases, with a Bayesian network that estimates the opponents' hands (baycarp-2011).

1. Describe the situation: the network reads every opponent who is still in, and the hand is measured against what they
   are believed to hold (`view`). The network is not used before the flop.
2. Retrieve every case of the stage that is similar enough (`cases` has metrics, weights and thresholds); if
   there is none, the 20 most similar.
3. Reuse the actions of these cases. Only actions that are possible in the situation have a vote.

- `baycarp1`: the action with the largest sum of outcomes; an outcome is the cost of the action, positive if the hand
  was won (§5.4.4, §6.2.1)
- `baycarp2`: the most frequent action (§6.2.1)
- `baycarp3`: the action with the best outcome, where every outcome is revised to the action's value against the
  believed ranges, regardless of the cards that came (G-bucks, §5.4.5)

4. With `retain=yes`, revise and retain: decisions wait until the hand is over and then become cases with their outcome
   (§5.4.6, §6.2.1), within the match or in a `store` under `name` (`agents.retaining`).

In a stage without cases it checks or calls. With `join` the network and the cases are joined in another way (`joins`);
with `players` opponents have their own networks (`players`); with `solutions=strategies` it plans a whole betting
round, such as a check-raise (`strategies`).
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from railbird.agent import Decision, HandResult, MatchStart, Meaning, Strategies
from railbird.agents.baycarp.cases import SOLUTIONS, SYSTEM, THRESHOLDS
from railbird.agents.baycarp.joins.ways import (
    BN_CBR_1,
    BN_CBR_2,
    JOINS,
    beliefs_learn,
    beliefs_of,
    verify_players,
)
from railbird.agents.baycarp.knowledge import (
    HAND_PICKED,
    VERSIONS,
    pack_of,
    reading_of,
    similarities_of,
    strategies_of,
    weights_files,
)
from railbird.agents.baycarp.network import network_path
from railbird.agents.baycarp.outcomes import G_BUCKS, judge_of, stated_worth, worth_of
from railbird.agents.baycarp.parts import Join, Parts
from railbird.agents.baycarp.players import files_of, record_of
from railbird.agents.baycarp.strategies.rounds import ByStrategies
from railbird.agents.baycarp.view import View, Viewer
from railbird.agents.holdem import Chance, LimitAgent, legal_strategies
from railbird.agents.retaining.memory import Memory
from railbird.agents.retaining.retainer import PendingDecision, Retainer
from railbird.agents.shipped import Stamp, shipped_path, stamp
from railbird.cbr.cycle.episode import Episode
from railbird.cbr.cycle.retrieve import AtLeastElseNearest, Retrieve
from railbird.cbr.cycle.reuse import BestOutcome, BestSumOfOutcomes, MaxFrequency, Probabilistic, VotePolicy
from railbird.cbr.packs.files import Pack
from railbird.engine.rules import GameRules
from railbird.engine.setup import Setup
from railbird.features.outcomes import name_of
from railbird.observation import Observation

ELSE_NEAREST = 20
_REUSES: Mapping[str, VotePolicy] = {
    "sum": BestSumOfOutcomes(),
    "best": BestOutcome(),
    "majority": MaxFrequency(),
    "probabilistic": Probabilistic(),
}
STRATEGIES = "strategies"

Reuse: TypeAlias = Literal["majority", "sum", "best", "probabilistic"]
Outcomes: TypeAlias = Literal["cost", "g-bucks"]
JoinName: TypeAlias = Literal[
    "bn-cbr-2", "bn-cbr-1", "cbr-bn-1", "cbr-bn-1-adapt", "cbr-bn-1-fill", "cbr-bn-2", "cases", "network"
]
PlayersName: TypeAlias = Literal["average", "adapting", "groups"]
Solutions: TypeAlias = Literal["actions", "strategies"]
Version: TypeAlias = Literal["improved", "published"]
Ranges: TypeAlias = Literal["pack", "groups", "mass", "types", "all"]


class BayCaRP2(LimitAgent):
    """Takes the most frequent action in similar situations; a Bayesian network reads the opponents."""

    title = "BayCaRP2"
    papers = "baycarp-2011"
    reads = ("pack", "network", "weights")

    def __init__(
        self,
        pack: Annotated[
            str,
            Meaning(
                "Its cases: a file written by railbird watch --as baycarp, or a shipped pack by name; by default that "
                "of the version.",
                "baycarp-2011 §5.4.2",
            ),
        ] = "",
        network: Annotated[
            str,
            Meaning(
                "The network that reads opponents: a file written by railbird train-network, or a shipped one by name; "
                "by default that of the version.",
                "baycarp-2011 §5.3",
            ),
        ] = "",
        reuse: Annotated[
            Reuse,
            Meaning(
                "The action taken from similar cases: the most frequent (majority), the one with the greatest sum of "
                "outcomes (sum) or the best mean outcome (best), or at random by frequency (probabilistic).",
                "baycarp-2011 §5.4.4",
            ),
        ] = "majority",
        outcomes: Annotated[
            Outcomes,
            Meaning(
                "What a case is worth: the cost of its action, positive if the hand was won (cost), or the action's "
                "value against the believed ranges (g-bucks).",
                "baycarp-2011 §5.4.5",
            ),
        ] = "cost",
        k: Annotated[
            int, Meaning("Number of cases that it reuses if none is similar enough.", "baycarp-2011 §5.4.3")
        ] = ELSE_NEAREST,
        join: Annotated[
            JoinName,
            Meaning(
                "How the network and the cases work together (docs/joins.md), or one of them alone; the thesis uses "
                "bn-cbr-2.",
                "baycarp-2011 §4.2",
            ),
        ] = "bn-cbr-2",
        players: Annotated[
            PlayersName,
            Meaning(
                "Whose network reads an opponent: one for all (average), one for each, which learns from shown hands "
                "(adapting), or one for each group of players (groups, of railbird train-network --groups).",
                "baycarp-2011 §9.1",
            ),
        ] = "average",
        solutions: Annotated[
            Solutions,
            Meaning(
                "What a case suggests: a single action, or a strategy for a betting round such as check-raise.",
                "baycarp-2011 §8.2.3",
            ),
        ] = "actions",
        retain: Annotated[
            bool,
            Meaning(
                "Whether its own decisions become cases once their hands are over.", "baycarp-2011 §5.4.6"
            ),
        ] = False,
        store: Annotated[
            str,
            Meaning(
                "With retain: where its cases are stored, an SQLite file or the URL of a PostgreSQL database. Without "
                "one it learns within a match, and from an experience book."
            ),
        ] = "",
        name: Annotated[str, Meaning("The name of its experience in the store.")] = SYSTEM,
        version: Annotated[
            Version,
            Meaning(
                "What it learnt: a better network and cases of Simbots (improved), or as in the thesis a network from "
                "showdowns and cases of all Pokibots and Simbots (published).",
                "baycarp-2011 §5.4.2, §6.1",
            ),
        ] = "improved",
        ranges: Annotated[
            Ranges,
            Meaning(
                "The range of an opponent: as when its pack was made (pack), the four most probable hand groups "
                "(groups), as many as reach 77 % (mass), four without hands that make none of the three most "
                "probable hand types (types), or all hands (all).",
                "baycarp-2011 §6.2.1, §8.1.1, §8.1.3",
            ),
        ] = "pack",
        weights: Annotated[
            str,
            Meaning(
                "Weights of the attributes: hand-picked (figure 5.8), or a file written by railbird evolve baycarp.",
                "baycarp-2011 §5.4.3",
            ),
        ] = HAND_PICKED,
    ) -> None:
        verify_players(join, players)
        if retain and (join, solutions) != (BN_CBR_2, "actions"):
            raise ValueError(f"retain=yes needs join={BN_CBR_2} and solutions=actions")
        if store and not retain:
            raise ValueError("store is for decisions that are retained: it needs retain=yes")
        if solutions == STRATEGIES and join != BN_CBR_2:
            raise ValueError(
                f"join={join} decides single actions: solutions={STRATEGIES} needs join={BN_CBR_2}"
            )
        self.pack = pack or VERSIONS[version]
        self.network = network or VERSIONS[version]
        self.weights = weights
        self.version = version
        self.ranges = ranges
        self.reuse = reuse
        self.outcomes = outcomes
        self.k = k
        self.join = join
        self.players = players
        self.solutions = solutions
        self.retain = retain
        self.store = store
        self.name = name
        self.retainer_ = Retainer(SYSTEM, name, store)

    def files(self) -> tuple[Path, ...]:
        """The pack, the networks, and the weights if they are not hand-picked."""
        networks = files_of(self.players, network_path(self.network))
        return shipped_path("pack", self.pack, ".parquet"), *networks, *weights_files(self.weights)

    def verify_game(self, rules: GameRules) -> None:
        """Refuse a game that is not limit hold'em, and a pack, network, store or weights that cannot be used."""
        super().verify_game(rules)
        pack_of(self._stamp(), self.outcomes)
        if self.solutions == STRATEGIES:
            strategies_of(self._stamp(), self.outcomes)
        similarities_of(self.weights)
        assert self._viewer
        self.retainer_.open()

    def start(self, match: MatchStart) -> None:
        """Load the pack, the network and earlier experience, and forget all players."""
        super().start(match)
        found = self._stamp()
        self.pack_ = pack_of(found, self.outcomes)
        self.viewer_ = self._viewer
        self.viewer_.reset()
        retrieve = {
            stage: Retrieve(similarity, AtLeastElseNearest(THRESHOLDS[stage], self.k))
            for stage, similarity in similarities_of(self.weights).items()
        }
        watched, reuse = pack_of(found, "cost"), _REUSES[self.reuse]
        self.memories_ = self._memories(watched)
        if self.memories_:
            self.retainer_.start(match, *self.memories_)
            watched, self.pack_ = self.memories_[0].pack, self.memories_[-1].pack
        memory = self.memories_[-1] if self.memories_ else None
        parts = Parts(self.pack_, watched, retrieve, self.k, reuse, self.viewer_, memory)
        self.join_: Join = (
            ByStrategies(parts, strategies_of(found, self.outcomes))
            if self.solutions == STRATEGIES
            else JOINS[self.join](parts)
        )
        self.setup_ = Setup.of(match.rules)

    def _memories(self, watched: Pack) -> tuple[Memory, ...]:
        """What grows by its own decisions: the cases as they were watched, and those with the outcomes that count."""
        if not self.retain:
            return ()
        if self.outcomes == "cost":
            return (Memory(watched),)
        return Memory(watched), Memory(self.pack_, stated_worth)

    def _stamp(self) -> Stamp:
        return stamp(shipped_path("pack", self.pack, ".parquet"))

    @cached_property
    def _viewer(self) -> Viewer:
        """Describes situations with the network as it was when the agent first needed it."""
        found = self._stamp()
        pack = pack_of(found, self.outcomes)
        reading = reading_of(self.ranges, pack, str(found.path))
        return Viewer(beliefs_of(self.join, self.players, network_path(self.network), reading, pack))

    def choose(self, observation: Observation) -> Decision:
        """Decide by similar cases."""
        decision, view, episode = self.decide(observation)
        if self.retain:
            kind = decision.action.kind
            name = name_of(observation, kind)
            self.retainer_.decided(
                observation,
                PendingDecision(
                    view.stage,
                    episode.solved_by(name),
                    kind,
                    observation.board,
                    judge_of(observation, name),
                    {G_BUCKS: worth_of(observation, view, self.viewer_, name)},
                ),
            )
        return decision

    def decide(self, observation: Observation) -> tuple[Decision, View, Episode]:
        """A decision, and the view and the episode that led to it, in a match that has begun."""
        self.setup_ = observation.setup
        view = self.viewer_.view(observation)
        solved = self.join_.solve(observation, view)
        assert solved.episode.strategy is not None
        return (
            self.draw(observation, _triple(solved.episode.strategy.as_mapping()), solved.reasons),
            view,
            solved.episode,
        )

    def _strategies(self, observation: Observation, holdings: NDArray[np.int64]) -> Strategies:
        chances = dict(zip(SOLUTIONS, self.join_.chances(observation, holdings).T, strict=True))
        return legal_strategies(observation, holdings, np.column_stack(_triple(chances)))

    def bookmark(self) -> Any:
        """The state of its generator, and the bookmark of its experience."""
        return {**super().bookmark(), "retained": self.retainer_.bookmark}

    def hand_note(self) -> Any:
        """What it learnt from its own decisions in the last hand: its retained cases, or what its join learnt."""
        return self.retainer_.note if self.retain else self.join_.note()

    def recall(self, result: HandResult, asked: Sequence[Observation], note: Any) -> None:
        """Learn from a hand before a break."""
        if asked:
            self.setup_ = asked[-1].setup
        if self.retain:
            self.retainer_.recall(note)
        else:
            self.join_.recall(note)
        self._follow(result)

    def go_on(self, bookmark: Any) -> None:
        """Draw on from there."""
        super().go_on(bookmark)
        if self.retain:
            self.retainer_.go_on(bookmark["retained"])

    def end_hand(self, result: HandResult) -> None:
        """Learn from the result, and count the actions of all players."""
        if self.match_ is None:
            return
        self.join_.end_hand(result)
        if self.retain:
            self.retainer_.end_hand(result)
        self._follow(result)

    def _follow(self, result: HandResult) -> None:
        record = record_of(result, self.setup_) if beliefs_learn(self.join, self.players) else None
        self.viewer_.follow(record or result)

    @property
    def is_learner(self) -> bool:
        """Whether its decisions become cases, or its networks learn from hands."""
        return self.retain or self.join == BN_CBR_1 or beliefs_learn(self.join, self.players)

    @property
    def keeps_experience(self) -> bool:
        """Whether it retains its decisions without a store."""
        return self.retain and not self.store

    def lived(self) -> Sequence[str]:
        """The hands of this match, if it retains its decisions without a store."""
        return [hand.to_text() for hand in self.retainer_.hands] if self.match_ else []


class BayCaRP1(BayCaRP2, preset={"reuse": "sum"}):
    """Takes the action that earned most in similar situations, luck included; a network reads the opponents."""

    title = "BayCaRP1"
    papers = "baycarp-2011"


class BayCaRP3(BayCaRP2, preset={"reuse": "best", "outcomes": "g-bucks"}):
    """Takes the action worth most in similar situations, adjusted for luck; a network reads the opponents."""

    title = "BayCaRP3"
    papers = "baycarp-2011 §5.4.5"


def _triple(chances: Mapping[str, Chance]) -> tuple[Chance, Chance, Chance]:
    """The probabilities to fold, to check or call, and to bet or raise."""
    return chances["fold"], chances["check"] + chances["call"], chances["bet"] + chances["raise"]
