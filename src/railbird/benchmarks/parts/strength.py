"""Time of hand strength computations from Python on one core: against pokerfast, and against required bounds.

pokerfast's exact equity is OMPEval's enumeration in C++ with one thread; it gives one of the five measures that
`strength` gives. All other figures have a bound instead of a peer: the median of individually timed calls on random
situations must stay below it.
"""

from collections.abc import Callable, Iterator, Sequence
from statistics import median
from time import process_time
from typing import TypeAlias

import numpy as np

from railbird.benchmarks.measuring import Figure, Work, bounded, compare_rates, if_installed
from railbird.cards import DECK_SIZE, format_cards, suit_of
from railbird.equities.ranges import Range
from railbird.equities.strength import board_hand_strengths, board_strengths, strength
from railbird.equities.tables import StrengthMeasure, table
from railbird.hands.holdings import HOLDINGS
from railbird.kernels.strength.tables import look_up_each
from railbird.rng import Stream

Situation: TypeAlias = tuple[tuple[int, ...], tuple[int, ...]]
"""Hole cards and board."""

CALLS = 300
PEER_CALLS = 40
TURNS = 3
LEAST_SECONDS = 0.1
_UNITS = {"µs": 1e6, "ms": 1e3}


def figures() -> Iterator[Figure]:
    """Measure one holding on every street, also against a range, and all holdings of a board."""
    stream = Stream.from_seed("bench strength")
    flops, turns, rivers = (random_situations(stream, board_cards, CALLS) for board_cards in (3, 4, 5))
    one_suit = [
        situation for situation in random_situations(stream, 3, 25 * CALLS) if _is_one_suit(situation)
    ]
    believed = Range(stream.child("range").generator().random(HOLDINGS))

    def five_measures() -> int:
        for hole, board in flops[:PEER_CALLS]:
            strength(hole, board)
        return PEER_CALLS

    yield compare_rates(
        "five measures on the flop",
        five_measures,
        "pokerfast, equity alone",
        pokerfast_equity(flops[:PEER_CALLS]),
        unit="situations/s",
        required=8,
        turns=9,
    )
    yield duration("five measures on the flop", strength, flops, 200.0)
    yield duration("five measures on a flop of one suit", strength, one_suit[:CALLS], 460.0)
    yield duration(
        "five measures on the flop against a range",
        lambda hole, board: strength(hole, board, believed),
        flops,
        1000.0,
    )
    yield duration("five measures on the turn", strength, turns, 60.0)
    yield duration("five measures on the river", strength, rivers, 15.0)
    yield duration(
        "E[HS²] of all holdings of a flop", lambda _, board: board_strengths(board), flops[:60], 25.0, "ms"
    )
    yield duration(
        "HS of all holdings of a river against a range",
        lambda _, board: board_hand_strengths(board, believed),
        rivers,
        100.0,
    )
    for board_cards in (3, 4):
        yield look_up_duration(stream, board_cards)


def look_up_duration(stream: Stream, board_cards: int) -> Figure:
    """One look-up in the table of a street inside compiled code; builds the table if necessary."""
    situations = random_situations(stream, board_cards, 20_000)
    holes, boards = (np.array(cards, dtype=np.uint8) for cards in zip(*situations, strict=True))
    values = np.empty(len(situations), dtype=np.float32)
    strengths = table(board_cards)

    def look_up_all(_: object, __: object) -> None:
        look_up_each(holes, boards, StrengthMeasure.EXPECTED_HS_SQUARED.value, strengths, values)

    whole = medians_of(look_up_all, situations[:50])
    street = "flop" if board_cards == 3 else "turn"
    each = [1e6 * seconds / len(situations) for seconds in whole]
    return bounded(f"one look-up in the {street} table", each, 1.0, "µs")


def duration(
    name: str,
    call: Callable[[tuple[int, ...], tuple[int, ...]], object],
    situations: Sequence[Situation],
    bound: float,
    unit: str = "µs",
) -> Figure:
    """The median duration of a call, compared with its upper bound."""
    return bounded(name, [_UNITS[unit] * seconds for seconds in medians_of(call, situations)], bound, unit)


def medians_of(
    call: Callable[[tuple[int, ...], tuple[int, ...]], object], situations: Sequence[Situation]
) -> list[float]:
    """The median duration of a call in each of several turns, in seconds.

    In a turn, situations are repeated for at least a tenth of a second, because other processes may disturb a shorter
    measurement; the first calls are a warm-up.
    """
    for hole, board in situations[:10]:
        call(hole, board)
    medians = []
    for _ in range(TURNS):
        durations: list[float] = []
        while sum(durations) < LEAST_SECONDS:
            for hole, board in situations:
                start = process_time()
                call(hole, board)
                durations.append(process_time() - start)
        medians.append(median(durations))
    return medians


def random_situations(stream: Stream, board_cards: int, count: int) -> list[Situation]:
    """`count` situations with a board of three to five cards, each from a deck of its own."""
    decks = np.tile(np.arange(DECK_SIZE), (count, 1))
    dealt = stream.child("situations", board_cards, count).generator().permuted(decks, axis=1)
    return [(tuple(deck[:2]), tuple(deck[2 : 2 + board_cards])) for deck in dealt.tolist()]


def _is_one_suit(situation: Situation) -> bool:
    return len({suit_of(card) for card in situation[1]}) == 1


@if_installed
def pokerfast_equity(situations: Sequence[Situation]) -> Work:
    """One call of pokerfast's exact equity against a random holding for each situation, with cards as text."""
    from pokerfast.equity import equity_vs_random

    written = [(format_cards(hole), format_cards(board)) for hole, board in situations]

    def calls() -> int:
        for hole, board in written:
            equity_vs_random(hole, board)
        return len(written)

    return calls
