"""A player's position relative to the dealer, as in the node `Position` (baycarp-2011 §5.3.2).

The thesis groups positions that play alike into four states, named in figures 6.1 and 7.1, but does not say which seats
belong to them. Here:

- `Blinds` act after the button before the flop: the seats in front of the one that opens.
- `Late` are the button and the seat before it, the cutoff.
- The seats in between are halved: the first half is `Early`, the second `Middle`, which gets the odd one.

    players   2   3   4   5   6   7   8   9   10
    Blinds    1   2   2   2   2   2   2   2    2
    Early     –   –   –   –   1   1   2   2    3
    Middle    –   –   –   1   1   2   2   3    3
    Late      1   1   2   2   2   2   2   2    2

Heads-up the button posts the small blind, but it is the dealer and acts last after the flop: it is `Late`.

>>> [position.label for position in positions(6, first=2)]
['Blinds', 'Blinds', 'Early', 'Middle', 'Late', 'Late']
"""

from enum import IntEnum
from functools import cache

from railbird.engine.setup import Setup

_LATE_SEATS = 2


class Position(IntEnum):
    """The states of the node `Position`."""

    BLINDS = 0
    EARLY = 1
    MIDDLE = 2
    LATE = 3

    @property
    def label(self) -> str:
        """The state as the thesis writes it."""
        return self.name.title()

    @property
    def title(self) -> str:
        """The position in words."""
        return self.name.lower()


def position(setup: Setup, seat: int) -> Position:
    """The position of a seat."""
    return positions(len(setup.stacks), setup.first)[seat]


@cache
def positions(players: int, first: int) -> tuple[Position, ...]:
    """The position of every seat, where seat `first` opens the first round."""
    between = max(0, players - first - _LATE_SEATS)
    early = between // 2
    return (
        *(Position.BLINDS,) * first,
        *(Position.EARLY,) * early,
        *(Position.MIDDLE,) * (between - early),
        *(Position.LATE,) * (players - first - between),
    )
