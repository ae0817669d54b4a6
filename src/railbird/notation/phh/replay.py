"""Hands that end without a showdown, fast: all their betting in one compiled call.

`replayed` gives the same events as playing the hand action by action (`notation.phh.actions.play_script`), or none if
the hand is unusual or wrong: a showdown, several pots, anything that the rules refuse. The plain reader then decides,
and gives the reason.
"""

from bisect import bisect_left
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from railbird.cards import format_cards
from railbird.engine.actions import ActionKind
from railbird.engine.events import Act, DealBoard, DealHole, Event, Return
from railbird.engine.history import HIDDEN_HOLES
from railbird.engine.rules import Betting
from railbird.engine.setup import Setup
from railbird.engine.state import UNKNOWN
from railbird.hands.evaluator import tables
from railbird.kernels.play.log_lines import (
    ACT_LENGTH,
    ACTIONS,
    ACTS,
    ALL_FOLDED,
    AWARD_LENGTH,
    HAND_LENGTH,
    IS_SHOWDOWN,
    LAST_ROUND,
    LENGTH,
    UNCALLED,
    UNCALLED_SEAT,
    replay_line,
)
from railbird.kernels.rules import betting
from railbird.kernels.rules.pots import PARTS
from railbird.notation.phh.actions import BOARD_SIZES, Script
from railbird.notation.phh.game import in_chips

_KINDS = tuple(ActionKind)
_FULL_DECK = (1 << 52) - 1
_BOARDS = np.array((0, 3, 1, 1), dtype=np.int64)


class Replayed(NamedTuple):
    """A hand that everybody but one player folded, before the pot is awarded."""

    events: list[Event]
    winner: int
    pot: int
    paid: list[int]
    """What each seat paid, uncalled bets included."""
    uncalled_seat: int
    uncalled: int


def replayed(setup: Setup, script: Script, decimals: int) -> Replayed | None:
    """The events up to the end of the betting, None if the plain reader must decide."""
    if not script.decisions or not setup.rules.is_holdem:
        return None
    opening = setup.opening.tolist()
    is_limit = setup.rules.betting is Betting.LIMIT
    text = _betting_text(opening, script, decimals, is_limit)
    known = [card for hole in script.hole for card in hole if card != UNKNOWN] + script.board
    if text is None or UNKNOWN in script.board or len(set(known)) < len(known):
        return None
    letters = np.frombuffer(
        f"{text}:{_any_cards(len(setup.stacks), len(script.board))}".encode(), dtype=np.uint8
    )
    hand = np.empty(HAND_LENGTH, dtype=np.int64)
    if not replay_line(setup.rules_vector, setup.opening, _BOARDS, _FULL_DECK, letters, tables(), hand):
        return None
    data = hand[: hand[LENGTH]].tolist()
    awards = ACTS + ACT_LENGTH * data[ACTIONS]
    seat_of, kind_of, paid_of, to, round_of = [
        data[start:awards:ACT_LENGTH] for start in range(ACTS, ACTS + ACT_LENGTH)
    ]
    if (
        data[IS_SHOWDOWN]
        or len(data) != awards + AWARD_LENGTH  # several pots, or none
        or seat_of != [decision.seat for decision in script.decisions]
        or (is_limit and not _has_amounts(script, to, decimals))
        or BOARD_SIZES[data[LAST_ROUND]] != len(script.board)
    ):
        return None
    events: list[Event] = [*setup.posts]
    for seat, hole in enumerate(script.hole):
        hidden = not hole or UNKNOWN in hole
        events.append(HIDDEN_HOLES[seat] if hidden else DealHole(seat, tuple(hole)))
    acts = [Act(*act) for act in zip(seat_of, map(_KINDS.__getitem__, kind_of), paid_of, to, strict=True)]
    done = 0
    for number in range(1, data[LAST_ROUND] + 1):
        until = bisect_left(round_of, number, done)
        events += acts[done:until]
        done = until
        events.append(DealBoard(number, tuple(script.board[BOARD_SIZES[number - 1] : BOARD_SIZES[number]])))
    events += acts[done:]
    if data[UNCALLED]:
        events.append(Return(data[UNCALLED_SEAT], data[UNCALLED]))
    paid = opening[betting.PAID : betting.PAID + len(setup.stacks)]
    for seat, chips in zip(seat_of, paid_of, strict=True):
        paid[seat] += chips
    winner = (~data[ALL_FOLDED] & (1 << len(paid)) - 1).bit_length() - 1
    pot = data[awards + 2] // PARTS
    return Replayed(events, winner, pot, paid, data[UNCALLED_SEAT], data[UNCALLED])


def _has_amounts(script: Script, to: list[int], decimals: int) -> bool:
    """Whether raises at limit, which a log writes without amounts, are to the amounts in the script."""
    return all(
        decision.verb != "cbr" or in_chips("an action", decision.amount, decimals) == bet
        for decision, bet in zip(script.decisions, to, strict=True)
    )


def _betting_text(opening: list[int], script: Script, decimals: int, is_limit: bool) -> str | None:
    """The actions as an ACPC log has them: a raise is to the total of the hand, and a slash ends a round."""
    players = len(script.hole)
    bets = opening[betting.BETS : betting.BETS + players]
    before = [paid - bet for paid, bet in zip(opening[betting.PAID :], bets, strict=False)]
    stacks = [chips + bet for chips, bet in zip(opening[betting.STACKS :], bets, strict=False)]
    board, text = 0, []
    for seat, verb, amount, dealt, _ in script.decisions:
        if dealt != board:
            if dealt not in BOARD_SIZES:
                return None
            text.append("/" * (BOARD_SIZES.index(dealt) - BOARD_SIZES.index(board)))
            board = dealt
            before = [paid + bet for paid, bet in zip(before, bets, strict=True)]
            stacks = [chips - bet for chips, bet in zip(stacks, bets, strict=True)]
            bets = [0] * players
        if verb == "f":
            text.append("f")
        elif verb == "cc":
            bets[seat] = min(max(bets), stacks[seat])
            text.append("c")
        else:
            bets[seat] = in_chips("an action", amount, decimals)
            text.append("r" if is_limit else f"r{before[seat] + bets[seat]}")
    return "".join(text)


@lru_cache(maxsize=64)
def _any_cards(players: int, board: int) -> str:
    """Cards for everybody, which do not matter if nobody shows them."""
    holes = "|".join(_text(range(2 * seat, 2 * seat + 2)) for seat in range(players))
    first = 2 * players
    parts = [(0, 3), (3, 4), (4, 5)]
    return holes + "".join(
        f"/{_text(range(first + start, first + end))}" for start, end in parts if end <= board
    )


def _text(cards: range) -> str:
    return format_cards(tuple(cards))
