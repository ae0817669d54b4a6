"""BayCaRP: acts by similar experience, where a Bayesian network says what the opponents hold (baycarp-2011).

1. See the situation: the network reads every opponent who is still in, and the hand is measured against what they are
   believed to hold (`baycarp_view`). Before the flop the network is not asked.
2. Retrieve every case of the stage that is similar enough (`cases` has metrics, weights and thresholds); if
   there is none, the 20 most similar.
3. Reuse what was done there. Only actions that are possible here have a vote.

- `baycarp1`: the action with the largest sum of outcomes; an outcome is what the action cost, positive if the hand was
  won (§5.4.4, §6.2.1)
- `baycarp2`: what most did (§6.2.1)
- `baycarp3`: the action with the best outcome when every outcome is revised to what the action was worth against the
  believed ranges, whatever the cards brought (G-bucks, §5.4.5)

A stage of which nothing was watched leaves it to check or call. With `join` the network and the cases are joined in
another way (`baycarp_joins`); with `players` opponents have networks of their own (`baycarp_players`); with
`solutions=strategies` it plans a whole betting round, such as a check-raise (`baycarp_strategies`).
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
"""The rider of a case that says what its decision was worth."""
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
    """Does what most did in similar situations, where a Bayesian network reads the opponents."""

    paper = "baycarp-2011: BayCaRP2"
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
        """Have pack and network at hand, and forget everybody."""
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
        """Reads situations with the network as it was when the agent first needed it."""
        found = self._stamp()
        reading = _reading_of(_pack_of(found, self.outcomes), str(found.path))
        return Viewer(beliefs_of(self.join, self.players, network_path(self.network), reading))

    def choose(self, observation: Observation) -> Decision:
        """Decide by similar experience."""
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
        """Learn from how it ended, and count what everybody did."""
        if self.match_ is None:
            return
        self.join_.end_hand(result)
        record = record_of(result, self.setup_) if beliefs_learn(self.join, self.players) else None
        self.viewer_.follow(record or result)


class BayCaRP1(BayCaRP2, preset={"reuse": "sum"}):
    """Does what earned most in similar situations, luck included, where a Bayesian network reads the opponents."""

    paper = "baycarp-2011: BayCaRP1"


class BayCaRP3(BayCaRP2, preset={"reuse": "best", "outcomes": "g-bucks"}):
    """Does what was worth most in similar situations, luck left out, where a Bayesian network reads the opponents."""

    paper = "baycarp-2011 §5.4.5: BayCaRP with G-bucks"


def _triple(chances: Mapping[str, Chance]) -> tuple[Chance, Chance, Chance]:
    """The chances to fold, to check or call, and to bet or raise."""
    return chances["fold"], chances["check"] + chances["call"], chances["bet"] + chances["raise"]


def _reading_of(pack: Pack, name: str) -> Reading:
    """How beliefs became ranges when the pack was made."""
    told = pack.recipe.get("reading", {})
    try:
        require_like(told, {ANY_NAME: (0.0, True)}, f"the recipe of {name}", "reading")
        return Reading(**told)
    except (ValueError, TypeError) as error:
        raise PackError(f"{name}: its recipe does not say how beliefs became ranges: {error}") from None


@lru_cache(maxsize=_MOST_PACKS)
def _pack_of(found: Stamp, outcomes: str) -> Pack:
    """The pack of a file with the outcomes that count; shared by all agents, so nobody adds to it."""
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
    _pack_of(found, outcomes)  # refuses a pack without what was asked for
    worth = G_BUCKS if outcomes == "g-bucks" else None
    return strategy_pack(_pack_of(found, "cost"), str(found.path), worth)


def _revised(pack: Pack, stage: str, path: Path) -> CaseBase:
    worth = pack.riders.get(stage, {}).get(G_BUCKS)
    if worth is None:
        raise PackError(f"{path}: the cases of {stage} do not say what they were worth ({G_BUCKS})")
    return revised(pack.bases[stage], np.array([float(each) for each in worth]))
