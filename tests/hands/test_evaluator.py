"""The evaluator ranks hands as the rules and two independent evaluators do, and refuses what is no hand."""

import ctypes
import mmap
import os
import subprocess
import sys
import tomllib
from collections.abc import Callable, Sequence
from itertools import combinations
from math import comb
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from phevaluator import Card as PhevaluatorCard

from folders import TESTS
from railbird.cards import DECK_SIZE, CardError, format_card, format_cards, parse_cards
from railbird.hands.categories import Category, category, count_seven_card_categories
from railbird.hands.evaluator import (
    HandError,
    PartialHand,
    best_five,
    evaluate,
    evaluate_batch,
    evaluate_holdings,
    tables,
)
from railbird.hands.holdings import HIGH_CARDS, HOLDINGS, LOW_CARDS, blocked_by
from railbird.kernels.hands.evaluation import (
    CARD_KEYS,
    CARD_MASKS,
    EMPTY_KEY,
    batch_values,
    cards_value,
    count_seven_card_values,
    first_repetition,
    hand_value,
    seven_card_value,
)
from railbird.kernels.hands.evaluation_tables import BEST_VALUE, five_card_strengths
from reference.hand_ranking import Strength, best_hand
from reference.hand_referees import EVAL7_DECK, REFEREES

Hands = NDArray[np.uint8]

HAND_COUNTS = tomllib.loads((TESTS / "data" / "hand_counts.toml").read_text(encoding="utf-8"))
SIZES = st.sampled_from([5, 6, 7])


def different_cards(count: int) -> st.SearchStrategy[list[int]]:
    """Different cards, often of few ranks or of few suits, where hands worth a name are common."""
    narrow = st.sampled_from(
        [
            range(DECK_SIZE),
            range(0, DECK_SIZE, 4),
            [card for card in range(DECK_SIZE) if card % 4 < 2],
            range(36, 52),
        ]
    )
    return narrow.flatmap(
        lambda cards: st.lists(st.sampled_from(list(cards)), min_size=count, max_size=count, unique=True)
    )


hands_of_any_size = SIZES.flatmap(different_cards)


def all_hands(size: int) -> Hands:
    """Every hand of so many cards, cards ascending in a row, rows ordered by their highest cards."""
    hands = np.empty((1, 0), dtype=np.uint8)
    for cards in range(1, size + 1):
        hands = np.concatenate([with_highest(hands, highest) for highest in range(cards - 1, DECK_SIZE)])
    return hands


def with_highest(hands: Hands, highest: int) -> Hands:
    """The hands of one card more with this highest card, from all hands in the order of `all_hands`."""
    below = hands[: comb(highest, hands.shape[1])]
    return np.column_stack([below, np.full(len(below), highest, dtype=np.uint8)])


def random_rows(generator: np.random.Generator, count: int, cards: int) -> Hands:
    """Rows of different cards; whatever is drawn with a repetition is drawn again."""
    rows = np.empty((0, cards), dtype=np.uint8)
    while len(rows) < count:
        drawn = generator.integers(0, DECK_SIZE, (2 * count, cards), dtype=np.uint8)
        ordered = np.sort(drawn, axis=1)
        rows = np.concatenate([rows, drawn[(ordered[:, 1:] != ordered[:, :-1]).all(axis=1)]])
    return rows[:count]


def assert_same_order(hands: Hands, ours: NDArray[np.uint16], theirs: NDArray[np.int64]) -> None:
    """Hands tie for us exactly where they tie for the referee, and otherwise the same one is better."""
    their_value = np.zeros(BEST_VALUE + 1, dtype=np.int64)
    their_value[ours] = theirs
    different = their_value[ours] != theirs
    if different.any():
        one = different.argmax()
        other = (ours == ours[one]).nonzero()[0][-1]
        pytest.fail(f"{format_cards(hands[one])} and {format_cards(hands[other])} tie only for us")
    climbs = np.diff(their_value[np.unique(ours)]) > 0
    if not climbs.all():
        value = np.unique(ours)[climbs.argmin()]
        pytest.fail(f"{format_cards(hands[(ours == value).argmax()])} is ordered differently")


