"""Tables of HS, E[HS] and E[HS²] over canonical situations: right, complete, resumed where they stopped."""

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from railbird.cards import parse_cards
from railbird.equities import tables as tables_module
from railbird.equities.matchups import RUN_OUTS, matchups
from railbird.equities.table_files import read_array, write_array
from railbird.equities.tables import (
    STRENGTH_TABLES,
    StrengthMeasure,
    StrengthTable,
    StrengthTableError,
    distribution,
    look_up,
    table,
)
from railbird.hands.evaluator import tables as evaluator_tables
from railbird.hands.holdings import cards_of, holding
from railbird.hands.isomorphism import (
    BOARDS,
    SITUATIONS,
    board,
    board_deals,
    board_index,
    deals,
    situation,
    situation_index,
)
from railbird.kernels.hands.holdings import HOLDINGS
from railbird.kernels.hands.isomorphism import count_deals
from railbird.kernels.strength import tables as kernels
from reference.hand_referees import eval7_values
from reference.strength_tables import measures

FIRST_FLOPS = StrengthTable("flop", board_cards=3, boards=5, piece=2)
"""A table that knows only five of the flops."""


@pytest.fixture
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder of the test's own."""
    evaluator_tables()
    monkeypatch.setenv("RAILBIRD_HOME", str(tmp_path))
    return tmp_path / "cache"


def covered_boards(flops: NDArray[np.float32]) -> set[tuple[int, ...]]:
    """The boards of all situations of a flop table that have measures."""
    return {situation(index, 3)[1] for index in np.flatnonzero(~np.isnan(flops).any(axis=1)).tolist()}


def measured(number: int, cards: int) -> NDArray[np.float32]:
    rows = np.empty((1, HOLDINGS, 3), dtype=np.float32)
    kernels.measure_boards(number, cards, evaluator_tables(), rows)
    only: NDArray[np.float32] = rows[0]
    return only


@pytest.mark.parametrize(
    ("cards", "boards", "holdings"), [pytest.param(3, 1, 1, marks=pytest.mark.soak), (4, 2, 1)]
)
def test_measures_are_those_of_meeting_every_opponent(cards: int, boards: int, holdings: int) -> None:
    generator = np.random.default_rng(cards)
    for number in generator.choice(BOARDS[cards], boards, replace=False).tolist():
        rows = measured(number, cards)
        free = np.flatnonzero(~np.isnan(rows[:, 0]))
        for index in generator.choice(free, holdings, replace=False).tolist():
            expected = measures(cards_of(index), board(number, cards))
            assert rows[index] == pytest.approx(expected, abs=1e-7), (cards_of(index), board(number, cards))


def by_situation(number: int, cards: int) -> dict[int, NDArray[np.float32]]:
    """The measures of a board's situations."""
    rows, own = measured(number, cards), board(number, cards)
    free = np.flatnonzero(~np.isnan(rows[:, 0])).tolist()
    return {situation_index(cards_of(index), own): rows[index] for index in free}


def test_measures_of_a_flop_are_the_means_over_its_turns() -> None:
    number = board_index(parse_cards("Th 7h 2c"))
    flop = board(number, 3)
    holdings = [held for held in map(cards_of, range(HOLDINGS)) if set(held).isdisjoint(flop)][::20]
    finals: dict[tuple[int, ...], list[NDArray[np.float32]]] = {held: [] for held in holdings}
    for turn in set(range(52)) - set(flop):
        measures_of = by_situation(board_index((*flop, turn)), 4)
        for held in holdings:
            if turn not in held:
                finals[held].append(measures_of[situation_index(held, (*flop, turn))][1:])
    of_flop = by_situation(number, 3)
    for held in holdings:
        assert of_flop[situation_index(held, flop)][1:] == pytest.approx(
            np.mean(finals[held], axis=0), abs=1e-6
        )


def test_a_board_blocks_exactly_the_holdings_with_its_cards() -> None:
    for number in (0, 700, 1754):
        rows = measured(number, 3)
        for index in range(HOLDINGS):
            blocked = not set(cards_of(index)).isdisjoint(board(number, 3))
            assert np.isnan(rows[index]).tolist() == [blocked] * 3


def test_holdings_that_are_the_same_situation_have_the_same_measures() -> None:
    # On a board of one suit the other three suits can be renamed at will.
    number = board_index(parse_cards("Qh 8h 3h"))
    rows = measured(number, 3)
    found: dict[int, NDArray[np.float32]] = {}
    for index in np.flatnonzero(~np.isnan(rows[:, 0])).tolist():
        place = situation_index(cards_of(index), board(number, 3))
        assert np.array_equal(found.setdefault(place, rows[index]), rows[index])
    assert len(found) < 0.4 * 1176


