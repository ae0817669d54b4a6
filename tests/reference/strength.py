"""Strength and potential as the papers say it: meet every opponent on every run-out, and write down what happens."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from math import fsum

import numpy as np
from numpy.typing import NDArray

from railbird.hands.evaluator import evaluate_batch
from railbird.hands.holdings import HIGH_CARDS, HOLDINGS, LOW_CARDS, blocked_by

AHEAD, TIED, BEHIND = 0, 1, 2
HOLDING_CARDS = np.column_stack((HIGH_CARDS, LOW_CARDS))

Evaluator = Callable[[NDArray[np.uint8]], NDArray[np.integer]]


@dataclass(frozen=True)
class Measured:
    """What was written down."""

    hs: float
    ppot: float
    npot: float
    transitions: list[list[float]]
    """By how it stands now and later: ahead, tied, behind."""
    expected_hs: float
    expected_hs_squared: float


def measure(
    hole: Sequence[int],
    board: Sequence[int],
    weights: NDArray[np.float64] | None = None,
    look_ahead: int | None = None,
    evaluate: Evaluator = evaluate_batch,
) -> Measured:
    """All measures of a hand, over opponents with the given weights (or all alike) and every run-out."""
    hole, board = tuple(hole), tuple(board)
    weights = np.ones(HOLDINGS) if weights is None else weights
    look_ahead = 5 - len(board) if look_ahead is None else look_ahead
    now = standing(hole, board, evaluate)
    opponents = now >= 0
    hs = strength(now[opponents], weights[opponents])
    live = [card for card in range(52) if card not in {*hole, *board}]
    tables, strengths, possible = [], [], []
    for run_out in combinations(live, look_ahead):
        later = standing(hole, (*board, *run_out), evaluate)
        opponents = later >= 0
        table = np.zeros((3, 3))
        np.add.at(table, (now[opponents], later[opponents]), weights[opponents])
        tables.append(table)
        if weights[opponents].any():
            strengths.append(strength(later[opponents], weights[opponents]))
            possible.append(fsum(weights[opponents].tolist()))
    transitions = [[fsum(table[i, j] for table in tables) for j in range(3)] for i in range(3)]
    ahead, tied, behind = (fsum(row) for row in transitions)
    improved = fsum((transitions[BEHIND][AHEAD], transitions[BEHIND][TIED] / 2, transitions[TIED][AHEAD] / 2))
    fallen = fsum((transitions[AHEAD][BEHIND], transitions[AHEAD][TIED] / 2, transitions[TIED][BEHIND] / 2))
    total = fsum(possible)
    return Measured(
        hs=hs,
        ppot=improved / (behind + tied / 2) if behind + tied else 0.0,
        npot=fallen / (ahead + tied / 2) if ahead + tied else 0.0,
        transitions=transitions,
        # A run-out is as likely as the holdings that it leaves to the opponent.
        expected_hs=fsum(w * hs for w, hs in zip(possible, strengths, strict=True)) / total,
        expected_hs_squared=fsum(w * hs**2 for w, hs in zip(possible, strengths, strict=True)) / total,
    )


@lru_cache(maxsize=1_100)
def standing(
    hole: tuple[int, ...], board: tuple[int, ...], evaluate: Evaluator = evaluate_batch
) -> NDArray[np.int64]:
    """How the hand stands against each of the 1,326 holdings, −1 where a card is in two places.

    The 1,081 run-outs of a flop are remembered, since they are often met again with other weights.
    """
    opponents = np.flatnonzero(~blocked_by((*hole, *board)))
    hands = np.empty((1 + len(opponents), 2 + len(board)), dtype=np.uint8)
    hands[0, :2] = hole
    hands[1:, :2] = HOLDING_CARDS[opponents]
    hands[:, 2:] = board
    values = evaluate(hands)
    own = values[0]
    stands = np.full(HOLDINGS, -1)
    stands[opponents] = np.where(values[1:] < own, AHEAD, np.where(values[1:] == own, TIED, BEHIND))
    return stands


def strength(stands: NDArray[np.int64], weights: NDArray[np.float64]) -> float:
    """The share of the weight that the hand is ahead of, ties half."""
    ahead, tied = fsum(weights[stands == AHEAD].tolist()), fsum(weights[stands == TIED].tolist())
    return (ahead + tied / 2) / fsum(weights.tolist())


def random_situation(
    generator: np.random.Generator, board_cards: int
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Two hole cards and a board; of three situations one has mostly cards of one suit and one of few ranks."""
    cards = generator.permutation(52)[: 2 + board_cards]
    style = generator.integers(3)
    if style == 1:
        heap = np.concatenate((generator.permutation(np.arange(2, 52, 4))[:6], cards))
        cards = generator.permutation(np.unique(heap))[: 2 + board_cards]
    elif style == 2:
        ranks = generator.choice(13, size=3, replace=False)
        cards = generator.permutation(np.add.outer(4 * ranks, range(4)).ravel())[: 2 + board_cards]
    return tuple(cards[:2].tolist()), tuple(cards[2:].tolist())


def random_weights(generator: np.random.Generator) -> NDArray[np.float64]:
    """Weights of many sizes, in every other range for a part of the holdings or only a few of them."""
    weights = generator.random(HOLDINGS) ** generator.integers(1, 9)
    if generator.random() < 0.5:
        weights[generator.random(HOLDINGS) < generator.choice([0.5, 0.9, 0.99])] = 0.0
    return weights
