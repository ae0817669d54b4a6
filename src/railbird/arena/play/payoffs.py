"""What entrants won in the hands of a match, from what the seats won."""

from collections.abc import Sequence

from railbird.engine.events import Chips
from railbird.kernels.rules.pots import PARTS

_MOST_KNOWN = 1 << 12


class Payoffs:
    """The payoffs of entrants who sit in this order, in parts of a chip.

    In limit games a few results make up most hands. Equal ones are the same object, which takes less memory, and a
    tenth of the time to send from a worker.
    """

    def __init__(self, entrants: Sequence[int], players: int) -> None:
        self._entrants, self._players = entrants, players
        self._known: dict[tuple[Chips, ...], tuple[int, ...]] = {}

    def of_chips(self, won: tuple[Chips, ...]) -> tuple[int, ...]:
        """What every entrant won, if the seats won these chips."""
        found = self._known.get(won)
        if found is None:
            if len(self._known) == _MOST_KNOWN:
                self._known.clear()
            found = self._known[won] = self.of_parts([int(chips * PARTS) for chips in won])
        return found

    def of_parts(self, won: Sequence[int]) -> tuple[int, ...]:
        """What every entrant won, if the seats won these parts of a chip; nothing if it was not dealt in."""
        parts = [0] * self._players
        for entrant, payoff in zip(self._entrants, won, strict=True):
            parts[entrant] = payoff
        return tuple(parts)
