"""How figures are measured and judged: sides alternate, medians count, and noise is told from a verdict."""

from collections.abc import Callable
from io import StringIO
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console
from typer.testing import CliRunner

from railbird.benchmarks import report
from railbird.benchmarks.measuring import Figure, bounded, compare_rates, compared, plain, spread_of
from railbird.benchmarks.parts.evaluator import ompeval_library
from railbird.benchmarks.parts.growth import TURNS, cost_of
from railbird.benchmarks.parts.memory import at_size, peak_mb, usage_of, without_cache
from railbird.benchmarks.parts.retrieval import SCHEMA, descriptions
from railbird.cbr.target import Target
from railbird.cli import app


def test_sides_alternate_and_their_medians_after_a_warm_up_are_compared() -> None:
    now = 0.0
    calls: list[str] = []

    def side(name: str, durations: list[float]) -> Callable[[], int]:
        waiting = iter(durations)

        def work() -> int:
            nonlocal now
            calls.append(name)
            now += next(waiting)
            return 60

        return work

    ours = side("ours", [100.0, 1.0, 2.0, 6.0])
    theirs = side("theirs", [100.0, 4.0, 3.0, 12.0])
    figure = compare_rates("hands", ours, "Peer", theirs, unit="hands/s", turns=3, clock=lambda: now)
    assert calls == ["ours", "theirs"] * 4
    assert (figure.ours, figure.theirs, figure.ratio) == (30.0, 15.0, 2.0)
    assert figure.spread == pytest.approx(1.0 / 2.0)  # the ratios are 4, 1.5 and 2


def test_the_spread_is_that_of_the_middle_half() -> None:
    assert spread_of([10.0, 10.0, 10.0, 1000.0, 1.0]) == 0.0
    assert spread_of([8.0, 9.0, 10.0, 12.0, 99.0]) == pytest.approx(0.2)
    assert spread_of([10.0]) is None


@pytest.mark.parametrize(
    ("figure", "reached", "is_noise", "words"),
    [
        (bounded("a", [9.0, 9.1, 9.2], 10.0, "ms"), True, False, "≥ 1"),
        (bounded("a", [11.0, 11.1, 11.2], 10.0, "ms"), False, False, "≥ 1, not reached"),
        (bounded("a", [7.0, 9.5, 12.0], 10.0, "ms"), True, True, "≥ 1, too noisy to judge"),
        (bounded("a", [8.0, 10.5, 14.0], 10.0, "ms"), False, True, "≥ 1, too noisy to judge"),
        (bounded("a", [300.0], 200.0, "hands/s"), True, False, "≥ 1"),
        (
            compared("a", [10.0, 20.0], "Peer", [1.0, 2.0], "hands/s", 10.5),
            False,
            False,
            "≥ 10.5, not reached",
        ),
        (Figure("a", 10.0, "Peer", None, "hands/s", 2.0, 0.9), True, False, "≥ 2"),
    ],
)
def test_a_target_within_the_spread_is_not_judged(
    figure: Figure, reached: bool, is_noise: bool, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (figure.reached, figure.is_noise) == (reached, is_noise)
    monkeypatch.setattr(report, "figures_of", lambda _: iter([figure]))
    printed = StringIO()
    report.measure(["engine"], Console(file=printed, width=120))
    lines = printed.getvalue().splitlines()
    assert lines[1].endswith(words)
    assert any(line.startswith("too noisy to judge: the spread of 1 of 1") for line in lines) is is_noise


def test_the_spread_is_printed_and_written() -> None:
    figure = bounded("a", [9.0, 10.0, 11.0], 20.0, "ms")
    (written,) = report.figures_to_json([figure])["results"]
    assert written["spread"] == pytest.approx(0.05)


def test_a_figure_without_a_peer_is_not_reported_as_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report, "figures_of", lambda _: iter([plain("a", [3.0, 1.0, 2.0], "bytes")]))
    printed = StringIO()
    (figure,) = report.measure(["growth"], Console(file=printed, width=120))
    assert (figure.ours, figure.ratio, figure.reached) == (2.0, None, True)
    assert "not installed" not in printed.getvalue()


def test_the_cost_of_a_case_base_is_measured_by_query_building_and_memory() -> None:
    spots = np.random.default_rng(1).uniform(0.0, 0.5, (50, 3))
    targets = [
        Target(SCHEMA, dict(zip(SCHEMA.names, row, strict=True)))
        for row in descriptions(spots, 5, "queries").tolist()
    ]
    cost = cost_of(descriptions(spots, 400, "cases"), targets)
    assert len(cost.threshold) == len(cost.nearest) == TURNS
    assert min(*cost.threshold, *cost.nearest, cost.building) > 0.0
    assert cost.size > 8 * len(SCHEMA.names)  # at least its values


@pytest.mark.parametrize("name", ["nowhere.so", "libc.so.6"])
def test_a_library_that_is_not_ompeval_is_refused_in_one_sentence(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAILBIRD_OMPEVAL", name)
    with pytest.raises(ValueError, match=r"^RAILBIRD_OMPEVAL does not name the library of docs/speed\.md: "):
        ompeval_library()


def test_the_peak_memory_of_a_command_is_that_of_its_process() -> None:
    assert 10 < peak_mb("--version") < peak_mb("match", "--seats", "random,random", "--hands", "1")
    with pytest.raises(
        RuntimeError, match=r"^railbird match --seats random failed: railbird: limit-2p needs 2 players"
    ):
        peak_mb("match", "--seats", "random")


def test_a_process_is_measured_by_its_own_time_and_memory() -> None:
    idle, busy = usage_of("-c", "pass"), usage_of("-c", "x = bytearray(100_000_000)")
    assert busy.peak_mb - idle.peak_mb == pytest.approx(100, abs=5)
    assert 0.0 < idle.seconds < 10.0


def test_what_was_not_measured_is_extrapolated_from_the_growth_between_two_sizes() -> None:
    assert at_size(1_000, (100, 200), [5.0, 7.0]) == pytest.approx(23.0)
    assert at_size(1_000, (100, 200), [7.0, 5.0]) == 5.0  # noise, not shrinking
    assert without_cache([200.0, 400.0], [20.0, 1_000.0]) == pytest.approx([180.0, 400.0 - 134.217728])


def test_curves_are_drawn_from_the_figures_that_are_points_of_them(tmp_path: Path) -> None:
    points = [
        Figure("a", 9.0 * size, "", None, "µs", spread=0.1, point=("above", 10**size)) for size in (4, 5)
    ]
    picture = tmp_path / "growth.svg"
    report.draw_curves([*points, plain("memory", [3.0], "bytes")], picture)
    assert "above" in picture.read_text()


def test_curves_need_the_part_that_they_are_drawn_from(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["bench", "engine", "--figure", str(tmp_path / "growth.png")])
    assert "--figure draws the curves of growth, which is not measured here" in str(result.exception)
