"""Loki's income rates: what a starting hand earns per bet when the whole table calls to the end.

Loki chose its preflop strategy by the income rate of its cards, found by roll-outs (Papp, "Dealing with
Imperfect Information in Poker", University of Alberta, 1998, §5.1 and appendix A; Poki kept the idea,
baycarp-2011 §4.3):

1. Deal the cards of a table of 2 to 10 players and the whole board at random.
2. Every player pays one bet and nobody folds; the best hands share the pot.
3. The income rate of a class of holdings is its net income in bets over the number of times it was dealt.

Papp used tables of two, four and seven players, for games of 2, of 3–4 and of 5 or more
(`loki_table_size`). Here all sizes from 2 to 10 are measured, counting every player of each deal, so that the
incomes of a table sum to zero. The result is shipped as `data/income_rates.csv`; the command in its header
reproduces it.

>>> from railbird.cards import parse_cards
>>> [round(income_rate(parse_cards(text), players=7), 2) for text in ("As Ah", "7h 2c")]
[2.05, -0.5]
"""

import csv
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from railbird.cards import Card
from railbird.hands.evaluator import tables
from railbird.hands.holdings import CLASS_NAMES, CLASS_OF_HOLDING, CLASSES, class_of, holding
from railbird.kernels.play.rollouts import BET, MOST_PLAYERS, roll_out
from railbird.rng import Stream

TABLE_SIZES = range(2, MOST_PLAYERS + 1)

# A compiled roll-out cannot be interrupted, so a long one is split into batches of this size.
_DEALS_AT_ONCE = 5_000_000


class IncomeError(ValueError):
    """A table size without income rates, or a roll-out of no deals."""


@dataclass(frozen=True, slots=True, eq=False)
class IncomeRates:
    """The income rates of the 169 classes at a table of the given size, in bets per hand."""

    players: int
    rates: NDArray[np.float64]
    standard_errors: NDArray[np.float64]

    def of(self, cards: Sequence[Card]) -> float:
        """The income rate of two cards."""
        return float(self.rates[class_of(holding(cards))])


def loki_table_size(players: int) -> int:
    """The table size whose income rates Loki used with this many players: 2, 4 (for 3–4) or 7 (for 5 or more)."""
    _require_table_size(players)
    return 2 if players == 2 else 4 if players <= 4 else 7


def income_rate(cards: Sequence[Card], players: int) -> float:
    """The shipped income rate of two cards at a table of `players`, in bets per hand."""
    return income_rates(players).of(cards)


def income_rates(players: int) -> IncomeRates:
    """The shipped income rates for a table of `players`."""
    _require_table_size(players)
    return _shipped()[players]


def measure_income_rates(players: int, deals: int, seed: int | str) -> IncomeRates:
    """The income rates of a new roll-out; the seed determines every card."""
    _require_table_size(players)
    if deals < 1:
        raise IncomeError(f"a roll-out needs at least one deal, not {deals}")
    words = Stream.from_seed(seed).child("income rates", players).words()
    totals = np.zeros((CLASSES, 3), dtype=np.int64)
    for start in range(0, deals, _DEALS_AT_ONCE):
        totals += roll_out(players, min(_DEALS_AT_ONCE, deals - start), words, CLASS_OF_HOLDING, tables())
    dealt, income, squares = totals.T
    with np.errstate(invalid="ignore", divide="ignore"):  # a class that was never dealt has the rate nan
        rates = income / dealt / BET
        variances = np.maximum(squares / dealt / BET**2 - rates**2, 0.0)
        standard_errors = np.sqrt(variances / dealt)
    return IncomeRates(players, _read_only(rates), _read_only(standard_errors))


def income_table(deals: int, seed: int | str) -> Iterator[str]:
    """The lines of a newly measured `data/income_rates.csv`: the header and all rates."""
    yield "# Income rates of the 169 starting hands when everybody calls to the end, in bets per hand"
    yield f"# (railbird.hands.income), with standard errors: {deals:,} deals per table size, seed {seed}"
    yield f"# Made by: python -m railbird.hands.income {deals} {seed}"
    yield "players,class,income_rate,standard_error"
    for players in TABLE_SIZES:
        measured = measure_income_rates(players, deals, seed)
        for name, rate, error in zip(CLASS_NAMES, measured.rates, measured.standard_errors, strict=True):
            yield f"{players},{name},{rate:.6f},{error:.6f}"


@cache
def _shipped() -> dict[int, IncomeRates]:
    text = files("railbird.hands").joinpath("data/income_rates.csv").read_text(encoding="utf-8")
    rates = {players: np.empty(CLASSES) for players in TABLE_SIZES}
    standard_errors = {players: np.empty(CLASSES) for players in TABLE_SIZES}
    rows = csv.DictReader(line for line in text.splitlines() if not line.startswith("#"))
    for row in rows:
        players, index = int(row["players"]), CLASS_NAMES.index(row["class"])
        rates[players][index] = float(row["income_rate"])
        standard_errors[players][index] = float(row["standard_error"])
    return {
        players: IncomeRates(players, _read_only(rates[players]), _read_only(standard_errors[players]))
        for players in TABLE_SIZES
    }


def _read_only(array: NDArray[np.float64]) -> NDArray[np.float64]:
    array.setflags(write=False)
    return array


def _require_table_size(players: int) -> None:
    if players not in TABLE_SIZES:
        raise IncomeError(f"income rates are for tables of 2 to {MOST_PLAYERS} players, not {players}")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: python -m railbird.hands.income DEALS SEED > income_rates.csv")
    for _line in income_table(int(sys.argv[1]), sys.argv[2]):
        print(_line, flush=True)
