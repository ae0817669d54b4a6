"""An imitator of one expert: its cases, with how they are compared, retrieved and reused."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from railbird.agent import Meaning
from railbird.agents.sartre.cases import RATE, STAGES, Grading, limit_table
from railbird.agents.sartre.explanation import explain
from railbird.agents.sartre.hand_strength import HandStrength
from railbird.agents.sartre.situations import Situations, stage_of
from railbird.agents.sartre.systems import strength_of
from railbird.agents.shipped import Stamp, is_shipped, shipped_path, stamp
from railbird.cbr.cycle.episode import Episode
from railbird.cbr.cycle.many import Problems, solve_many
from railbird.cbr.cycle.retrieve import AtLeast, Nearest, Policy, Retrieve
from railbird.cbr.cycle.reuse import Always, BestOutcome, MaxFrequency, Otherwise, Probabilistic
from railbird.cbr.packs.files import Pack, read_pack
from railbird.cbr.schema import Value
from railbird.cbr.similarity import SymbolSimilarity
from railbird.cbr.staged import StagedTable
from railbird.cbr.target import Target
from railbird.engine.wording import Wording
from railbird.explanation import Explanation
from railbird.observation import Observation

Reuse: TypeAlias = Literal["probabilistic", "max-frequency", "best-outcome"]
Retrieval: TypeAlias = Literal["nearest", "equal"]
GradingName: TypeAlias = Literal["graded", "all-or-nothing"]

ReuseParameter: TypeAlias = Annotated[
    Reuse,
    Meaning(
        "Which of the expert's actions it repeats: the most frequent (max-frequency), each as often as the expert took "
        "it (probabilistic), or the one with the best mean outcome (best-outcome).",
        "sartre-2012 §5.2.5",
    ),
]
RateParameter: TypeAlias = Annotated[
    float,
    Meaning(
        "How fast the similarity of hands falls with their distance: k of equation 2.", "sartre-2012 §5.3.2"
    ),
]

_POLICIES: dict[str, Policy] = {"nearest": Nearest(1), "equal": AtLeast(1.0)}
_REUSES: dict[str, Probabilistic | MaxFrequency | BestOutcome] = {
    "probabilistic": Probabilistic(),
    "max-frequency": MaxFrequency(),
    "best-outcome": BestOutcome(),
}
_CALLING = 1
"""The place of a call among the solutions of every game."""
_MOST_PACKS = 8
"""Maximum number of packs kept in memory."""
_MOST_SITUATIONS = 1 << 13
"""Maximum number of situations whose similar cases an imitator keeps in memory: its cases never change."""


@dataclass(frozen=True, slots=True)
class Architecture:
    """How cases are compared, retrieved and reused."""

    similarity: GradingName = "graded"
    retrieval: Retrieval = "nearest"
    reuse: Reuse = "max-frequency"
    rate: float = RATE


class ExpertCases:
    """One expert's cases, with how situations are described, and how cases are searched and reused."""

    def __init__(
        self, pack: Pack, situations: Situations, table: StagedTable, architecture: Architecture
    ) -> None:
        self.pack = pack
        self.situations = situations
        self.table = table
        self.architecture = architecture
        policy = _POLICIES[architecture.retrieval]
        self._retrieve = {stage: Retrieve(self.table.similarity(stage), policy) for stage in STAGES}
        self._votes = _REUSES[architecture.reuse]
        self._reuse = Otherwise(self._votes, Always(table.solutions[_CALLING]))
        self._known: dict[tuple[Value, ...], tuple[Episode, dict[tuple[str, ...], Explanation]]] = {}

    def episode(self, observation: Observation) -> Episode:
        """What the expert did in similar situations."""
        stage = stage_of(observation)
        return self._solve(stage, self.situations.describe(observation))

    def chances(self, observation: Observation, holdings: NDArray[np.int64]) -> NDArray[np.float64]:
        """The probabilities of the solutions with each of many holdings."""
        episodes, which = self.episodes(observation, holdings)
        return np.array([chances_of(episode) for episode in episodes])[which]

    def episodes(
        self, observation: Observation, holdings: NDArray[np.int64]
    ) -> tuple[list[Episode], NDArray[np.int64]]:
        """What the expert did in the different situations of many holdings, and which of them each holding is in."""
        stage = stage_of(observation)
        described, which = self.situations.of_holdings(observation, holdings)
        return [self._solve(stage, each) for each in described], which

    def varied(
        self, stage: str, description: Mapping[str, Value], name: str, values: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """The probabilities of the solutions in situations that differ in one number only."""
        problems = Problems(Target(self.table.schema(stage), description), {name: values})
        otherwise = np.eye(len(self.table.solutions))[_CALLING].tolist()
        return solve_many(self._retrieve[stage], self._votes, self.pack.bases[stage], problems, otherwise)

    def _solve(self, stage: str, description: Mapping[str, Value]) -> Episode:
        key = (stage, *description.values())
        known = self._known.get(key)
        if known is None:
            base = self.pack.bases[stage]
            target = Target(self.table.schema(stage), description)
            if len(self._known) == _MOST_SITUATIONS:
                self._known.clear()
            known = self._known[key] = self._reuse(base, self._retrieve[stage](base, Episode(target))), {}
        return known[0]


class Imitator(ExpertCases):
    """One expert's cases of limit hold'em.

    `sequences` replaces the comparison of betting sequences that is usual for this number of players.
    """

    def __init__(
        self,
        path: Path,
        players: int,
        architecture: Architecture,
        sequences: SymbolSimilarity | None = None,
    ) -> None:
        pack, strength = watched(stamp(path), players)
        grading = Grading(architecture.similarity)
        table = limit_table(strength, players, grading, architecture.rate, sequences)
        super().__init__(pack, Situations(strength), table, architecture)

    def explain(self, observation: Observation, episode: Episode) -> Explanation:
        """The reasons for a decision."""
        stage, did = stage_of(observation), Wording.at(observation.node).did
        _, reasons = self._known.get((stage, *episode.target.description.values()), (episode, {}))
        if did not in reasons:
            reasons[did] = explain(self.pack.bases[stage], episode, observation, did)
        return reasons[did]


def chances_of(episode: Episode) -> tuple[float, ...]:
    """The probabilities of the solutions."""
    assert episode.strategy is not None
    return episode.strategy.probabilities


def pack_path(text: str) -> Path:
    """The location of a pack, given by its path or by the name of a shipped one."""
    return shipped_path("pack", text, ".parquet")


@lru_cache(maxsize=_MOST_PACKS)
def watched(found: Stamp, players: int) -> tuple[Pack, HandStrength]:
    """The pack of a file, shared by all agents and never changed, and how it describes hands."""
    pack = read_pack(found.path, riders_later=is_shipped(found.path))
    strength = strength_of(pack.system, players, str(found.path))
    pack.require(pack.system, limit_table(strength, players).schemas, str(found.path))
    return pack, strength
