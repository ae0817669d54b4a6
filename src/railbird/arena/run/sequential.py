"""Stopping a comparison as soon as it is decided, with error rates valid after any number of looks.

An ordinary 95 % interval is valid for a single look; a procedure that looks repeatedly and stops at the first interval
without zero errs far more often than in 5 % of cases. The intervals of `SequentialTest` are valid at all times
simultaneously: with probability 1 − alpha the true mean is inside every one of them, so a match may stop at any time
and the last interval is still valid. Nothing is asymptotic, and nothing is assumed about the distribution except what
the rules guarantee: no player can lose more than `most_chips` in a hand.

Method (an empirical Bernstein bound: Howard, Ramdas, McAuliffe and Sekhon, "Time-uniform, nonparametric, nonasymptotic
confidence sequences", 2021, Theorem 4, based on an inequality of Fan, Grama and Liu, 2015):

1. Let x be what is won in a unit, as a share of the most that can be lost in one, so that x ≥ −1.
2. For 0 ≤ λ < 1 and ψ(λ) = −log(1 − λ) − λ:  exp(λx − ψ(λ)x²) ≤ 1 + λx, whose expectation is 1 + λ·mean.
3. So exp(λ·Σx − ψ(λ)·Σx²) / (1 + λ·mean)ⁿ is the capital of a fair or losing bet, and so is the average over several
   λ: by Ville's inequality it ever exceeds 2 / alpha with probability at most alpha / 2.
4. The lower bound is the least mean for which it has not exceeded that; the upper bound is the same for −x.

Only Σx and Σx² are used, which a tally has exactly. Units need not be identically distributed or independent: against
agents that learn, the intervals are valid for the average of the units' conditional expectations. With k comparisons
that may stop, alpha / k for each keeps the probability of any error at alpha. The price: detecting a small difference
takes about twice the units of a single look with 80 % power, and a large one several times as many with deep stacks.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import exp, fsum, log, log1p

from railbird.arena.results.tally import Tally
from railbird.engine.rules import Antes, Betting, GameRules
from railbird.kernels.rules.pots import PARTS

BETS = (0.9, *(2.0**-octave for octave in range(1, 11)))
"""The values of λ, equally weighted. The best one is about mean · most lost / variance, all per unit: octaves down to a
thousandth are never far from it for detectable differences, and 0.9 is for large ones."""
_PRICES = tuple(-log1p(-bet) - bet for bet in BETS)
_HALVINGS = 60


class SequentialError(ValueError):
    """A comparison that the test does not support."""


@dataclass(frozen=True, slots=True)
class SequentialTest:
    """Intervals and a decision that are valid after any number of looks."""

    most_chips: int
    """The most chips that one player can lose in a hand."""
    alpha: float = 0.05
    """The probability that any interval, at any time, does not contain the true mean."""

    def __post_init__(self) -> None:
        if self.most_chips < 1:
            raise SequentialError(
                f"the maximum loss in a hand must be at least one chip, not {self.most_chips}"
            )
        if not 0 < self.alpha < 1:
            raise SequentialError(f"an error rate must be between 0 and 1, not {self.alpha:g}")

    @classmethod
    def for_game(cls, rules: GameRules, alpha: float = 0.05) -> "SequentialTest":
        """The test for a game whose rules bound the loss in a hand."""
        return cls(most_chips_lost(rules), alpha)

    def interval(self, tally: Tally, weights: Sequence[int]) -> tuple[float, float]:
        """The interval, in chips per hand, for a combination of players such as (1, 0) or (1, −1)."""
        won = _Winnings.of(self.most_chips, tally, weights)
        if not tally.units:
            return -won.most_lost, won.most_won
        low = won.most_lost * self._lower_bound(won, won.total / won.most_lost, won.most_lost)
        high = won.most_won * -self._lower_bound(won, -won.total / won.most_won, won.most_won)
        return low, high

    def decided(self, tally: Tally, weights: Sequence[int]) -> bool:
        """Whether zero is outside the interval: one side is ahead, and not by chance."""
        won = _Winnings.of(self.most_chips, tally, weights)
        threshold = log(2 / self.alpha)
        return any(
            _log_capital(total / most, won.squares / most**2, won.units, 0.0) >= threshold
            for total, most in ((won.total, won.most_lost), (-won.total, won.most_won))
        )

    def _lower_bound(self, won: "_Winnings", total: float, most: float) -> float:
        """The least mean that is not rejected, as a share of the most that can be lost."""
        squares = won.squares / most**2
        threshold = log(2 / self.alpha)
        # The capital falls as the mean rises, and is below 1 at the observed mean.
        low, high = -1.0, total / won.units
        if _log_capital(total, squares, won.units, low) < threshold:
            return low
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            if _log_capital(total, squares, won.units, middle) >= threshold:
                low = middle
            else:
                high = middle
        return low


def most_chips_lost(rules: GameRules) -> int:
    """The most chips that one player can lose in a hand of this game.

    >>> from railbird.engine.games import named_game
    >>> most_chips_lost(named_game("limit-2p")), most_chips_lost(named_game("nolimit-2p"))
    (240, 20000)
    """
    bounds = []
    if not rules.carry:
        # What nobody else can call is returned, except for a dead ante.
        dead = max(rules.antes) if rules.ante_rule is Antes.DEAD else 0
        bounds.append(sorted(rules.stacks)[-2] + dead)
    if rules.betting is Betting.LIMIT:
        caps = [cap for cap in rules.raise_caps if cap is not None]
        if len(caps) == rules.rounds:
            raised = sum(cap * size for cap, size in zip(caps, rules.bet_sizes, strict=True))
            bounds.append(max(rules.antes) + rules.big_blind + raised)
    if not bounds:
        raise SequentialError(
            f"{rules.name} carries over stacks without a betting limit, but a sequential test needs a bound on "
            "the loss in a hand"
        )
    return min(bounds)


@dataclass(frozen=True, slots=True)
class _Winnings:
    """What a combination of players won, in chips per hand: sums over units, and the most that a unit can bring."""

    units: int
    total: float
    squares: float
    most_lost: float
    most_won: float

    @classmethod
    def of(cls, most_chips: int, tally: Tally, weights: Sequence[int]) -> "_Winnings":
        players = len(tally.totals)
        if len(weights) != players:
            raise SequentialError(f"a tally of {players} players needs as many weights, not {len(weights)}")
        # The game is zero-sum, and nobody loses more than `most_chips`: the sum is least when the smallest weight
        # takes everything, Σ w·x = −most·Σw + players·most·min(w), and largest when the largest does.
        most_lost = most_chips * (sum(weights) - players * min(weights))
        most_won = most_chips * (players * max(weights) - sum(weights))
        if not most_lost:
            raise SequentialError("equal weights compare nothing, because the game is zero-sum")
        if not tally.units:
            return cls(0, 0.0, 0.0, most_lost, most_won)
        scale = Fraction(PARTS * tally.hands, tally.units)
        if (scale / PARTS).denominator != 1:
            raise SequentialError(
                f"all units need the same number of hands, but {tally.hands} is not a multiple of {tally.units} units"
            )
        total = sum(weight * value for weight, value in zip(weights, tally.totals, strict=True))
        squares = sum(
            a * b * tally.products[i][j] for i, a in enumerate(weights) for j, b in enumerate(weights)
        )
        if squares > tally.units * (scale * max(most_lost, most_won)) ** 2:
            raise SequentialError(
                f"the rules let a player lose at most {most_chips} chips in a hand, but more was won than that allows"
            )
        return cls(tally.units, float(total / scale), float(squares / scale**2), most_lost, most_won)


def _log_capital(total: float, squares: float, units: int, mean: float) -> float:
    """The logarithm of the capital in step 3, starting from one chip and betting against `mean`."""
    logs = [
        bet * total - price * squares - units * log1p(bet * mean)
        for bet, price in zip(BETS, _PRICES, strict=True)
    ]
    largest = max(logs)
    return largest + log(fsum(exp(value - largest) for value in logs) / len(logs))
