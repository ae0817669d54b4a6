"""What players did and won over recorded hands of any games: the statistics of a match for hands played elsewhere.

Stakes may differ from hand to hand, so every hand counts in the unit of its own game: small bets at limit, big blinds
otherwise. A hand is the independent unit of the interval. Winnings are net of rake.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import inf, sqrt
from typing import Any, TypeAlias

from railbird.arena.results.rates import Estimate, Rate
from railbird.arena.results.report import rate_to_json
from railbird.arena.results.statistics import PlayerStatistics
from railbird.arena.results.statistics_collector import StatisticsCollector
from railbird.engine.events import Chips
from railbird.engine.positions import position_names
from railbird.engine.record import HandRecord


@dataclass(frozen=True, slots=True)
class Career:
    """One player's part in recorded hands."""

    statistics: PlayerStatistics
    rates: tuple[Rate, ...]
    """One for each unit in which the player's games are counted: sb/h, bb/h."""
    money: dict[str, Fraction] = field(default_factory=dict)
    """Winnings by currency, for hands that were played for money."""
    positions: dict[str, tuple[Rate, ...]] = field(default_factory=dict)
    """The same rates by position (`engine.positions`), if only one player's career was wanted."""

    @property
    def hands(self) -> int:
        """Number of hands in which the player was dealt in."""
        return self.statistics.hands

    def to_json(self) -> dict[str, Any]:
        """Everything as plain data."""
        return {
            "hands": self.hands,
            "rates": [rate_to_json(rate) for rate in self.rates],
            "money": {currency: float(won) for currency, won in sorted(self.money.items())},
            "positions": {
                name: [rate_to_json(rate) for rate in rates] for name, rates in self.positions.items()
            },
            "statistics": self.statistics.to_json(),
        }


class _Winnings:
    """Exact sums of what a player won at one stake."""

    __slots__ = ("hands", "squares", "total")

    def __init__(self) -> None:
        self.hands = 0
        self.total: Chips = 0
        self.squares: Chips = 0

    def add(self, payoff: Chips) -> None:
        self.hands += 1
        self.total += payoff
        self.squares += payoff * payoff

    def join(self, other: "_Winnings") -> None:
        self.hands += other.hands
        self.total += other.total
        self.squares += other.squares


_Stake: TypeAlias = tuple[str, int]
"""A unit, and the chips in one."""


class CareerCollector:
    """Takes finished hands one at a time and adds up everyone's careers, or one player's if given."""

    def __init__(self, player: str | None = None) -> None:
        self.player = player
        self._statistics = StatisticsCollector()
        self._winnings: dict[str, dict[_Stake, _Winnings]] = {}
        """By player and stake."""
        self._positions: dict[tuple[int, int, str], dict[_Stake, _Winnings]] = {}
        """The one player's, by the number of players (negative: full tables first), the seat and its name."""
        self._money: dict[str, dict[str, Fraction]] = {}

    def add(self, record: HandRecord) -> None:
        """Count a hand; one that is not over is refused with a `StatisticsError`."""
        self._statistics.add(record)
        rules, details = record.rules, record.details
        stake = (rules.unit, rules.unit_chips)
        for seat, (label, payoff) in enumerate(zip(record.players, record.payoffs, strict=True)):
            if self.player is not None:
                if label != self.player:
                    continue
                place = (-len(record.players), seat, position_names(record.setup.blinds)[seat])
                self._positions.setdefault(place, {}).setdefault(stake, _Winnings()).add(payoff)
            stakes = self._winnings.setdefault(label, {})
            winnings = stakes.get(stake)
            if winnings is None:
                winnings = stakes[stake] = _Winnings()
            winnings.add(payoff)
            if details.currency:
                money = self._money.setdefault(label, {})
                money[details.currency] = money.get(details.currency, Fraction(0)) + payoff * details.chip

    def careers(self) -> dict[str, Career]:
        """Everyone's careers so far, those with the most hands first."""
        statistics = self._statistics.statistics()
        careers = {
            label: Career(
                statistics[label], _rates(stakes), dict(self._money.get(label, {})), self._by_position()
            )
            for label, stakes in self._winnings.items()
        }
        return dict(sorted(careers.items(), key=lambda each: (-each[1].hands, each[0])))

    def _by_position(self) -> dict[str, tuple[Rate, ...]]:
        """The one player's rates by position, at tables of all sizes together, the blinds first."""
        found: dict[str, dict[_Stake, _Winnings]] = {}
        for (_, _, name), stakes in sorted(self._positions.items()):
            for stake, winnings in stakes.items():
                found.setdefault(name, {}).setdefault(stake, _Winnings()).join(winnings)
        return {name: _rates(place) for name, place in found.items()}


def _rates(stakes: dict[_Stake, _Winnings]) -> tuple[Rate, ...]:
    units = sorted({unit for unit, _ in stakes}, reverse=True)
    return tuple(
        _rate(unit, [(chips, winnings) for (other, chips), winnings in stakes.items() if other == unit])
        for unit in units
    )


def _rate(unit: str, stakes: Sequence[tuple[int, _Winnings]]) -> Rate:
    """The mean over all hands with its interval, from sums that are exact until the last step."""
    hands = sum(winnings.hands for _, winnings in stakes)
    total = sum((Fraction(winnings.total) / chips for chips, winnings in stakes), Fraction(0))
    squares = sum((Fraction(winnings.squares) / chips**2 for chips, winnings in stakes), Fraction(0))
    # The standard error of a mean: √(Σ (x − mean)² / (n − 1) / n).
    error = sqrt((squares - total**2 / hands) / (hands - 1) / hands) if hands > 1 else inf
    low, high = Estimate(float(total / hands), error, hands, hands - 1, hands).interval
    return Rate(unit, float(total / hands), low, high, hands)
