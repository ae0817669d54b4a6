"""Holdings in buckets: names, counts, and equal shares of all deals."""

import numpy as np
import pytest

from made_up_buckets import COARSE
from railbird.cards import parse_cards
from railbird.equities.buckets import percentile_buckets
from railbird.equities.tables import StrengthMeasure
from railbird.hands.holdings import CLASS_OF_HOLDING, blocked_by, holding
from railbird.hands.isomorphism import SITUATIONS, situation_index
from railbird.kernels.hands.isomorphism import count_deals
from railbird.strategies.card_abstraction import CardAbstraction, CardAbstractionError
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


@pytest.mark.parametrize("text", ["", "percentiles", "percentiles:1/2", "quantiles:5", "percentiles:x"])
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
def test_every_bucket_has_the_same_share_of_all_deals(cards: int) -> None:
    tables = CardAbstraction.parse("percentiles:200").tables()
    deals = np.empty(SITUATIONS[cards], dtype=np.uint8)
    count_deals(0, 2, cards, deals)
    buckets = tables.flop if cards == 3 else tables.turn
    shares = np.bincount(buckets, deals) / deals.sum(dtype=np.int64)
    assert shares == pytest.approx(np.full(200, 1 / 200), rel=0.02)


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
