"""How the others at a table have played lately, as far as one player saw it: VPIP, PFR and aggression."""

from collections import deque
from collections.abc import Mapping

from railbird.engine.history import events_of
from railbird.engine.rules import ROUND_NAMES
from railbird.features.player_counts import (
    BETS,
    CALLS,
    HANDS,
    PFR,
    RAISES,
    VPIP,
    Counts,
    count_hand,
    decisions_in,
    no_counts,
)
from railbird.interfaces.web.table.dealt_hand import DealtHand
from railbird.interfaces.web.table.messages import PlateStatistics

RECENT = 200
"""Number of hands that are counted."""
ENOUGH = 20
"""Number of hands before which statistics say nothing."""


class RecentPlay:
    """Counts of the latest hands of a table; nothing in them depends on hidden cards."""

    def __init__(self) -> None:
        self._hands: deque[Mapping[str, Counts]] = deque(maxlen=RECENT)
        self._known: dict[str | None, dict[str, PlateStatistics]] = {}

    def add(self, hand: DealtHand) -> None:
        """Count a finished hand."""
        rows = [no_counts() for _ in hand.players]
        count_hand(events_of(hand.state), rows)
        self._hands.append(dict(zip(hand.players, rows, strict=True)))
        self._known.clear()

    def seen_by(self, name: str | None) -> Mapping[str, PlateStatistics]:
        """The statistics of all others, by label, in the hands of a player; in all hands for a spectator."""
        if name not in self._known:
            self._known[name] = self._count(name)
        return self._known[name]

    def _count(self, name: str | None) -> dict[str, PlateStatistics]:
        sums: dict[str, Counts] = {}
        for hand in self._hands:
            if name is None or name in hand:
                for label, counts in hand.items():
                    if label != name:
                        before = sums.setdefault(label, no_counts())
                        sums[label] = [one + more for one, more in zip(before, counts, strict=True)]
        return {label: _statistics(counts) for label, counts in sums.items() if counts[HANDS] >= ENOUGH}


def _statistics(counts: Counts) -> PlateStatistics:
    rounds = [decisions_in(counts, number) for number in range(len(ROUND_NAMES))]
    calls = sum(each[CALLS] for each in rounds)
    raises = sum(each[BETS] + each[RAISES] for each in rounds)
    hands = counts[HANDS]
    return PlateStatistics(
        hands=hands,
        vpip=round(100 * counts[VPIP] / hands),
        pfr=round(100 * counts[PFR] / hands),
        aggression=round(raises / calls, 1) if calls else None,
    )
