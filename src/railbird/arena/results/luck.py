"""Luck that can be removed from results without bias: the same mean, less spread.

Two parts of a result are certainly luck, whoever plays:

- **All-in.** Once betting has ended before the last board cards are dealt, there are no decisions left.
  `all_in_luck` is what each player won beyond the expectation over all ways to complete the board, including side pots.
- **Control variates.** A number for each player in each hand whose expectation is known to be zero, such as the quality
  of the dealt cards: `adjusted` subtracts a multiple of it from the payoff.

Neither changes the expectation of a result: the expectation of the removed luck is zero given everything that happened
before it was drawn. For all-in hands this holds because *all* dealt cards are taken into account. If the cards of
players who folded are unknown, the hand is not adjusted: the fact that they folded carries information about their
cards and so about the board, which a count over all other cards would miss.

A coefficient estimated from the hand to which it is applied is correlated with it, and the expectation of the product
is no longer zero. Therefore the coefficients of a hand are estimated from **earlier hands only**, by least squares;
this also makes it irrelevant whether players learn from hand to hand. The first hands are not adjusted by variates.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from itertools import combinations, pairwise
from math import isfinite
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from railbird.cards import DECK_SIZE, Card
from railbird.engine.events import Act, Chips, DealBoard, DealHole
from railbird.engine.record import HandRecord
from railbird.engine.state import UNKNOWN, State
from railbird.equities.matchups import RUN_OUTS, stored_matchups
from railbird.hands.evaluator import tables
from railbird.hands.holdings import CLASS_SIZES, class_of, holding
from railbird.hands.income import income_rates
from railbird.kernels.rules import betting
from railbird.kernels.rules.pots import PARTS, share_pot
from railbird.kernels.rules.showdown import settle
from railbird.kernels.showdown.equity import count_hands

FIRST_ESTIMATE = 50
"""Number of units that must have been seen before their regression is used."""


class LuckError(ValueError):
    """A hand or a variate from which luck cannot be determined."""


# All-in before the last card


def all_in_payoffs(record: HandRecord) -> tuple[Chips, ...]:
    """What every position won or lost, without the luck of the board after the last decision."""
    return tuple(payoff - luck for payoff, luck in zip(record.payoffs, all_in_luck(record), strict=True))


def all_in_luck(record: HandRecord) -> tuple[Chips, ...]:
    """What every position won beyond its expectation after the last decision, exactly.

    It is zero if there were decisions after the last board cards, or if any player's hole cards are unknown.
    """
    nothing = (0,) * len(record.players)
    if not _ends_with_boards(record) or UNKNOWN in record.cards:
        return nothing
    state = record.state()
    if not state.is_showdown or state.rules.board_size(state.round) == sum(state.rules.board_cards):
        return nothing
    expected = expected_payoffs(state)
    return tuple(payoff - mean for payoff, mean in zip(state.payoffs, expected, strict=True))


def expected_payoffs(state: State) -> tuple[Fraction, ...]:
    """The mean payoffs of a hand with no decisions left, over all boards that are possible after the last one.

    >>> from railbird.cards import parse_cards
    >>> from railbird.engine.games import named_game
    >>> from railbird.engine.setup import Setup
    >>> state = State(Setup.of(named_game("nolimit-2p")), parse_cards("AhAs KhKd 2c7d9s 3c4c"))
    >>> _ = state.call(), state.call(), state.raise_to(19900), state.call()
    >>> [f"{float(chips):+.1f}" for chips in expected_payoffs(state)]
    ['+16646.5', '-16646.5']
    """
    if not state.is_showdown:
        raise LuckError("only a hand that is over and goes to showdown has expected payoffs")
    rules = state.rules
    if UNKNOWN in state.cards[: rules.players * rules.hole_cards + rules.board_size(state.round)]:
        raise LuckError(
            "expected payoffs need the board and all hole cards, including those of players who folded"
        )
    contested = [pot for pot in state.pots if len(pot.seats) > 1]
    merged = state.setup.rules_vector[betting.MERGED_POTS] and len(contested) > 1
    if merged or (rules.hole_cards, sum(rules.board_cards)) != (2, 5):
        return _mean_of_every_board(state)
    return _mean_pot_by_pot(state)


def _ends_with_boards(record: HandRecord) -> bool:
    """Whether board cards were dealt after the last decision: a quick check that avoids replaying most hands."""
    for event in reversed(record.events):
        if type(event) is DealBoard:
            return True
        if type(event) is Act:
            return False
    return False


def _open_board(state: State) -> tuple[Card, ...]:
    """The board cards that had been dealt when the last decision was made."""
    return state.board[: state.rules.board_size(state.round)]


def _cards_left(state: State) -> tuple[Card, ...]:
    """The cards that could still come: neither on the board nor dealt to anyone, folded or not."""
    hole = state.rules.players * state.rules.hole_cards
    gone = {*state.cards[:hole], *_open_board(state)}
    return tuple(card for card in state.rules.deck if card not in gone)


def _mean_pot_by_pot(state: State) -> tuple[Fraction, ...]:
    """For every pot, how often each set of its claimants shares it, and what each of them receives."""
    board, left = _open_board(state), _cards_left(state)
    means = [Fraction(-chips) for chips in state.paid]
    for pot in state.pots:
        holes = tuple(state.hole_cards(seat) or () for seat in pot.seats)
        counts = _sets_of_winners(holes, board, left) if len(pot.seats) > 1 else (0, 1)
        boards = sum(counts)
        claim = sum(1 << seat for seat in pot.seats)
        sums = [0] * len(means)
        for winners, count in enumerate(counts):
            if not count:
                continue
            values = np.zeros(betting.MOST_SEATS, dtype=np.int64)
            for place, seat in enumerate(pot.seats):
                values[seat] = winners >> place & 1
            awards = np.zeros(betting.MOST_SEATS, dtype=np.int64)
            share_pot(state.setup.rules_vector, values, pot.amount, claim, awards)
            for seat in pot.seats:
                sums[seat] += count * int(awards[seat])
        for seat in pot.seats:
            means[seat] += Fraction(sums[seat], boards * PARTS)
    return tuple(means)


@lru_cache(maxsize=1 << 14)
def _sets_of_winners(
    holes: tuple[tuple[Card, ...], ...], board: tuple[Card, ...], left: tuple[Card, ...]
) -> tuple[int, ...]:
    """For each set of players, as bits, the number of boards on which exactly it has the best hand; cached."""
    if len(holes) == 2 and not board and len(left) == DECK_SIZE - 4:
        wins = _matchups()
        if wins is not None:
            first, second = holding(holes[0]), holding(holes[1])
            ahead, behind = int(wins[first, second]), int(wins[second, first])
            return 0, ahead, behind, RUN_OUTS - ahead - behind
    counts = np.zeros(1 << len(holes), dtype=np.int64)
    count_hands(
        np.array(holes, dtype=np.uint8),
        np.array(board, dtype=np.uint8),
        np.array(left, dtype=np.uint8),
        tables(),
        counts,
    )
    return tuple(counts.tolist())


@cache
def _matchups() -> NDArray[np.int32] | None:
    """The table of preflop matchups if it has been built: the same counts instantly instead of in 15 ms."""
    return stored_matchups()


def _mean_of_every_board(state: State) -> tuple[Fraction, ...]:
    """Settle the hand on every board: for small games, and for odd chips that depend on several pots at once."""
    seats = state.rules.players
    left = _cards_left(state)
    open_size = len(_open_board(state))
    cards = np.array(state.cards, dtype=np.int64)
    start = seats * state.rules.hole_cards + open_size
    payoffs = np.zeros(seats, dtype=np.int64)
    sums = np.zeros(seats, dtype=np.int64)
    boards = 0
    for rest in combinations(left, sum(state.rules.board_cards) - open_size):
        cards[start:] = rest
        settle(state.setup.rules_vector, state.node.vector, cards, tables(), payoffs)
        sums += payoffs
        boards += 1
    return tuple(Fraction(total, boards * PARTS) for total in sums.tolist())


# Control variates


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
