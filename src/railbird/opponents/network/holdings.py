"""From hand groups to the 1,326 holdings: the transform method of baycarp-2011 §6.2.1, figure 6.3."""

from collections.abc import Collection, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from railbird.cards import Card
from railbird.hands.groups import GROUP_OF_HOLDING, HAND_GROUPS, HandGroupError
from railbird.hands.holdings import blocked_by

_SIZES = np.bincount(GROUP_OF_HOLDING, minlength=len(HAND_GROUPS) + 1)[1:]
_PLACE_OF_HOLDING = GROUP_OF_HOLDING.astype(np.intp) - 1


def holdings_of_groups(groups: Collection[int], seen: Iterable[Card] = ()) -> NDArray[np.bool_]:
    """For each of the 1,326 holdings, whether it is in one of the hand groups 1..10 and contains no card seen."""
    chosen = np.zeros(len(HAND_GROUPS), dtype=np.bool_)
    for group in groups:
        if group not in HAND_GROUPS:
            raise HandGroupError(f"{group} is not a hand group: hand groups are 1..10")
        chosen[group - 1] = True
    return chosen[_PLACE_OF_HOLDING] & ~blocked_by(seen)


def holding_chances(
    group_chances: Sequence[float] | NDArray[np.float64], seen: Iterable[Card] = ()
) -> NDArray[np.float64]:
    """The chance of each of the 1,326 holdings from the chances of the ten groups; they sum to 1.

    Before any card is seen, holdings of a group are equally likely. What contains a card that was seen has no chance:
    a group of which many cards were seen loses.
    """
    chances = np.asarray(group_chances, dtype=np.float64)
    if chances.shape != _SIZES.shape:
        raise HandGroupError(f"there are ten hand groups, and {chances.size} chances were given")
    if not np.isfinite(chances).all() or (chances < 0).any():
        raise HandGroupError("the chance of a hand group is a number from 0 to 1")
    spread = (chances / _SIZES)[_PLACE_OF_HOLDING]
    spread[blocked_by(seen)] = 0.0
    total = spread.sum()
    if not total:
        raise HandGroupError("no holding is left: every group with a chance is blocked by the cards seen")
    spread /= total
    return spread
