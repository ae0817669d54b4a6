"""Clusters that a strategy file carries: the same buckets as those of the tables, without any table."""

from pathlib import Path
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from railbird.cards import parse_cards
from railbird.hands.evaluator import tables as evaluator_tables
from railbird.hands.holdings import HOLDINGS, blocked_by, cards_of, holding
from railbird.hands.isomorphism import SITUATIONS, board_index, situation_index
from railbird.kernels.hands.isomorphism import situations_of_board
from railbird.kernels.solve import boards
from railbird.kernels.solve import buckets as kernels
from railbird.kernels.strength.tables import MEASURES, enter_boards, measure_boards
from railbird.strategies import clusters
from railbird.strategies.card_abstraction import BucketFinder, CardAbstraction
from railbird.strategies.files import StrategyFileError
from railbird.strategies.portable_clusters import PortableClusters
from railbird.strategies.table_strategy import TableStrategy
from small_strategies import random_strategy, small_tree

CARDS = CardAbstraction.parse("clusters:40/30/20")
SOME_GROUPS = np.arange(HOLDINGS) // 4 % 8
RANDOM = Random(8)
DEALT = [RANDOM.sample(range(52), 7) for _ in range(6)]


@pytest.fixture(scope="module")
def carried() -> PortableClusters:
    """Clusters with centroids at random places."""
    generator = np.random.default_rng(3)
    points = [generator.uniform(-1, 1, (400, width)).astype(np.float32) for width in (9, 8)]
    turn, river = (
        clusters.k_means(some, count, generator) for some, count in zip(points, CARDS.counts[1:], strict=True)
    )
    flop = (np.arange(SITUATIONS[3]) // 7 % 40).astype(np.uint16)
    return PortableClusters(SOME_GROUPS, flop, turn, river)


def turn_table(carried: PortableClusters, board: list[int]) -> NDArray[np.uint16]:
    """The clusters of the situations of a board, entered as in the tables; 0 elsewhere."""
    number = board_index(board)
    rows = np.empty((1, HOLDINGS, kernels.GROUPS), dtype=np.int8)
    kernels.turn_features(number, SOME_GROUPS, evaluator_tables(), rows)
    features = np.zeros((SITUATIONS[4], kernels.GROUPS), dtype=np.int8)
    enter_boards(number, 4, rows, features)  # type: ignore[arg-type]
    measured = np.empty((1, HOLDINGS, MEASURES), dtype=np.float32)
    measure_boards(number, 4, evaluator_tables(), measured)
    strengths = np.zeros((SITUATIONS[4], MEASURES), dtype=np.float32)
    enter_boards(number, 4, measured, strengths)
    situations = np.empty(HOLDINGS, dtype=np.int64)
    situations_of_board(np.array(board, dtype=np.uint8), situations)
    places = np.unique(situations[situations >= 0])
    found = np.zeros(SITUATIONS[4], dtype=np.uint16)
    nearest = np.empty(len(places), dtype=np.uint16)
    kernels.assign(clusters.as_points(features[places], strengths[places]), carried.turn, nearest)
    found[places] = nearest
    return found


def test_on_the_flop_they_are_looked_up(carried: PortableClusters) -> None:
    for dealt in DEALT:
        hole, flop = dealt[:2], dealt[2:5]
        assert carried.bucket(hole, flop) == carried.flop[situation_index(hole, flop)]
        assert carried.on_board(flop)[holding(hole)] == carried.bucket(hole, flop)


def test_on_the_turn_they_are_those_of_the_table(carried: PortableClusters) -> None:
    suited = [*parse_cards("Ah Kh Ac Kc Qd 9d"), 0]
    for dealt in [*DEALT[:3], suited]:
        turn = dealt[2:6]
        table = turn_table(carried, turn)
        found = carried.on_board(turn)
        assert np.array_equal(found < 0, blocked_by(turn))
        assert len(set(found.tolist())) > 4
        live = np.flatnonzero(found >= 0).tolist()
        assert [found[each] for each in live] == [
            table[situation_index(cards_of(each), turn)] for each in live
        ]
        for each in (holding(dealt[:2]), *RANDOM.sample(live, 4)):
            assert carried.bucket(cards_of(each), turn) == found[each]


def test_on_the_river_they_are_those_of_the_solver(carried: PortableClusters) -> None:
    known = kernels.Buckets(
        np.zeros(HOLDINGS, dtype=np.uint16),
        carried.flop,
        np.zeros(1, dtype=np.uint16),
        np.empty(0, dtype=np.uint16),
        carried.river,
        SOME_GROUPS,
        0,
        np.empty(0, dtype=np.int16),
    )
    for dealt in DEALT:
        river = dealt[2:]
        ordered = boards.empty_board()
        cards = np.array(river, dtype=np.uint8)
        boards.order_holdings(cards, evaluator_tables(), boards.board_room(), ordered)
        kernels.find_river_buckets(cards, known, 0, kernels.bucket_room(1), ordered)
        found = carried.on_board(river)
        assert np.array_equal(found < 0, blocked_by(river))
        assert np.array_equal(found[ordered.holdings], ordered.buckets[3])
        assert carried.bucket(dealt[:2], river) == found[holding(dealt[:2])]


def test_a_strategy_file_carries_them_and_its_player_builds_no_table(
    carried: PortableClusters, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAILBIRD_HOME", str(tmp_path / "home"))
    made = random_strategy(small_tree("limit-2p:raises=1"), str(CARDS))
    old, new = tmp_path / "old.strategy", tmp_path / "new.strategy"
    made.write(old)
    assert old.read_bytes().startswith(b"railbird strategy 1\n")
    assert TableStrategy.read(old).clusters is None
    made.clusters = carried
    made.write(new)
    assert new.read_bytes().startswith(b"railbird strategy 2\n")
    found = TableStrategy.read(new)
    assert np.array_equal(found.numbers, made.numbers)
    assert found.digest == TableStrategy.read(old).digest
    assert found.clusters is not None
    for ours, theirs in zip(found.clusters.parts(), carried.parts(), strict=True):
        assert np.array_equal(ours, theirs)
    for dealt in DEALT[:3]:
        for cards in (0, 3, 4, 5):
            hole, board = dealt[:2], dealt[2 : 2 + cards]
            assert found.finder.bucket(hole, board) == found.finder.on_board(board)[holding(hole)]
            if cards:
                assert found.finder.bucket(hole, board) == carried.bucket(hole, board)
    assert not list(tmp_path.glob("home/**/clusters-*"))
    assert not list(tmp_path.glob("home/**/strength-*"))


def test_a_file_gets_them_where_a_solver_has_built_the_tables(
    carried: PortableClusters, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clusters, "stored_cluster_table", lambda *_: carried.flop)
    monkeypatch.setattr(clusters, "centroids", lambda cards, _: carried.turn if cards == 4 else carried.river)
    monkeypatch.setattr(clusters, "groups", lambda: carried.groups)
    path = tmp_path / "some.strategy"
    random_strategy(small_tree("limit-2p:raises=1"), str(CARDS)).write(path)
    found = TableStrategy.read(path)
    assert found.clusters is not None
    for ours, theirs in zip(found.clusters.parts(), carried.parts(), strict=True):
        assert np.array_equal(ours, theirs)
    copy = tmp_path / "copy.strategy"
    found.write(copy)
    assert copy.read_bytes() == path.read_bytes()
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(StrategyFileError, match="bytes, but its header says"):
        TableStrategy.read(path)


def test_tables_with_the_same_centroids_are_looked_up_and_others_are_not(
    carried: PortableClusters, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = np.full(SITUATIONS[4], 7, dtype=np.uint16)
    monkeypatch.setattr(clusters, "stored_cluster_table", lambda *_: table)
    hole, turn = DEALT[0][:2], DEALT[0][2:6]
    for centroids, bucket in ((carried.turn, 7), (carried.turn + 1, carried.bucket(hole, turn))):
        monkeypatch.setattr(clusters, "centroids", lambda *_, known=centroids: known)
        assert BucketFinder(CARDS, carried).bucket(hole, turn) == bucket
    assert carried.bucket(hole, turn) != 7


@pytest.mark.soak
def test_they_are_those_of_the_tables_on_random_boards_of_all_streets() -> None:
    cards = CardAbstraction.parse("clusters:200")
    tables = cards.tables()
    found = PortableClusters.of_table(tables.flop, cards.counts)
    random = Random(11)
    for _ in range(300):
        dealt = random.sample(range(52), 7)
        hole = dealt[:2]
        assert found.bucket(hole, dealt[2:5]) == tables.flop[situation_index(hole, dealt[2:5])]
        turn = found.on_board(dealt[2:6])
        situations = np.empty(HOLDINGS, dtype=np.int64)
        situations_of_board(np.array(dealt[2:6], dtype=np.uint8), situations)
        assert np.array_equal(turn[situations >= 0], tables.turn[situations[situations >= 0]])
        assert found.bucket(hole, dealt[2:6]) == turn[holding(hole)]
