"""`railbird reproduce`: the papers' experiments by name, their findings, and going on after a stop."""

import json
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from command import railbird
from railbird import experiments
from railbird.arena.play.match import play_match
from railbird.arena.play.plan import Duplicate, MatchPlan, entrants_of
from railbird.arena.run.journal import Journal
from railbird.experiments.frame import Experiment, Finding, Laboratory
from railbird.experiments.loki import simulation as loki


def _tiny(laboratory: Laboratory) -> Iterator[Finding]:
    rate = laboratory.rate(
        "tiny", "limit-3p", ["always-raise", "always-call", "always-fold"], deals=8, matches=2
    )
    yield Finding("always-raise", str(rate), "+9 sb/h", "an interval above zero", rate.low > 0)


TINY = Experiment("tiny", "nobody-2000 §1", "Raising wins.", "Three players, eight deals.", _tiny)


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> Experiment:
    module = ModuleType("railbird.experiments.tiny")
    module.EXPERIMENTS = (TINY,)  # type: ignore[attr-defined]
    monkeypatch.setitem(__import__("sys").modules, "railbird.experiments.tiny", module)
    monkeypatch.setattr(experiments, "MODULES", ("loki.simulation", "tiny"))
    return TINY


def test_every_experiment_is_listed_with_its_claim() -> None:
    outcome = railbird("reproduce", "list")
    assert outcome.code == 0
    text = outcome.out.decode()
    for name, experiment in experiments.experiments().items():
        assert name in text
        assert experiment.claim.endswith(".")
        assert experiment.setup.endswith(".")
    assert railbird("reproduce").out == outcome.out


def test_findings_stand_beside_what_was_published_and_are_written(tiny: Experiment, tmp_path: Path) -> None:
    outcome = railbird("reproduce", "tiny", "-o", tmp_path / "report", "--seed", "5")
    assert outcome.code == 0, outcome.error
    text = outcome.out.decode()
    assert "Raising wins." in text
    assert "+9 sb/h" in text
    data = json.loads((tmp_path / "report" / "tiny.json").read_text())
    assert data["schema"] == "railbird.reproduction/1"
    assert data["reproduce"] == f"railbird reproduce tiny --seed 5 -o {tmp_path / 'report'}"
    (finding,) = data["findings"]
    assert finding["holds"] in (True, False)
    assert "24 hands" in finding["measured"]


def test_a_run_that_was_stopped_goes_on_and_finds_the_same(
    tiny: Experiment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert railbird("reproduce", "tiny", "-o", tmp_path).code == 0
    first = json.loads((tmp_path / "tiny.json").read_text())["findings"]
    (tmp_path / "tiny.json").unlink()

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a match was played again")

    monkeypatch.setattr("railbird.arena.play.match._Session.play", refuse)
    assert railbird("reproduce", "tiny", "-o", tmp_path).code == 0
    assert json.loads((tmp_path / "tiny.json").read_text())["findings"] == first


def test_a_quick_run_does_not_judge(tiny: Experiment, tmp_path: Path) -> None:
    assert railbird("reproduce", "tiny", "--quick", "-o", tmp_path).code == 0
    (finding,) = json.loads((tmp_path / "tiny.json").read_text())["findings"]
    assert finding["holds"] is None


def test_a_rate_is_that_of_the_duplicate_matches_together_without_the_luck_of_the_board() -> None:
    agents = ["random", "always-call", "always-raise"]
    rate = Laboratory("7").rate("some", "limit-3p", agents, deals=10, matches=2, place=1)
    tallies = [
        play_match(
            MatchPlan(
                "limit-3p",
                entrants_of(agents, trusted=True),
                5,
                "7",
                ("experiment", "some", number),
                Duplicate.ROTATIONS,
                without_luck=True,
            )
        ).without_luck
        for number in range(2)
    ]
    assert tallies[0] is not None
    assert tallies[1] is not None
    assert rate.hands == 30
    assert rate.mean == pytest.approx((tallies[0] + tallies[1]).mean((0, 1, 0)) / 10)


def test_an_unknown_experiment_is_answered_in_a_sentence() -> None:
    outcome = railbird("reproduce", "loki-simulatoin")
    assert (outcome.code, outcome.error.count("\n")) == (2, 1)
    assert "did you mean 'loki-simulation'" in outcome.error


def test_more_trials_make_expected_values_stable() -> None:
    """loki-1999: after 500 trials little changes, after 100 much does; here for a few decisions."""
    findings = {finding.what: finding for finding in loki._trials(Laboratory(quick=True))}
    late = findings["mean absolute difference of EV, 500 against 2,000 trials"]
    early = findings["mean absolute difference of EV, 100 against 500 trials"]
    sizes = [float(finding.measured[1:].split(",")[0]) for finding in (late, early)]
    assert 0 < sizes[0] < 0.75 * sizes[1]
    judged = f"obvious by the sum of standard deviations, judged once after {loki.MOST_TRIALS} trials"
    assert findings[judged].holds


def test_a_difference_is_between_the_same_deals() -> None:
    laboratory = Laboratory("7")
    agents = ["always-call", "random", "always-raise"]
    size = {"deals": 10, "matches": 5}
    both = [
        laboratory.rate("some", "limit-3p", [agent, *agents[1:]], **size)
        for agent in ("always-call", "random")
    ]
    found = laboratory.difference("some", "limit-3p", agents, "random", **size)
    assert found.mean == pytest.approx(both[0].mean - both[1].mean)
    assert found.hands == both[0].hands
    assert found.low < found.mean < found.high
    same = laboratory.difference("some", "limit-3p", agents, "always-call", **size)
    assert (same.low, same.mean, same.high) == (0.0, 0.0, 0.0)


def test_what_took_long_is_noted_and_not_made_again(tmp_path: Path) -> None:
    made: list[int] = []

    def make() -> list[int]:
        made.append(1)
        return [1, 2]

    for _ in range(2):
        with Journal(tmp_path / "journal", {"seed": "1"}) as journal:
            laboratory = Laboratory(journal=journal)
            assert laboratory.noted("some numbers", make) == [1, 2]
            assert laboratory.noted("some numbers", make) == [1, 2]
    assert made == [1]
    assert Laboratory().noted("some numbers", make) == [1, 2]
    assert made == [1, 1]
