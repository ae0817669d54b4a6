"""Hand strength, potential and expected strength: exact, against a random holding or a weighted range.

- HS, the chance to be ahead now, ties half: over all holdings of an opponent (casper-2007 §5, baycarp-2011
  fig. 6.3) or over a weighted range (loki-1999). Several opponents multiply: a power of one HS, or a product
  over ranges.
- PPot and NPot, the chance that a hand behind pulls ahead and that a hand ahead falls behind when one or two
  more cards are dealt (baycarp-2011 fig. 6.4), from the table of transitions T[now][later]:

      PPot = (T[behind][ahead] + T[behind][tied] / 2 + T[tied][ahead] / 2) / (T[behind] + T[tied] / 2)
      NPot = (T[ahead][behind] + T[ahead][tied] / 2 + T[tied][behind] / 2) / (T[ahead] + T[tied] / 2)

  where T[now] is the sum of a row. (The printed figure divides by the number of opponents but omits the number of
  run-outs, and its parentheses halve one term too many.) PPot is 0 for a hand that is never behind, NPot for one
  that is never ahead; on the river both are 0.
- EHS, effective hand strength, in both published forms (`ehs_optimistic`, `ehs_showdown`).
- E[HS] and E[HS²], the means over all run-outs of the final HS and of its square (sartre-2012 §5.2.1, §5.3.1;
  E[HS²] is not the square of a mean). Against a range, a run-out is weighted by the part of the range that it
  leaves possible, so E[HS] is the equity.

For one holding: `hand_strength`, `hand_potential` and `strength`, which includes all measures. For all holdings on
a board at once: `board_hand_strengths`, `board_potentials` and `board_strengths`.

>>> from railbird.cards import parse_cards
>>> flop = strength(parse_cards("Ad Qc"), parse_cards("3h 4c Jh"))
>>> f"{flop.hs:.3f} {flop.ppot:.3f} {flop.npot:.3f}"
'0.585 0.208 0.274'
>>> f"{flop.ehs_optimistic:.3f} {flop.ehs_showdown:.3f} {flop.expected_hs:.3f} {flop.expected_hs_squared:.3f}"
'0.672 0.511 0.511 0.307'
>>> f"{hand_strength(parse_cards('Ad Qc'), parse_cards('3h 4c Jh'), opponents=5):.3f}"
'0.069'
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb, prod
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from railbird.cards import Card, format_card, format_cards, require_distinct
from railbird.equities.ranges import Range
from railbird.hands.evaluator import tables
from railbird.hands.holdings import HOLDINGS, blocked_by
from railbird.kernels.strength.board import hand_strengths, sum_final_strengths
from railbird.kernels.strength.comparison import AHEAD, BEHIND, TIED, compare_with_all
from railbird.kernels.strength.grouped import sum_grouped_transitions
from railbird.kernels.strength.kinds import count_final_scores
from railbird.kernels.strength.transitions import sum_board_transitions
from railbird.kernels.strength.uniform import count_transitions
from railbird.kernels.strength.weighted import sum_transitions

Weighted: TypeAlias = Range | NDArray[np.float64]
"""An opponent's range, or its 1,326 weights."""
Transitions: TypeAlias = tuple[tuple[float, ...], ...]
"""Pairs of an opponent's holding and a run-out: [now][later], each in the order ahead, tied, behind."""

BOARD_SIZES = (3, 4, 5)
_EVERY_HOLDING = Range.random().weights


class StrengthError(ValueError):
    """An invalid question about hand strength."""


@dataclass(frozen=True, slots=True)
class Potential:
    """How strong a hand is now, and how that may change when `look_ahead` more cards are dealt."""

    hs: float
    ppot: float
    npot: float
    look_ahead: int
    transitions: Transitions
    """The table behind the potentials: counts against a random holding, weights against a range."""

    @property
    def ehs_optimistic(self) -> float:
        """Loki's effective hand strength: the chance to be ahead now or to pull ahead."""
        return ehs_optimistic(self.hs, self.ppot)

    @property
    def ehs_showdown(self) -> float:
        """The chance to be ahead now and stay there, or to pull ahead."""
        return ehs_showdown(self.hs, self.ppot, self.npot)


