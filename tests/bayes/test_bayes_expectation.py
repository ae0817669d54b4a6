"""Learning from unknown states: expectations multiplied out, a closed form, and an objective that never falls."""

import numpy as np
import pytest
from hypothesis import given

from bayes_networks import (
    HIDDEN,
    World,
    opponent_structure,
    random_network,
    random_rows,
    samples,
    variable,
    worlds,
)
from railbird.bayes.learning.counts import Average, Counts, Uniform, count
from railbird.bayes.learning.expectation import Learned, learn
from railbird.bayes.learning.likelihood import log_likelihood, log_likelihoods
from railbird.bayes.network import Network
from railbird.bayes.structure import UNKNOWN, NetworkError, Structure
from reference import bayes as reference

PAIR = Structure((variable("Cause", 2), variable("Sign", 3)), {"Sign": ("Cause",)})


def possible(network: Network, rows: np.ndarray) -> np.ndarray:
    return rows[np.isfinite(log_likelihoods(network, rows))]


@given(worlds(5))
def test_one_iteration_is_what_is_expected_of_every_state(world: World) -> None:
    """The counts multiplied out over all states, the prior added; equal rows count as often as they are there."""
    network, draw = world.network, world.draw
    rows = possible(network, random_rows(network.structure, 6, draw))
    rows = np.concatenate([rows, rows[:2]])
    weights = draw.integers(1, 4, len(rows)) / 2.0
    expected, likelihood = reference.expected_counts(network, rows.tolist(), weights.tolist())
    for prior in (Uniform(0.5), Average(network, 2.0)):
        found = learn(
            network.structure,
            rows,
            weights=weights,
            prior=prior,
            start=network,
            most_iterations=1,
            tolerance=0.0,
        )
        assert log_likelihood(network, rows, weights) == pytest.approx(likelihood, rel=1e-9, abs=1e-9)
        assert found.log_likelihood == pytest.approx(log_likelihood(found.network, rows, weights), rel=1e-9)
        wanted = Counts(network.structure, prior)
        for name, table in expected.items():
            wanted.tables[name][...] = table
        for name, table in wanted.network().tables.items():
            np.testing.assert_allclose(found.network.tables[name], table, rtol=0.0, atol=1e-9)


@given(worlds(5))
def test_the_objective_never_falls(world: World) -> None:
    structure = world.network.structure
    rows = samples(world.network, 30, world.draw)
    rows[world.draw.random(rows.shape) < 0.4] = UNKNOWN
    start = random_network(structure, world.draw)
    for prior in (Uniform(0.0), Uniform(0.5), Average(start, 1.0)):
        found = learn(structure, rows, prior=prior, start=start, most_iterations=15, tolerance=0.0)
        slack = 1e-9 * (1.0 + abs(found.objectives[-1]))
        assert (np.diff(found.objectives) >= -slack).all(), found.objectives
        if prior == Uniform(0.0):
            assert found.objectives[-1] == pytest.approx(found.log_likelihood)


def test_a_closed_form_is_reached() -> None:
    """The sign is always seen, its cause sometimes: signs count all rows, causes given signs those with both."""
    draw = np.random.default_rng(11)
    truth = random_network(PAIR, draw)
    rows = samples(truth, 4000, draw)
    unseen = draw.random(len(rows)) < 0.5
    complete = np.array(
        [[np.sum((rows[~unseen] == (cause, sign)).all(axis=1)) for sign in range(3)] for cause in range(2)]
    )
    signs = np.bincount(rows[:, 1], minlength=3) / len(rows)
    joint = complete / complete.sum(axis=0) * signs
    rows[unseen, 0] = UNKNOWN
    found = learn(PAIR, rows, prior=Uniform(0.0), tolerance=0.0, most_iterations=500)
    np.testing.assert_allclose(found.network.tables["Cause"], joint.sum(axis=1), rtol=1e-9)
    np.testing.assert_allclose(
        found.network.tables["Sign"], joint / joint.sum(axis=1, keepdims=True), rtol=0.0, atol=1e-9
    )


def test_complete_rows_are_counted() -> None:
    draw = np.random.default_rng(12)
    rows = samples(random_network(PAIR, draw), 200, draw)
    found = learn(PAIR, rows)
    assert found.network == count(PAIR, rows)
    assert found.converged
    assert found.iterations <= 2


