"""A finished hand in one pass, from the text of its betting and its cards: actions and payoffs.

The text is that of an ACPC log line between its second and its fourth colon, `crrc/cc/rrc/rc:7d3d|2hAc/5sKs7s/9s/6h`,
with every hole card known. Unusual or invalid text is left to slower readers, which can report what is wrong.
"""

import numpy as np
from numpy.typing import NDArray

from railbird.kernels.compiler import njit
from railbird.kernels.rules.betting import (
    ACTOR,
    AGGRESSOR,
    BETS,
    BETTING,
    CALL,
    FOLD,
    FOLDED,
    HOLE_CARDS,
    LIMIT,
    MERGED_POTS,
    MOST_SEATS,
    OUTCOME,
    PAID,
    RAISE,
    RAISE_MINIMUM,
    ROUND,
    ROUNDS,
    SEATS,
    SHOWDOWN,
    TO_CALL,
    Vector,
    advance,
    offers,
)
from railbird.kernels.rules.pots import collect_pots, merge_pots, return_uncalled, share_pot
from railbird.kernels.rules.showdown import settle, showdown_values

MOST_ACTIONS = 400
MOST_CARDS = 25

# The numbers written for a hand.
(
    ACTIONS,  # how many there were
    UNCALLED_SEAT,
    UNCALLED,  # the chips that go back to that seat
    LAST_ROUND,  # the last round whose board lies open
    BET_ROUND,  # the round in which betting ended
    LAST_AGGRESSOR,  # who bet or raised last in that round, −1 if nobody
    ALL_FOLDED,  # the seats that folded, as bits
    IS_SHOWDOWN,
    LENGTH,  # how many numbers the hand takes
) = range(9)
CARDS = 9  # hole cards seat by seat, then the board; −1 where it does not lie open
PAYOFFS = CARDS + MOST_CARDS  # in parts of a chip
ACTS = PAYOFFS + MOST_SEATS  # rows of seat, kind, chips paid, bet of the round afterwards, round
ACT_LENGTH = 5
AWARD_LENGTH = 3  # behind the acts: rows of seat, pot, parts of a chip
HAND_LENGTH = ACTS + ACT_LENGTH * MOST_ACTIONS + AWARD_LENGTH * MOST_SEATS * MOST_SEATS

_RANKS = b"23456789TJQKA"
_SUITS = b"cdhs"


def _card_places() -> NDArray[np.int64]:
    """What each letter adds to a card: four times its rank, then its suit; −100 for any other letter."""
    places = np.full((2, 256), -100, dtype=np.int64)
    for rank, letter in enumerate(_RANKS):
        places[0, letter] = 4 * rank
    for suit, letter in enumerate(_SUITS):
        places[1, letter] = suit
    return places


_PLACES = _card_places()
_COLON, _SLASH, _BAR, _C, _F, _R, _ZERO = 58, 47, 124, 99, 102, 114, 48


@njit(cache=True)
def replay_line(
    rules: Vector,
    opening: Vector,
    boards: Vector,
    deck: int,
    text: NDArray[np.uint8],
    tables: NDArray[np.uint16],
    hand: Vector,
) -> bool:
    """Write the hand given by a text, and return whether the text was understood.

    `boards` is the number of board cards by round, `deck` the cards in play as bits.
    """
    state = opening.copy()
    place = _replay_betting(rules, state, text, hand)
    if place < 0:
        return False
    last = state[ROUND]
    if state[OUTCOME] == SHOWDOWN:
        last = rules[ROUNDS] - 1
    if not _read_cards(rules, boards, deck, text, place, last, hand):
        return False
    hand[LAST_ROUND] = last
    hand[BET_ROUND] = state[ROUND]
    hand[LAST_AGGRESSOR] = state[AGGRESSOR]
    hand[ALL_FOLDED] = state[FOLDED]
    hand[IS_SHOWDOWN] = state[OUTCOME] == SHOWDOWN
    cards = hand[CARDS : CARDS + MOST_CARDS]
    settle(rules, state, cards, tables, hand[PAYOFFS : PAYOFFS + rules[SEATS]])
    _write_awards(rules, state, cards, tables, hand)
    return True