@dataclass(frozen=True, slots=True)
class Strength(Potential):
    """A hand's potential over all cards to come, and its expected final strength."""

    expected_hs: float
    expected_hs_squared: float


@dataclass(frozen=True, slots=True, eq=False)
class BoardStrengths:
    """The measures of all 1,326 holdings on a board; NaN for a holding that the board blocks.

    Against a range they are also NaN for a holding whose cards block the whole range.
    """

    hs: NDArray[np.float64]
    expected_hs: NDArray[np.float64]
    expected_hs_squared: NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class BoardPotentials:
    """HS, PPot and NPot of all 1,326 holdings on a board; NaN as in `BoardStrengths`."""

    hs: NDArray[np.float64]
    ppot: NDArray[np.float64]
    npot: NDArray[np.float64]


def ehs_optimistic(hs: float, ppot: float) -> float:
    """EHS = HS + (1 − HS) · PPot, which ignores NPot; `hs` may be the strength against several opponents."""
    return hs + (1.0 - hs) * ppot


def ehs_showdown(hs: float, ppot: float, npot: float) -> float:
    """EHS = HS · (1 − NPot) + (1 − HS) · PPot: with potentials over all cards to come, this is E[HS]."""
    return hs * (1.0 - npot) + (1.0 - hs) * ppot


def hand_strength(
    hole: Sequence[Card], board: Sequence[Card], opponents: int | Weighted | Sequence[Weighted] = 1
) -> float:
    """HS on three to five board cards: against `opponents` random holdings, a range, or a range per opponent.

    Against several opponents the strengths are multiplied, as if the opponents' cards were independent.
    """
    cards = _known_cards(hole, board)
    if isinstance(opponents, int | np.integer):
        if opponents < 1:
            raise StrengthError(f"there must be at least one opponent, not {opponents}")
        return _strength_of(_standing(cards, _EVERY_HOLDING)) ** int(opponents)
    ranges = (opponents,) if isinstance(opponents, Range | np.ndarray) else opponents
    if not ranges:
        raise StrengthError("there must be at least one opponent, not an empty list of ranges")
    return prod(_strength_of(_standing(cards, _weights(each))) for each in ranges)


def hand_potential(
    hole: Sequence[Card],
    board: Sequence[Card],
    against: Weighted | None = None,
    *,
    look_ahead: int | None = None,
) -> Potential:
    """HS, PPot and NPot with `look_ahead` more cards: 1 or 2 on the flop, 1 on the turn; all by default."""
    cards, ahead = _known_cards(hole, board), _cards_ahead(board, look_ahead)
    if against is None or ahead == 0:
        return Potential(*_measure(cards, against, ahead)[:-2])
    weights, sums = _weights(against), np.empty((3, 3))
    hs = _strength_of(_standing(cards, weights))
    sum_grouped_transitions(cards, ahead, weights, tables(), sums)
    table = sums.tolist()
    return Potential(hs, *_potentials(table), ahead, tuple(map(tuple, table)))


def _cards_ahead(board: Sequence[Card], look_ahead: int | None) -> int:
    to_come = 5 - len(board)
    if look_ahead is None:
        return to_come
    if not min(1, to_come) <= look_ahead <= to_come:
        possible = ("0", "1", "1 or 2")[to_come]
        raise StrengthError(f"with {len(board)} board cards, look_ahead must be {possible}, not {look_ahead}")
    return look_ahead


def strength(hole: Sequence[Card], board: Sequence[Card], against: Weighted | None = None) -> Strength:
    """HS, PPot, NPot, E[HS] and E[HS²] over all cards to come, against a random holding or a range."""
    return Strength(*_measure(_known_cards(hole, board), against, 5 - len(board)))


