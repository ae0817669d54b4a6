"""Control variates: numbers whose expectation is zero, which are removed from results as far as they explain them.

`adjusted` subtracts a multiple of every variate from the payoff. A coefficient estimated from the hand to which it is
applied is correlated with it, and the expectation of the product is no longer zero. Therefore the coefficients of a
hand are estimated from **earlier hands only**, by least squares; this also makes it irrelevant whether players learn
from hand to hand. The first hands are not adjusted by variates.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from math import isfinite
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from railbird.arena.luck.all_in import LuckError, all_in_payoffs
from railbird.engine.events import DealHole
from railbird.engine.record import HandRecord
from railbird.hands.holdings import CLASS_SIZES, class_of, holding
from railbird.hands.income import income_rates

FIRST_ESTIMATE = 50
"""Number of units that must have been seen before their regression is used."""


class ControlVariate(Protocol):
    """A number for every position of a hand, whose expectation is zero whatever the players do.

    It may depend on the chance events of this hand, and its expectation must be zero given all earlier hands. This is
    the responsibility of its author: `adjusted` cannot check it, and a violation makes results wrong. Adjusted payoffs
    add up to zero if the variates of a hand do.
    """

    def __call__(self, record: HandRecord, /) -> Sequence[float]:
        """The luck of every position."""
        ...


def starting_hand_luck(record: HandRecord) -> tuple[float, ...]:
    """How much better each position's hole cards are than the others': Loki's income rates minus their mean.

    Every position is dealt every holding equally often, so the expectation is zero. All cards must be known, including
    those of players who folded: for cards that are shown only when they are good it would not be zero.
    """
    if not record.rules.deals_two_of_52:
        raise LuckError(f"starting-hand luck needs two hole cards of 52, unlike {record.rules.name}")
    deals = [event.cards for event in record.events if isinstance(event, DealHole)]
    if len(deals) != len(record.players) or None in deals:
        raise LuckError(
            f"starting-hand luck needs everyone's cards, but some of hand {record.hand_id} are unknown"
        )
    luck = _starting_hands(len(deals))
    own = [luck[class_of(holding(cards))] for cards in deals if cards is not None]
    total = sum(own)
    return tuple(mine - (total - mine) / (len(own) - 1) for mine in own)


@cache
def _starting_hands(players: int) -> tuple[float, ...]:
    """The income rate of every class of holdings, minus the mean over all holdings."""
    rates = income_rates(players).rates
    luck: list[float] = (rates - rates @ CLASS_SIZES / CLASS_SIZES.sum()).tolist()
    return tuple(luck)


@dataclass(frozen=True, slots=True)
class Adjusted:
    """Payoffs without the luck that could be removed."""

    payoffs: tuple[tuple[float, ...], ...]
    """By hand and position, in chips."""
    players: tuple[tuple[str, ...], ...]
    """The labels of the same positions."""
    units: tuple[int, ...]
    """By hand, the number of its independent unit."""
    coefficients: tuple[float, ...]
    """How much each variate explains, estimated from all hands; the adjustment of a hand used only earlier ones."""

    def of(self, label: str) -> tuple[float, ...]:
        """What a player won in each unit it played in: numbers from which a mean and its interval can be computed."""
        sums: dict[int, float] = {}
        for unit, players, payoffs in zip(self.units, self.players, self.payoffs, strict=True):
            for player, payoff in zip(players, payoffs, strict=True):
                if player == label:
                    sums[unit] = sums.get(unit, 0.0) + payoff
        return tuple(sums.values())


def adjusted(
    records: Iterable[HandRecord],
    variates: Sequence[ControlVariate] = (),
    *,
    units: Sequence[int] | None = None,
    first_estimate: int = FIRST_ESTIMATE,
) -> Adjusted:
    """The payoffs of hands in the order they were played, minus their all-in luck and what the variates explain.

    `units` gives the number of each hand's independent unit, in ascending order: the hands of a duplicate deal share
    their number, and none of them is used to estimate the coefficients of another. By default every hand is a unit.
    All positions share their coefficients, so that what one player gains by the adjustment the others lose. Estimates
    are updated whenever the number of units has grown by an eighth.
    """
    hands = list(records)
    numbers = range(len(hands)) if units is None else units
    if len(numbers) != len(hands):
        raise LuckError(f"{len(numbers)} unit numbers for {len(hands)} hands")
    if any(later < earlier for earlier, later in pairwise(numbers)):
        raise LuckError("unit numbers must be in ascending order, because estimates use earlier units")
    regression = _Regression(len(variates), first_estimate)
    waiting: list[tuple[NDArray[np.float64], NDArray[np.float64]]] = []
    payoffs: list[tuple[float, ...]] = []
    unit: int | None = None
    for number, record in zip(numbers, hands, strict=True):
        if number != unit:
            regression.add_unit(waiting)
            waiting.clear()
            unit = number
        payoff = np.array([float(chips) for chips in all_in_payoffs(record)])
        luck = _luck_of(record, variates)
        payoffs.append(tuple((payoff - luck @ regression.coefficients).tolist()))
        waiting.append((luck, payoff))
    regression.add_unit(waiting)
    return Adjusted(
        tuple(payoffs),
        tuple(record.players for record in hands),
        tuple(numbers),
        tuple(regression.estimate().tolist()),
    )


def _luck_of(record: HandRecord, variates: Sequence[ControlVariate]) -> NDArray[np.float64]:
    """The variates of a hand: a row for each position, a column for each variate."""
    luck = np.empty((len(record.players), len(variates)))
    for column, variate in enumerate(variates):
        values = variate(record)
        if len(values) != len(record.players) or not all(map(isfinite, values)):
            raise LuckError(
                f"a control variate must give each of the {len(record.players)} players of hand {record.hand_id} "
                f"a finite number, not {values}"
            )
        luck[:, column] = values
    return luck


class _Regression:
    """Least squares of payoffs on variates over the units seen so far, without a constant: variates have mean zero."""

    def __init__(self, variates: int, first_estimate: int) -> None:
        self.coefficients = np.zeros(variates)
        self._products = np.zeros((variates, variates))
        self._with_payoffs = np.zeros(variates)
        self._units = 0
        self._renew_at = first_estimate

    def add_unit(self, hands: Sequence[tuple[NDArray[np.float64], NDArray[np.float64]]]) -> None:
        """Add a unit, and update the coefficients if it is time."""
        if not hands:
            return
        for luck, payoff in hands:
            self._products += luck.T @ luck
            self._with_payoffs += luck.T @ payoff
        self._units += 1
        if self._units >= self._renew_at:
            self.coefficients = self.estimate()
            self._renew_at = self._units + max(1, self._units // 8)

    def estimate(self) -> NDArray[np.float64]:
        """The coefficients; for collinear or constant variates, those of minimum norm."""
        solution = np.linalg.lstsq(self._products, self._with_payoffs, rcond=None)[0]
        return solution.astype(np.float64)
