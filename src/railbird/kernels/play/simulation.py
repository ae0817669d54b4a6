"""Simulated hands of limit hold'em: hidden cards are drawn, and the hand is played to its end by a policy.

A trial of `simulate_hands` runs through these steps (loki-1999):

1. `draw_holdings`: the opponents' holdings, jointly, in proportion to their weights, no card twice; then the board
   cards to come, uniformly from the remaining cards.
2. Twice from the same situation with the same cards: the acting seat calls, and the acting seat raises.
3. Every later action is drawn from the policy's probabilities and performed by `betting.advance`, the rules of the
   engine; the finished hand is paid out by `showdown.settle`.

The random number of a decision depends on the seat, the round and the number of the seat's actions in it: both plays of
a trial use the same numbers, so that they differ only by the first action and its consequences.

A policy judges a holding by its strength: ProbTriple by that against a random holding, Pokibot's formula by that
against the mean range of the players, to the power of the number of opponents. On the open board, strengths are given
for all holdings; on a board to come, a holding is compared with a sample of others, drawn in each trial: every
`stride`-th of the 1,326 holdings from a random one on, or as many drawn from the mean range. With a stride of 1,
ProbTriple's strengths are exact.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from railbird.kernels.compiler import njit
from railbird.kernels.hands.draws import board_sets
from railbird.kernels.hands.holdings import HIGH_CARDS, HOLDINGS, LOW_CARDS, holding_index
from railbird.kernels.play.holding_weights import crude_potential
from railbird.kernels.play.poki_formula import formula_triple
from railbird.kernels.play.prob_triple import probability_triple
from railbird.kernels.play.situations import GROUP, OPPONENTS, SITUATION_LENGTH, read_situation
from railbird.kernels.random import below_of, load, next_of, store
from railbird.kernels.rules.betting import (
    ACTOR,
    BET_SIZES,
    CALL,
    FOLD,
    FOLDED,
    MOST_ROUNDS,
    MOST_SEATS,
    PAID,
    RAISE,
    RAISE_MINIMUM,
    RAISES,
    ROUND,
    ROUNDS,
    SEATS,
    STATE_LENGTH,
    Vector,
    advance,
)
from railbird.kernels.rules.pots import PARTS
from railbird.kernels.rules.showdown import settle
from railbird.kernels.showdown.joint_draws import (
    CARD_BITS,
    HOLDING_BITS,
    MEAN_ROW,
    Chances,
    draw_holdings,
    in_unit_interval,
)
from railbird.kernels.strength.sampled import compared_strength, compared_values

# Cards are signed here, because numba turns signed with unsigned 64-bit numbers into floats.
_HIGH_CARDS, _LOW_CARDS = HIGH_CARDS.astype(np.int64), LOW_CARDS.astype(np.int64)

PROB_TRIPLE, FORMULA = range(2)
"""The policies."""

BOARD = 5
_BOARD_SIZES = np.array([0, 3, 4, 5], dtype=np.int64)

MOST_RAISES = 12
"""Maximum number of raises in a round by simulated players in games without a cap."""

_NOT_DRAWN = -1
_LUCK_OF_OTHERS = 1 << 16
"""From this number on, a trial's luck draws the holdings to compare with; below, it decides actions."""


class Table(NamedTuple):
    """The data shared by all trials of a decision."""

    rules: Vector
    state: Vector
    """The situation to decide."""
    cards: Vector
    """Hole cards seat by seat, then the board; filled as far as they are known to the seat to act."""
    board_cards: int
    """How many cards of the board lie open."""
    policy: int
    """PROB_TRIPLE or FORMULA; before the flop both are ProbTriple."""
    styles: NDArray[np.float64]
    """How each seat plays by ProbTriple."""
    thresholds: NDArray[np.float64]
    """How each seat plays by the formula."""
    preflop: NDArray[np.float64]
    """By group of expected players (`situations.GROUP`) and holding: the percentile before the flop."""
    strengths: NDArray[np.float64]
    """The strength of all holdings on the open board, as the policy judges them."""
    potentials: NDArray[np.float64]
    """The potential of all holdings on the open board."""
    stride: int
    """On boards to come, every n-th holding is compared with."""