def board_hand_strengths(board: Sequence[Card], against: Weighted | None = None) -> NDArray[np.float64]:
    """HS of all 1,326 holdings on a board of three to five cards; NaN as in `BoardStrengths`."""
    _require_board(board)
    weights = _EVERY_HOLDING if against is None else _weights(against)
    strengths = np.empty(HOLDINGS)
    hand_strengths(np.array(board, dtype=np.int64), weights, tables(), strengths)
    return strengths


def board_potentials(
    board: Sequence[Card],
    against: Sequence[Weighted] | None = None,
    *,
    look_ahead: int | None = None,
) -> tuple[BoardPotentials, ...]:
    """HS, PPot and NPot of all 1,326 holdings, against every range or a random holding; look-ahead as for one hand.

    On a flop, all ranges together take little longer than one.
    """
    _require_board(board)
    ahead = _cards_ahead(board, look_ahead)
    ranges = [_EVERY_HOLDING] if against is None else [_weights(each) for each in against]
    if len(board) == 5:
        nothing = np.where(blocked_by(board), np.nan, 0.0)
        return tuple(BoardPotentials(board_hand_strengths(board, each), nothing, nothing) for each in ranges)
    found = np.empty((len(ranges), HOLDINGS, 3, 3))
    sum_board_transitions(np.array(board, dtype=np.int64), ahead, np.array(ranges), tables(), found)
    return tuple(map(_board_potentials, found))


def _board_potentials(table: NDArray[np.float64]) -> BoardPotentials:
    ahead, tied, behind = table.sum(axis=2).T
    pulled_ahead = table[:, BEHIND, AHEAD] + table[:, BEHIND, TIED] / 2 + table[:, TIED, AHEAD] / 2
    fallen_behind = table[:, AHEAD, BEHIND] + table[:, AHEAD, TIED] / 2 + table[:, TIED, BEHIND] / 2
    total = ahead + tied + behind
    with np.errstate(invalid="ignore"):
        hs = (ahead + tied / 2) / total
        ppot, npot = pulled_ahead / (behind + tied / 2), fallen_behind / (ahead + tied / 2)
    # Who is never behind has nothing to improve on, and who is never ahead has nothing to lose.
    possible = total > 0.0
    return BoardPotentials(
        hs,
        np.where(possible & (behind + tied == 0.0), 0.0, ppot),
        np.where(possible & (ahead + tied == 0.0), 0.0, npot),
    )


def board_strengths(board: Sequence[Card], against: Weighted | None = None) -> BoardStrengths:
    """HS, E[HS] and E[HS²] of all 1,326 holdings on a board of three to five cards."""
    hs = board_hand_strengths(board, against)
    if len(board) == 5:
        return BoardStrengths(hs, hs.copy(), hs * hs)
    cards = np.array(board, dtype=np.int64)
    if against is not None:
        sums = np.empty((3, HOLDINGS))
        sum_final_strengths(cards, _weights(against), tables(), sums)
        possible, won, won_squared = sums
        return BoardStrengths(hs, _quotients(won, possible, board), _quotients(won_squared, possible, board))
    scores = np.empty(HOLDINGS, dtype=np.int64)
    squares = np.empty(HOLDINGS, dtype=np.int64)
    count_final_scores(cards, tables(), scores, squares)
    run_outs = np.full(HOLDINGS, float(comb(50 - len(board), 5 - len(board))))
    most = 2 * comb(45, 2)  # the score of a holding that beats all others
    return BoardStrengths(
        hs, _quotients(scores, run_outs * most, board), _quotients(squares, run_outs * most**2, board)
    )


def _quotients(
    sums: NDArray[np.float64 | np.int64], weights: NDArray[np.float64], board: Sequence[Card]
) -> NDArray[np.float64]:
    """The quotient for each live holding with positive weight against it, otherwise NaN."""
    quotients = np.full(HOLDINGS, np.nan)
    np.divide(sums, weights, out=quotients, where=~blocked_by(board) & (weights > 0.0))
    return quotients


