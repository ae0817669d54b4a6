"""The solver that samples deals and actions: it does what the paper says, always the same, and solves small games."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from made_up_buckets import COARSE
from railbird.engine.games import named_game
from railbird.engine.rules import GameRules
from railbird.kernels.solve import sampling
from railbird.kernels.solve.deals import Deal
from railbird.kernels.solve.regrets import Learned
from railbird.rng import Stream
from railbird.strategies.actions import ActionAbstraction
from railbird.strategies.card_abstraction import CardAbstraction
from railbird.strategies.files import StrategyFileError
from railbird.strategies.small_games import SmallGame
from railbird.strategies.solvers import sampled_solver
from railbird.strategies.solvers.sampled_solver import LOTS, SampledSolver, TreeNumbers, sampled_tree
from railbird.strategies.solvers.strangers import Strangers
from railbird.strategies.streets import UnsolvableGame
from railbird.strategies.table_strategy import TableStrategy
from railbird.strategies.tree import TreeError
from reference.sampled_regrets import SampledWalks

NO_LIMIT = named_game("nolimit-2p:stack=1000"), ActionAbstraction("fcpa/fca")
THREE = named_game("limit-3p"), ActionAbstraction("fcr/fc")
SPLITTING = named_game("nolimit-3p:stack=300"), ActionAbstraction("fca")
MERGED = named_game("limit-3p:raises=1"), ActionAbstraction("fcr-merged")


@pytest.mark.parametrize(
    ("game", "strangers"),
    [(NO_LIMIT, 0.0), (THREE, 0.0), (SPLITTING, 0.0), (MERGED, 0.0), (THREE, 0.02), (NO_LIMIT, 0.05)],
    ids=["no-limit", "three seats", "all-in", "merged", "three seats, strangers", "no-limit, strangers"],
)
def test_regrets_and_averages_are_those_of_the_paper(
    game: tuple[GameRules, ActionAbstraction], strangers: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sampled_solver, "LOTS", 1)
    count = 30
    solver = SampledSolver(*game, COARSE, 5, strangers=Strangers(strangers), walks=count)
    won = solver.run(2)
    words = [Stream.from_seed(5).child("solve", "deal", iteration, 0).words() for iteration in range(2)]
    walks = SampledWalks(solver.tree, COARSE, words[0].tolist(), strangers)
    for iteration in range(2):
        again = SampledWalks(solver.tree, COARSE, words[iteration].tolist(), strangers)
        again.regrets, again.sums = walks.regrets, walks.sums
        walks = again
        sums = sum(np.array(walks.walk_each(iteration + 1.0)) for _ in range(count))
        assert won[iteration] == pytest.approx(sums / count, rel=1e-4, abs=1e-3)
    learned = 0
    for node in solver.tree.decisions.tolist():
        for ours, theirs in ((solver.learned.regrets, walks.regrets), (solver.learned.sums, walks.sums)):
            for (bucket, letter), number in np.ndenumerate(solver.layout.of(ours, node)):
                assert number == pytest.approx(theirs.get((node, bucket, letter), 0.0), rel=1e-4, abs=1e-2)
                learned += number != 0
    assert learned > 200


def test_threads_and_stops_change_no_bit(tmp_path: Path) -> None:
    path = tmp_path / "solver.checkpoint"
    alone = SampledSolver(*THREE, COARSE, 9, walks=100)
    threaded = SampledSolver(*THREE, COARSE, 9, threads=2, walks=100)
    won = alone.run(3)
    assert np.array_equal(threaded.run(2), won[:2])
    threaded.save(path)
    resumed = SampledSolver(*THREE, COARSE, 9, threads=3, walks=100)
    resumed.resume(path)
    assert resumed.iterations == 2
    for other in (threaded, resumed):
        assert np.array_equal(other.run(1), won[2:])
        assert np.array_equal(other.learned.regrets, alone.learned.regrets)
        assert np.array_equal(other.learned.sums, alone.learned.sums)


def test_strangers_count_as_often_as_they_are_believed_to_come() -> None:
    """Drawn more often than believed, they count less: the first decision still has a weight of 1 per walk."""
    solver = SampledSolver(*NO_LIMIT, COARSE, 4, strangers=Strangers(0.02), walks=20_000)
    solver.run(1)
    # The button's strategy counts unless it is a stranger, half of the time in the walks with strangers.
    assert solver.layout.of(solver.learned.sums, 0).sum() / (20_000 * LOTS) == pytest.approx(0.99, abs=0.005)


def test_strangers_lead_where_nobody_else_goes() -> None:
    """What to do against players who always raise is learnt from more deals with strangers than without."""
    known = []
    for share in (0.0, 0.01):
        solver = SampledSolver(
            *THREE, CardAbstraction.parse("percentiles:1"), 4, strangers=Strangers(share), walks=2_000
        )
        solver.run(8)
        before = solver.learned.regrets.copy()
        solver.run(8)
        node = 0
        while solver.tree.rounds[node] < 3 or solver.tree.actors[node] != 2:
            node = int(solver.tree.children[node].max())
        changes = solver.layout.of(solver.learned.regrets - before, node)
        known.append(int((changes != 0).any(axis=1).sum()))
    assert known == [0, 1]


def test_a_lot_sees_what_it_learns_and_all_changes_count() -> None:
    solver = SampledSolver(*NO_LIMIT, COARSE, 4, walks=50)
    solver.run(1)
    # Every walk of the big blind adds strategies of total 1 at the button's first decision.
    assert solver.layout.of(solver.learned.sums, 0).sum() == pytest.approx(50 * LOTS)
    solver.run(1)
    assert solver.layout.of(solver.learned.sums, 0).sum() == pytest.approx(50 * LOTS * 3)


def test_a_bucket_that_was_never_met_does_what_the_nearest_one_does() -> None:
    solver = SampledSolver(*NO_LIMIT, COARSE, 4, walks=5)
    node = int(solver.tree.decisions[solver.tree.rounds[solver.tree.decisions] == 3][0])
    start, stride = solver.layout.starts[node], solver.layout.strides[solver.tree.actors[node], 3]
    assert not solver.weights(node).any()
    for bucket in (2, 7):
        solver.learned.sums[start + stride * bucket] = bucket
    assert solver.weights(node).sum(axis=1).tolist() == [2, 2, 2, 2, 2, 7, 7, 7, 7, 7]


def test_another_checkpoint_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "solver.checkpoint"
    SampledSolver(*NO_LIMIT, COARSE, 4, walks=5).save(path)
    with pytest.raises(StrategyFileError, match="is a checkpoint for against , not strangers:0.01"):
        SampledSolver(*NO_LIMIT, COARSE, 4, strangers=Strangers(0.01), walks=5).resume(path)
    for game, actions, seed, sentence in (
        (NO_LIMIT[0], "fcpa", 4, "is a checkpoint for actions fcpa/fca, not fcpa"),
        (NO_LIMIT[0], "fcpa/fca", 5, "is a checkpoint for seed 4, not 5"),
        (named_game("nolimit-2p"), "fcpa/fca", 4, "is a checkpoint for game nolimit-2p:stack=1000"),
    ):
        with pytest.raises(StrategyFileError, match=sentence):
            SampledSolver(game, ActionAbstraction(actions), COARSE, seed, walks=5).resume(path)


def test_what_cannot_be_solved_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UnsolvableGame, match="leduc-2p is not hold'em"):
        SampledSolver(named_game("leduc-2p"), ActionAbstraction("fcr"), COARSE, 1)
    with pytest.raises(
        UnsolvableGame, match="is solved with percentiles, such as percentiles:200, not clusters"
    ):
        SampledSolver(*NO_LIMIT, CardAbstraction.parse("clusters:9"), 1)
    with pytest.raises(UnsolvableGame, match="can have side pots: all stacks must be the same"):
        sampled_tree(replace(NO_LIMIT[0], stacks=(500, 900)), NO_LIMIT[1])
    monkeypatch.setattr(sampled_solver, "MOST_NUMBERS", 10_000)
    with pytest.raises(UnsolvableGame, match="numbers to learn, more than 10,000"):
        SampledSolver(*THREE, COARSE, 1)
    monkeypatch.setattr(sampled_solver, "MOST_NODES", 100)
    with pytest.raises(TreeError, match="under fcr/fc has more than 100 nodes"):
        SampledSolver(*THREE, COARSE, 1)


def test_its_average_is_a_table_like_any_other(tmp_path: Path) -> None:
    solver = SampledSolver(*NO_LIMIT, COARSE, 4, walks=300)
    solver.run(2)
    written = TableStrategy.average_of(solver)
    assert (written.recipe.game, written.recipe.actions) == ("nolimit-2p:stack=1000", "fcpa/fca")
    written.write(tmp_path / "some.strategy")
    read = TableStrategy.read(tmp_path / "some.strategy")
    assert read.recipe == written.recipe
    for node in read.tree.decisions.tolist():
        probabilities = read.probabilities(node)
        sums = solver.layout.of(solver.learned.sums, node).astype(np.float64)
        assert probabilities.sum(axis=1) == pytest.approx(1)
        assert not probabilities[:, read.tree.children[node] < 0].any()
        met = sums.sum(axis=1) > 0
        assert probabilities[met] == pytest.approx(
            sums[met] / sums[met].sum(axis=1, keepdims=True), abs=2 / 255
        )


class SmallGameWalks:
    """The same walks on a small game, whose deals are drawn from the list of all."""

    def __init__(self, name: str) -> None:
        self.game = SmallGame(named_game(name))
        tree, rules = self.game.tree, self.game.rules
        self.places = np.zeros((len(self.game.deals), rules.players, rules.rounds), dtype=np.int64)
        for node in tree.decisions.tolist():
            sets = self.game.sets_of_node[node]
            self.places[:, tree.actors[node], tree.rounds[node]] = sets - sets.min()
        ranks = self.game.deals >> 2
        pairs = ranks[:, : rules.players] == ranks[:, -1:]
        self.values = ranks[:, : rules.players] + 13 * (pairs if rules.rounds > 1 else 0)
        self.layout = TreeNumbers(tree, tuple((self.places.max(axis=(0, 1)) + 1).tolist()))
        self.learned = Learned(*np.zeros((2, self.layout.size), dtype=np.float32))
        self.words, self.generator = Stream.from_seed(1).words(), np.random.default_rng(1)
        self.dealt = 0

    def run(self, deals: int) -> None:
        game, room = self.layout.game(), sampling.empty_room(20, 3)
        for chosen in self.generator.integers(len(self.game.deals), size=deals).tolist():
            deal = Deal(self.places[chosen], self.values[chosen])
            self.dealt += 1
            for seat in range(self.game.rules.players):
                sampling.walk(game, deal, seat, float(self.dealt), self.words, self.learned, room)

    def average(self) -> NDArray[np.float64]:
        profile = self.game.uniform()
        for node in self.game.tree.decisions.tolist():
            sums = self.layout.of(self.learned.sums, node)
            sets = np.unique(self.game.sets_of_node[node])
            whole = sums.sum(axis=1, keepdims=True)
            profile[sets] = np.where(whole > 0, sums / np.where(whole > 0, whole, 1), profile[sets])
        return profile


@pytest.mark.parametrize(
    ("name", "value", "bounds"), [("kuhn-2p", -1 / 18, (0.04, 0.01)), ("leduc-2p", -0.0856, (0.8, 0.15))]
)
def test_small_games_are_solved(name: str, value: float, bounds: tuple[float, float]) -> None:
    walks = SmallGameWalks(name)
    for deals, bound in zip((2_000, 28_000), bounds, strict=True):  # error falls with the root of the deals
        walks.run(deals)
        assert walks.game.exploitability(walks.average()) < bound
    assert walks.game.values(walks.average())[0] == pytest.approx(value, abs=0.01)


def test_with_three_seats_nobody_gains_much_in_kuhn_poker() -> None:
    walks = SmallGameWalks("kuhn-3p")
    walks.run(20_000)
    assert walks.game.exploitability(walks.average()) < 0.03
