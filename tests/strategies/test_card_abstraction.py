"""Holdings in buckets: names, counts, and equal shares of all deals."""

from pathlib import Path
from random import Random

import numpy as np
import pytest

from made_up_buckets import COARSE
from railbird.agents.shipped import shipped_path
from railbird.cards import parse_cards
from railbird.equities.buckets import SHIPPED, Buckets, percentile_buckets
from railbird.equities.tables import StrengthMeasure, distribution, table
from railbird.hands.boards import texture
from railbird.hands.evaluator import tables as evaluator_tables
from railbird.hands.holdings import CLASS_OF_HOLDING, HOLDINGS, blocked_by, cards_of, holding
from railbird.hands.isomorphism import BOARDS, SITUATIONS, board, situation_index
from railbird.hands.sartre_categories import EXPERT_CATEGORIES, expert_categories, expert_category
from railbird.kernels.hands.isomorphism import count_deals
from railbird.kernels.solve import boards
from railbird.kernels.solve import buckets as kernels
from railbird.kernels.strength.tables import MEASURES, measure_boards
from railbird.strategies.card_abstraction import (
    BucketFinder,
    CardAbstraction,
    CardAbstractionError,
    of_situations,
)
from railbird.strategies.table_strategy import read_with_recipe
from reference.strength_tables import measures

BOARD = parse_cards("Qh 8h 3c Ks 2d")


@pytest.mark.parametrize(
    ("text", "counts"), [("percentiles:200", (200, 200, 200)), ("clusters:2000/1000/500", (2000, 1000, 500))]
)
def test_names_say_the_kind_and_the_numbers(text: str, counts: tuple[int, int, int]) -> None:
    abstraction = CardAbstraction.parse(text)
    assert abstraction.counts == counts
    assert abstraction.buckets == (169, *counts)
    assert str(abstraction) == text


def test_names_of_abstractions_by_texture() -> None:
    assert CardAbstraction.parse("textures:50/40/30").buckets == (169, 450, 360, 270)
    for text in ("textures:50/40/30", "categories"):
        assert str(CardAbstraction.parse(text)) == text


@pytest.mark.parametrize(
    "text", ["categories:284", "", "percentiles", "percentiles:1/2", "quantiles:5", "percentiles:x"]
)
def test_other_names_are_refused(text: str) -> None:
    with pytest.raises(CardAbstractionError, match="is not a card abstraction: write percentiles:200"):
        CardAbstraction.parse(text)


@pytest.mark.parametrize("text", ["percentiles:0", "percentiles:1/1/99999"])
def test_numbers_of_buckets_have_bounds(text: str) -> None:
    with pytest.raises(CardAbstractionError, match="a street has 1 to 16,384 buckets, not"):
        CardAbstraction.parse(text)


def test_buckets_on_a_board_are_those_of_the_situations() -> None:
    tables = COARSE.tables()
    assert np.array_equal(COARSE.on_board((), 0), CLASS_OF_HOLDING)
    for street, cards in ((1, BOARD[:3]), (2, BOARD[:4])):
        found = COARSE.on_board(BOARD, street)
        assert np.array_equal(found < 0, blocked_by(cards))
        for text in ("Ah Kh", "7c 7d", "8c 2s"):
            hole = parse_cards(text)
            table = (tables.flop, tables.turn)[street - 1]
            assert found[holding(hole)] == table[situation_index(hole, cards)]
    river = COARSE.on_board(BOARD, 3)
    assert np.array_equal(river < 0, blocked_by(BOARD))
    strength = measures(parse_cards("Kd Qs"), BOARD)[0]
    assert river[holding(parse_cards("Kd Qs"))] == tables.river[round(1980 * strength)]


@pytest.mark.soak
@pytest.mark.parametrize("cards", [3, 4])
def test_every_bucket_has_the_same_share_of_all_deals_up_to_the_tied_ones_at_its_boundaries(
    cards: int,
) -> None:
    tables = CardAbstraction.parse("percentiles:200").tables()
    deals = np.empty(SITUATIONS[cards], dtype=np.uint8)
    count_deals(0, 2, cards, deals)
    held = np.bincount(tables.flop if cards == 3 else tables.turn, deals)
    firsts = np.arange(201) * int(deals.sum(dtype=np.int64)) // 200
    boundaries = percentile_buckets(200, cards, StrengthMeasure.EXPECTED_HS_SQUARED).boundaries
    values = table(cards)[:, StrengthMeasure.EXPECTED_HS_SQUARED]
    # Deal number `first` has the value of the boundary, and all deals of this value are in the bucket that it begins.
    tied = np.array([1, *(deals[values == each].sum(dtype=np.int64) for each in boundaries), 1])
    extra = held - np.diff(firsts)
    assert np.all(-tied[1:] < extra)
    assert np.all(extra < tied[:-1])


@pytest.mark.soak
@pytest.mark.parametrize(("street", "measure"), [(1, 2), (2, 2), (3, 0)])
def test_buckets_are_percentiles_of_the_measures_of_meeting_every_opponent(street: int, measure: int) -> None:
    abstraction = CardAbstraction.parse("percentiles:200")
    boundaries = percentile_buckets(200, street + 2, StrengthMeasure(measure)).boundaries
    found = abstraction.on_board(BOARD, street)
    for text in ("Ah Kh", "7c 7d"):
        hole = parse_cards(text)
        value = measures(hole, BOARD[: street + 2])[measure]
        assert found[holding(hole)] == np.searchsorted(boundaries, np.float32(value), side="right")


