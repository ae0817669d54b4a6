"""`import railbird`: what it offers, what it costs, and that every name is documented by an example."""

import subprocess
import sys
from collections.abc import Sequence
from doctest import DocTestParser
from importlib import import_module
from pathlib import Path

import pytest

import railbird
from folders import ROOT

PUBLIC = {
    "railbird": "Agent Decision Range Setup State agent_names deal equity evaluate explain format_cards game_names "
    "imitate make_agent match named_game parse_cards read_hands tournament train_network watch write_hands",
    "railbird.engine": "CALL FOLD Action ActionError ActionKind GameRules HandRecord LegalActions RulesError Setup "
    "State Table deal game_names named_game raise_to",
    "railbird.cbr": "AllOrNothing AsObserved AtLeast AtLeastElseNearest BestOutcome BestSumOfOutcomes ByProbability "
    "Case CaseBase Cycle Decay Episode Judged Linear Matrix MaxFrequency Nearest Number Pack Probabilistic Repaired "
    "RetainAlways RetainMerged RetainUnknown Retrieve Schema Similarity Strategy Symbol Target read_pack write_pack",
    "railbird.bayes": "Average Forward Network NetworkError Structure Uniform Variable count learn learn_structure "
    "posterior read_xdsl write_xdsl",
}


@pytest.mark.parametrize("package", PUBLIC)
def test_the_public_names_are_these_and_each_is_there(package: str) -> None:
    names, module = PUBLIC[package].split(), import_module(package)
    assert sorted(module.__all__) == sorted(names)
    assert set(names) <= set(dir(module))
    for name in names:
        assert getattr(module, name) is not None


@pytest.mark.parametrize("name", railbird.__all__)
def test_every_public_name_is_documented_by_an_example_that_shows_its_output(name: str) -> None:
    """The examples themselves are run with all others of the package."""
    examples = DocTestParser().get_examples(getattr(railbird, name).__doc__)
    assert any(example.want for example in examples), name


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'railbird' has no attribute 'fold'"):
        _ = railbird.fold  # type: ignore[attr-defined]


def test_the_citation_names_this_version() -> None:
    lines = (ROOT / "CITATION.cff").read_text(encoding="utf-8").splitlines()
    assert f"version: {railbird.__version__}" in lines


def modules_after(code: str) -> set[str]:
    script = f"{code}\nimport sys; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


@pytest.mark.parametrize("package", PUBLIC)
def test_importing_a_package_imports_neither_the_compiler_nor_arrays(package: str) -> None:
    assert not {"numba", "numpy", "polars", "rich", "typer"} & modules_after(f"import {package}")


def test_seats_may_be_one_text_and_the_reported_command_repeats_the_match(tmp_path: Path) -> None:
    options: dict[str, object] = {"game": "limit-3p", "hands": 4, "seed": 3, "duplicate": "rotations"}
    seats = ["random", "always-call", "random"]
    results = railbird.match("random,always-call,random", results=tmp_path / "r.json", **options)  # type: ignore[arg-type]
    again = railbird.match(seats, **options)  # type: ignore[arg-type]
    assert results.digest == again.digest
    words = again.to_json()["reproduce"].split()
    assert command_digest(words[1:], tmp_path / "by-command.json") == again.digest


def test_a_tournament_has_a_row_for_each_player_and_each_pair() -> None:
    results = railbird.tournament(["random", "always-call", "always-raise"], hands=5, seed=2)
    assert results.to_frame()["player"].to_list() == ["random", "always-call", "always-raise"]
    assert results.to_frame()["hands"].to_list() == [20, 20, 20]
    assert results.pairs_to_frame().height == 3
    assert results.to_json()["digest"] == results.digest


def command_digest(words: Sequence[str], output: Path) -> str:
    from command import railbird as run
    from railbird.plain_data import read_json

    assert run(*words, "--json", output).code == 0
    report = read_json(output.read_bytes())
    assert isinstance(report, dict)
    return str(report["digest"])
