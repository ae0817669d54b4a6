"""A player's style from the hands so far: VPIP, PFR and aggression in intervals (baycarp-2011 §5.3.2, §9.1).

| figure     | counts                                                    | out of                                 |
|------------|-----------------------------------------------------------|----------------------------------------|
| VPIP       | hands in which the player called or raised before the flop | hands with a decision there           |
| PFR        | hands in which the player raised before the flop           | hands with a decision there           |
| aggression | bets and raises on the flop, turn or river                 | bets, raises and calls there          |

VPIP and PFR are those of the arena's statistics: blinds do not count, and a walk has no decision. An aggression of 50 %
corresponds to an aggression factor (bets and raises per call) of one; 25 % to 1/3 and 75 % to 3.

The thesis prints `a10_20`, `a20_30`, `a30_40`, `a50_60` for VPIP and `a0_5`, `a5_10`, `a10_15` for PFR. Its steps are
kept where most players are; above, where only short-handed and heads-up players are, the intervals are wider.

An unknown player is assumed to be average, with the weight of 20 hands: of 20 decisions before the flop 5 paid and 1.5
raised (25 % and 7.5 %, the intervals of the thesis's Jake, a Pokibot), and of 10 actions in each later round 4 were
bets or raises.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from railbird.engine.events import Event
from railbird.features import player_counts
from railbird.features.intervals import Intervals

VPIP = Intervals((0, 10, 20, 30, 40, 50, 60, 80, 100))
PFR = Intervals((0, 5, 10, 15, 20, 30, 40, 60, 100))
AGGRESSION = Intervals((0, 25, 50, 75, 100))

LATER_ROUNDS = 3
"""The rounds in which aggression is counted: flop, turn and river."""


class FinishedHand(Protocol):
    """A hand that was played: a `HandRecord`, or the `HandResult` that an agent gets."""

    @property
    def players(self) -> tuple[str, ...]:
        """Labels by position."""

    @property
    def events(self) -> Sequence[Event]:
        """The events of the hand."""


@dataclass(frozen=True, slots=True)
class StyleCounts:
    """The counts of a player; fractions are allowed, for averages."""

    decided: float = 0
    """Hands with a decision before the flop."""
    paid: float = 0
    raised: float = 0
    aggressive: tuple[float, ...] = (0,) * LATER_ROUNDS
    """Bets and raises on the flop, turn and river."""
    calls: tuple[float, ...] = (0,) * LATER_ROUNDS

    def __post_init__(self) -> None:
        if len(self.aggressive) != LATER_ROUNDS or len(self.calls) != LATER_ROUNDS:
            raise ValueError("aggressive and calls must have a count for each of flop, turn and river")
        if not 0 <= self.raised <= self.paid <= self.decided or min(*self.aggressive, *self.calls) < 0:
            raise ValueError(f"raised may not exceed paid, nor paid exceed decided, as in {self}")

    def __add__(self, other: "StyleCounts") -> "StyleCounts":
        return StyleCounts(
            self.decided + other.decided,
            self.paid + other.paid,
            self.raised + other.raised,
            tuple(a + b for a, b in zip(self.aggressive, other.aggressive, strict=True)),
            tuple(a + b for a, b in zip(self.calls, other.calls, strict=True)),
        )


AVERAGE_PLAYER = StyleCounts(decided=20, paid=5, raised=1.5, aggressive=(4, 4, 4), calls=(6, 6, 6))
"""The prior counts of an unknown player."""


@dataclass(frozen=True, slots=True)
class PlayingStyle:
    """A player's figures as codes of intervals."""

    vpip: int
    """A code in `VPIP.states`."""
    pfr: int
    """A code in `PFR.states`."""
    aggression: tuple[int, ...]
    """Codes in `AGGRESSION.states` for flop, turn and river."""
    codes: NDArray[np.int16] = field(init=False, repr=False, compare=False)
    """All codes in this order (read-only)."""

    def __post_init__(self) -> None:
        codes = np.array((self.vpip, self.pfr, *self.aggression), dtype=np.int16)
        codes.setflags(write=False)
        object.__setattr__(self, "codes", codes)

    @classmethod
    def of(cls, counts: StyleCounts) -> "PlayingStyle":
        """The style of these counts, which must not be empty."""
        return cls(
            VPIP.code(_percent(counts.paid, counts.decided)),
            PFR.code(_percent(counts.raised, counts.decided)),
            tuple(
                AGGRESSION.code(_percent(aggressive, aggressive + calls))
                for aggressive, calls in zip(counts.aggressive, counts.calls, strict=True)
            ),
        )

    @classmethod
    def named(
        cls, vpip: str, pfr: str, aggression: Sequence[str] = ("a25_50",) * LATER_ROUNDS
    ) -> "PlayingStyle":
        """A style from the names of its states."""
        return cls(
            VPIP.states.index(vpip),
            PFR.states.index(pfr),
            tuple(AGGRESSION.states.index(each) for each in aggression),
        )


def _percent(part: float, whole: float) -> float:
    return 100 * part / whole


class StyleBook:
    """Tracks the styles of all players at a table from hand to hand, by label.

    Rounds are distinguished by their board cards, as in hold'em.
    """

    def __init__(self, average: StyleCounts = AVERAGE_PLAYER) -> None:
        if not average.decided or not all(map(sum, zip(average.aggressive, average.calls, strict=True))):
            raise ValueError(
                "the average player must have decisions before the flop and actions in every later round"
            )
        self.average = average
        self._stranger = PlayingStyle.of(average)
        self._players: dict[str, player_counts.Counts] = {}
        self._styles: dict[str, PlayingStyle] = {}

    def reset(self) -> None:
        """Start a new match: forget all players."""
        self._players.clear()
        self._styles.clear()

    def style(self, label: str) -> PlayingStyle:
        """A player's style from the hands so far."""
        found = self._styles.get(label)
        if found is None:
            if label not in self._players:
                return self._stranger
            found = self._styles[label] = PlayingStyle.of(self.average + self.counts(label))
        return found

    def counts(self, label: str) -> StyleCounts:
        """The counts of a player, without the average player's."""
        row = self._players.get(label)
        if row is None:
            return StyleCounts()
        later = [player_counts.decisions_in(row, number) for number in range(1, LATER_ROUNDS + 1)]
        return StyleCounts(
            row[player_counts.ASKED],
            row[player_counts.VPIP],
            row[player_counts.PFR],
            tuple(kinds[player_counts.BETS] + kinds[player_counts.RAISES] for kinds in later),
            tuple(kinds[player_counts.CALLS] for kinds in later),
        )

    def observe(self, hand: FinishedHand) -> None:
        """Count a hand for all players dealt in."""
        rows = [self._players.setdefault(label, player_counts.no_counts()) for label in hand.players]
        player_counts.count_hand(hand.events, rows)
        for label in hand.players:
            self._styles.pop(label, None)
