"""SARTRE's experiments in their quick size: findings are complete, and files are where they are said to be."""

import re
from pathlib import Path

import pytest

from railbird.experiments import experiment_named
from railbird.experiments.frame import Finding, Laboratory


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("findings")


def findings(name: str, folder: Path) -> dict[str, Finding]:
    run = experiment_named(name).run(Laboratory(quick=True, folder=folder))
    return {finding.what: finding for finding in run}


def test_vector_solutions_are_fewer_and_lose_nothing(folder: Path) -> None:
    found = findings("sartre-solutions", folder)
    sizes = {
        stage: tuple(int(size.replace(",", "")) for size in re.findall(r"(\d[\d,]*) ", finding.measured))
        for stage, finding in found.items()
        if "single" in finding.measured
    }
    assert list(sizes) == ["preflop", "flop", "turn", "river", "all"]
    for single, vector in sizes.values():
        assert 0 < vector <= single
    assert sizes["all"] == tuple(sum(sizes[stage][place] for stage in list(sizes)[:4]) for place in (0, 1))
    assert found["both have the same strategy in every situation"].holds


def test_every_two_policies_meet(folder: Path) -> None:
    found = findings("sartre-policies", folder)
    assert [what for what in found if " against " in what] == [
        "max-frequency against probabilistic",
        "max-frequency against best-outcome",
        "probabilistic against best-outcome",
    ]
    order = found["order by mean rate"].measured.split(" > ")
    assert sorted(order) == ["best-outcome", "max-frequency", "probabilistic"]


def test_every_way_to_describe_hands_is_drawn(folder: Path) -> None:
    found = findings("sartre-representations", folder)
    assert len([what for what in found if what.endswith("% of the cases")]) == 3 * 2
    drawn = (folder / "sartre-representations" / "sartre-representations.svg").read_text()
    assert drawn.startswith("<?xml")