def test_the_referees_number_their_cards_as_we_do() -> None:
    assert [PhevaluatorCard.to_id(format_card(card)) for card in range(DECK_SIZE)] == list(range(DECK_SIZE))
    assert [str(card) for card in EVAL7_DECK] == [format_card(card) for card in range(DECK_SIZE)]


@pytest.mark.parametrize("referee", REFEREES)
def test_all_five_card_hands_are_ordered_as_the_referee_orders_them(referee: str) -> None:
    hands = all_hands(5)
    values = evaluate_batch(hands)
    assert len(hands) == 2_598_960
    assert np.unique(values).tolist() == list(range(1, BEST_VALUE + 1))
    assert_same_order(hands, values, REFEREES[referee](hands))


def check_pairs(size: int, pairs: int, seed: int) -> None:
    """Deal two players their hole cards and a common board, and let both referees judge."""
    deals = random_rows(np.random.default_rng(seed), pairs, size + 2)
    one, other = deals[:, 2:], np.delete(deals, [2, 3], axis=1)
    hands = np.concatenate([one, other])
    values = evaluate_batch(hands)
    verdicts = np.sign(values[:pairs].astype(int) - values[pairs:])
    assert {-1, 0, 1} == set(verdicts.tolist())
    for name, referee in REFEREES.items():
        theirs = referee(hands)
        wrong = verdicts != np.sign(theirs[:pairs] - theirs[pairs:])
        assert not wrong.any(), (name, format_cards(one[wrong.argmax()]), format_cards(other[wrong.argmax()]))
        assert_same_order(hands, values, theirs)


@pytest.mark.parametrize("size", [6, 7])
def test_200_000_pairs_of_hands_are_judged_as_both_referees_judge_them(size: int) -> None:
    check_pairs(size, 200_000, seed=size)


@pytest.mark.soak
@pytest.mark.parametrize("part", range(20))
@pytest.mark.parametrize("size", [6, 7])
def test_ten_million_pairs_of_hands_are_judged_as_both_referees_judge_them(size: int, part: int) -> None:
    check_pairs(size, 500_000, seed=1000 * size + part)


def test_the_categories_of_all_five_card_hands_are_the_known_ones() -> None:
    values = evaluate_batch(all_hands(5))
    known = HAND_COUNTS["five"]
    assert len(values) == known["total"]
    assert count_by_category(np.bincount(values)) == known["hands"]
    assert count_by_category(np.bincount(np.unique(values))) == known["distinct"]


def test_the_categories_of_all_six_card_hands_are_the_known_ones() -> None:
    fives = all_hands(5)
    counts = np.zeros(BEST_VALUE + 1, dtype=np.int64)
    for highest in range(5, DECK_SIZE):
        counts += np.bincount(evaluate_batch(with_highest(fives, highest)), minlength=BEST_VALUE + 1)
    known = HAND_COUNTS["six"]
    assert counts.sum() == known["total"]
    assert count_by_category(counts) == known["hands"]


def test_the_categories_of_all_seven_card_hands_are_the_known_ones() -> None:
    counts = count_seven_card_values(tables())
    known = HAND_COUNTS["seven"]
    assert counts.sum() == known["total"]
    assert count_by_category(counts) == known["hands"]
    assert count_by_category((counts > 0).astype(int)) == known["distinct"]
    assert list(count_seven_card_categories().items()) == list(zip(Category, known["hands"], strict=True))


@pytest.mark.soak
def test_the_enumeration_counts_what_the_batch_evaluator_finds_in_all_seven_card_hands() -> None:
    sixes = all_hands(6)
    counts = np.zeros(BEST_VALUE + 1, dtype=np.int64)
    for highest in range(6, DECK_SIZE):
        hands = with_highest(sixes, highest)
        counts += np.bincount(evaluate_batch(hands, check_distinct=False), minlength=BEST_VALUE + 1)
    assert (counts == count_seven_card_values(tables())).all()


def count_by_category(counts: NDArray[np.integer[Any]]) -> list[int]:
    """Counts by value, added up by category."""
    totals = [0] * len(Category)
    for value in counts.nonzero()[0].tolist():
        totals[category(value)] += int(counts[value])
    return totals


def strength_of(value: int) -> Strength:
    return five_card_strengths()[value - 1]


@given(hands_of_any_size)
@settings(max_examples=300, deadline=None)
def test_a_hand_is_worth_its_best_five_cards(cards: list[int]) -> None:
    assert strength_of(evaluate(cards)) == best_hand(cards)


