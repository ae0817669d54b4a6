"""The reasons for the actions of a solved strategy: its probabilities, those of similar hands, and bets as read.

The probabilities themselves are the decision's `strategy`, which every view draws above the reasons.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from railbird.engine.actions import Action
from railbird.engine.wording import Wording
from railbird.explanation import SHARE, Cell, Deferred, Explanation, Fact, TableSection
from railbird.explanation.formats import format_choices
from railbird.hands.holdings import CLASS_NAMES, format_holding, holding
from railbird.hands.income import income_rates
from railbird.kernels.rules import betting
from railbird.observation import Observation
from railbird.strategies.card_abstraction import BucketFinder
from railbird.strategies.following import NOWHERE, Follower, Spot, readings_table
from railbird.strategies.table_strategy import WHOLE, TableStrategy

NEIGHBOURS = 3
"""Number of buckets shown on either side of the holding's own."""
EXAMPLES = 3
"""Maximum number of holdings named for each of them; for the own bucket, the own holding first."""

_LEAST = 0.005
"""Probabilities below it would be named as 0 %."""

Chances = Sequence[tuple[Action, float]]
_STREETS = ("before the flop", "on the flop", "on the turn", "on the river")


@dataclass(frozen=True, slots=True)
class Consulted:
    """What was looked up for a decision."""

    strategy: TableStrategy
    finder: BucketFinder
    follower: Follower
    spot: Spot
    bucket: int
    """The bucket of the hole cards, if the tree has a decision."""
    observation: Observation


def explain(seen: Consulted, chances: Chances) -> Explanation:
    """The reasons for a decision with these probabilities."""
    spot, observation = seen.spot, seen.observation
    if spot.node == NOWHERE:
        summary = "In the game that was solved, the players are all-in by now, so it checks or calls."
        return Explanation(summary, (), Deferred(lambda: _readings(seen)))
    street = observation.node.view[betting.ROUND]
    wording = Wording.at(observation.node)
    does = format_choices((wording.tell(action), chance) for action, chance in chances if chance > _LEAST)
    if street:
        buckets = seen.strategy.cards.buckets[street]
        held = f"a hand of this strength {_STREETS[street]} (bucket {seen.bucket + 1} of {buckets})"
    else:
        held = f"{CLASS_NAMES[seen.bucket]} before the flop"
    why = ""
    if spot.is_repeated:
        then = "calls" if spot.staying else "folds as often as before the raise"
        why = f" The last raise is not in the strategy, so it {then}."
    elif spot.staying:
        why = " It folds less often than in the strategy because calling is cheaper here."
    return Explanation(
        f"With {held}, the strategy {does}.{why}",
        (Fact("bucket", seen.bucket + 1),) if street else (),
        Deferred(lambda: (_neighbours(seen), *_readings(seen))),
    )


def _neighbours(seen: Consulted) -> TableSection:
    """What the strategy does with starting hands of similar strength, or with the next buckets of this board."""
    spot, board = seen.spot, seen.observation.board
    on_board = seen.finder.on_board(board)
    present = np.unique(on_board[on_board >= 0])
    if not board:
        present = np.argsort(income_rates(len(seen.observation.players)).rates, kind="stable")
    own, held = int(np.flatnonzero(present == seen.bucket)[0]), holding(seen.observation.hole_cards)
    rows: list[tuple[Cell, ...]] = []
    for bucket in present[max(own - NEIGHBOURS, 0) : own + NEIGHBOURS + 1].tolist():
        shares = spot.merged(seen.strategy.parts(spot.node, bucket))
        holdings = sorted(np.flatnonzero(on_board == bucket)[::-1].tolist(), key=lambda each: each != held)
        examples = " ".join(map(format_holding, holdings[:EXAMPLES]))
        name = (bucket + 1, examples) if board else (CLASS_NAMES[bucket],)
        rows.append((*name, *(share / WHOLE for share in shares)))
    title = "buckets of similar strength on this board" if board else "starting hands of similar strength"
    named = ("bucket", "for example") if board else ("hand",)
    wording = Wording.at(seen.observation.node)
    columns = (*named, *map(wording.name, spot.actions))
    units = (*("" for _ in named), *(SHARE for _ in spot.actions))
    return TableSection(title, columns, tuple(rows), units)


def _readings(seen: Consulted) -> tuple[TableSection, ...]:
    """How bets of this hand were read that are not in the strategy; nothing if there are none."""
    observation = seen.observation
    found = seen.follower.readings(observation.node, observation.hand_number)
    return readings_table(
        "bets that are not in the strategy, and how it read them", found, observation.players
    )
