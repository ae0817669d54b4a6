"""Two evaluators made by others, behind one face: rows of our cards in, values out, the higher the better."""

import warnings

import numpy as np
from numpy.typing import NDArray

# The compiled functions below phevaluator's Python face, which converts every card and is ten times slower.
from phevaluator import _pheval

from railbird.cards import RANKS, SUITS

with warnings.catch_warnings():
    # eval7 calls its parser library by names that are going out of use.
    warnings.simplefilter("ignore", DeprecationWarning)
    import eval7

EVAL7_DECK = [eval7.Card(rank + suit) for rank in RANKS for suit in SUITS]


def eval7_values(hands: NDArray[np.uint8]) -> NDArray[np.int64]:
    """What eval7 makes of rows of five, six or seven cards."""
    columns = (map(EVAL7_DECK.__getitem__, column) for column in hands.T.tolist())
    return np.fromiter(map(eval7.evaluate, zip(*columns, strict=True)), dtype=np.int64, count=len(hands))


def phevaluator_values(hands: NDArray[np.uint8]) -> NDArray[np.int64]:
    """What phevaluator makes of rows of five, six or seven cards, negated: there lower ranks are better."""
    compiled = {5: _pheval.evaluate_5cards, 6: _pheval.evaluate_6cards, 7: _pheval.evaluate_7cards}
    ranks = map(compiled[hands.shape[1]], *hands.T.tolist())
    return -np.fromiter(ranks, dtype=np.int64, count=len(hands))


REFEREES = {"eval7": eval7_values, "phevaluator": phevaluator_values}
