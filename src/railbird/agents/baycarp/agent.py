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

In a stage without cases it checks or calls. With `join` the network and the cases are joined in another way (`joins`);
with `players` opponents have their own networks (`players`); with `solutions=strategies` it plans a whole betting
round, such as a check-raise (`strategies`).
"""

from collections.abc import Mapping
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from railbird.agent import Decision, HandResult, MatchStart, Strategies
from railbird.agents.baycarp.cases import SOLUTIONS, SYSTEM, TABLE, THRESHOLDS, similarity
from railbird.agents.baycarp.joins.ways import BN_CBR_2, JOINS, beliefs_learn, beliefs_of, verify_players
from railbird.agents.baycarp.network import network_path
from railbird.agents.baycarp.parts import Join, Parts
from railbird.agents.baycarp.players import files_of, record_of
from railbird.agents.baycarp.strategies.cases import strategy_pack
from railbird.agents.baycarp.strategies.rounds import ByStrategies
from railbird.agents.baycarp.view import View, Viewer
from railbird.agents.casper.attributes import STAGES
from railbird.agents.holdem import Chance, LimitAgent, legal_strategies
from railbird.agents.shipped import Stamp, shipped_path, stamp
from railbird.cbr.case_base import CaseBase
from railbird.cbr.cycle.episode import Episode
from railbird.cbr.cycle.retrieve import AtLeastElseNearest, Retrieve
from railbird.cbr.cycle.reuse import BestOutcome, BestSumOfOutcomes, MaxFrequency, Probabilistic, VotePolicy
from railbird.cbr.cycle.revise import revised
from railbird.cbr.packs.files import Pack, PackError, read_pack
from railbird.engine.rules import GameRules
from railbird.engine.setup import Setup
from railbird.observation import Observation
from railbird.opponents.network.beliefs import Reading
from railbird.plain_data import ANY_NAME, require_like

ELSE_NEAREST = 20
G_BUCKS = "G-bucks"
"""The rider of a case with the value of its decision."""
_MOST_PACKS = 4
_REUSES: Mapping[str, VotePolicy] = {
    "sum": BestSumOfOutcomes(),
    "best": BestOutcome(),
    "majority": MaxFrequency(),
    "probabilistic": Probabilistic(),
}
STRATEGIES = "strategies"

Reuse: TypeAlias = Literal["majority", "sum", "best", "probabilistic"]
Outcomes: TypeAlias = Literal["cost", "g-bucks"]
JoinName: TypeAlias = Literal["bn-cbr-2", "bn-cbr-1", "cbr-bn-1", "cbr-bn-1-adapt", "cbr-bn-2"]
PlayersName: TypeAlias = Literal["average", "adapting", "groups"]
Solutions: TypeAlias = Literal["actions", "strategies"]


class BayCaRP2(LimitAgent):
    """Takes the most frequent action in similar situations; a Bayesian network reads the opponents."""

    title = "BayCaRP2"
    papers = "baycarp-2011"
    reads = ("pack", "network")

    def __init__(
        self,
        pack: str = "baycarp",
        network: str = "baycarp",
        reuse: Reuse = "majority",
        outcomes: Outcomes = "cost",
        k: int = ELSE_NEAREST,
        join: JoinName = "bn-cbr-2",
        players: PlayersName = "average",
        solutions: Solutions = "actions",
    ) -> None:
        verify_players(join, players)
        if solutions == STRATEGIES and join != BN_CBR_2:
            raise ValueError(
                f"join={join} decides single actions: solutions={STRATEGIES} needs join={BN_CBR_2}"
            )
        self.pack = pack
        self.network = network
        self.reuse = reuse
        self.outcomes = outcomes
        self.k = k
        self.join = join
        self.players = players
        self.solutions = solutions

    def files(self) -> tuple[Path, ...]:
        """The pack and the networks."""
        networks = files_of(self.players, network_path(self.network))
        return shipped_path("pack", self.pack, ".parquet"), *networks

    def verify_game(self, rules: GameRules) -> None:
        """Refuse a game that is not limit hold'em, and a pack or network that cannot be read."""
        super().verify_game(rules)
        _pack_of(self._stamp(), self.outcomes)
        if self.solutions == STRATEGIES:
            _strategies_of(self._stamp(), self.outcomes)
        assert self._viewer

    def start(self, match: MatchStart) -> None:
        """Load the pack and the network, and forget all players."""
        super().start(match)
        found = self._stamp()
        self.pack_ = _pack_of(found, self.outcomes)
        self.viewer_ = self._viewer
        self.viewer_.reset()
        retrieve = {
            stage: Retrieve(similarity(stage), AtLeastElseNearest(THRESHOLDS[stage], self.k))
            for stage in STAGES
        }
        watched, reuse = _pack_of(found, "cost"), _REUSES[self.reuse]
        parts = Parts(self.pack_, watched, retrieve, self.k, reuse, self.viewer_)
        self.join_: Join = (
            ByStrategies(parts, _strategies_of(found, self.outcomes))
            if self.solutions == STRATEGIES
            else JOINS[self.join](parts)
        )
        self.setup_ = Setup.of(match.rules)

    def _stamp(self) -> Stamp:
        return stamp(shipped_path("pack", self.pack, ".parquet"))

    @cached_property
    def _viewer(self) -> Viewer:
        """Describes situations with the network as it was when the agent first needed it."""
        found = self._stamp()
        reading = _reading_of(_pack_of(found, self.outcomes), str(found.path))
        return Viewer(beliefs_of(self.join, self.players, network_path(self.network), reading))

    def choose(self, observation: Observation) -> Decision:
        """Decide by similar cases."""
        return self.decide(observation)[0]

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

    def end_hand(self, result: HandResult) -> None:
        """Learn from the result, and count the actions of all players."""
        if self.match_ is None:
            return
        self.join_.end_hand(result)
        record = record_of(result, self.setup_) if beliefs_learn(self.join, self.players) else None
        self.viewer_.follow(record or result)


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


