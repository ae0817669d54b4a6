"""SARTRE: does what an expert did in the most similar situation that it watched (sartre-2012 §5).

The six parts of its architecture (figure 1) are parameters of one agent, and each year's entry is a preset:

                               sartre-2009        sartre-2010       sartre-2011
    feature representation     categories         50 × E[HS²]       50 × E[HS²]
    similarity                 all-or-nothing     graded            graded
    solution representation    single             vector            vector
    case retrieval             variable k         k = 1             k = 1
    re-use policy              max-frequency      probabilistic     max-frequency
    system training            one expert         one expert        several (`agents.sartre.imitators`)

The cases are in a pack, made by `railbird watch --as sartre`. The pack decides the first and the third part: its cases
say how hands are described, and whether a case holds one decision or all decisions of equal situations. With variable k
all equal situations are retrieved; if there is none, SARTRE checks or calls.
"""

from pathlib import Path
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from railbird.agent import Decision, MatchStart, Meaning, Strategies, UnsuitableGame
from railbird.agents.holdem import LimitAgent, legal_strategies
from railbird.agents.sartre.cases import RATE
from railbird.agents.sartre.imitator import (
    Architecture,
    GradingName,
    Imitator,
    RateParameter,
    Retrieval,
    ReuseParameter,
    chances_of,
    pack_path,
)
from railbird.agents.sartre.tabulation import tabulated
from railbird.engine.rules import GameRules
from railbird.observation import Observation
from railbird.strategies.streets import limit_tree
from railbird.strategies.table_strategy import TableStrategy


class Sartre(LimitAgent):
    """Does what an expert did in the most similar situation, heads-up."""

    title = "Sartre"
    papers = "sartre-2012"
    reads = ("pack",)

    def __init__(
        self,
        pack: Annotated[
            str,
            Meaning(
                "Its cases: a file written by railbird watch --as sartre, or a shipped pack by name.",
                "sartre-2012 §5.3.1",
            ),
        ] = "sartre",
        similarity: Annotated[
            GradingName,
            Meaning(
                "How attributes are compared: by degrees (graded), or as equal or not (all-or-nothing).",
                "sartre-2012 §5.2.2",
            ),
        ] = "graded",
        retrieval: Annotated[
            Retrieval,
            Meaning(
                "Which cases it reuses: the most similar one (nearest), or all of equal situations (equal), calling "
                "if there are none.",
                "sartre-2012 §5.2.4",
            ),
        ] = "nearest",
        reuse: ReuseParameter = "max-frequency",
        rate: RateParameter = RATE,
    ) -> None:
        self.pack = pack
        self.similarity = similarity
        self.retrieval = retrieval
        self.reuse = reuse
        self.rate = rate

    def verify_game(self, rules: GameRules) -> None:
        """Refuse a game that is not heads-up limit hold'em, and a pack that cannot be read."""
        super().verify_game(rules)
        require_players(self, rules, 2)
        self._imitator()

    def files(self) -> tuple[Path, ...]:
        """The pack."""
        return (pack_path(self.pack),)

    def _imitator(self) -> Imitator:
        architecture = Architecture(self.similarity, self.retrieval, self.reuse, self.rate)
        return Imitator(pack_path(self.pack), 2, architecture)

    def table(self, rules: GameRules) -> TableStrategy:
        """The whole strategy as a table, which takes minutes to make."""
        self.verify_game(rules)
        return tabulated([self._imitator()], limit_tree(rules), lambda rows: rows[0])

    def start(self, match: MatchStart) -> None:
        """Load the pack."""
        super().start(match)
        self.imitator_ = self._imitator()

    def choose(self, observation: Observation) -> Decision:
        """Act as the expert did."""
        episode = self.imitator_.episode(observation)
        return self.draw(observation, chances_of(episode), self.imitator_.explain(observation, episode))

    def _strategies(self, observation: Observation, holdings: NDArray[np.int64]) -> Strategies:
        return legal_strategies(observation, holdings, self.imitator_.chances(observation, holdings))


class Sartre2009(
    Sartre,
    preset={"pack": "sartre-2009", "similarity": "all-or-nothing", "retrieval": "equal"},
):
    """SARTRE as of 2009: hands in categories, only identical situations, and the most frequent action."""

    title = "Sartre 2009"
    papers = "sartre-2012 §5.4.1"


class Sartre2010(Sartre, preset={"reuse": "probabilistic"}):
    """SARTRE as of 2010: the nearest situation by hand, betting and board; acts as often as the expert did."""

    title = "Sartre 2010"
    papers = "sartre-2012 §5.4.2"


def require_players(agent: LimitAgent, rules: GameRules, players: int) -> None:
    """Refuse a game with another number of players."""
    if rules.players != players:
        raise UnsuitableGame(
            f"{type(agent).__name__} plays with {players} players, but {rules.name} has {rules.players}"
        )