def _measure(
    cards: NDArray[np.int64], against: Weighted | None, look_ahead: int
) -> tuple[float, float, float, int, Transitions, float, float]:
    """The fields of a `Strength`; the last two are means over run-outs of all cards to come."""
    weights = _EVERY_HOLDING if against is None else _weights(against)
    if look_ahead == 0:
        ahead, tied, behind = _standing(cards, weights)
        hs = _strength_of((ahead, tied, behind))
        stay = ((ahead, 0.0, 0.0), (0.0, tied, 0.0), (0.0, 0.0, behind))
        return hs, 0.0, 0.0, 0, stay, hs, hs * hs
    if against is None:
        counts = np.empty((3, 3), dtype=np.int64)
        scores = np.empty(2, dtype=np.int64)
        count_transitions(cards, look_ahead, tables(), counts, scores)
        table: list[list[float]] = [list(row) for row in counts.tolist()]
        hs = _strength_of([sum(row) for row in table])
        # A score is twice the number of holdings beaten on a run-out, ties half.
        opponents = comb(52 - len(cards) - look_ahead, 2)
        run_outs = comb(52 - len(cards), look_ahead)
        score, square = scores.tolist()
        mean, mean_square = score / (2 * opponents * run_outs), square / (4 * opponents**2 * run_outs)
    else:
        hs = _strength_of(_standing(cards, weights))
        sums = np.empty((3, 3))
        expectations = np.empty(3)
        sum_transitions(cards, look_ahead, weights, tables(), sums, expectations)
        table = sums.tolist()
        possible, won, won_squared = expectations.tolist()
        mean, mean_square = won / possible, won_squared / possible
    ppot, npot = _potentials(table)
    return hs, ppot, npot, look_ahead, tuple(map(tuple, table)), mean, mean_square


def _potentials(table: list[list[float]]) -> tuple[float, float]:
    """PPot and NPot from the transitions."""
    ahead, tied, behind = (sum(row) for row in table)
    pulled_ahead = table[BEHIND][AHEAD] + table[BEHIND][TIED] / 2 + table[TIED][AHEAD] / 2
    fallen_behind = table[AHEAD][BEHIND] + table[AHEAD][TIED] / 2 + table[TIED][BEHIND] / 2
    may_pull_ahead = behind + tied / 2
    may_fall_behind = ahead + tied / 2
    return (
        pulled_ahead / may_pull_ahead if may_pull_ahead else 0.0,
        fallen_behind / may_fall_behind if may_fall_behind else 0.0,
    )


def _standing(cards: NDArray[np.int64], weights: NDArray[np.float64]) -> tuple[float, float, float]:
    """The weights of the holdings that the hand is ahead of, tied with and behind now."""
    now = np.empty(3)
    compare_with_all(cards, weights, tables(), now)
    ahead, tied, behind = now.tolist()
    if ahead + tied + behind == 0.0:
        known = format_cards(cards.tolist(), " ")
        raise StrengthError(f"the known cards {known} block the whole range")
    return ahead, tied, behind


def _strength_of(standing: Sequence[float]) -> float:
    ahead, tied, behind = standing
    return (ahead + tied / 2) / (ahead + tied + behind)


def _known_cards(hole: Sequence[Card], board: Sequence[Card]) -> NDArray[np.int64]:
    """Hole cards and board in one array, as the kernels take them."""
    if len(hole) != 2:
        raise StrengthError(f"a hand has two hole cards, not {len(hole)}")
    require_distinct(hole)
    _require_board(board)
    for card in hole:
        if card in board:
            raise StrengthError(f"{format_card(card)} is both a hole card and on the board")
    return np.array((*hole, *board), dtype=np.int64)


def _require_board(board: Sequence[Card]) -> None:
    if len(board) not in BOARD_SIZES:
        raise StrengthError(f"hand strength needs a board of 3, 4 or 5 cards, not of {len(board)}")
    require_distinct(board)


def _weights(against: Weighted) -> NDArray[np.float64]:
    """The weights of a range, scaled so that their sums and squares neither overflow nor underflow."""
    weights = (against if isinstance(against, Range) else Range(against)).weights
    largest = weights.max()
    if largest == 0.0:
        raise StrengthError("the range is empty: at least one holding must have a positive weight")
    return weights if 1e-200 < largest < 1e200 else Range(weights / largest).weights