def test_what_nothing_is_known_below_is_left_out() -> None:
    """Signs that were never looked at tell nothing of signs."""
    rows = np.array([[0, 1], [0, 2], [1, 0], [1, UNKNOWN], [1, UNKNOWN]], dtype=np.int16)
    assert learn(PAIR, rows).network == count(PAIR, rows)
    assert learn(PAIR, rows[:0]).network == count(PAIR, rows[:0])


def test_rows_with_unknown_states_teach_what_counting_cannot() -> None:
    """A cause that is seen once in fifty times: with expectations unseen rows are explained better."""
    draw = np.random.default_rng(13)
    signs = tuple(variable(f"Sign{number}", 4) for number in range(4))
    structure = Structure((variable("Cause", 3), *signs), {sign.name: ("Cause",) for sign in signs})
    truth = random_network(structure, draw)
    rows, unseen = samples(truth, 3000, draw), samples(truth, 3000, draw)
    rows[draw.random(len(rows)) > 0.02, 0] = UNKNOWN
    found, counted = learn(structure, rows), count(structure, rows)
    assert log_likelihood(found.network, unseen) > log_likelihood(counted, unseen) + 100.0
    assert log_likelihood(truth, unseen) - log_likelihood(found.network, unseen) < 60.0


def test_the_objective_never_falls_with_hidden_hands() -> None:
    draw = np.random.default_rng(17)
    structure = opponent_structure()
    rows = samples(random_network(structure, draw), 1000, draw)
    for name in ("HandTypeFlop", "PartialHandFlop", "PartialHandTurn", "VPIP"):
        rows[draw.random(len(rows)) < 0.5, structure.places[name]] = UNKNOWN
    start = random_network(structure, draw)
    found = learn(structure, rows, prior=Uniform(0.1), start=start, most_iterations=5, tolerance=0.0)
    assert (np.diff(found.objectives) > 0.0).all()


def test_all_hands_hidden_changes_nothing_but_what_is_seen() -> None:
    draw = np.random.default_rng(14)
    structure = opponent_structure()
    truth = random_network(structure, draw)
    rows = samples(truth, 500, draw)
    for name in HIDDEN:
        rows[:, structure.places[name]] = UNKNOWN
    start = random_network(structure, draw)
    found = learn(structure, rows, prior=Uniform(0.0), start=start)
    for name in HIDDEN:
        assert np.array_equal(found.network.tables[name], start.tables[name])
    assert found.network.tables["PFR"].tolist() == (np.bincount(rows[:, 0], minlength=8) / 500).tolist()


def test_it_stops_when_little_is_gained_or_enough_was_tried() -> None:
    draw = np.random.default_rng(15)
    rows = samples(random_network(PAIR, draw), 300, draw)
    rows[::2, 0] = UNKNOWN

    def tried(**options: float) -> Learned:
        return learn(PAIR, rows, **options)  # type: ignore[arg-type]

    short, long = tried(tolerance=1e-3), tried(tolerance=1e-9, most_iterations=1000)
    assert short.converged
    assert long.converged
    assert short.iterations < long.iterations
    assert not tried(tolerance=0.0, most_iterations=2).converged
    assert tried(tolerance=0.0, most_iterations=2).iterations == 2
    with pytest.raises(NetworkError, match="a tolerance must be a number of at least 0, not -1"):
        tried(tolerance=-1.0)
    with pytest.raises(NetworkError, match="there must be at least one iteration, not 0"):
        tried(most_iterations=0)


def test_a_start_that_forbids_a_row_is_refused_with_the_row() -> None:
    start = Network(
        PAIR, {"Cause": np.array([1.0, 0.0]), "Sign": np.array([[1.0, 0.0, 0.0], [0.2, 0.3, 0.5]])}
    )
    rows = np.array([[UNKNOWN, 0], [0, 0], [UNKNOWN, 2]], dtype=np.int16)
    with pytest.raises(NetworkError, match="row 2: the evidence is impossible in this network: Sign Sign2"):
        learn(PAIR, rows, start=start)
    assert learn(PAIR, rows, weights=np.array([1.0, 1.0, 0.0]), start=start).converged
    with pytest.raises(NetworkError, match="the network to start from has a different structure"):
        learn(PAIR, rows, start=count(Structure(PAIR.variables), rows))
