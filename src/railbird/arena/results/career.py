"""What players did and won over recorded hands of any games: the statistics of a match for hands played elsewhere.

Stakes may differ from hand to hand, so every hand counts in the unit of its own game: small bets at limit, big blinds
otherwise. Chips are added up by currency, at what a chip is worth; hands for play chips have none. A hand is the
independent unit of the interval. Winnings are net of rake.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import inf, sqrt
from typing import Any, TypeAlias

from railbird.arena.results.rates import Estimate, Rate
from railbird.arena.results.report import rate_to_json
from railbird.arena.results.statistics import PlayStatistics, StatisticsError
from railbird.arena.results.statistics_collector import play_of
from railbird.engine.positions import position_names
from railbird.engine.record import HandRecord
from railbird.features.player_counts import why_left_out
from railbird.features.tallies import PayoffSums, Place, PlayerTally, Stake, TallyBook
from railbird.hands.types import HandType

Amounts: TypeAlias = dict[str, Fraction]
"""Winnings by currency, exactly; play chips are under the empty name."""


@dataclass(frozen=True, slots=True)
class StakeResult:
    """What a player won at one stake."""

    currency: str
    size: Fraction
    """One unit in the currency: a small bet at limit, a big blind otherwise."""
    net: Fraction
    """In the currency."""
    rate: Rate

    def to_json(self) -> dict[str, Any]:
        """Everything as plain data."""
        return {
            "currency": self.currency or _CHIPS,
            "size": _number(self.size),
            "net": _number(self.net),
            **rate_to_json(self.rate),
        }


@dataclass(frozen=True, slots=True)
class FlopTypeResult:
    """What a player won with one type of hand at the flop."""

    hands: int
    net: Amounts


@dataclass(frozen=True, slots=True)
class Career:
    """One player's part in recorded hands."""

    statistics: PlayStatistics
    rates: tuple[Rate, ...]
    """One for each unit in which the player's games are counted: sb/h, bb/h."""
    net: Amounts
    stakes: tuple[StakeResult, ...]
    """The same for each stake, the smallest first."""
    flop_types: tuple[FlopTypeResult, ...]
    """By hand type at the flop (`HandType`), for hands with known hole cards."""
    positions: dict[str, tuple[Rate, ...]] = field(default_factory=dict)
    """The rates by position (`engine.positions`), if only one player's career was wanted."""

    @classmethod
    def of(
        cls,
        tallies: Mapping[Stake, PlayerTally],
        positions: Mapping[Place, Mapping[Stake, PayoffSums]] | None = None,
    ) -> "Career":
        """The career of a player with these tallies."""
        counts = [sum(column) for column in zip(*(tally.counts for tally in tallies.values()), strict=True)]
        return cls(
            PlayStatistics(**play_of(counts)),
            _rates(tallies.items()),
            _amounts((stake, tally.net) for stake, tally in tallies.items()),
            tuple(_stakes(tallies)),
            tuple(_flop_type(kind, tallies) for kind in HandType),
            _by_position(positions or {}),
        )

    @property
    def hands(self) -> int:
        """Number of hands in which the player was dealt in."""
        return self.statistics.hands

    def to_json(self) -> dict[str, Any]:
        """Everything as plain data."""
        return {
            "hands": self.hands,
            "rates": [rate_to_json(rate) for rate in self.rates],
            "net": _amounts_to_json(self.net),
            "stakes": [stake.to_json() for stake in self.stakes],
            "positions": {
                name: [rate_to_json(rate) for rate in rates] for name, rates in self.positions.items()
            },
            "statistics": self.statistics.to_json(),
            "flop_types": {
                kind.label: {"hands": found.hands, "net": _amounts_to_json(found.net)}
                for kind, found in zip(HandType, self.flop_types, strict=True)
            },
        }


_CHIPS = "chips"


def _amounts_to_json(amounts: Amounts) -> dict[str, int | float]:
    return {currency or _CHIPS: _number(amount) for currency, amount in sorted(amounts.items())}


def _number(amount: Fraction) -> int | float:
    return amount.numerator if amount.denominator == 1 else float(amount)


def _amounts(nets: Iterable[tuple[Stake, int | Fraction]]) -> Amounts:
    amounts: Amounts = {}
    for stake, net in nets:
        amounts[stake.currency] = amounts.get(stake.currency, Fraction(0)) + net * stake.chip
    return amounts


