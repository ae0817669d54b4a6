"""`railbird strategy`: grids as text, picture and JSON; what a file holds; files that are no strategies."""

import json
from pathlib import Path

import numpy as np
import pytest

from command import Outcome, railbird
from made_up_buckets import MadeUpBuckets, use_made_up_buckets
from railbird.engine.games import named_game
from railbird.strategies.exact_strategy import read_strategy
from railbird.strategies.table_strategy import Recipe, TableStrategy
from railbird.strategies.tree import public_tree

CARDS = MadeUpBuckets("percentiles", (5, 4, 3))


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folds the weaker half of the classes before the flop, and calls with everything else."""
    tree = public_tree(named_game("limit-2p:raises=1"))
    weights = {}
    for node in tree.decisions.tolist():
        rows = np.tile(np.array([0, 1, 0], dtype=np.float32), (CARDS.buckets[tree.rounds[node]], 1))
        if node == 0:
            rows[85:] = (1, 0, 0)
        weights[node] = rows
    path = tmp_path_factory.mktemp("strategies") / "limit.strategy"
    recipe = Recipe(tree.rules.name, "fcr", str(CARDS), 12, 1)
    TableStrategy.of_weights(recipe, tree, CARDS, weights).write(path)
    return path


@pytest.fixture(autouse=True)
def made_up(monkeypatch: pytest.MonkeyPatch) -> None:
    use_made_up_buckets(monkeypatch)


def strategy(*arguments: object) -> Outcome:
    outcome = railbird("strategy", *arguments)
    assert outcome.code == 0, outcome.error
    return outcome


def test_grids_are_shown_as_text(file: Path) -> None:
    text = strategy("show", file).out.decode()
    assert "limit-2p:raises=1, preflop, first to act, button" in text
    for action in ("fold", "call 5", "raise to 20"):
        assert f"\n{action}: " in text
    assert "A 9 9 9 9 9 9 9 9 9 9 9 9 9" in text
    assert (
        "hands that play to this point"
        in strategy("show", file, "--betting", "ccc", "--board", "AhKd2c").out.decode()
    )


def test_grids_are_written_as_json(file: Path) -> None:
    data = json.loads(strategy("show", file, "--json", "-").out)
    assert data["strategy"] == read_strategy(file).digest
    assert data["actions"] == ["fold", "call", "raise to 20"]
    folds = next(each for each in data["sections"] if each["title"].startswith("fold"))
    assert folds["weights"] == [0.0] * 85 + [1.0] * 84


@pytest.mark.parametrize("ending", ["png", "svg"])
def test_grids_are_drawn(file: Path, ending: str, tmp_path: Path) -> None:
    picture = tmp_path / f"grids.{ending}"
    strategy("show", file, "-o", picture)
    assert picture.read_bytes().startswith(b"\x89PNG" if ending == "png" else b"<?xml")


def test_a_small_game_has_a_table_and_no_picture(tmp_path: Path) -> None:
    path = tmp_path / "kuhn.strategy"
    railbird("solve", "--game", "kuhn-2p", "--iterations", 2, "-o", path)
    text = strategy("show", path, "--betting", "c").out.decode()
    assert "cards" in text
    assert "raise to 2" in text
    outcome = railbird("strategy", "show", path, "-o", tmp_path / "kuhn.png")
    assert outcome.code == 2
    assert "pictures are drawn of hold'em only" in outcome.error


def test_info_tells_the_recipe_the_size_and_the_digest(file: Path) -> None:
    text = strategy("info", file).out.decode()
    for part in ("limit-2p:raises=1", "percentiles:5/4/3", "12", read_strategy(file).digest):
        assert part in text
    data = json.loads(strategy("info", file, "--json", "-").out)
    assert (data["iterations"], data["seed"], data["against"]) == (12, 1, "")
    assert data["bytes"] == read_strategy(file).numbers.nbytes


@pytest.mark.parametrize("command", ["show", "info"])
def test_what_is_no_strategy_is_refused_in_a_sentence(command: str, file: Path, tmp_path: Path) -> None:
    content = file.read_bytes()
    bad = tmp_path / "bad.strategy"
    for damaged, reason in (
        (b"notes", "is not a strategy file"),
        (b"", "is not a strategy file"),
        (content[:-1], "bytes, but its header says"),
        (content[:-1] + bytes([content[-1] ^ 1]), "is damaged"),
        (content.replace(b"strategy 1", b"strategy 9", 1), "format 9"),
    ):
        bad.write_bytes(damaged)
        outcome = railbird("strategy", command, bad)
        assert outcome.code == 2
        assert reason in outcome.error
        assert outcome.error.count("\n") == 1
    missing = railbird("strategy", command, tmp_path / "missing.strategy")
    assert (missing.code, missing.error.count("\n")) == (2, 1)


def test_impossible_situations_are_refused_in_a_sentence(file: Path) -> None:
    for options, reason in (
        (("--betting", "x"), "'x' is not an action"),
        (("--betting", "cc"), "the board has 3 cards, but 0 are given"),
        (("--board", "Ah"), "the board has 0 cards, but 1 are given"),
        (("--board", "Zz"), "Zz"),
        (("-o", "picture.gif"), "picture.gif must end in .png or .svg"),
    ):
        outcome = railbird("strategy", "show", file, *options)
        assert outcome.code == 2
        assert reason in outcome.error
