"""Structures found in hands beside the published one: nothing goes back in time, and all of them are asked the same."""

import re

import numpy as np
import pytest

from bayes_networks import random_network, samples
from railbird.bayes.structure import UNKNOWN
from railbird.experiments import experiment_named
from railbird.experiments.baycarp.structure import (
    AS_PUBLISHED,
    NO_ARCS,
    SEARCHES,
    TIERS,
    complete,
    found_structures,
)
from railbird.experiments.frame import Laboratory
from railbird.opponents.network.nodes import PUBLISHED, structure


def test_tiers_hold_every_node_and_the_published_arcs_keep_to_them() -> None:
    published = structure(PUBLISHED)
    tier_of = {name: number for number, tier in enumerate(TIERS) for name in tier}
    assert tier_of.keys() == published.places.keys()
    for name, parents in published.parents.items():
        assert all(tier_of[parent] <= tier_of[name] for parent in parents)


def test_only_rows_without_unknown_states_are_complete() -> None:
    rows = np.array([[0, 1], [UNKNOWN, 1], [2, 3]], dtype=np.int16)
    assert complete(rows).tolist() == [[0, 1], [2, 3]]


def test_no_arc_goes_back_in_time() -> None:
    draw = np.random.default_rng(1)
    rows = samples(random_network(structure(PUBLISHED), draw), 3000, draw)
    found = found_structures(rows)
    assert list(found) == [AS_PUBLISHED, NO_ARCS, *SEARCHES]
    tier_of = {name: number for number, tier in enumerate(TIERS) for name in tier}
    arcs = {
        search: [(parent, name) for name, parents in each.parents.items() for parent in parents]
        for search, each in found.items()
    }
    assert not arcs[NO_ARCS]
    for search in SEARCHES:
        assert all(tier_of[parent] <= tier_of[name] for parent, name in arcs[search])
    assert ("ActionFlop", "ActionTurn") in arcs["hill climbing, BIC"]


def test_every_structure_is_asked_for_the_same_hands() -> None:
    findings = list(experiment_named("baycarp-structure").run(Laboratory(quick=True)))
    assert len(findings) == 2 + len(SEARCHES) + 4
    measured = {finding.what.rpartition(": ")[2]: finding.measured for finding in findings}
    assert " 0 arcs, 127 free probabilities" in measured[NO_ARCS]
    assert " 16 arcs, " in measured[AS_PUBLISHED]
    published = [float(each) for each in re.findall(r"\d\.\d{3}", measured[AS_PUBLISHED])]
    of_stages = [float(finding.measured.split()[0]) for finding in findings[-4:]]
    assert published == pytest.approx(of_stages)
