"""Strategies as solutions: a player's actions in a whole betting round, found in a pack of single decisions.

A pack has every decision of a player, in order, with the hand, the player and the cards. So the first decision of a
round and the second one, if the player had to act again, are found without watching again: they are one case, with the
description of the first. Later decisions of the round are ignored.

- Its cost is that of both actions, positive if the hand was won.
- Its worth (G-bucks) is that of the second action minus the cost of the first.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from railbird.agents.baycarp.cases import FOLLOW_UPS, SOLUTIONS, STRATEGIES, STRATEGY_TABLE
from railbird.cbr.case_base import CaseBase
from railbird.cbr.cycle.plans import plan_name
from railbird.cbr.packs.contents import RiderColumn
from railbird.cbr.packs.files import Pack, PackError
from railbird.features.outcomes import CHECK, FOLD

WHOSE_ROUND = ("hand", "player", "cards", "board", "source")
"""The riders that identify the decisions of one round of a player."""
_NONE = -1


@dataclass(frozen=True, slots=True)
class Rounds:
    """Betting rounds of players as the numbers of their decisions."""

    first: NDArray[np.int64]
    second: NDArray[np.int64]
    """−1 if the player did not act again in the round."""


def strategy_pack(pack: Pack, name: str, worth: str | None = None) -> Pack:
    """The strategies of a pack of single decisions, with their cost as outcome, or their worth from a rider.

    The name is used in messages.
    """
    found = {stage: rounds_of(pack, stage, name) for stage in pack.bases}
    return Pack(
        pack.system,
        {stage: _cases(pack, stage, rounds, worth) for stage, rounds in found.items()},
        {
            stage: {rider: _chosen(pack.riders[stage][rider], rounds.first) for rider in WHOSE_ROUND}
            for stage, rounds in found.items()
        },
        pack.recipe,
    )


def rounds_of(pack: Pack, stage: str, name: str) -> Rounds:
    """The rounds of a stage, in the order in which they began."""
    base, riders = pack.bases[stage], pack.riders.get(stage, {})
    missing = [rider for rider in WHOSE_ROUND if rider not in riders]
    if missing or not base.is_single:
        why = f"do not have the rider {missing[0]}" if missing else "hold several decisions each"
        raise PackError(f"{name}: cannot find strategies in it, because the cases of {stage} {why}")
    to_call, committed = (
        base.values[:, base.schema.place(each)].tolist() for each in ("bets to call", "bets committed")
    )
    checked = base.counts[:, SOLUTIONS.index(CHECK)].tolist()
    latest: dict[tuple[str, ...], int] = {}
    second: dict[int, int] = {}
    for number, whose in enumerate(zip(*(list(riders[rider]) for rider in WHOSE_ROUND), strict=True)):
        begun = latest.get(whose, number)
        # A player who acts again has a bet to call, and has paid something since unless the first action was a check.
        # In a merged pack a round may occur twice; this distinguishes the two.
        if to_call[number] > 0.0 and (
            committed[number] > committed[begun] or (checked[begun] and begun < number)
        ):
            if second[begun] == _NONE:
                second[begun] = number
        else:
            latest[whose] = number
            second[number] = _NONE
    return Rounds(np.array(list(second), dtype=np.int64), np.array(list(second.values()), dtype=np.int64))


def _cases(pack: Pack, stage: str, rounds: Rounds, worth: str | None) -> CaseBase:
    base, first, again = pack.bases[stage], rounds.first, np.asarray(rounds.second != _NONE)
    second = np.where(again, rounds.second, first)
    action = base.counts.argmax(axis=1)
    places = _PLACES[action[first], np.where(again, action[second], len(SOLUTIONS))]
    known, paid = base.known.sum(axis=1) > 0, base.sums.sum(axis=1)
    if worth is None:
        outcomes = paid[first] + np.where(again, paid[second], 0.0)
        told = known[first] & known[second]
    else:
        each = np.array([float(text) for text in pack.riders[stage][worth]])
        outcomes = np.where(again, each[second] - abs(paid[first]), each[first])
        told = known[first] | ~again
    counts = np.zeros((len(first), len(STRATEGIES)), dtype=np.int64)
    counts[np.arange(len(first)), places] = 1
    known_counts = counts * told[:, np.newaxis]
    return CaseBase.of_arrays(
        STRATEGY_TABLE.schema(stage),
        base.values[first],
        counts,
        known_counts,
        known_counts * outcomes[:, np.newaxis],
        base.vocabularies(),
    )


def _chosen(column: RiderColumn, rows: NDArray[np.int64]) -> list[str]:
    return [column[row] for row in rows.tolist()]


def _places() -> NDArray[np.int64]:
    """The place of the strategy by first and second action of a round; the last column is for no second action."""
    found = np.full((len(SOLUTIONS), len(SOLUTIONS) + 1), _NONE)
    for row, first in enumerate(SOLUTIONS):
        found[row, -1] = STRATEGIES.index(first)
        for second in FOLLOW_UPS if first != FOLD else ():
            found[row, SOLUTIONS.index(second)] = STRATEGIES.index(plan_name(first, second))
    return found


_PLACES = _places()