def _stakes(tallies: Mapping[Stake, PlayerTally]) -> Iterable[StakeResult]:
    """The results by stake; the size of a chip makes no difference to the stake."""
    found: dict[tuple[str, str, Fraction], dict[Stake, PlayerTally]] = {}
    for stake, tally in tallies.items():
        found.setdefault((stake.currency, stake.unit, stake.size), {})[stake] = tally
    for (currency, unit, size), same in sorted(found.items()):
        net = _amounts((stake, tally.net) for stake, tally in same.items())[currency]
        yield StakeResult(currency, size, net, _rate(unit, list(same.items())))


def _flop_type(kind: HandType, tallies: Mapping[Stake, PlayerTally]) -> FlopTypeResult:
    found = {stake: tally for stake, tally in tallies.items() if tally.type_hands[kind]}
    return FlopTypeResult(
        sum(tally.type_hands[kind] for tally in found.values()),
        _amounts((stake, tally.type_nets[kind]) for stake, tally in found.items()),
    )


class CareerCollector:
    """Takes finished hands one at a time and adds up everyone's careers, or one player's if given."""

    def __init__(self, player: str | None = None) -> None:
        self.player = player
        self.positions: dict[Place, dict[Stake, PayoffSums]] = {}
        """The one player's results by position."""
        self._book = TallyBook()

    def add(self, record: HandRecord) -> None:
        """Count a hand; one without exact results is refused with a `StatisticsError`."""
        reason = why_left_out(record)
        if reason is not None:
            raise StatisticsError(f"hand {record.hand_id}: {reason.sentence}")
        self._book.add(record)
        if self.player in record.players:
            stake, names = Stake.of(record), position_names(record.setup.blinds)
            for seat, (label, payoff) in enumerate(zip(record.players, record.payoffs, strict=True)):
                if label == self.player:
                    place = Place(-len(names), seat, names[seat])
                    self.positions.setdefault(place, {}).setdefault(stake, PayoffSums()).add(payoff)

    def tallies(self) -> dict[str, dict[Stake, PlayerTally]]:
        """Everyone's tallies so far."""
        found: dict[str, dict[Stake, PlayerTally]] = {}
        for (label, stake), tally in self._book.tallies().items():
            if self.player in (None, label):
                found.setdefault(label, {})[stake] = tally
        return found

    def careers(self) -> dict[str, Career]:
        """Everyone's careers so far, those with the most hands first."""
        return careers_of(self.tallies(), self.positions)


def careers_of(
    tallies: Mapping[str, Mapping[Stake, PlayerTally]],
    positions: Mapping[Place, Mapping[Stake, PayoffSums]] | None = None,
) -> dict[str, Career]:
    """The careers of players with these tallies, those with the most hands first."""
    return {label: Career.of(tallies[label], positions) for label in by_hands(tallies)}


def by_hands(tallies: Mapping[str, Mapping[Stake, PlayerTally]]) -> list[str]:
    """The players, those with the most hands first."""
    hands = {label: sum(tally.hands for tally in own.values()) for label, own in tallies.items()}
    return sorted(hands, key=lambda label: (-hands[label], label))


def _by_position(places: Mapping[Place, Mapping[Stake, PayoffSums]]) -> dict[str, tuple[Rate, ...]]:
    """Rates by position, at tables of all sizes together, the blinds first."""
    found: dict[str, list[tuple[Stake, PayoffSums]]] = {}
    for place, stakes in sorted(places.items(), key=lambda each: each[0]):
        found.setdefault(place.name, []).extend(stakes.items())
    return {name: _rates(results) for name, results in found.items()}


def _rates(results: Iterable[tuple[Stake, PayoffSums]]) -> tuple[Rate, ...]:
    by_unit: dict[str, list[tuple[Stake, PayoffSums]]] = {}
    for stake, sums in results:
        by_unit.setdefault(stake.unit, []).append((stake, sums))
    return tuple(_rate(unit, by_unit[unit]) for unit in sorted(by_unit, reverse=True))


def _rate(unit: str, results: Iterable[tuple[Stake, PayoffSums]]) -> Rate:
    """The mean over all hands with its interval, from sums that are exact until the last step."""
    hands, total, squares = 0, Fraction(0), Fraction(0)
    for stake, sums in results:
        hands += sums.hands
        total += Fraction(sums.net) / stake.unit_chips
        squares += Fraction(sums.squares) / stake.unit_chips**2
    # The standard error of a mean: √(Σ (x − mean)² / (n − 1) / n).
    error = sqrt((squares - total**2 / hands) / (hands - 1) / hands) if hands > 1 else inf
    low, high = Estimate(float(total / hands), error, hands, hands - 1, hands).interval
    return Rate(unit, float(total / hands), low, high, hands)
