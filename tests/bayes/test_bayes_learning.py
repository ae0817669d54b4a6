"""Tables by counting: by hand, by pyAgrum and by pgmpy; tables that move away from the average with what is seen."""

import warnings
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

from bayes_networks import (
    World,
    opponent_structure,
    random_network,
    random_rows,
    samples,
    variable,
    worlds,
)
from bayes_referees import pgmpy_module
from railbird.bayes.agrum import from_agrum, pyagrum_module, to_agrum
from railbird.bayes.forward import Forward
from railbird.bayes.learning.counts import Average, Counts, Prior, Uniform, count
from railbird.bayes.network import Network
from railbird.bayes.structure import UNKNOWN, NetworkError, Structure
from reference import bayes as reference

RAIN, WET = variable("Rain", 2), variable("Wet", 2)
STRUCTURE = Structure((RAIN, WET), {"Wet": ("Rain",)})
DAYS = np.array([[0, 0], [0, 0], [0, 1], [1, 1], [-1, 1], [1, -1]], dtype=np.int16)


def test_a_hand_computed_example() -> None:
    """Five days with known rain, three dry; of the four with both known, three dry with one wet, one rainy and wet."""
    network = count(STRUCTURE, DAYS, prior=Uniform(0.0))
    assert network.tables["Rain"].tolist() == [3 / 5, 2 / 5]
    assert network.tables["Wet"].tolist() == [[2 / 3, 1 / 3], [0.0, 1.0]]
    network = count(STRUCTURE, DAYS, prior=Uniform(0.5))
    assert network.tables["Rain"].tolist() == [3.5 / 6, 2.5 / 6]
    assert network.tables["Wet"].tolist() == [[2.5 / 4, 1.5 / 4], [0.5 / 2, 1.5 / 2]]
    assert count(STRUCTURE, DAYS) == count(STRUCTURE, DAYS, prior=Uniform(1.0))


def test_what_was_never_seen_is_uniform_without_a_prior() -> None:
    network = count(STRUCTURE, DAYS[:3], prior=Uniform(0.0))
    assert network.tables["Wet"].tolist() == [[2 / 3, 1 / 3], [0.5, 0.5]]
    assert count(STRUCTURE, DAYS[:0], prior=Uniform(0.0)).tables["Rain"].tolist() == [0.5, 0.5]


def test_a_table_follows_the_average_until_it_has_seen_enough() -> None:
    """An average row of strength 8 counts as eight observations: after eight own ones it is half way."""
    average = Network(STRUCTURE, {"Rain": np.array([0.75, 0.25]), "Wet": np.array([[1.0, 0.0], [0.5, 0.5]])})
    counts = Counts(STRUCTURE, Average(average, 8.0))
    assert counts.network() == average
    for _ in range(8):
        counts.add(np.array([0, 1], dtype=np.int16))
    assert counts.row("Rain", ()).tolist() == [(6 + 8) / 16, 2 / 16]
    assert counts.row("Wet", (0,)).tolist() == [0.5, 0.5]
    assert counts.row("Wet", (1,)).tolist() == [0.5, 0.5]


@given(worlds())
def test_rows_one_by_one_are_rows_at_once(world: World) -> None:
    network, draw = world.network, world.draw
    rows = random_rows(network.structure, 12, draw)
    weights = draw.integers(0, 4, len(rows)).astype(np.float64)
    for prior in (Uniform(0.25), Average(network, 3.0)):
        one_by_one, at_once = Counts(network.structure, prior), Counts(network.structure, prior)
        at_once.add_rows(rows, weights)
        for row, weight in zip(rows, weights.tolist(), strict=True):
            one_by_one.add(row, weight)
        assert np.array_equal(one_by_one.flat, at_once.flat)
        assert at_once.network() == count(network.structure, rows, weights, prior)
        repeated = np.repeat(rows, weights.astype(int), axis=0)
        assert at_once.network() == count(network.structure, repeated, prior=prior)
        for name, table in at_once.network().tables.items():
            place = tuple(int(draw.integers(size)) for size in table.shape[:-1])
            assert np.array_equal(at_once.row(name, place), table[place])


@given(worlds())
def test_counts_of_complete_rows_are_the_expected_ones(world: World) -> None:
    rows = samples(world.network, 20, world.draw)
    counts = Counts(world.network.structure)
    counts.add_rows(rows)
    expected, _ = reference.expected_counts(world.network, rows.tolist(), [1.0] * len(rows))
    for name, table in expected.items():
        np.testing.assert_allclose(counts.tables[name], table, rtol=0.0, atol=1e-9)


@given(worlds())
def test_a_network_in_use_follows_what_is_counted(world: World) -> None:
    """After every row only the changed rows of tables are renewed, and all tables are those of the counts."""
    structure = world.network.structure
    counts = Counts(structure, Average(world.network, 5.0))
    forward = Forward(counts.network(), [structure.variables[0].name])
    for codes in random_rows(structure, 5, world.draw):
        for name, place in counts.add(codes):
            forward.update(name, place, counts.row(name, place))
    assert forward.network() == counts.network()


