"""Stopping an experiment as soon as its question is decided, with a stated error rate."""

from collections.abc import Sequence
from dataclasses import dataclass

from railbird.arena.play.match import MatchResult
from railbird.arena.results.rates import Rate
from railbird.arena.results.tally import Tally
from railbird.arena.run.sequential import SequentialTest
from railbird.engine.rules import GameRules


@dataclass(frozen=True, slots=True)
class UntilDecided:
    """Whether the first player wins or loses, tested after every match by a sequential test."""

    rules: GameRules
    error_rate: float = 0.05
    """The probability of ever deciding although the player breaks even, or of deciding for the wrong side."""

    def __call__(self, results: Sequence[MatchResult]) -> bool:
        """Whether these matches are enough."""
        tally = _sum(results)
        return self._test.decided(tally, _first(tally))

    def rate(self, results: Sequence[MatchResult]) -> Rate:
        """The player's rate, with the interval that is valid after any number of looks."""
        tally = _sum(results)
        low, high = self._test.interval(tally, _first(tally))
        chips = self.rules.unit_chips
        mean = tally.mean(_first(tally)) / chips
        return Rate(self.rules.unit, mean, low / chips, high / chips, tally.hands)

    @property
    def _test(self) -> SequentialTest:
        return SequentialTest.for_game(self.rules, self.error_rate)


def _sum(results: Sequence[MatchResult]) -> Tally:
    counted = [result.tally for result in results if result.void is None]
    return sum(counted, Tally.empty(len(results[0].plan.entrants)))


def _first(tally: Tally) -> list[int]:
    return [1] + [0] * (len(tally.totals) - 1)
