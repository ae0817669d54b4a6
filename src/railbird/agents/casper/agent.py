"""CASPER: acts as experts did in the most similar situations that it watched (casper-2007, casper-2008).

1. Describe the situation by the attributes of its stage (`agents.casper.attributes`), with the look-ahead of its pack.
2. Retrieve from the stage's case base every case at least 97 % similar; if there is none, the 20 most similar
   (`cases` has the metrics and weights).
3. Count how often the experts folded, called or checked, raised or bet there: the shares are a probability triple.
4. Draw an action from it (`reuse=dice`), or take the most frequent action (`max-frequency`) or the one with the best
   mean outcome (`best-outcome`). A fold where checking is free becomes a check, a raise at the cap a call.

The cases are in a pack, made by `railbird watch`: a file, or the name of a pack shipped with the package. In a stage
without cases there is no triple, and CASPER checks or calls. The papers' versions differ only in packs and weights:

- `casper01`: about 7,000 watched hands of Pokibots and Simbots
- `casper02`: about 13,000 watched hands, including those; `casper` is the same, and takes your own packs and weights
- `casper-general`: the same hands, with weights found by evolution that imitate better
- `casper-general-play`: the same hands, with weights found by evolution that won more in self-play

CASPER learns nothing while it plays, and does not distinguish its opponents.
"""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from railbird.agent import Decision, MatchStart, Meaning, Strategies
from railbird.agents.casper.attributes import STAGES, describe
from railbird.agents.casper.cases import TABLE, require_pack, schema, similarity
from railbird.agents.casper.explanation import EXPERTS, explain
from railbird.agents.casper.holdings import problems
from railbird.agents.holdem import LimitAgent, legal_strategies, triple_of_kind
from railbird.agents.shipped import Stamp, is_shipped, shipped_path, stamp
from railbird.cbr.cycle.episode import Episode
from railbird.cbr.cycle.many import solve_many
from railbird.cbr.cycle.retrieve import AtLeastElseNearest, Retrieve
from railbird.cbr.cycle.reuse import (
    Always,
    BestOutcome,
    MaxFrequency,
    Otherwise,
    Probabilistic,
)
from railbird.cbr.packs.files import Pack, read_pack
from railbird.cbr.similarity import Similarity
from railbird.cbr.target import Target
from railbird.cbr.weights import read_weights
from railbird.engine.actions import CALL
from railbird.engine.rules import GameRules
from railbird.observation import Observation

HAND_PICKED = "hand-picked"
"""The weights of `cases`."""
THRESHOLD, ELSE_NEAREST = 0.97, 20

_REUSES: Mapping[str, Probabilistic | MaxFrequency | BestOutcome] = {
    "dice": Probabilistic(),
    "max-frequency": MaxFrequency(),
    "best-outcome": BestOutcome(),
}
CasperReuse: TypeAlias = Literal["dice", "max-frequency", "best-outcome"]
PackParameter: TypeAlias = Annotated[
    str,
    Meaning(
        "Its cases: a file written by railbird watch --as casper, or a shipped pack by name.",
        "casper-2008 §V",
    ),
]
ThresholdParameter: TypeAlias = Annotated[
    float, Meaning("Minimum similarity of the cases that it reuses, from 0 to 1.", "casper-2007 §6")
]
NearestParameter: TypeAlias = Annotated[
    int, Meaning("Number of cases that it reuses if none reaches the threshold.", "casper-2007 §6")
]
WeightsParameter: TypeAlias = Annotated[
    str,
    Meaning(
        "Weights of the attributes: hand-picked, casper-general, casper-general-play, or a file written by railbird "
        "evolve.",
        "casper-2008 §VI",
    ),
]
ReuseParameter: TypeAlias = Annotated[
    CasperReuse,
    Meaning(
        "Which of the experts' actions it repeats: each as often as they took it (dice), the most frequent "
        "(max-frequency), or the one with the best mean outcome (best-outcome).",
        "casper-2008 §VI",
    ),
]
_MOST_PACKS = 4
"""Maximum number of packs kept in memory."""


