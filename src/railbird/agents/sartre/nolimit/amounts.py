"""Letters as real amounts: randomised reverse translation (sartre-2012, equation 6).

A bet is x' ± Δx': its exact amount times a factor, which is uniform between 1 − Δ and 1 + Δ. With Δ = 0.3, a bet of 100
becomes one of 70 to 130. All letters of a situation share the factor, so that a larger letter is a larger bet. It is
drawn from the stream, the hand's number and the place of the action in the hand: an observation and the stream are
enough to repeat it, to state a strategy with its real amounts, and to know later which letter was meant.

- The result is at least the minimum raise, and less than all-in, which is what `a` means.
- All-in is never changed.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from railbird.engine.actions import CALL, FOLD, Action, raise_to
from railbird.kernels.rules import betting
from railbird.rng import Stream
from railbird.strategies.actions import ActionAbstraction, chance_at

DELTA = 0.3
"""The largest random proportion of a bet that is added or taken away."""


@dataclass(frozen=True, slots=True)
class Amounts:
    """Chooses the amounts of bets."""

    delta: float
    stream: Stream

    def factor(self, hand: int, place: int) -> float:
        """The factor of all bets at a place of a hand."""
        return 1.0 + self.delta * (2.0 * chance_at(self.stream, hand, place) - 1.0)

    def offered(
        self, actions: ActionAbstraction, view: Sequence[int], hand: int, place: int
    ) -> dict[str, Action]:
        """The real action of every letter that is legal in a betting situation (`BettingNode.view`)."""
        factor = self.factor(hand, place)
        found = {"f": FOLD, "c": CALL} if view[betting.MAY_FOLD] else {"c": CALL}
        for letter, amount in actions.bets(view).items():
            found[letter] = raise_to(scaled(amount, view, factor))
        return found


def scaled(to: int, view: Sequence[int], factor: float) -> int:
    """What a raise to an amount becomes if it raises by a multiple of that; within what is legal, all-in unchanged."""
    least, most, high = view[betting.RAISE_MINIMUM], view[betting.RAISE_MAXIMUM], view[betting.HIGH]
    if to == most:
        return to
    return min(max(high + round(factor * (to - high)), least), most - 1)
