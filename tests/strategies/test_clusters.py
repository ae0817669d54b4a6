"""Clusters of situations: features against every opponent, centroids in the middle, the nearest one found."""

import numpy as np
import pytest

from railbird.cards import parse_cards
from railbird.equities.tables import table
from railbird.hands.evaluator import tables
from railbird.hands.holdings import HOLDINGS, cards_of, holding
from railbird.hands.isomorphism import SITUATIONS, board, situation_index
from railbird.kernels.solve import boards
from railbird.kernels.solve import buckets as kernels
from railbird.strategies import clusters
from railbird.strategies.card_abstraction import CardAbstraction
from reference.group_chances import river_chances, turn_chances

SOME_GROUPS = np.arange(HOLDINGS) * 7 % 8
RIVER = parse_cards("Qh 8h 3c Ks 2d")


def test_features_on_the_river_are_chances_against_every_group() -> None:
    found = np.empty((2 * boards.LIVE, kernels.GROUPS), dtype=np.float32)
    both = np.array([parse_cards("As Ks Qs Js Ts"), RIVER], dtype=np.uint8)
    kernels.river_features(both, SOME_GROUPS, tables(), found)
    ordered = boards.empty_board()
    for number, cards in enumerate(both):
        boards.order_holdings(cards, tables(), boards.board_room(), ordered)
        for row in (0, 300, 1080):
            hole = cards_of(int(ordered.holdings[row]))
            expected = river_chances(hole, cards.tolist(), SOME_GROUPS, kernels.GROUPS)
            assert found[number * boards.LIVE + row] == pytest.approx(expected, abs=1e-6)


def test_features_on_the_turn_are_means_over_all_rivers() -> None:
    number = 9_876
    rows = np.empty((1, HOLDINGS, kernels.GROUPS), dtype=np.int8)
    kernels.turn_features(number, SOME_GROUPS, tables(), rows)
    cards = board(number, 4)
    free = [each for each in range(HOLDINGS) if set(cards_of(each)).isdisjoint(cards)]
    expected = turn_chances(cards_of(free[777]), cards, SOME_GROUPS, kernels.GROUPS)
    assert rows[0, free[777]] == pytest.approx(np.array(expected) * kernels.SCALE, abs=0.51)
    assert not rows[0, holding(cards[:2])].any()


def test_features_on_the_flop_are_means_over_all_turns() -> None:
    generator = np.random.default_rng(4)
    turns = generator.integers(-127, 128, (SITUATIONS[4], kernels.GROUPS), dtype=np.int8)
    rows = np.empty((1, HOLDINGS, kernels.GROUPS), dtype=np.int8)
    kernels.flop_features(1_234, turns, rows)
    cards = board(1_234, 3)
    hole = next(each for each in map(cards_of, range(HOLDINGS)) if set(each).isdisjoint(cards))
    live = [card for card in range(52) if card not in {*hole, *cards}]
    expected = np.mean([turns[situation_index(hole, (*cards, card))] for card in live], axis=0)
    assert rows[0, holding(hole)] == pytest.approx(expected, abs=0.51)


def test_k_means_finds_what_lies_apart_and_numbers_it_by_strength() -> None:
    generator = np.random.default_rng(1)
    middles = np.linspace(-0.9, 0.9, 5)
    points = np.repeat(middles, 200)[:, None] + generator.normal(0, 0.01, (1000, 8))
    found = clusters.k_means(points.astype(np.float32), 5, np.random.default_rng(3), rounds=30)
    assert found.shape == (9, 5)
    nearest = np.empty(1000, dtype=np.uint16)
    kernels.assign(points.astype(np.float32), found, nearest)
    distances = ((points[:, :, None] - found[None, :8]) ** 2).sum(axis=1)
    assert np.array_equal(nearest, distances.argmin(axis=1))
    assert np.all(np.diff(found[:8].mean(axis=0)) >= 0)
    assert found[8] == pytest.approx((found[:8].astype(np.float64) ** 2).sum(axis=0) / 2, rel=1e-5)


def test_groups_are_eighths_from_the_weakest_to_the_strongest() -> None:
    sizes = np.bincount(clusters.groups())
    assert len(sizes) == kernels.GROUPS
    assert sizes == pytest.approx(np.full(8, HOLDINGS / 8), abs=12)
    for text, group in (("3h 2c", 0), ("As Ah", 7), ("Ks Kh", 7)):
        assert clusters.groups()[holding(parse_cards(text))] == group


def test_rivers_are_put_to_the_nearest_centroid(monkeypatch: pytest.MonkeyPatch) -> None:
    points = np.random.default_rng(2).uniform(-1, 1, (30, 8)).astype(np.float32)
    known = clusters.k_means(points, 6, np.random.default_rng(5))
    monkeypatch.setattr(clusters, "cluster_table", lambda *_: np.zeros(1, dtype=np.uint16))
    monkeypatch.setattr(clusters, "centroids", lambda *_: known)
    monkeypatch.setattr(clusters, "groups", lambda: SOME_GROUPS)
    found = CardAbstraction.parse("clusters:6").on_board(RIVER, 3)
    for text in ("Ah Kh", "7c 7d", "5s 4s"):
        chances = np.array(river_chances(parse_cards(text), RIVER, SOME_GROUPS, 8))
        distances = ((chances[:, None] - known[:8]) ** 2).sum(axis=0)
        assert found[holding(parse_cards(text))] == distances.argmin()


@pytest.mark.soak
@pytest.mark.parametrize("cards", [3, 4])
def test_situations_of_a_cluster_are_nearest_to_its_centroid(cards: int) -> None:
    found = clusters.cluster_table(cards, 200)
    known = clusters.centroids(cards, 200)
    places = np.random.default_rng(6).choice(SITUATIONS[cards], 500, replace=False)
    chances = clusters.features(cards)[places] / kernels.SCALE
    strength = table(cards)[places].astype(np.float64)
    spread = clusters.SPREAD_WEIGHT * np.sqrt(np.maximum(strength[:, 2] - strength[:, 1] ** 2, 0))
    points = np.column_stack((chances, spread))
    distances = ((points[:, :, None] - known[None, :-1]) ** 2).sum(axis=1)
    assert (found[places] == distances.argmin(axis=1)).mean() > 0.99  # the rest are ties in single precision
    assert len(np.unique(found)) == 200