class _Trial(NamedTuple):
    """The data shared by the two plays of a trial, and scratch space."""

    opponents: Vector
    """The other seats that have not folded, before unused entries."""
    cards: Vector
    holdings: Vector
    strengths: NDArray[np.float64]
    """By round and seat; NaN if not computed yet."""
    potentials: NDArray[np.float64]
    others: Vector
    """The holdings to compare with; the first is −1 if not drawn yet."""
    bits: NDArray[np.uint64]
    """The same as sets of cards."""
    values: NDArray[np.int64]
    """By round: their values, −1 where the board blocks them."""
    evaluated: NDArray[np.bool_]
    """By round: whether the values have been computed."""
    suit_ranks: Vector
    situation: NDArray[np.float64]
    spoken: Vector
    """By seat: 16 times the round of its last action and the number of its actions in it."""
    state: Vector
    """The betting of the play."""
    payoffs: Vector


@njit(cache=True)
def simulate_hands(
    table: Table,
    chances: Chances,
    tables: NDArray[np.uint16],
    words: NDArray[np.uint64],
    outcomes: NDArray[np.float64],
) -> None:
    """Write what the seat to act wins from now on, a row for each trial: after a call, and after a raise.

    Folding now wins nothing. If no raise is possible, the second column repeats the first.
    """
    compared = HOLDINGS // table.stride
    trial = _Trial(
        np.empty(MOST_SEATS, dtype=np.int64),
        table.cards.copy(),
        np.zeros(MOST_SEATS, dtype=np.int64),
        np.empty((MOST_ROUNDS, MOST_SEATS), dtype=np.float64),
        np.empty((MOST_ROUNDS, MOST_SEATS), dtype=np.float64),
        np.empty(compared, dtype=np.int64),
        np.empty(compared, dtype=np.uint64),
        np.empty((MOST_ROUNDS, compared), dtype=np.int64),
        np.empty(MOST_ROUNDS, dtype=np.bool_),
        np.empty(4, dtype=np.int64),
        np.empty(SITUATION_LENGTH, dtype=np.float64),
        np.empty(MOST_SEATS, dtype=np.int64),
        np.empty(STATE_LENGTH, dtype=np.int64),
        np.empty(MOST_SEATS, dtype=np.int64),
    )
    _play_trials(table, chances, trial, tables, words, outcomes)


@njit(cache=True, borrows=True)
def _play_trials(
    table: Table,
    chances: Chances,
    trial: _Trial,
    tables: NDArray[np.uint16],
    words: NDArray[np.uint64],
    outcomes: NDArray[np.float64],
) -> None:
    """`simulate_hands` with scratch space."""
    rules, now = table.rules, table.state
    seat = now[ACTOR]
    board_start = 2 * rules[SEATS]
    paid = now[PAID + seat]
    raise_to = now[RAISE_MINIMUM]
    cards, holdings, state, payoffs = trial.cards, trial.holdings, trial.state, trial.payoffs

    count = 0
    for other in range(rules[SEATS]):
        if other != seat and not (now[FOLDED] >> other) & 1:
            trial.opponents[count] = other
            count += 1
    opponents = trial.opponents[:count]
    known = CARD_BITS[cards[2 * seat]] | CARD_BITS[cards[2 * seat + 1]]
    for place in range(table.board_cards):
        known |= CARD_BITS[cards[board_start + place]]
    holdings[seat] = holding_index(cards[2 * seat], cards[2 * seat + 1])

    generator = load(words)
    for row in range(outcomes.shape[0]):
        used, generator = draw_holdings(chances, opponents, known, holdings, generator)
        for place in range(count):
            other = opponents[place]
            cards[2 * other] = _HIGH_CARDS[holdings[other]]
            cards[2 * other + 1] = _LOW_CARDS[holdings[other]]
        for place in range(table.board_cards, BOARD):
            card, generator = below_of(generator, 52)
            while used & CARD_BITS[card]:
                card, generator = below_of(generator, 52)
            used |= CARD_BITS[card]
            cards[board_start + place] = card
        luck, generator = next_of(generator)
        trial.strengths[:] = np.nan
        trial.others[0] = _NOT_DRAWN
        trial.evaluated[:] = False
        for column in range(2):
            if column == 1 and raise_to == 0:
                outcomes[row, 1] = outcomes[row, 0]
                break
            for entry in range(STATE_LENGTH):
                state[entry] = now[entry]
            _play(table, chances, trial, RAISE if column else CALL, tables, luck)
            settle(rules, state, cards, tables, payoffs)
            outcomes[row, column] = payoffs[seat] / PARTS + paid
    store(generator, words)