def test_a_table_is_built_kept_and_read_back(own_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[int, int]] = []
    built = FIRST_FLOPS.read_or_build(lambda done, total: seen.append((done, total)))
    assert seen[-1] == (5, 5)
    assert len(seen) == 3
    assert built.shape == (SITUATIONS[3], 3)
    assert not built.flags.writeable
    assert [path.name for path in own_home.iterdir() if "strength" in path.name] == [FIRST_FLOPS.file.name]
    assert {board_index(cards) for cards in covered_boards(built)} == set(range(5))
    monkeypatch.setattr(kernels, "measure_boards", None)
    assert np.array_equal(FIRST_FLOPS.read_or_build(), built, equal_nan=True)


def test_a_stopped_build_goes_on_where_it_was(own_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        FIRST_FLOPS.read_or_build(stop)
    assert FIRST_FLOPS.stored() is None
    kept = {int(path.stem.rpartition("-")[2]) for path in own_home.glob("*.piece-*.npy")}
    assert kept
    # The last piece to be measured is lost, as if the machine had stopped while it was written.
    lost = kept.pop()
    next(own_home.glob(f"*.piece-{lost:05}.npy")).unlink()
    again: list[int] = []
    measure = kernels.measure_boards

    def watched(first: int, cards: int, values: NDArray[np.uint16], rows: NDArray[np.float32]) -> None:
        again.append(first)
        measure(first, cards, values, rows)

    monkeypatch.setattr(kernels, "measure_boards", watched)
    resumed = FIRST_FLOPS.read_or_build()
    assert sorted(again) == sorted({0, 2, 4} - kept)
    assert {board_index(cards) for cards in covered_boards(resumed)} == set(range(5))
    assert not list(own_home.glob("*.piece-*"))


def test_a_damaged_file_counts_as_missing(tmp_path: Path) -> None:
    path = tmp_path / "array.npy"
    array = np.arange(6, dtype=np.float32)
    assert read_array(path, (6,), np.float32) is None
    write_array(path, array)
    found = read_array(path, (6,), np.float32)
    assert found is not None
    assert np.array_equal(found, array)
    assert read_array(path, (7,), np.float32) is None
    assert read_array(path, (6,), np.int32) is None
    path.write_bytes(path.read_bytes()[:-1])
    assert read_array(path, (6,), np.float32) is None
    path.write_bytes(b"")
    assert read_array(path, (6,), np.float32) is None


@pytest.mark.usefixtures("own_home")
def test_look_ups_read_the_row_of_the_situation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables_module, "STRENGTH_TABLES", {3: FIRST_FLOPS})
    flop = board(3, 3)
    rows = measured(3, 3)
    renamed = tuple(card ^ 3 for card in flop)  # the suits in reverse
    cards = np.array(renamed, dtype=np.uint8)
    for measure in StrengthMeasure:
        everything = np.empty(HOLDINGS, dtype=np.float32)
        kernels.look_up_board(cards, measure, table(3), everything)
        for index in range(HOLDINGS):
            high, low = cards_of(index)
            original = rows[holding((high ^ 3, low ^ 3)), measure]
            if high in renamed or low in renamed:
                assert np.isnan(everything[index])
                continue
            assert everything[index] == original
            if index % 100 == 0:
                assert look_up((high, low), renamed, measure) == original
                hole = np.array((high, low), dtype=np.uint8)
                assert kernels.look_up(hole, cards, measure, table(3)) == original


@pytest.mark.parametrize("cards", [0, 2, 5, 9])
def test_other_streets_have_no_table(cards: int) -> None:
    with pytest.raises(
        StrengthTableError, match=f"there are tables for boards of 3 and 4 cards, not of {cards}"
    ):
        table(cards)


def test_river_scores_are_counted_with_all_deals_of_their_boards() -> None:
    for number in (0, 77_777, 134_458):
        counts = np.zeros(kernels.RIVER_SCORES, dtype=np.int64)
        kernels.count_river_scores(number, number + 1, evaluator_tables(), counts)
        cards = board(number, 5)
        holes = np.array(list(combinations([card for card in range(52) if card not in cards], 2)))
        values = eval7_values(np.column_stack((holes, np.tile(cards, (len(holes), 1)))))
        apart = ~(holes[:, None, :, None] == holes[None, :, None, :]).any(axis=(2, 3))
        better, equal = values[:, None] > values[None, :], values[:, None] == values[None, :]
        scores = (apart * (2 * better + equal)).sum(axis=1)
        expected = board_deals(number, 5) * np.bincount(scores, minlength=kernels.RIVER_SCORES)
        assert np.array_equal(counts, expected), cards


