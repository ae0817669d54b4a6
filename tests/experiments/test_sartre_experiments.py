"""SARTRE's experiments in their quick size: findings are complete, and files are where they are said to be."""

import re
from pathlib import Path

import pytest

from railbird.arena.results.tally import Tally
from railbird.experiments import experiment_named
from railbird.experiments.frame import Finding, Laboratory
from railbird.experiments.running import run_experiment
from railbird.experiments.sartre import switching
from railbird.kernels.rules.pots import PARTS


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


def test_switching_is_compared_on_the_same_deals(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(switching, "OPPONENTS", {"akuma": "random", "dpp": "probtriple"})
    found = run_experiment(experiment_named("sartre-switching"), quick=True, folder=tmp_path).findings
    rates = {finding.what: mean(finding) for finding in found}
    assert list(rates)[:3] == [
        "without switching: sartre-3p",
        "without switching: random (for akuma)",
        "without switching: probtriple (for dpp)",
    ]
    kinds = ("without switching", "with switching")
    for kind in kinds:
        assert sum(rate for what, rate in rates.items() if what.startswith(kind)) == pytest.approx(
            0, abs=0.002
        )
    without, having = (rates[f"{kind}: sartre-3p"] for kind in kinds)
    assert rates["gain from switching, on the same 8 deals"] == pytest.approx(having - without, abs=0.002)
    assert having != without

    def play_again(*_: object) -> None:
        raise AssertionError("a match in the journal was played again")

    monkeypatch.setattr(switching, "_played", play_again)
    again = run_experiment(experiment_named("sartre-switching"), quick=True, folder=tmp_path).findings
    assert again == found


def test_steps_are_played_until_the_difference_is_known_well_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each made-up match has a gain of 0.1 or 0.3 sb/h in every other deal."""
    matches = []

    def made_up(_: Laboratory, number: int, deals: int) -> Tally:
        matches.append(number)
        chips = [PARTS * 6 * (1 + 2 * (deal % 2)) for deal in range(deals)]
        return Tally.of([(0, 0, 0, gain, 0, 0) for gain in chips], 6)

    monkeypatch.setattr(switching, "_match", made_up)
    monkeypatch.setattr(switching, "DEALS", 10)
    found = list(experiment_named("sartre-switching").run(Laboratory()))
    # 0.1 sb/h is the standard deviation: the interval is narrow enough from about 0.1² · 1.96² / 0.01² deals on.
    assert matches == list(range(1, 41))
    assert found[-1].measured.startswith("+0.200 sb/h")
    assert found[-1].holds


def mean(finding: Finding) -> float:
    return float(finding.measured.split()[0].replace("−", "-"))