def test_every_form_of_the_kernel_agrees_with_the_rule_book_on_random_hands() -> None:
    generator = np.random.default_rng(52)
    for size in (5, 6, 7):
        hands = random_rows(generator, 600, size)
        strengths = [best_hand(row) for row in hands.tolist()]
        values = np.zeros(len(hands), dtype=np.uint16)
        batch_values(hands, tables(), values)
        keys = EMPTY_KEY + CARD_KEYS[hands].sum(axis=1)
        masks = np.bitwise_or.reduce(CARD_MASKS[hands], axis=1)
        assert [strength_of(value) for value in values.tolist()] == strengths
        assert evaluate_batch(hands).tolist() == values.tolist()
        assert [evaluate(row) for row in hands.tolist()] == values.tolist()
        assert [hand_value(*hand, tables()) for hand in zip(keys, masks, strict=True)] == values.tolist()
        longer = np.concatenate([hands, hands], axis=1).astype(np.int64)
        assert [cards_value(row, size, tables()) for row in longer] == values.tolist()
        if size == 7:
            assert [
                seven_card_value(*hand, tables()) for hand in zip(keys, masks, strict=True)
            ] == values.tolist()


@given(hands_of_any_size, st.randoms(use_true_random=False), st.permutations(range(4)))
@settings(deadline=None)  # the first call may have to compile
def test_neither_the_order_of_the_cards_nor_the_names_of_the_suits_matter(
    cards: list[int], random: Random, suits: Sequence[int]
) -> None:
    renamed = [4 * (card // 4) + suits[card % 4] for card in cards]
    random.shuffle(renamed)
    assert evaluate(renamed) == evaluate(cards)


@given(st.sampled_from([6, 7]).flatmap(different_cards))
@settings(deadline=None)  # the first call may have to compile
def test_one_more_card_gives_the_best_hand_without_one_of_them(cards: list[int]) -> None:
    assert evaluate(cards) == max(evaluate([c for c in cards if c != left_out]) for left_out in cards)


@given(hands_of_any_size, st.data())
@settings(deadline=None)  # the first call may have to compile
def test_parts_of_a_hand_add_to_the_hand(cards: list[int], data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(cards)))
    board, hole = PartialHand.of(cards[:cut]), PartialHand.of(cards[cut:])
    assert board + hole == hole + board == PartialHand.of(cards)
    assert (board + hole).cards == tuple(sorted(cards))
    assert (board + hole).value() == evaluate(cards)


def test_parts_that_share_a_card_do_not_add() -> None:
    board = PartialHand.of(parse_cards("Ah Kd 2c"))
    with pytest.raises(CardError, match=r"^Kd is in both parts of the hand$"):
        board + PartialHand.of(parse_cards("Kd Qc"))


def test_a_part_of_a_hand_has_no_value_yet() -> None:
    with pytest.raises(HandError, match=r"^a hand of 3 cards cannot be evaluated: 5, 6 or 7 are needed$"):
        PartialHand.of(parse_cards("Ah Kd 2c")).value()


@pytest.mark.parametrize(
    ("cards", "message"),
    [
        ([0, 1, 2, 3], r"^a hand of 4 cards cannot be evaluated: 5, 6 or 7 are needed$"),
        (range(8), r"^a hand of 8 cards cannot be evaluated: 5, 6 or 7 are needed$"),
        ([0, 1, 2, 3, 52], r"^52 is not a card: cards are 0\.\.51$"),
        ([0, 1, 2, 3, -1], r"^-1 is not a card: cards are 0\.\.51$"),
        ([50, 1, 2, 3, 50], r"^Ah appears twice$"),
    ],
)
def test_what_is_no_hand_is_refused_in_one_sentence(cards: Sequence[int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        evaluate(cards)


@pytest.mark.parametrize(
    ("hands", "message"),
    [
        (np.zeros((3, 7), dtype=np.int64), r"^hands are an array of type uint8, not int64$"),
        (
            np.zeros(7, dtype=np.uint8),
            r"^hands are an array of shape \(N, 5\), \(N, 6\) or \(N, 7\), not \(7,\)$",
        ),
        (np.zeros((2, 4), dtype=np.uint8), r"^hands are .* not \(2, 4\)$"),
        (np.array([[0, 1, 2, 3, 4], [0, 1, 2, 3, 200]], dtype=np.uint8), r"^200 in row 1 is not a card: "),
        (np.array([[0, 1, 2, 3, 4], [0, 50, 2, 3, 50]], dtype=np.uint8), r"^Ah appears twice in row 1$"),
    ],
)
def test_an_array_that_holds_no_hands_is_refused_in_one_sentence(hands: Hands, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        evaluate_batch(hands)


@given(st.sampled_from([3, 4, 5]).flatmap(different_cards))
@settings(max_examples=200, deadline=None)
def test_all_holdings_of_a_board_are_worth_what_they_are_one_by_one(board: list[int]) -> None:
    (values,) = evaluate_holdings(np.array([board], dtype=np.uint8))
    blocked = blocked_by(board)
    hands = np.column_stack([np.tile(np.array(board, dtype=np.uint8), (HOLDINGS, 1)), HIGH_CARDS, LOW_CARDS])
    assert (values[blocked] == 0).all()
    assert values[~blocked].tolist() == evaluate_batch(hands[~blocked]).tolist()


@pytest.mark.parametrize("size", [3, 4, 5])
def test_many_boards_are_evaluated_row_by_row(size: int) -> None:
    boards = random_rows(np.random.default_rng(size), 50, size)
    values = evaluate_holdings(boards)
    assert values.shape == (50, HOLDINGS)
    for board, row in zip(boards, values, strict=True):
        assert (row == evaluate_holdings(board[np.newaxis])[0]).all()
    assert evaluate_holdings(boards[:0]).shape == (0, HOLDINGS)


@pytest.mark.parametrize(
    ("boards", "message"),
    [
        (np.zeros((1, 5)), r"^boards are an array of type uint8, not float64$"),
        (
            np.zeros((1, 6), dtype=np.uint8),
            r"^boards are an array of shape \(N, 3\), \(N, 4\) or \(N, 5\), not \(1, 6\)$",
        ),
        (np.array([[0, 1, 52]], dtype=np.uint8), r"^52 in row 0 is not a card: "),
        (np.array([[0, 1, 2, 0]], dtype=np.uint8), r"^2c appears twice in row 0$"),
    ],
)
def test_an_array_that_holds_no_boards_is_refused_in_one_sentence(boards: NDArray[Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        evaluate_holdings(boards)


def test_cards_are_checked_even_where_the_caller_vouches_for_their_difference() -> None:
    with pytest.raises(CardError, match=r"^52 in row 0 is not a card: cards are 0\.\.51$"):
        evaluate_batch(np.array([[52, 0, 1, 2, 3, 4, 5]], dtype=np.uint8), check_distinct=False)


@pytest.mark.parametrize("count", [1, 4, 7, 255, 256, 260, 519])
def test_a_number_that_is_not_a_card_is_refused_wherever_it_stands(count: int) -> None:
    hands = random_rows(np.random.default_rng(count), count, 7)
    for row in {0, count // 2, count - 1}:
        for column in range(7):
            spoilt = hands.copy()
            spoilt[row, column] = 52 + 29 * column
            with pytest.raises(
                CardError, match=rf"^{52 + 29 * column} in row {row} is not a card: cards are 0\.\.51$"
            ):
                evaluate_batch(spoilt)


def test_of_numbers_that_are_not_cards_the_first_row_is_named() -> None:
    hands = random_rows(np.random.default_rng(1), 600, 7)
    hands[[300, 301, 599], 6] = 99
    with pytest.raises(CardError, match=r"^99 in row 300 is not a card"):
        evaluate_batch(hands)


@pytest.mark.parametrize("count", [*range(1, 10), 255, 256, 257, 260, 511, 512, 1000])
def test_a_batch_may_be_of_any_length_and_of_nothing_but_flushes(count: int) -> None:
    generator = np.random.default_rng(count)
    hands = random_rows(generator, count, 7)
    ranks = generator.permuted(np.tile(np.arange(13, dtype=np.uint8), (count, 1)), axis=1)[:, :7]
    flushes = 4 * ranks + generator.integers(0, 4, (count, 1), dtype=np.uint8)
    for rows in (hands, flushes):
        assert evaluate_batch(rows).tolist() == [evaluate(row) for row in rows.tolist()]


def test_processors_without_vector_instructions_find_the_same_values(tmp_path: Path) -> None:
    hands = random_rows(np.random.default_rng(7), 1000, 7)
    np.save(tmp_path / "hands.npy", hands)
    program = (
        "import sys; import numpy as np; from railbird.hands.evaluator import evaluate_batch;"
        "print(*evaluate_batch(np.load(sys.argv[1])).tolist())"
    )
    run = subprocess.run(
        [sys.executable, "-c", program, tmp_path / "hands.npy"],
        env=os.environ | {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""},
        check=True,
        capture_output=True,
        text=True,
    )
    assert [int(value) for value in run.stdout.split()] == evaluate_batch(hands).tolist()


@pytest.mark.parametrize("size", [5, 6, 7])
def test_a_repeated_card_is_found_in_any_two_places(size: int) -> None:
    for places in combinations(range(size), 2):
        hands = np.tile(np.arange(10, 10 + size, dtype=np.uint8), (4, 1))
        assert first_repetition(hands) == -1
        hands[2, list(places)] = 51
        assert first_repetition(hands) == 2


@pytest.mark.parametrize("size", [5, 6, 7])
def test_a_batch_may_be_empty(size: int) -> None:
    values = evaluate_batch(np.empty((0, size), dtype=np.uint8))
    assert values.shape == (0,)
    assert values.dtype == np.uint16


def read_only(hands: Hands) -> Hands:
    copy = hands.copy()
    copy.flags.writeable = False
    return copy


@pytest.mark.parametrize("size", [5, 6, 7])
@pytest.mark.parametrize(
    "arrange",
    [
        lambda hands: np.asfortranarray(hands),
        lambda hands: np.repeat(hands, 2, axis=0)[::2],
        lambda hands: hands[::-1].copy()[::-1],
        lambda hands: np.concatenate([hands, hands], axis=1)[:, : hands.shape[1]],
        lambda hands: np.frombuffer(bytearray(b"\0" + hands.tobytes()), np.uint8, offset=1).reshape(
            hands.shape
        ),
        read_only,
    ],
    ids=[
        "by columns",
        "every second row",
        "backwards",
        "a part of wider rows",
        "unaligned bytes",
        "read-only",
    ],
)
def test_hands_may_lie_in_memory_as_they_like(arrange: Callable[[Hands], Hands], size: int) -> None:
    hands = random_rows(np.random.default_rng(size), 100, size)
    arranged = arrange(hands)
    assert (arranged == hands).all()
    assert evaluate_batch(arranged).tolist() == [evaluate(row) for row in hands.tolist()]


@pytest.mark.parametrize("count", [1, 2, 3, 8, 100])
def test_no_byte_is_read_past_the_last_hand(count: int) -> None:
    """The hands end where a page of memory begins that may not be read: touching it would end the process."""
    libc = ctypes.CDLL(None, use_errno=True)
    pages = mmap.mmap(-1, 2 * mmap.PAGESIZE)
    memory = np.frombuffer(pages, dtype=np.uint8)
    hands = memory[mmap.PAGESIZE - 7 * count : mmap.PAGESIZE].reshape(count, 7)
    hands[:] = random_rows(np.random.default_rng(count), count, 7)
    expected = [evaluate(row) for row in hands.tolist()]
    guard = ctypes.c_void_p(memory.ctypes.data + mmap.PAGESIZE)
    assert libc.mprotect(guard, ctypes.c_size_t(mmap.PAGESIZE), 0) == 0
    try:
        values = evaluate_batch(hands)
    finally:
        libc.mprotect(guard, ctypes.c_size_t(mmap.PAGESIZE), mmap.PROT_READ | mmap.PROT_WRITE)
    assert values.tolist() == expected


def test_the_best_five_make_the_hand_and_come_first() -> None:
    for text, best in (
        ("Ah Kd 2c 3d 9s Ts Jc", "Ah Kd 9s Ts Jc"),
        ("2h 2d As Ks Qs Js Ts", "As Ks Qs Js Ts"),
        ("7h 7d 7c 8d 8s 8c 2h", "7h 7d 8d 8s 8c"),
        ("5h 4h 3h 2h Ah", "5h 4h 3h 2h Ah"),
    ):
        assert best_five(parse_cards(text)) == tuple(parse_cards(best))