@njit(cache=True, forceinline=True, borrows=True)
def _play(
    table: Table,
    chances: Chances,
    trial: _Trial,
    first: int,
    tables: NDArray[np.uint16],
    luck: np.uint64,
) -> None:
    """Play a hand to its end; the first action is given."""
    rules, state = table.rules, trial.state
    strengths, potentials = trial.strengths, trial.potentials
    situation, spoken = trial.situation, trial.spoken
    spoken[:] = 0
    kind = first
    chosen = True
    while state[ACTOR] >= 0:
        seat = state[ACTOR]
        street = state[ROUND]
        number = max(16 * street, spoken[seat])
        spoken[seat] = number + 1
        if not chosen:
            read_situation(rules, state, situation)
            if street == 0:
                strength, potential = table.preflop[int(situation[GROUP]), trial.holdings[seat]], 0.0
            else:
                if np.isnan(strengths[street, seat]):
                    _judge(table, chances, trial, street, seat, tables, luck)
                strength, potential = strengths[street, seat], potentials[street, seat]
            if street > 0 and table.policy == FORMULA:
                hs = strength ** situation[OPPONENTS]
                later = _later_bets(rules, street)
                fold, call, _ = formula_triple(situation, later, hs, potential, table.thresholds[seat])
            else:
                fold, call, _ = probability_triple(situation, strength, potential, table.styles[seat])
            drawn = _unit(luck, 256 * seat + number)
            kind = FOLD if drawn < fold else CALL if drawn < fold + call else RAISE
            if kind == RAISE and state[RAISES] >= MOST_RAISES:
                kind = CALL
        chosen = False
        advance(rules, state, kind, state[RAISE_MINIMUM])


@njit(cache=True, forceinline=True, borrows=True)
def _unit(luck: np.uint64, number: int) -> float:
    """A number in [0, 1) derived from a trial's random bits (the mixing steps of SplitMix64)."""
    word = luck + np.uint64(number + 1) * np.uint64(0x9E3779B97F4A7C15)
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    word ^= word >> np.uint64(31)
    return in_unit_interval(word)


@njit(cache=True, forceinline=True, borrows=True)
def _later_bets(rules: Vector, street: int) -> float:
    """A bet in every round to come, in bets of this round."""
    total = 0
    for later in range(street + 1, rules[ROUNDS]):
        total += rules[BET_SIZES + later]
    return float(total) / rules[BET_SIZES + street]  # type: ignore[no-any-return]


@njit(cache=True, forceinline=True, borrows=True)
def _judge(
    table: Table,
    chances: Chances,
    trial: _Trial,
    street: int,
    seat: int,
    tables: NDArray[np.uint16],
    luck: np.uint64,
) -> None:
    """Write strength and potential of a seat's holding on the board of a round."""
    size = _BOARD_SIZES[street]
    holding = trial.holdings[seat]
    strengths, potentials = trial.strengths, trial.potentials
    if size == table.board_cards:
        strengths[street, seat] = table.strengths[holding]
        potentials[street, seat] = table.potentials[holding]
        return
    others, bits = trial.others, trial.bits
    evaluated, values = trial.evaluated, trial.values[street]
    start = 2 * table.rules[SEATS]
    board = trial.cards[start : start + size]
    if others[0] == _NOT_DRAWN:
        _draw_others(table, chances, luck, others)
        for place in range(len(others)):
            bits[place] = HOLDING_BITS[others[place]]
    if not evaluated[street]:
        compared_values(board, others, tables, values)
        evaluated[street] = True
    strengths[street, seat] = compared_strength(holding, board, bits, values, tables)
    if size == BOARD:
        potentials[street, seat] = 0.0
    else:
        suit_ranks = trial.suit_ranks
        ranks, rank_counts = board_sets(board, suit_ranks)
        potentials[street, seat] = crude_potential(
            _HIGH_CARDS[holding], _LOW_CARDS[holding], ranks, rank_counts, suit_ranks
        )


@njit(cache=True, borrows=True)
def _draw_others(table: Table, chances: Chances, luck: np.uint64, others: Vector) -> None:
    """Write the holdings that this trial compares with."""
    if table.policy == PROB_TRIPLE:
        other = int(_unit(luck, _LUCK_OF_OTHERS) * HOLDINGS)
        for place in range(len(others)):
            others[place] = other
            other += table.stride
            if other >= HOLDINGS:
                other -= HOLDINGS
        return
    kept, alias = chances.kept[MEAN_ROW], chances.alias[MEAN_ROW]
    for place in range(len(others)):
        holding = int(_unit(luck, _LUCK_OF_OTHERS + 2 * place) * HOLDINGS)
        if _unit(luck, _LUCK_OF_OTHERS + 2 * place + 1) >= kept[holding]:
            holding = alias[holding]
        others[place] = holding