@njit(cache=True)
def _replay_betting(rules: Vector, state: Vector, text: NDArray[np.uint8], hand: Vector) -> int:
    """Perform the actions up to the colon, writing each; returns the place after it, −1 if anything is wrong."""
    length = len(text)
    place = 0
    count = 0
    while place < length and text[place] != _COLON:
        seat = state[ACTOR]
        if seat < 0 or count == MOST_ACTIONS:
            return -1
        letter = text[place]
        place += 1
        bet = state[BETS + seat]
        paid = 0
        if letter == _C:
            kind, amount, paid = CALL, 0, state[TO_CALL]
        elif letter == _F:
            kind, amount = FOLD, 0
        elif letter == _R:
            kind, amount = RAISE, state[RAISE_MINIMUM]
            if rules[BETTING] != LIMIT:
                start = place
                amount = 0
                while place < length and _ZERO <= text[place] <= _ZERO + 9 and place - start < 10:
                    amount = 10 * amount + text[place] - _ZERO
                    place += 1
                if place == start or text[start] == _ZERO:
                    return -1
                amount -= state[PAID + seat] - bet
            paid = amount - bet
        else:
            return -1
        if not offers(state, kind, amount):
            return -1
        row = ACTS + ACT_LENGTH * count
        number = state[ROUND]
        hand[row] = seat
        hand[row + 1] = kind
        hand[row + 2] = paid
        hand[row + 3] = bet + paid
        hand[row + 4] = number
        count += 1
        advance(rules, state, kind, amount)
        slashes = state[ROUND] - number
        if slashes == 0 and state[OUTCOME] == SHOWDOWN:
            slashes = rules[ROUNDS] - 1 - number
        for _ in range(slashes):
            if place == length or text[place] != _SLASH:
                return -1
            place += 1
    hand[ACTIONS] = count
    if place == length or state[ACTOR] >= 0 or count == 0:
        return -1
    return place + 1


@njit(cache=True)
def _read_cards(
    rules: Vector,
    boards: Vector,
    deck: int,
    text: NDArray[np.uint8],
    place: int,
    last: int,
    hand: Vector,
) -> bool:
    """Write the cards, which must be the whole open board and all players' hole cards, each once."""
    hand[CARDS : CARDS + MOST_CARDS] = -1
    left = deck
    card_place = CARDS
    for part in range(rules[SEATS] + last):
        count = rules[HOLE_CARDS]
        if part >= rules[SEATS]:
            count = boards[part - rules[SEATS] + 1]
        if part > 0:
            divider = _BAR if part < rules[SEATS] else _SLASH
            if place >= len(text) or text[place] != divider:
                return False
            place += 1
        for _ in range(count):
            if place + 1 >= len(text):
                return False
            card = _PLACES[0, text[place]] + _PLACES[1, text[place + 1]]
            if card < 0 or not (left >> card) & 1:
                return False
            left &= ~(np.int64(1) << card)
            hand[card_place] = card
            card_place += 1
            place += 2
    return place == len(text)


@njit(cache=True)
def _write_awards(
    rules: Vector, state: Vector, cards: Vector, tables: NDArray[np.uint16], hand: Vector
) -> None:
    """Return uncalled chips, and divide the rest pot by pot. The state cannot be used afterwards."""
    hand[UNCALLED_SEAT], hand[UNCALLED] = return_uncalled(rules, state)
    amounts = np.empty(MOST_SEATS, dtype=np.int64)
    claims = np.empty(MOST_SEATS, dtype=np.int64)
    values = np.zeros(MOST_SEATS, dtype=np.int64)
    pots = collect_pots(rules, state, amounts, claims)
    if state[OUTCOME] == SHOWDOWN:
        showdown_values(rules, state, cards, tables, values)
        if rules[MERGED_POTS]:
            pots = merge_pots(rules, values, amounts, claims, pots)
    awards = np.zeros(MOST_SEATS, dtype=np.int64)
    row = ACTS + ACT_LENGTH * hand[ACTIONS]
    for pot in range(pots):
        awards[:] = 0
        share_pot(rules, values, amounts[pot], claims[pot], awards)
        for seat in range(rules[SEATS]):
            if awards[seat]:
                hand[row] = seat
                hand[row + 1] = pot
                hand[row + 2] = awards[seat]
                row += AWARD_LENGTH
    hand[LENGTH] = row
