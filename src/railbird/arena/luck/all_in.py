"""The luck of the board after the last decision.

Once betting has ended before the last board cards are dealt, there are no decisions left. `all_in_luck` is what each
player won beyond the expectation over all ways to complete the board, including side pots. *All* dealt cards are taken
into account. If the cards of players who folded are unknown, a hand has no all-in luck here: the fact that they folded
carries information about their cards and so about the board, which a count over all other cards would miss.
"""

from fractions import Fraction
from functools import cache, lru_cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from railbird.cards import DECK_SIZE, Card
from railbird.engine.events import Act, Chips, DealBoard
from railbird.engine.record import HandRecord
from railbird.engine.state import UNKNOWN, State
from railbird.equities.matchups import RUN_OUTS, stored_matchups
from railbird.hands.evaluator import tables
from railbird.hands.holdings import holding
from railbird.kernels.rules import betting
from railbird.kernels.rules.pots import PARTS, share_pot
from railbird.kernels.rules.showdown import settle
from railbird.kernels.showdown.equity import count_hands


class LuckError(ValueError):
    """A hand or a variate from which luck cannot be determined."""


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