class Casper(LimitAgent):
    """Acts as the experts that it watched did in similar situations, each action as often as they took it."""

    title = "CASPER"
    papers = "casper-2007; casper-2008"
    reads = ("pack", "weights")

    def __init__(
        self,
        pack: PackParameter = "casper02",
        threshold: ThresholdParameter = THRESHOLD,
        k: NearestParameter = ELSE_NEAREST,
        weights: WeightsParameter = HAND_PICKED,
        reuse: ReuseParameter = "dice",
    ) -> None:
        self.pack = pack
        self.threshold = threshold
        self.k = k
        self.weights = weights
        self.reuse = reuse
        self._policy = AtLeastElseNearest(threshold, k)

    def verify_game(self, rules: GameRules) -> None:
        """Refuse a game that is not limit hold'em, and a pack or weights that cannot be read."""
        super().verify_game(rules)
        self._watched()
        self._similarities()

    def files(self) -> tuple[Path, ...]:
        """The pack, and the weights if they are not hand-picked."""
        weights = () if self.weights == HAND_PICKED else (weights_path(self.weights),)
        return (*self._pack_files(), *weights)

    def _pack_files(self) -> tuple[Path, ...]:
        return (pack_path(self.pack),)

    def start(self, match: MatchStart) -> None:
        """Load the pack and the weights; the counts restart unless only the seats change."""
        super().start(match)
        self.pack_ = self._watched()
        self.look_ahead_ = require_pack(self.pack_, self.pack)
        chosen = self._similarities()
        self.retrieve_ = {stage: Retrieve(chosen[stage], self._policy) for stage in STAGES}
        if not (match.is_reset and self.match_):
            self.decisions_ = dict.fromkeys(STAGES, 0)
            """Number of decisions, by stage."""
            self.misses_ = dict.fromkeys(STAGES, 0)
            """Number of decisions without a case that is similar enough."""

    def _watched(self) -> Pack:
        """The watched cases; a file that does not change is read once per process."""
        return _pack_of(stamp(pack_path(self.pack)))

    def _similarities(self) -> dict[str, Similarity]:
        """How situations are compared, by stage."""
        return _hand_picked() if self.weights == HAND_PICKED else _evolved(stamp(weights_path(self.weights)))

    def choose(self, observation: Observation) -> Decision:
        """Draw from what the experts did in similar situations."""
        return self.decide(observation)[0]

    def decide(self, observation: Observation) -> tuple[Decision, Episode]:
        """A decision, and the episode that led to it, in a match that has begun."""
        stage = STAGES[observation.round]
        episode = self.solve(stage, Target(schema(stage), describe(observation, self.look_ahead_)))
        assert episode.retrieved is not None
        assert episode.strategy is not None
        self.decisions_[stage] += 1
        if not episode.retrieved.met:
            self.misses_[stage] += 1
        reasons = explain(self.pack_, stage, episode, observation, self.threshold, self.who(stage, episode))
        return self.draw(observation, episode.strategy.probabilities, reasons), episode

    def who(self, stage: str, episode: Episode) -> str:  # noqa: ARG002
        """The players who decided in the retrieved cases."""
        return EXPERTS

    def solve(self, stage: str, target: Target) -> Episode:
        """The cases of a stage that are similar to a situation, and the triple of their actions."""
        base = self.pack_.bases[stage]
        reuse = Otherwise(_REUSES[self.reuse], Always("call"))
        return reuse(base, self.retrieve_[stage](base, Episode(target)))

    def _strategies(self, observation: Observation, holdings: NDArray[np.int64]) -> Strategies:
        stage = STAGES[observation.round]
        base = self.pack_.bases[stage]
        described = problems(observation, holdings, self.look_ahead_)
        otherwise = triple_of_kind(CALL.kind)
        found = solve_many(self.retrieve_[stage], _REUSES[self.reuse], base, described, otherwise)
        return legal_strategies(observation, holdings, found)


class Casper01(Casper, preset={"pack": "casper01"}):
    """CASPER after watching 7,000 hands of Pokibots and Simbots."""

    title = "CASPER01"
    papers = "casper-2007; casper-2008"


class Casper02(Casper):
    """CASPER after watching 13,000 hands of Pokibots and Simbots."""

    title = "CASPER02"
    papers = "casper-2007; casper-2008"


class CasperGeneral(Casper, preset={"weights": "casper-general"}):
    """CASPER after watching 13,000 hands, with weights found by evolution instead of by hand."""

    title = "CASPER General"
    papers = "casper-2008"


class CasperGeneralPlay(Casper, preset={"weights": "casper-general-play"}):
    """CASPER after watching 13,000 hands, with weights that won by evolution in self-play."""

    title = "CASPER General by play"
    papers = "casper-2007 §8"


def pack_path(text: str) -> Path:
    """The location of a pack, given by its path or by the name of a shipped one."""
    return shipped_path("pack", text, ".parquet")


def weights_path(text: str) -> Path:
    """The location of weights, given by their path or by the name of shipped ones."""
    return shipped_path("file of weights", text, ".toml")


@lru_cache(maxsize=_MOST_PACKS)
def _pack_of(found: Stamp) -> Pack:
    """The pack of a file. Its case bases, with their search trees, are shared by all agents and never changed."""
    pack = read_pack(found.path, riders_later=is_shipped(found.path))
    require_pack(pack, str(found.path))
    return pack


@lru_cache(maxsize=_MOST_PACKS)
def _evolved(found: Stamp) -> dict[str, Similarity]:
    weights = read_weights(found.path, TABLE)
    return {stage: similarity(stage, weights.get(stage)) for stage in STAGES}


def _hand_picked() -> dict[str, Similarity]:
    return {stage: similarity(stage) for stage in STAGES}
