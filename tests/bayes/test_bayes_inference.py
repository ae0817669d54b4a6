"""Posteriors are those of the multiplied-out joint, of pyAgrum and of pgmpy, both the plain way and the fast one."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayes_networks import (
    HAND_TYPE,
    HIDDEN,
    SIZES,
    Codes,
    World,
    evidence_of,
    opponent_structure,
    random_network,
    random_rows,
    street_rows,
    variable,
    worlds,
)
from bayes_referees import Agrum, Pgmpy
from railbird.bayes.elimination import plan
from railbird.bayes.forward import Forward
from railbird.bayes.inference import posterior
from railbird.bayes.learning.likelihood import log_likelihood, log_likelihoods
from railbird.bayes.network import Network
from railbird.bayes.structure import UNKNOWN, NetworkError, Structure
from reference import bayes as reference

EXACT = 1e-12


@pytest.fixture(scope="module")
def opponents() -> Network:
    return random_network(opponent_structure(), np.random.default_rng(20110615))


@given(worlds())
def test_posteriors_are_those_of_the_multiplied_out_joint(world: World) -> None:
    network, structure = world.network, world.network.structure
    names = tuple(structure.places)
    forward = Forward(network, names)
    for codes in random_rows(structure, 4, world.draw):
        row = codes.tolist()
        probability = reference.probability(network, row)
        assert log_likelihoods(network, codes[np.newaxis])[0] == pytest.approx(
            np.log(probability) if probability else -np.inf
        )
        if probability == 0.0:
            with pytest.raises(NetworkError, match="the evidence is impossible in this network"):
                posterior(network, evidence_of(structure, codes))
            with pytest.raises(NetworkError, match="the evidence is impossible in this network"):
                forward(codes)
            with pytest.raises(NetworkError, match="row 0: the evidence is impossible in this network:"):
                forward.rows(codes[np.newaxis])
            continue
        plain = posterior(network, evidence_of(structure, codes))
        fast, [many] = forward(codes), forward.rows(codes[np.newaxis])
        for name in names:
            expected = reference.posterior(network, row, name)
            for found in (plain[name], fast[forward.parts[name]], many[forward.parts[name]]):
                np.testing.assert_allclose(found, expected, rtol=0.0, atol=EXACT)
            [alone] = posterior(network, evidence_of(structure, codes), targets=[name]).values()
            np.testing.assert_allclose(alone, expected, rtol=0.0, atol=EXACT)


@given(worlds())
def test_pyagrum_agrees_on_any_network(world: World) -> None:
    network, structure = world.network, world.network.structure
    agrum = Agrum(network)
    forward = Forward(network, tuple(structure.places))
    for codes in random_rows(structure, 3, world.draw):
        if np.isfinite(log_likelihoods(network, codes[np.newaxis])[0]):
            found = forward(codes)
            for name, expected in agrum.posteriors(codes).items():
                np.testing.assert_allclose(found[forward.parts[name]], expected, rtol=0.0, atol=EXACT)


def opponent_questions(count: int, draw: np.random.Generator) -> Codes:
    """A third as a hand goes, a third with one more thing unknown and one more known, a third with anything known."""
    streets = np.concatenate([street_rows(street, count // 9, draw) for street in HAND_TYPE])
    some, numbers = streets.copy(), np.arange(len(streets))
    some[numbers, draw.integers(0, some.shape[1], len(some))] = UNKNOWN
    some[numbers, draw.integers(0, some.shape[1], len(some))] = 0
    return np.concatenate([streets, some, random_rows(opponent_structure(), count // 3, draw)])


def check_against_agrum(network: Network, rows: Codes) -> None:
    agrum = Agrum(network)
    forward = Forward(network, tuple(SIZES))
    many = forward.rows(rows)
    for codes, of_row in zip(rows, many, strict=True):
        found = forward(codes)
        assert np.array_equal(found, of_row)
        plain = posterior(network, evidence_of(network.structure, codes))
        for name, expected in agrum.posteriors(codes).items():
            np.testing.assert_allclose(found[forward.parts[name]], expected, rtol=0.0, atol=EXACT)
            np.testing.assert_allclose(plain[name], expected, rtol=0.0, atol=EXACT)


def check_against_pgmpy(network: Network, rows: Codes) -> None:
    """One hidden node for each row, in turns."""
    pgmpy = Pgmpy(network)
    forward = Forward(network, HIDDEN)
    for number, codes in enumerate(rows):
        found = forward(codes)
        unknown = [name for name in HIDDEN if codes[network.structure.places[name]] == UNKNOWN]
        if unknown:
            asked = unknown[number % len(unknown)]
            expected = pgmpy.posterior(codes, asked)
            np.testing.assert_allclose(found[forward.parts[asked]], expected, rtol=0.0, atol=EXACT)


def test_pyagrum_agrees_on_opponents(opponents: Network) -> None:
    check_against_agrum(opponents, opponent_questions(120, np.random.default_rng(1)))


def test_pgmpy_agrees_on_opponents(opponents: Network) -> None:
    check_against_pgmpy(opponents, opponent_questions(27, np.random.default_rng(2)))


@pytest.mark.soak
def test_pyagrum_agrees_on_thousands_of_questions(opponents: Network) -> None:
    check_against_agrum(opponents, opponent_questions(12_000, np.random.default_rng(3)))


@pytest.mark.soak
def test_pgmpy_agrees_on_thousands_of_questions(opponents: Network) -> None:
    check_against_pgmpy(opponents, opponent_questions(6_000, np.random.default_rng(4)))


def test_what_is_below_nothing_known_is_left_out() -> None:
    """On the flop nothing of the turn is multiplied, and all that is summed out is the hand group."""
    structure = opponent_structure()
    known = [place for place, name in enumerate(SIZES) if name in ("PFR", "VPIP", "Position", "Action")]
    known += [structure.places["ActionFlop"], structure.places["Board"]]
    found = plan(structure, known, [structure.places["HandTypeFlop"]])
    assert [step.eliminated for step in found.steps] == [structure.places["HandGroup"], None]


def test_targets_share_their_steps() -> None:
    structure = opponent_structure()
    places = structure.places
    one = plan(structure, [places["HandTypeFinal"]], [places["HandTypeTurn"]])
    both = plan(structure, [places["HandTypeFinal"]], [places["HandTypeTurn"], places["PartialHandTurn"]])
    again = plan(structure, [places["HandTypeFinal"]], [places["PartialHandTurn"]])
    assert len(one.steps) < len(both.steps) < len(one.steps) + len(again.steps)


def test_long_products_do_not_vanish() -> None:
    """Six hundred observations below one hidden cause, each of them one in a thousand millions."""
    count = 600
    cause = variable("Cause", 2)
    signs = tuple(variable(f"Sign{number}", 2) for number in range(count))
    structure = Structure((cause, *signs), {sign.name: ("Cause",) for sign in signs})
    small = np.array([[1e-9, 1 - 1e-9], [2e-9, 1 - 2e-9]])
    even = np.array([[1e-9, 1 - 1e-9], [1e-9, 1 - 1e-9]])
    tables = {sign.name: even for sign in signs} | {"Sign7": small, "Cause": np.array([0.5, 0.5])}
    network = Network(structure, tables)
    codes = np.array([UNKNOWN] + [0] * count, dtype=np.int16)
    np.testing.assert_allclose(Forward(network, ["Cause"])(codes), [1 / 3, 2 / 3], rtol=1e-12)
    plain = posterior(network, evidence_of(structure, codes), ["Cause"])
    np.testing.assert_allclose(plain["Cause"], [1 / 3, 2 / 3], rtol=1e-12)
    expected = (count - 1) * np.log(1e-9) + np.log(1.5e-9)
    assert log_likelihood(network, codes[np.newaxis]) == pytest.approx(expected, rel=1e-12)
    known = codes.copy()
    known[0] = 1
    with pytest.raises(
        NetworkError, match="impossible in this network: Cause Cause1, Sign0 Sign00, .*, 571 more$"
    ):
        Forward(Network(structure, {**tables, "Cause": np.array([1.0, 0.0])}), ["Cause"])(known)
    expected = np.log(0.5) + (count - 1) * np.log(1e-9) + np.log(2e-9)
    assert log_likelihood(network, known[np.newaxis]) == pytest.approx(expected, rel=1e-12)


def test_a_network_may_have_more_variables_than_letters() -> None:
    chain = tuple(variable(f"Link{number}", 2) for number in range(80))
    parents = {after.name: (before.name,) for before, after in pairwise(chain)}
    network = random_network(Structure(chain, parents), np.random.default_rng(5))
    found = posterior(network, {"Link79": "Link791"}, ["Link0"])["Link0"]
    matrix = np.linalg.multi_dot([network.tables[each.name] for each in chain[1:]])
    expected = network.tables["Link0"] * matrix[:, 1]
    np.testing.assert_allclose(found, expected / expected.sum(), rtol=1e-12)


def test_an_answer_that_needs_too_large_a_table_is_refused() -> None:
    causes = tuple(variable(f"Cause{number}", 4) for number in range(14))
    effects = tuple(variable(f"Effect{first}.{second}", 2) for first in range(14) for second in range(first))
    parents = {each.name: tuple(f"Cause{number}" for number in each.name[6:].split(".")) for each in effects}
    network = random_network(Structure((*causes, *effects), parents), np.random.default_rng(6))
    with pytest.raises(NetworkError, match="needs a table of 268,435,456 numbers, but at most 134,217,728"):
        posterior(network, {each.name: each.states[0] for each in effects}, ["Cause0"])


def test_single_entries_may_be_as_small_as_numbers_are() -> None:
    pair = Structure((variable("A", 2), variable("B", 2)))
    network = Network(pair, {"A": np.array([1e-300, 1.0]), "B": np.array([1e-300, 1.0])})
    codes = np.zeros((1, 2), dtype=np.int16)
    assert log_likelihood(network, codes) == pytest.approx(2 * np.log(1e-300), rel=1e-12)
    assert Forward(network, ["A"])(codes[0]).tolist() == [1.0, 0.0]


@given(st.data())
def test_log_likelihood_counts_weights(data: st.DataObject) -> None:
    world = data.draw(worlds(4))
    rows = random_rows(world.network.structure, 5, world.draw)
    rows[:, 0] = UNKNOWN
    each = log_likelihoods(world.network, rows)
    weights = world.draw.integers(0, 3, 5).astype(np.float64)
    repeated = np.repeat(rows, weights.astype(int), axis=0)
    assert log_likelihood(world.network, repeated) == pytest.approx(
        log_likelihood(world.network, rows, weights), rel=1e-9
    )
    assert log_likelihood(world.network, rows) == pytest.approx(each.sum(), rel=1e-9)


def test_questions_that_cannot_be_asked_are_refused_with_a_sentence(opponents: Network) -> None:
    with pytest.raises(NetworkError, match="no variable is called 'Bord': did you mean 'Board'"):
        posterior(opponents, {"Bord": "Board0"})
    with pytest.raises(NetworkError, match="Board: no state is called 'Board12': did you mean 'Board2'"):
        posterior(opponents, {"Board": "Board12"})
    with pytest.raises(NetworkError, match="no variable is called 'Handtypeflop'"):
        posterior(opponents, {}, ["Handtypeflop"])
    with pytest.raises(NetworkError, match="rows of whole numbers with 20 columns expected, found float64"):
        log_likelihoods(opponents, np.zeros((2, 20)))  # type: ignore[arg-type]
    rows = np.zeros((3, 20), dtype=np.int16)
    rows[2, 2] = 4
    with pytest.raises(
        NetworkError, match="row 2: 4 is not a state of Position: states are 0 to 3, unknown is -1"
    ):
        log_likelihoods(opponents, rows)
    with pytest.raises(NetworkError, match="a weight for each of 1 rows expected"):
        log_likelihood(opponents, rows[:1], np.ones(2))
    with pytest.raises(NetworkError, match="weights must be numbers of at least 0"):
        log_likelihood(opponents, rows[:1], np.array([-1.0]))


def test_impossible_evidence_names_itself() -> None:
    structure = Structure((variable("A", 2), variable("B", 2)), {"B": ("A",)})
    network = Network(structure, {"A": np.array([1.0, 0.0]), "B": np.array([[1.0, 0.0], [0.5, 0.5]])})
    with pytest.raises(NetworkError, match="^the evidence is impossible in this network: B B1$"):
        posterior(network, {"B": "B1"})
    assert log_likelihoods(network, np.array([[-1, 1], [0, 0]])).tolist() == [-np.inf, 0.0]
