"""The rates of a match with luck removed as far as possible without bias (`arena.luck`)."""

from collections.abc import Iterator, Sequence
from itertools import count
from math import fsum, inf, sqrt

from railbird.arena.luck.board import board_card_luck, has_board_luck
from railbird.arena.luck.variates import ControlVariate, adjusted, starting_hand_luck
from railbird.arena.play.match import MatchResult
from railbird.arena.results.rates import Estimate, Rate
from railbird.engine.record import HandRecord
from railbird.engine.rules import GameRules
from railbird.notation.acpc.log import read_log
from railbird.notation.reading import BadHand


class AdjustmentError(ValueError):
    """Hands from which luck cannot be removed."""


def adjusted_rates(
    rules: GameRules, results: Sequence[MatchResult], variates: Sequence[ControlVariate] = ()
) -> tuple[Rate, ...]:
    """Every entrant's rate without all-in luck and what the variates explain; the logs must have been kept.

    Without variates, the luck of starting hands and of the board is removed where the game has it.
    """
    if not variates and rules.deals_two_of_52:
        variates = (starting_hand_luck, *[board_card_luck] * has_board_luck(rules))
    numbers, records = [], []
    for number, record in _by_deal(rules, results):
        numbers.append(number)
        records.append(record)
    without_luck = adjusted(records, variates, units=numbers)
    hands_per_unit = len(results[0].plan.seatings())
    return tuple(
        Rate.of(rules, _estimate(without_luck.of(label), hands_per_unit)) for label in results[0].plan.labels
    )


def _by_deal(rules: GameRules, results: Sequence[MatchResult]) -> Iterator[tuple[int, HandRecord]]:
    """Every hand with the number of its deal, the seatings of a deal one after another."""
    numbers = count()
    for result in results:
        if result.void is not None:
            continue
        by_deal: dict[int, list[HandRecord]] = {}
        for reading in read_log(result.log, rules):
            if isinstance(reading, BadHand):
                raise AdjustmentError(f"a hand of the match cannot be read: {reading.reason}")
            by_deal.setdefault(int(reading.hand_id), []).append(reading)
        for _, hands in sorted(by_deal.items()):
            number = next(numbers)
            for record in hands:
                yield number, record


def _estimate(units: Sequence[float], hands_per_unit: int) -> Estimate:
    """The estimate from what a player won in each unit."""
    mean = fsum(units) / len(units) if units else 0.0
    error = inf
    if len(units) > 1:
        spread = fsum((unit - mean) ** 2 for unit in units) / (len(units) - 1)
        error = sqrt(spread / len(units)) / hands_per_unit
    return Estimate(mean / hands_per_unit, error, len(units), len(units) - 1, len(units) * hands_per_unit)
