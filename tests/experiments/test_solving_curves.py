"""Curves of exploitability: every strategy is solved and measured once, also when the run was stopped in between."""

import json
from pathlib import Path

import pytest

from command import railbird
from made_up_buckets import use_made_up_buckets
from railbird.experiments.solving import curves
from railbird.learning import exploit as exploiting
from railbird.learning.solve import solve


@pytest.fixture(autouse=True)
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game with betting before the flop only, without tables of buckets and without the files of other tests."""
    monkeypatch.setattr(curves, "GAME", "limit-2p:raises=1/0/0/0")
    use_made_up_buckets(monkeypatch)
    monkeypatch.setattr(exploiting, "cache_folder", lambda: tmp_path / "cache")


@pytest.mark.parametrize(
    ("name", "strategies"),
    [("solving-iterations", [(5, 8), (5, 16)]), ("solving-buckets", [(5, 8), (20, 8)])],
)
def test_a_stopped_run_resumes_and_draws_the_same_curve(
    name: str, strategies: list[tuple[int, int]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    solved: list[str] = []

    def counting(game: str, output: Path, **options: object) -> object:
        solved.append(f"{options['cards']} {options['iterations']}")
        if len(solved) == 2:
            raise KeyboardInterrupt
        return solve(game, output, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(curves, "solve", counting)
    report = tmp_path / "report"
    assert railbird("reproduce", name, "--quick", "-o", report).code == 130
    outcome = railbird("reproduce", name, "--quick", "-o", report)
    assert outcome.code == 0, outcome.error
    names = [f"percentiles:{buckets} {iterations}" for buckets, iterations in strategies]
    assert solved == [names[0], names[1], names[1]]
    findings = json.loads((report / f"{name}.json").read_text())["findings"]
    assert [finding["what"] for finding in findings] == [
        f"percentiles:{buckets} after {iterations} iterations" for buckets, iterations in strategies
    ]
    for finding in findings:
        assert finding["measured"].startswith("best response ")
        assert finding["measured"].endswith(" mbb/h")
    files = {path.name for path in (report / name).iterdir()}
    assert files == {f"{name}.svg", *(f"percentiles-{buckets}.strategy" for buckets, _ in strategies)}
    again = railbird("reproduce", name, "--quick", "-o", report)
    assert again.code == 0
    assert len(solved) == 3
    assert json.loads((report / f"{name}.json").read_text())["findings"] == findings
