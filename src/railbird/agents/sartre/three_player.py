"""SARTRE for three players: limit hold'em, with strategy switching (sartre-2012 §7).

feature representation     50 × E[HS²], three-player betting sequences, board textures (table 14)
similarity                 equation 2, stepped levels, the matrix of figure 3
solution representation    vector
case retrieval             k = 1
re-use policy              max-frequency; §7 names none, and the heads-up entry of that year took this one
system training            one expert for each of the two case bases
strategy switching         heads-up cases once a player has folded (`switching`)
"""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from railbird.agent import Decision, MatchStart, Meaning, Strategies
from railbird.agents.holdem import LimitAgent, legal_strategies
from railbird.agents.sartre.agent import require_players
from railbird.agents.sartre.cases import RATE
from railbird.agents.sartre.imitator import (
    Architecture,
    Imitator,
    RateParameter,
    ReuseParameter,
    chances_of,
    pack_path,
)
from railbird.agents.sartre.sequences import SequenceWords
from railbird.agents.sartre.switching import Switching, has_folded, player_mapping
from railbird.cbr.cycle.episode import Episode
from railbird.engine.rules import GameRules
from railbird.explanation import Explanation, Fact
from railbird.observation import Observation


class Sartre3P(LimitAgent):
    """Does what an expert did in the most similar situation with three players, or heads-up once one has folded."""

    title = "Sartre3P"
    papers = "sartre-2012 §7"
    reads = ("pack", "heads_up")

    def __init__(
        self,
        pack: Annotated[
            str,
            Meaning(
                "Its cases with three players: a file written by railbird watch --as sartre-3p, or a shipped pack by "
                "name.",
                "sartre-2012 §7.2.1",
            ),
        ] = "sartre-3p",
        heads_up: Annotated[
            str, Meaning("Its heads-up cases, for hands in which one player has folded.", "sartre-2012 §7.1")
        ] = "sartre",
        switching: Annotated[
            bool,
            Meaning(
                "Whether it switches to the heads-up cases once a player has folded.", "sartre-2012 §7.1"
            ),
        ] = True,
        reuse: ReuseParameter = "max-frequency",
        rate: RateParameter = RATE,
    ) -> None:
        self.pack = pack
        self.heads_up = heads_up
        self.switching = switching
        self.reuse = reuse
        self.rate = rate

    def verify_game(self, rules: GameRules) -> None:
        """Refuse a game that is not limit hold'em with three players, and packs that cannot be read."""
        super().verify_game(rules)
        require_players(self, rules, 3)
        self._cases()

    def files(self) -> tuple[Path, ...]:
        """The packs that are searched."""
        names = (self.pack, self.heads_up) if self.switching else (self.pack,)
        return tuple(map(pack_path, names))

    def _cases(self) -> Switching:
        architecture = Architecture(reuse=self.reuse, rate=self.rate)
        three_players, *heads_up = self.files()
        return Switching(
            Imitator(three_players, 3, architecture),
            Imitator(heads_up[0], 2, architecture, Switching.similarity) if heads_up else None,
        )

    def start(self, match: MatchStart) -> None:
        """Load the packs."""
        super().start(match)
        self.cases_ = self._cases()

    def choose(self, observation: Observation) -> Decision:
        """Act as the expert did."""
        imitator, episode = self.cases_.episode(observation)
        return self.draw(observation, chances_of(episode), self._explain(observation, imitator, episode))

    def _strategies(self, observation: Observation, holdings: NDArray[np.int64]) -> Strategies:
        return legal_strategies(observation, holdings, self.cases_.chances(observation, holdings))

    def _explain(self, observation: Observation, imitator: Imitator, episode: Episode) -> Explanation:
        why = imitator.explain(observation, episode)
        if imitator is not self.cases_.heads_up:
            said = "One player has folded, but no heads-up situation is similar enough. "
            tried = self.switching and has_folded(observation)
            facts = (Fact("pack", self.pack), *why.facts)
            return replace(why, summary=f"{said}{why.summary}" if tried else why.summary, facts=facts)
        sequence = self.cases_.sequence_found(episode)
        assert sequence is not None
        parts = ", ".join(f"{seat} → {part}" for seat, part in player_mapping(observation).items())
        return replace(
            why,
            summary=f"One player has folded, so it compares heads-up hands. {why.summary}",
            facts=(
                Fact("pack", self.heads_up),
                Fact("players", parts),
                Fact("heads-up sequence", SequenceWords(2)(sequence)),
                *why.facts,
            ),
        )
