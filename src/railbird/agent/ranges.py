"""The range of an agent in a situation, as sections of an explanation: what it does with each starting hand."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from railbird.agent.contract import Agent, NoStrategy
from railbird.engine.actions import Action
from railbird.engine.wording import Wording
from railbird.explanation import RangeGrid
from railbird.explanation.formats import format_share
from railbird.hands.holdings import CLASS_OF_HOLDING, CLASSES, blocked_by
from railbird.observation import Observation


def range_sections(agent: Agent, observation: Observation) -> tuple[RangeGrid, ...]:
    """A grid for each action: the mean probability of the action over the holdings of every starting hand.

    Holdings blocked by the board do not count; a starting hand that is completely blocked has probability 0. The
    agent's own cards do not matter. An agent that states no strategy, and a game other than hold'em, raise
    `NoStrategy`.
    """
    if not observation.rules.deals_two_of_52:
        raise NoStrategy(f"ranges are available for hold'em only, not for {observation.rules.name}")
    holdings = np.flatnonzero(~blocked_by(observation.board))
    found = agent.strategies(observation, holdings)
    return action_grids(found.actions, holdings, found.probabilities, Wording.at(observation.node))


def action_grids(
    actions: Sequence[Action],
    holdings: NDArray[np.int64],
    probabilities: NDArray[np.float64],
    wording: Wording,
) -> tuple[RangeGrid, ...]:
    """A grid for each action, from probabilities by holding and action."""
    combos = possible_combos(holdings)
    grids = []
    for action, chances in zip(actions, probabilities.T, strict=True):
        means = class_means(holdings, chances)
        often = format_share(float(chances.mean()))
        name = wording.name(action)
        grids.append(
            RangeGrid(
                f"{name}: {often} of all hands", means, combos, "how often it does this with each combo"
            )
        )
    return tuple(grids)


def possible_combos(holdings: NDArray[np.int64]) -> tuple[int, ...]:
    """How many of the given holdings every starting hand has."""
    return tuple(np.bincount(CLASS_OF_HOLDING[holdings], minlength=CLASSES).tolist())


def class_means(holdings: NDArray[np.int64], chances: NDArray[np.float64]) -> tuple[float, ...]:
    """The mean probability over the given holdings of every starting hand; 0 if there are none."""
    classes = CLASS_OF_HOLDING[holdings]
    possible = np.maximum(np.bincount(classes, minlength=CLASSES), 1)
    means = np.minimum(np.bincount(classes, chances, minlength=CLASSES) / possible, 1.0)
    return tuple(means.tolist())
