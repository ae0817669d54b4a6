"""ProbTriple as a player: loki-1999 calls its routine a complete betting strategy that is not deterministic.

It uses its own cards and the betting, does not distinguish its opponents, and remembers nothing.
"""

import numpy as np
from numpy.typing import NDArray

from railbird.agent import Decision, Strategies
from railbird.agents.holdem import LimitAgent, legal_strategies
from railbird.cards import Card
from railbird.engine.actions import ActionKind
from railbird.engine.wording import Wording
from railbird.explanation import SHARE, Bar, Bars, Deferred, Explanation, Fact
from railbird.explanation.formats import format_share
from railbird.hands.holdings import holding
from railbird.kernels.play.prob_triple import triple_of
from railbird.kernels.play.situations import POT_ODDS, STREET, Situation
from railbird.observation import Observation
from railbird.opponents.weights.chances import situation_at, values_at
from railbird.opponents.weights.styles import GENERIC, Style


def own_values(situation: Situation, hole: tuple[Card, ...], board: tuple[Card, ...]) -> tuple[float, float]:
    """Strength and potential of a holding as ProbTriple compares them."""
    values, own = values_at(situation, board), holding(hole)
    return float(values.strengths[own]), float(values.potentials[own])


class ProbTriple(LimitAgent):
    """Draws every action at random, by Loki's probabilities of fold, call and raise; ignores who its opponents are."""

    title = "ProbTriple"
    papers = "loki-1999"

    def style(self) -> Style:
        """The style in which it plays."""
        return GENERIC

    def choose(self, observation: Observation) -> Decision:
        """Draw from the triple."""
        situation = situation_at(observation.setup, observation.node)
        strength, potential = own_values(situation, observation.hole_cards, observation.board)
        triple = triple_of(situation, strength, potential, self.style().vector)
        return self.draw(observation, triple, _explain(observation, situation, strength, potential, triple))

    def _strategies(self, observation: Observation, holdings: NDArray[np.int64]) -> Strategies:
        situation = situation_at(observation.setup, observation.node)
        values, style = values_at(situation, observation.board), self.style().vector
        measured = zip(values.strengths[holdings].tolist(), values.potentials[holdings].tolist(), strict=True)
        return legal_strategies(
            observation, holdings, [triple_of(situation, *each, style) for each in measured]
        )


def _explain(
    observation: Observation,
    situation: Situation,
    strength: float,
    potential: float,
    triple: tuple[float, float, float],
) -> Explanation:
    measure = "hand strength" if situation[STREET] else "percentile of the income rate"
    facts = [Fact(measure, strength, SHARE)]
    if situation[STREET]:
        facts.append(Fact("positive potential", potential, SHARE))
    facts.append(Fact("pot odds", float(situation[POT_ODDS]), SHARE))

    def sections() -> tuple[Bars]:
        wording = Wording.at(observation.node)
        bars = zip(ActionKind, triple, strict=True)
        return (
            Bars(
                "probability of each action",
                tuple(Bar(wording.verb(kind).do, float(value)) for kind, value in bars),
                SHARE,
            ),
        )

    held = (
        f"With a hand strength of {format_share(strength)}"
        if situation[STREET]
        else f"With cards better than {format_share(strength)} of all starting hands"
    )
    return Explanation(f"{held}, it draws its action at random.", tuple(facts), Deferred(sections))