def test_a_distribution_weighs_situations_with_their_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    # A table that is made up: the value is the last digit of the situation's number.
    digits = np.arange(SITUATIONS[3]) % 10
    made_up = np.column_stack([(digits / 10).astype(np.float32)] * 3)
    monkeypatch.setattr(tables_module, "table", lambda *_: made_up)
    found = distribution(3, StrengthMeasure.EXPECTED_HS)
    assert found.values == pytest.approx(np.arange(10) / 10)
    assert found.deals.sum() == 25_989_600
    multiplicities = np.empty(SITUATIONS[3], dtype=np.uint8)
    count_deals(0, 2, 3, multiplicities)
    assert multiplicities[123_456] == deals(123_456, 3)
    assert found.deals.tolist() == np.bincount(digits, weights=multiplicities).astype(np.int64).tolist()


@pytest.mark.soak
def test_the_whole_tables_agree_with_each_other_and_with_meeting_every_opponent() -> None:
    flop, turn = table(3), table(4)
    assert not np.isnan(flop).any()
    assert not np.isnan(turn).any()
    generator = np.random.default_rng(1)
    for index in generator.choice(SITUATIONS[3], 2_000, replace=False).tolist():
        hole, cards = situation(index, 3)
        live = [card for card in range(52) if card not in {*hole, *cards}]
        after = [turn[situation_index(hole, (*cards, card)), 1:] for card in live]
        means = np.mean(after, axis=0, dtype=np.float64)
        assert means == pytest.approx(flop[index, 1:], abs=2e-7), (hole, cards)
    for index in generator.choice(SITUATIONS[3], 20, replace=False).tolist():
        assert flop[index] == pytest.approx(measures(*situation(index, 3)), abs=1e-7), index
    for index in generator.choice(SITUATIONS[4], 200, replace=False).tolist():
        assert turn[index] == pytest.approx(measures(*situation(index, 4)), abs=1e-7), index


@pytest.mark.soak
def test_streets_have_the_same_mean_strength_and_mean_square() -> None:
    # Looking at more cards changes what is known, not what is expected.
    squares = []
    for cards, count in ((3, 25_989_600), (4, 305_377_800), (5, 2_809_475_760)):
        for measure in StrengthMeasure:
            found = distribution(cards, measure)
            assert found.deals.sum() == count
            mean = float(found.values.astype(np.float64) @ found.deals) / count
            if measure == StrengthMeasure.EXPECTED_HS_SQUARED:
                squares.append(mean)
            else:
                assert mean == pytest.approx(0.5, abs=1e-8)
    assert squares == pytest.approx([squares[0]] * 3, abs=1e-8)


@pytest.mark.soak
def test_the_mean_over_flops_is_the_equity_before_the_flop() -> None:
    column = STRENGTH_TABLES[3].read_or_build()[:, StrengthMeasure.EXPECTED_HS].astype(np.float64)
    multiplicities = np.empty(SITUATIONS[3], dtype=np.uint8)
    count_deals(0, 2, 3, multiplicities)
    classes = np.array([situation_index(situation(index, 3)[0]) for index in range(SITUATIONS[3])])
    sums = np.bincount(classes, column * multiplicities, 169) / np.bincount(classes, multiplicities, 169)
    wins = matchups().astype(np.int64)
    for name in ("Ah As", "Kd Js", "7c 2d", "9h 8h"):
        one = holding(parse_cards(name))
        won, lost = wins[one].sum(), wins[:, one].sum()
        equity = 0.5 + 0.5 * (won - lost) / (1225 * RUN_OUTS)
        assert sums[situation_index(parse_cards(name))] == pytest.approx(equity, abs=1e-7), name


@pytest.mark.parametrize("board_cards", [3, 4])
def test_each_row_is_looked_up_at_its_own_situation(board_cards: int) -> None:
    generator = np.random.default_rng(11)
    cards = generator.permuted(np.tile(np.arange(52, dtype=np.uint8), (200, 1)), axis=1)
    holes, boards = cards[:, :2].copy(), cards[:, 2 : 2 + board_cards].copy()
    numbered = np.zeros((SITUATIONS[board_cards], 3), dtype=np.float32)
    numbered[:, 1] = np.arange(len(numbered))  # whole numbers up to 2**24 are exact in single precision
    found = np.empty(200, dtype=np.float32)
    kernels.look_up_each(holes, boards, 1, numbered, found)
    for hole, dealt, value in zip(holes.tolist(), boards.tolist(), found.tolist(), strict=True):
        assert value == situation_index(hole, dealt)
