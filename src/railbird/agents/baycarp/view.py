"""How BayCaRP sees a situation: the attributes of its cases, and the beliefs behind them.

This module combines the rule-based reasoner, the network and the case-based reasoner (baycarp-2011, fig. 5.1): styles
are counted from hand to hand, the network reads the opponents, and its beliefs become attributes.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from math import prod

import numpy as np
from numpy.typing import NDArray

from railbird.agents.baycarp.attributes import describe
from railbird.agents.baycarp.cases import target
from railbird.agents.casper.attributes import STAGES
from railbird.cards import Card
from railbird.cbr.cycle.many import Problems
from railbird.cbr.schema import Value
from railbird.cbr.target import Target
from railbird.engine.record import HandRecord
from railbird.equities.matchups import RUN_OUTS, matchups
from railbird.features.playing_style import FinishedHand, StyleBook
from railbird.hands.holdings import cards_of, holding
from railbird.hands.starting import starting_hand_rank
from railbird.observation import Observation
from railbird.opponents.network.beliefs import (
    Beliefs,
    Believed,
    Measured,
    measure,
    measure_board,
    most_probable_types,
    relative_to,
)

_STRENGTH = "relative hand strength"
_POTENTIALS = ("positive potential", "negative potential")


@dataclass(frozen=True, slots=True)
class View:
    """A situation as BayCaRP sees it."""

    stage: str
    attributes: Mapping[str, Value]
    hand_types: tuple[tuple[str, float], ...] = ()
    """The three most probable hand types of all opponents together; empty before the flop."""
    believed: tuple[Believed, ...] = field(default=(), repr=False)
    """By opponent; empty before the flop, where the attributes do not use beliefs."""
    measured: Measured | None = None

    @property
    def target(self) -> Target:
        """The target for which similar cases are retrieved."""
        return target(self.stage, self.attributes, self.hand_types)


class Viewer:
    """Describes the situations of one table, hand by hand."""

    def __init__(self, beliefs: Beliefs) -> None:
        self.beliefs = beliefs
        self.styles = StyleBook()

    def reset(self) -> None:
        """A match begins: nothing is known about the players."""
        self.beliefs.reset()
        self.styles.reset()

    def follow(self, hand: FinishedHand) -> None:
        """Count the actions of a finished hand; beliefs learn if its record, with the setup, is given."""
        if isinstance(hand, HandRecord):
            self.beliefs.follow(hand, self.styles)
        self.styles.observe(hand)

    def believed(self, observation: Observation) -> tuple[Believed, ...]:
        """The beliefs about every opponent who is still in."""
        return self.beliefs.of(observation, self.styles)

    def view(self, observation: Observation) -> View:
        """The situation of the seat to act."""
        stage = STAGES[observation.round]
        if not observation.round:
            return View(stage, describe(observation, None))
        believed = self.believed(observation)
        measured = measure(observation.hole_cards, observation.board, believed)
        types = most_probable_types(believed)
        return View(
            stage, describe(observation, relative_to(measured, types)), tuple(types), believed, measured
        )

    def problems(self, observation: Observation, holdings: NDArray[np.int64]) -> Problems:
        """The situation of the seat to act with each of the holdings; opponents are read only once."""
        view = self.view(observation.holding(cards_of(int(holdings[0]))))
        if not observation.round:
            ranks = [starting_hand_rank(cards_of(each)) for each in holdings.tolist()]
            return Problems(view.target, {"hand rank": np.array(ranks, dtype=np.float64)})
        measured = measure_board(observation.board, self.believed(observation.holding(())))
        by_name = zip((_STRENGTH, *_POTENTIALS), measured, strict=True)
        return Problems(
            view.target, {name: values[holdings] for name, values in by_name if name in view.attributes}
        )

    def equity(self, observation: Observation, view: View) -> float:
        """The chance to win the showdown against the believed ranges of all opponents."""
        if view.measured is not None:
            return view.measured.equity
        return prod(_before_the_flop(observation.hole_cards, each) for each in self.believed(observation))


def _before_the_flop(hole: tuple[Card, ...], believed: Believed) -> float:
    wins, losses = _matchups_of(hole)
    weights = believed.range / believed.range.sum()
    # The rest are ties.
    return float(0.5 + (weights * (wins - losses)).sum() / (2 * RUN_OUTS))


@lru_cache(maxsize=1326)
def _matchups_of(hole: tuple[Card, ...]) -> tuple[np.ndarray, np.ndarray]:
    table = matchups()
    number = holding(hole)
    return table[number].astype(np.float64), table[:, number].astype(np.float64)