@pytest.fixture
def without_tables(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> CardAbstraction:
    """An abstraction whose boundaries are shipped, with an empty cache folder."""
    monkeypatch.setenv("RAILBIRD_HOME", str(tmp_path))
    return CardAbstraction.parse("percentiles:200/200/190")


@pytest.mark.parametrize("cards", [0, 3, 4, 5])
def test_one_holding_has_the_bucket_it_has_among_all(without_tables: CardAbstraction, cards: int) -> None:
    finder, random = BucketFinder(without_tables), Random(4)
    for _ in range(20):
        dealt = random.sample(range(52), cards)
        found = finder.on_board(dealt)
        assert np.array_equal(found < 0, blocked_by(dealt))
        for number in random.sample(np.flatnonzero(found >= 0).tolist(), 10):
            assert finder.bucket(cards_of(number), dealt) == found[number]


def test_no_table_is_built_to_find_buckets(without_tables: CardAbstraction, tmp_path: Path) -> None:
    finder = BucketFinder(without_tables)
    for street in (3, 4, 5):
        finder.bucket(parse_cards("Ac Ad"), BOARD[:street])
        finder.on_board(BOARD[:street])
    assert not list(tmp_path.rglob("strength-*"))
    assert not list(tmp_path.rglob("*-situations-*"))


@pytest.mark.parametrize("cards", [3, 4])
def test_buckets_are_looked_up_where_there_is_a_table(cards: int) -> None:
    finder, tables, random = BucketFinder(COARSE), COARSE.tables(), Random(6)
    for _ in range(50):
        hole, rest = (dealt := random.sample(range(52), cards + 2))[:2], dealt[2:]
        table = tables.flop if cards == 3 else tables.turn
        assert finder.bucket(hole, rest) == table[situation_index(hole, rest)]


@pytest.mark.parametrize("cards", [3, 4])
def test_computed_buckets_are_those_of_the_measures_in_tables(
    without_tables: CardAbstraction, cards: int
) -> None:
    finder, random = BucketFinder(without_tables), Random(7)
    boundaries = percentile_buckets(200, cards, StrengthMeasure.EXPECTED_HS_SQUARED)
    for _ in range(8):
        number = random.randrange(BOARDS[cards])
        rows = np.empty((1, HOLDINGS, MEASURES), dtype=np.float32)
        measure_boards(number, cards, evaluator_tables(), rows)
        expected = boundaries.bucket_all(rows[0, :, StrengthMeasure.EXPECTED_HS_SQUARED])
        cards_on_board = board(number, cards)
        for each in random.sample(np.flatnonzero(expected >= 0).tolist(), 50):
            assert finder.bucket(cards_of(each), cards_on_board) == expected[each]


@pytest.mark.parametrize("cards", [3, 4, 5])
def test_categories_are_counted_anew_for_each_texture(cards: int) -> None:
    finder, random = BucketFinder(CardAbstraction.parse("categories")), Random(8)
    for _ in range(20):
        dealt = random.sample(range(52), cards)
        found = finder.on_board(dealt)
        assert np.array_equal(found < 0, blocked_by(dealt))
        for number in random.sample(np.flatnonzero(found >= 0).tolist(), 5):
            category = expert_category(cards_of(number), dealt)
            assert finder.bucket(cards_of(number), dealt) == found[number]
            assert divmod(found[number], len(EXPERT_CATEGORIES)) == (texture(dealt), category.index)


def test_a_table_of_situations_has_what_every_holding_has_on_its_board() -> None:
    found = of_situations(3, expert_categories)
    random = Random(9)
    for _ in range(300):
        hole, flop = (dealt := random.sample(range(52), 5))[:2], dealt[2:]
        assert found[situation_index(hole, flop)] == expert_category(hole, flop).index


@pytest.mark.parametrize("text", ["percentiles:200/200/190", "textures:50/40/30", "categories"])
def test_compiled_code_finds_the_same_buckets_on_the_river(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(CardAbstraction, "situation_table", lambda *_: np.zeros(1, dtype=np.uint16))
    cards = CardAbstraction.parse(text)
    finder, tables, random = BucketFinder(cards), cards.tables(), Random(10)
    ordered, room = boards.empty_board(), kernels.bucket_room(1)
    for _ in range(20):
        river = np.array(random.sample(range(52), 5), dtype=np.uint8)
        boards.order_holdings(river, evaluator_tables(), boards.board_room(), ordered)
        kernels.find_river_buckets(river, tables, 0, room, ordered)
        assert np.array_equal(finder.on_board(river.tolist())[ordered.holdings], ordered.buckets[3])


@pytest.mark.parametrize("game", ["limit-2p", "nolimit-2p", "limit-3p"])
def test_boundaries_of_shipped_strategies_are_shipped(game: str) -> None:
    recipe, _ = read_with_recipe(shipped_path("strategy", game, ".strategy"))
    for cards, count in enumerate(CardAbstraction.parse(recipe.cards).counts, start=3):
        assert (SHIPPED / f"{cards}-cards-{_measure(cards).name.lower()}-{count}.npy").is_file()


@pytest.mark.soak
@pytest.mark.parametrize("path", sorted(SHIPPED.glob("*.npy")), ids=lambda path: path.stem)
def test_shipped_boundaries_are_those_of_all_deals(path: Path) -> None:
    cards, count = int(path.stem[0]), int(path.stem.rpartition("-")[2])
    made = Buckets.percentile(count, distribution(cards, _measure(cards)))
    assert made == percentile_buckets(count, cards, _measure(cards))


def _measure(cards: int) -> StrengthMeasure:
    return StrengthMeasure.HS if cards == 5 else StrengthMeasure.EXPECTED_HS_SQUARED