def test_pyagrum_and_pgmpy_count_the_same(tmp_path: Path) -> None:
    draw = np.random.default_rng(9)
    structure = Structure(
        (variable("A", 3), variable("B", 2), variable("C", 4), variable("D", 2)),
        {"B": ("A",), "C": ("B", "A"), "D": ("C",)},
    )
    rows = samples(random_network(structure, draw), 3000, draw)
    table = {
        each.name: [each.states[code] for code in rows[:, place]]
        for place, each in enumerate(structure.variables)
    }
    frame = import_module("pandas").DataFrame(table)
    frame.to_csv(tmp_path / "rows.csv", index=False)
    ours = count(structure, rows, prior=Uniform(1.0))
    template = to_agrum(ours)
    learner = pyagrum_module().BNLearner(str(tmp_path / "rows.csv"), template)
    learner.useSmoothingPrior(1.0)
    made = learner.learnParameters(template.dag())
    theirs = from_agrum(made)
    edges = [(parent, name) for name, parents in structure.parents.items() for parent in parents]
    network = pgmpy_module("models").DiscreteBayesianNetwork(edges)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        network.fit(frame, pgmpy_module("parameter_estimator").DiscreteBayesianEstimator(prior_type="K2"))
    for name, expected in ours.tables.items():
        parents = structure.parents[name]
        axes = [*(theirs.structure.parents[name].index(parent) for parent in parents), len(parents)]
        np.testing.assert_allclose(theirs.tables[name].transpose(axes), expected, rtol=1e-12)
        factor = network.get_cpds(name).to_factor()
        for place in np.ndindex(expected.shape):
            states = {
                each: structure.variable(each).states[code]
                for each, code in zip((*parents, name), place, strict=True)
            }
            assert factor.get_value(**states) == pytest.approx(expected[place], rel=1e-12)


def test_a_hundred_thousand_rows_are_counted_exactly() -> None:
    structure = opponent_structure()
    draw = np.random.default_rng(10)
    rows = samples(random_network(structure, draw), 100_000, draw)
    rows[draw.random(rows.shape) < 0.1] = UNKNOWN
    counts = Counts(structure)
    counts.add_rows(rows)
    for name, table in counts.tables.items():
        family = [structure.places[each] for each in (*structure.parents[name], name)]
        assert table.sum() == (rows[:, family] != UNKNOWN).all(axis=1).sum()
    flop = [structure.places[name] for name in ("HandGroup", "ActionFlop", "Board", "HandTypeFlop")]
    assert counts.tables["HandTypeFlop"][3, 4, 5, 6] == (rows[:, flop] == [3, 4, 5, 6]).all(axis=1).sum()


@pytest.mark.parametrize("amount", [-1.0, float("nan"), float("inf")])
def test_priors_that_are_none_are_refused(amount: float) -> None:
    with pytest.raises(NetworkError, match="a pseudo-count must be a number of at least 0, not"):
        Uniform(amount)
    with pytest.raises(NetworkError, match="a strength must be a number above 0, not"):
        Average(count(STRUCTURE, DAYS), amount)


def test_what_cannot_be_counted_is_refused_with_a_sentence() -> None:
    other = count(Structure((RAIN, WET)), DAYS)
    prior: Prior = Average(other, 1.0)
    with pytest.raises(NetworkError, match="the network used as prior has a different structure"):
        Counts(STRUCTURE, prior)
    counts = Counts(STRUCTURE)
    with pytest.raises(
        NetworkError, match="row 0: 2 is not a state of Wet: states are 0 to 1, unknown is -1"
    ):
        counts.add(np.array([0, 2], dtype=np.int16))
    with pytest.raises(NetworkError, match="with 2 columns expected, found int16 of shape .1, 3"):
        counts.add(np.zeros(3, dtype=np.int16))
    with pytest.raises(NetworkError, match="weights must be numbers of at least 0"):
        counts.add(np.zeros(2, dtype=np.int16), float("nan"))
    with pytest.raises(NetworkError, match="row 1: -2 is not a state of Rain"):
        counts.add_rows(np.array([[0, 0], [-2, 0]]))
    with pytest.raises(
        NetworkError, match="a weight for each of 6 rows expected, found an array of shape .2,"
    ):
        counts.add_rows(DAYS, np.ones(2))
    with pytest.raises(NetworkError, match="Wet: a code for each of 1 parents expected, found .."):
        counts.row("Wet", ())
    with pytest.raises(NetworkError, match="Wet: a code for each of 1 parents expected, found .2,"):
        counts.row("Wet", (2,))
    assert not counts.flat.any()
