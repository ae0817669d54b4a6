"""Speed of hand evaluation on one core: a batch, all holdings of a board, and all 133,784,560 seven-card hands.

A batch is 200,000 random hands of seven cards, dealt from a deck and therefore without duplicate cards; the remaining
checks of `evaluate_batch` are part of its time. All holdings are those of 1,000 random boards, 1,081 on each. A turn
takes about a tenth of a second on all sides, because shorter turns would mostly measure the scheduling of a busy
machine. eval7 has no batch and is called from Python for each hand. pokerfast's batch is its compiled function, called
with the bytes of all hands; its Python function takes cards as text and is slower. OMPEval, in C++, is compared if
`RAILBIRD_OMPEVAL` is the path of a library built from it, as docs/speed.md explains. All sides use one thread.
"""

import ctypes
import os
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from railbird.benchmarks.measuring import Figure, PeerMissing, Work, compare_rates, if_installed
from railbird.cards import DECK_SIZE, format_card
from railbird.hands.evaluator import evaluate_batch, evaluate_holdings, tables
from railbird.kernels.hands.evaluation import count_seven_card_values
from railbird.rng import Stream

BATCH = 200_000
REPETITIONS = 100
BOARDS, LIVE_HOLDINGS = 1000, 47 * 46 // 2
EVAL7_HANDS = 100_000
UNIT = "hands/s"


def figures() -> Iterator[Figure]:
    """Measure the batch against both peers, and the other forms against the batch."""
    hands = random_hands(BATCH)

    def batch() -> int:
        return sum(len(evaluate_batch(hands, check_distinct=False)) for _ in range(REPETITIONS))

    def checked_batch() -> int:
        return sum(len(evaluate_batch(hands)) for _ in range(REPETITIONS))

    boards = hands[:BOARDS, :5]

    def holdings() -> int:
        return sum(len(evaluate_holdings(boards)) for _ in range(REPETITIONS)) * LIVE_HOLDINGS

    def enumeration() -> int:
        return int(count_seven_card_values(tables()).sum())

    eval7, pokerfast = eval7_calls(hands), pokerfast_batch(hands)
    ompeval = ompeval_library()
    yield compare_rates("seven-card batch", batch, "eval7", eval7, unit=UNIT, required=100)
    yield compare_rates("seven-card batch", batch, "pokerfast", pokerfast, unit=UNIT, required=1.5)
    yield compare_rates(
        "seven-card batch, every card checked", checked_batch, "pokerfast", pokerfast, unit=UNIT
    )
    yield compare_rates(
        "seven-card batch",
        batch,
        "OMPEval",
        None if ompeval is None else lambda: ompeval_batch(ompeval, hands),
        unit=UNIT,
        required=1.15,
    )
    yield compare_rates("all holdings of a board", holdings, "our batch", batch, unit=UNIT, required=2)
    yield compare_rates("all seven-card hands", enumeration, "our batch", batch, unit=UNIT, required=2)
    yield compare_rates(
        "all seven-card hands",
        enumeration,
        "OMPEval",
        None if ompeval is None else lambda: int(ompeval.enumerate()),
        unit=UNIT,
        required=1.4,
    )


def random_hands(count: int) -> NDArray[np.uint8]:
    """`count` hands of seven cards, each from a deck of its own."""
    decks = np.tile(np.arange(DECK_SIZE, dtype=np.uint8), (count, 1))
    dealt = Stream.from_seed("bench evaluator").generator().permuted(decks, axis=1)[:, :7]
    return np.ascontiguousarray(dealt)


@if_installed
def eval7_calls(hands: NDArray[np.uint8]) -> Work:
    """One call of eval7 for each of the first hands, with cards converted in advance."""
    import eval7

    deck = [eval7.Card(format_card(card)) for card in range(DECK_SIZE)]
    rows = [[deck[card] for card in row] for row in hands[:EVAL7_HANDS].tolist()]

    def calls() -> int:
        for row in rows:
            eval7.evaluate(row)
        return len(rows)

    return calls


@if_installed
def pokerfast_batch(hands: NDArray[np.uint8]) -> Work:
    """One call of pokerfast's compiled evaluator for all hands."""
    from pokerfast import equity

    path = equity.find_library()
    if path is None:
        raise PeerMissing("pokerfast is installed without its compiled evaluator")
    library = ctypes.CDLL(path)
    library.pf_init()
    # It numbers ranks as we do; its numbering of suits differs, which does not change the values.
    cards = hands.tobytes()
    count = len(hands)
    values = (ctypes.c_uint16 * count)()

    def batch() -> int:
        for _ in range(REPETITIONS):
            failed = library.pf_evaluate(cards, ctypes.c_uint(count), ctypes.c_uint(7), values)
            assert not failed
        return REPETITIONS * count

    return batch


@if_installed
def ompeval_library() -> ctypes.CDLL:
    """The library that the environment names."""
    path = os.environ.get("RAILBIRD_OMPEVAL")
    if path is None:
        raise PeerMissing("RAILBIRD_OMPEVAL is not set")
    try:
        library = ctypes.CDLL(path)
        library.enumerate.restype, library.batch.restype = ctypes.c_ulong, None
    except (OSError, AttributeError) as error:
        raise ValueError(f"RAILBIRD_OMPEVAL does not name the library of docs/speed.md: {error}") from None
    return library


def ompeval_batch(library: ctypes.CDLL, hands: NDArray[np.uint8]) -> int:
    """One call of OMPEval's batch for all hands, as often as ours is called."""
    values = (ctypes.c_uint16 * len(hands))()
    for _ in range(REPETITIONS):
        library.batch(hands.ctypes.data_as(ctypes.c_void_p), ctypes.c_ulong(len(hands)), values)
    return REPETITIONS * len(hands)
