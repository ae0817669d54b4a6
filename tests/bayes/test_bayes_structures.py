"""Structures found in rows: the true one where it can be told, what is asked is kept, scores as others compute them."""

import sys
import warnings
from importlib import import_module
from math import log
from subprocess import run

import numpy as np
import pytest
from hypothesis import given

from bayes_networks import Codes, World, opponent_structure, random_network, samples, variable, worlds
from bayes_referees import pgmpy_module
from railbird.bayes.agrum import from_agrum, to_agrum
from railbird.bayes.learning.counts import Uniform, count
from railbird.bayes.learning.likelihood import log_likelihood
from railbird.bayes.learning.structures import (
    Arc,
    Constraints,
    HillClimbing,
    Miic,
    Search,
    StructureScore,
    Tabu,
    bic,
    compare,
    learn_structure,
    parameters,
)
from railbird.bayes.network import Network
from railbird.bayes.structure import NetworkError, Structure

TRUE = Structure(
    (variable("C", 2), variable("A", 3), variable("B", 2), variable("D", 3), variable("E", 2)),
    {"C": ("A", "B"), "D": ("C",), "E": ("D",)},
)
TIERS = Constraints(tiers=(("A", "B"), ("C",), ("D",), ("E",)))
SEARCHES = [
    *(kind(score) for kind in (HillClimbing, Tabu) for score in (StructureScore.BIC, StructureScore.BDEU)),
    Miic(),
]


@pytest.fixture(scope="module")
def rows() -> Codes:
    draw = np.random.default_rng(3)
    return samples(random_network(TRUE, draw), 20_000, draw)


def arcs(structure: Structure) -> set[Arc]:
    return {(parent, name) for name, parents in structure.parents.items() for parent in parents}


def skeleton(structure: Structure) -> set[frozenset[str]]:
    return {frozenset(arc) for arc in arcs(structure)}


@pytest.mark.parametrize("search", SEARCHES, ids=str)
def test_with_the_order_of_time_the_true_structure_is_found(rows: Codes, search: Search) -> None:
    found = learn_structure(TRUE.variables, rows, search=search, constraints=TIERS)
    assert arcs(found) == arcs(TRUE)
    assert found.variables == TRUE.variables


def test_miic_tells_causes_from_effects_where_two_meet(rows: Codes) -> None:
    assert arcs(learn_structure(TRUE.variables, rows, search=Miic())) == arcs(TRUE)


@pytest.mark.parametrize("search", SEARCHES, ids=str)
def test_required_arcs_are_there_and_forbidden_ones_are_not(rows: Codes, search: Search) -> None:
    limits = Constraints(required=(("E", "A"),), forbidden=(("C", "D"), ("D", "C")))
    found = learn_structure(TRUE.variables, rows, search=search, constraints=limits)
    assert ("E", "A") in arcs(found)
    assert frozenset("CD") in skeleton(TRUE)
    assert frozenset("CD") not in skeleton(found)


@pytest.mark.parametrize("search", [HillClimbing(), Tabu()], ids=str)
def test_no_variable_has_more_parents_than_allowed(rows: Codes, search: Search) -> None:
    limits = Constraints(tiers=TIERS.tiers, most_parents=1)
    found = learn_structure(TRUE.variables, rows, search=search, constraints=limits)
    assert max(len(parents) for parents in found.parents.values()) == 1


def test_a_score_decides_how_many_arcs_are_worth_it(rows: Codes) -> None:
    many = learn_structure(TRUE.variables, rows, search=HillClimbing(StructureScore.AIC), constraints=TIERS)
    assert arcs(many) > arcs(TRUE)