def _reading_of(pack: Pack, name: str) -> Reading:
    """How beliefs were turned into ranges when the pack was made."""
    told = pack.recipe.get("reading", {})
    try:
        require_like(told, {ANY_NAME: (0.0, True)}, f"the recipe of {name}", "reading")
        return Reading(**told)
    except (ValueError, TypeError) as error:
        raise PackError(
            f"{name}: its recipe does not state how beliefs were turned into ranges: {error}"
        ) from None


@lru_cache(maxsize=_MOST_PACKS)
def _pack_of(found: Stamp, outcomes: str) -> Pack:
    """The pack of a file with the outcomes that count; shared by all agents and never changed."""
    if outcomes == "cost":
        pack = read_pack(found.path)
        pack.require(SYSTEM, TABLE.schemas, str(found.path))
        return pack
    pack = _pack_of(found, "cost")
    return Pack(
        pack.system,
        {stage: _revised(pack, stage, found.path) for stage in STAGES},
        pack.riders,
        pack.recipe,
    )


@lru_cache(maxsize=_MOST_PACKS)
def _strategies_of(found: Stamp, outcomes: str) -> Pack:
    """The strategies of a file's pack with the outcomes that count."""
    _pack_of(found, outcomes)  # refuses a pack without these outcomes
    worth = G_BUCKS if outcomes == "g-bucks" else None
    return strategy_pack(_pack_of(found, "cost"), str(found.path), worth)


def _revised(pack: Pack, stage: str, path: Path) -> CaseBase:
    worth = pack.riders.get(stage, {}).get(G_BUCKS)
    if worth is None:
        raise PackError(f"{path}: the cases of {stage} do not state their worth ({G_BUCKS})")
    return revised(pack.bases[stage], np.array([float(each) for each in worth]))
