"""The luck of the board while betting goes on, which is most of the luck in a limit game.

When board cards are dealt, the players still in the hand have an equity in the pot before and after. `board_luck` is
the change of each player's equity times the pot. Its expectation is zero: all hole cards are taken into account, those
of players who folded too, so the equity before is the mean of the equities after. Before the flop this mean is itself
estimated from random boards, drawn by a stream that depends on the hole cards only; that adds a little noise and no
bias.

A card changes more than the pot on the table: it also decides who wins the bets to come. `without_luck` therefore
multiplies the luck of each round by a constant. Any constants would leave the expectation as it is; these are about
those that leave the least spread in limit games of three to nine players, where they divide the variance of a hand by
four.
"""

from functools import cache
from itertools import accumulate, pairwise

import numpy as np
from numpy.typing import NDArray

from railbird.arena.luck.all_in import LuckError, expected_payoffs
from railbird.engine.betting_tree import BettingNode
from railbird.engine.record import HandRecord
from railbird.engine.rules import GameRules
from railbird.engine.state import UNKNOWN, State
from railbird.hands.evaluator import tables
from railbird.kernels.rules import betting
from railbird.kernels.rules.pots import PARTS
from railbird.kernels.showdown.equity import count_hands
from railbird.kernels.showdown.sampling import sample_boards
from railbird.rng import Stream

BOARDS = 1000
"""Number of random boards from which an equity before the flop is estimated."""
BETS_TO_COME = np.array([0.0, 2.2, 1.8, 1.2])
"""By which factor the luck of the cards of each round is multiplied."""


def has_board_luck(rules: GameRules) -> bool:
    """Whether a game is hold'em, with two hole cards of 52 and boards of three, four and five cards."""
    return rules.deals_two_of_52 and tuple(accumulate(rules.board_cards)) == (0, 3, 4, 5)


def board_luck(state: State) -> NDArray[np.float64]:
    """How many chips the board cards of each round were worth to each seat, where betting went on after them."""
    if not has_board_luck(state.rules):
        raise LuckError(
            f"board luck needs two hole cards of 52 and a board of five, unlike {state.rules.name}"
        )
    players, hole = state.rules.players, 2 * state.rules.players
    if UNKNOWN in state.cards[:hole]:
        raise LuckError("board luck needs all hole cards, including those of players who folded")
    luck = np.zeros((len(BETS_TO_COME), players))
    known: dict[tuple[int, int], NDArray[np.float64]] = {}
    for node in _first_of_rounds(state):
        number, folded = node.view[betting.ROUND], node.view[betting.FOLDED]
        seats = [seat for seat in range(players) if not folded >> seat & 1]
        for each in (number - 1, number):
            if (folded, each) not in known:
                known[folded, each] = _equities(state, seats, each)
        luck[number, seats] = node.view[betting.POT] * (known[folded, number] - known[folded, number - 1])
    return luck


def without_luck(state: State) -> tuple[int, ...]:
    """What every seat won in a finished hand without the luck of the board, in parts of a chip.

    After an all-in this is the mean over all boards that could have come.
    """
    rules = state.rules
    is_settled = not state.is_showdown or rules.board_size(state.round) == sum(rules.board_cards)
    payoffs = state.payoffs if is_settled else expected_payoffs(state)
    return tuple(
        [
            round(float(payoff) * PARTS - luck * PARTS)
            for payoff, luck in zip(payoffs, _with_bets_to_come(state), strict=True)
        ]
    )


def board_card_luck(record: HandRecord) -> tuple[float, ...]:
    """The luck of the board of every position, including the bets to come, as a control variate."""
    return tuple(_with_bets_to_come(record.state()))


def _with_bets_to_come(state: State) -> list[float]:
    luck: list[float] = (BETS_TO_COME @ board_luck(state)).tolist()
    return luck


def _first_of_rounds(state: State) -> list[BettingNode]:
    """The situations in which the betting of each round after the first began."""
    return [
        after
        for before, after in pairwise((state.setup.tree.root, *state.node.path))
        if after.view[betting.ROUND] > before.view[betting.ROUND] and after.actor is not None
    ]


def _equities(state: State, seats: list[int], number: int) -> NDArray[np.float64]:
    """The equities of these seats, with the board as it was in a round."""
    hole, size = 2 * state.rules.players, state.rules.board_size(number)
    cards = np.array(state.cards[: hole + size], dtype=np.uint8)
    live = np.delete(np.arange(52, dtype=np.uint8), cards)
    holes = cards[:hole].reshape(-1, 2)[seats]
    counts = np.zeros(1 << len(seats), dtype=np.int64)
    if size:
        count_hands(holes, cards[hole:], live, tables(), counts)
    else:
        words = Stream.from_seed("board luck").child(*state.cards[:hole]).words()
        sample_boards(holes, live.astype(np.int64), BOARDS, words, tables(), counts)
    found: NDArray[np.float64] = counts @ _shares(len(seats)) / counts.sum()
    return found


@cache
def _shares(players: int) -> NDArray[np.float64]:
    """For every set of winners, as bits, the share of the pot of each player."""
    winners = np.arange(1 << players)[:, np.newaxis] >> np.arange(players) & 1
    shares: NDArray[np.float64] = winners / np.maximum(1, winners.sum(axis=1, keepdims=True))
    return shares