def test_bic_is_what_pgmpy_computes(rows: Codes) -> None:
    names = [each.name for each in TRUE.variables]
    frame = import_module("pandas").DataFrame(
        {
            each.name: [each.states[code] for code in rows[:500, place]]
            for place, each in enumerate(TRUE.variables)
        }
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        score = pgmpy_module("structure_score").BIC(
            frame, state_names={each.name: list(each.states) for each in TRUE.variables}
        )
        theirs = sum(score.local_score(name, TRUE.parents[name]) for name in names)
    assert bic(TRUE, rows[:500]) == pytest.approx(theirs, rel=1e-9)


def test_parameters_and_bic_by_hand() -> None:
    """Two coins, three tosses: heads, heads, tails; both alike."""
    coins = Structure((variable("One", 2), variable("Two", 2)), {"Two": ("One",)})
    tosses = np.array([[0, 0], [0, 0], [1, 1]], dtype=np.int16)
    assert parameters(coins) == 3
    assert parameters(TRUE) == 2 + 1 + 6 * 1 + 2 * 2 + 3 * 1
    assert bic(coins, tosses) == pytest.approx(2 * log(2 / 3) + log(1 / 3) - 1.5 * log(3))


def test_structures_are_compared_by_what_they_have_not_seen(rows: Codes) -> None:
    everything = Structure(
        TRUE.variables,
        {"B": ("A",), "C": ("A", "B"), "D": ("A", "B", "C"), "E": ("A", "B", "C", "D")},
    )
    seen, unseen = rows[:300], rows[300:2300]
    found = compare(
        {"nothing": Structure(TRUE.variables), "true": TRUE, "everything": everything}, seen, unseen
    )
    assert [each.name for each in found] == ["true", "everything", "nothing"]
    assert [each.parameters for each in found] == [16, 71, 7]
    assert found[0].bic == bic(TRUE, seen) > found[1].bic
    network = count(TRUE, seen, prior=Uniform(1.0))
    assert found[0].held_out == log_likelihood(network, unseen) / len(unseen)


@given(worlds())
def test_networks_go_to_pyagrum_and_back_bit_for_bit(world: World) -> None:
    network = world.network
    made = to_agrum(network)
    assert from_agrum(made) == network


def test_a_large_network_goes_to_pyagrum_and_back_bit_for_bit() -> None:
    network = random_network(opponent_structure(), np.random.default_rng(16))
    made = to_agrum(network)
    again: Network = from_agrum(made)
    assert again == network


def test_pyagrum_is_imported_when_a_search_runs() -> None:
    code = "import sys, railbird.bayes.learning.structures; sys.exit('pyagrum' in sys.modules)"
    assert run([sys.executable, "-c", code], check=False).returncode == 0


def test_plain_questions_and_counts_do_not_import_the_compiler() -> None:
    code = "import sys, railbird.bayes.inference, railbird.bayes.learning.counts; sys.exit('numba' in sys.modules)"
    assert run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize(
    ("limits", "sentence"),
    [
        (Constraints(required=(("A", "F"),)), "no variable is called 'F'"),
        (Constraints(forbidden=(("F", "A"),)), "no variable is called 'F'"),
        (
            Constraints(required=(("A", "B"),), forbidden=(("A", "B"),)),
            "the arc A → B is both required and forbidden",
        ),
        (Constraints(required=(("A", "B"), ("B", "A"))), "there is a cycle among"),
        (Constraints(tiers=(("A", "B"), ("C",))), "tiers must list each variable once, unlike A, B, C"),
        (
            Constraints(tiers=(("A", "B", "C", "D", "E"), ("A",))),
            "tiers must list each variable once, unlike",
        ),
        (
            Constraints(required=(("C", "A"),), tiers=TIERS.tiers),
            "the arc C → A is required, but C is in a later tier",
        ),
        (Constraints(most_parents=0), "the maximum number of parents must be at least one, not 0"),
    ],
)
def test_constraints_that_cannot_be_kept_are_refused(rows: Codes, limits: Constraints, sentence: str) -> None:
    with pytest.raises(NetworkError, match=sentence):
        learn_structure(TRUE.variables, rows, constraints=limits)


def test_rows_that_nothing_can_be_found_in_are_refused(rows: Codes) -> None:
    unknown = rows[:10].copy()
    unknown[7, 3] = -1
    with pytest.raises(
        NetworkError, match="row 7: D is unknown, but structures are learnt from complete rows"
    ):
        learn_structure(TRUE.variables, unknown)
    with pytest.raises(NetworkError, match="row 7: D is unknown"):
        bic(TRUE, unknown)
    with pytest.raises(NetworkError, match="there are no rows to learn a structure from"):
        learn_structure(TRUE.variables, rows[:0])
    with pytest.raises(NetworkError, match="MIIC does not support a maximum number of parents"):
        learn_structure(TRUE.variables, rows, search=Miic(), constraints=Constraints(most_parents=2))
