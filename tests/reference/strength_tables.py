"""HS, E[HS] and E[HS²] by meeting every opponent on every run-out, judged by eval7."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from reference.hand_referees import eval7_values


def measures(hole: Sequence[int], board: Sequence[int]) -> tuple[float, float, float]:
    """The strength now, and the means of the final strength and of its square over all run-outs."""
    live = [card for card in range(52) if card not in {*hole, *board}]
    finals = [strength(hole, (*board, *run_out)) for run_out in combinations(live, 5 - len(board))]
    return strength(hole, board), float(np.mean(finals)), float(np.mean(np.square(finals)))


def strength(hole: Sequence[int], board: Sequence[int]) -> float:
    """The share of all opponents' holdings that are beaten, ties half."""
    live = [card for card in range(52) if card not in {*hole, *board}]
    hands = [(*held, *board) for held in (tuple(hole), *combinations(live, 2))]
    own, *others = eval7_values(np.array(hands, dtype=np.uint8)).tolist()
    return sum(1.0 if own > other else 0.5 if own == other else 0.0 for other in others) / len(others)
