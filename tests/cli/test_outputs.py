"""What commands write: JSON to a file or alone to standard output; files that are replaced only with --force."""

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from command import railbird
from railbird import match, watch
from railbird.arena.results import figures
from railbird.bayes.network import Network
from railbird.bayes.structure import Structure, Variable
from railbird.bayes.xdsl.files import write_xdsl
from railbird.benchmarks import report
from railbird.benchmarks.measuring import Figure

MATCH = ("match", "--seats", "random,always-call", "--hands", 4)
WITH_JSON: tuple[tuple[object, ...], ...] = (
    MATCH,
    ("tournament", "--agents", "random,always-call", "--hands", 4),
    ("explain", "always-call", "--state", "MATCHSTATE:1:0::|AhAd"),
    ("equity", "AhKs", "QdQc", "--board", "2c3c4d5h9s"),
    ("stats", "hands.log"),
    ("stats", "hands.log", "--player", "rulebot"),
    ("imitate", "hands.log", "--player", "rulebot", "--as", "casper"),
    ("casebase", "show", "cases.parquet"),
    ("network", "show", "rain.xdsl"),
    ("strategy", "show", "kuhn.strategy"),
    ("strategy", "info", "kuhn.strategy"),
    ("exploit", "kuhn.strategy"),
    ("bench", "engine"),
)


@pytest.fixture(scope="module", autouse=True)
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The current folder, with a log, a pack, a network and a strategy."""
    here = tmp_path_factory.mktemp("outputs")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(here)
        patch.setattr(
            report, "figures_of", lambda _: iter([Figure("hands", 10.0, "Peer", 2.0, "hands/s", required=6)])
        )
        match(["rulebot", "always-call"], hands=30, seed=1, log="hands.log")
        watch("hands.log", ["rulebot"], system="casper", output="cases.parquet")
        rain = Structure((Variable("Rain", ("no", "yes")),), {})
        write_xdsl(here / "rain.xdsl", Network(rain, {"Rain": np.array([0.8, 0.2])}), {})
        solved = railbird("solve", "--game", "kuhn-2p", "--iterations", 2, "-o", "kuhn.strategy")
        assert solved.code == 0, solved.error
        yield here


@pytest.mark.parametrize("command", WITH_JSON, ids=lambda command: " ".join(map(str, command[:3])))
def test_json_goes_to_a_file_or_alone_to_standard_output(command: tuple[object, ...], tmp_path: Path) -> None:
    alone = railbird(*command, "--json", "-")
    assert alone.code == 0, alone.error
    printed = json.loads(alone.out)
    file = tmp_path / "results.json"
    both = railbird(*command, "--json", file)
    written = json.loads(file.read_text(encoding="utf-8"))
    assert both.code == 0
    assert both.out
    for volatile in ("elapsed_s", "reproduce"):
        assert printed.pop(volatile, None) is None or written.pop(volatile) is not None
    assert written == printed
    if command[0] in ("match", "tournament"):
        return  # the same experiment may be repeated
    again = railbird(*command, "--json", file)
    assert (again.code, again.out) == (2, b"")
    assert again.error == f"railbird: {file} exists already: use --force to overwrite it\n"
    assert railbird(*command, "--json", file, "--force").code == 0


def test_logs_and_pictures_are_replaced_only_with_force(tmp_path: Path) -> None:
    for command, name in (
        ((*MATCH, "--log"), "h.log"),
        (("selfplay", "--seats", "random,random", "--hands", 2, "-o"), "s.log"),
        (("network", "show", "rain.xdsl", "-o"), "rain.svg"),
    ):
        file = tmp_path / name
        file.write_text("mine")
        refused = railbird(*command, file)
        assert refused.error == f"railbird: {file} exists already: use --force to overwrite it\n"
        assert file.read_text() == "mine"
        assert railbird(*command, file, "--force").code == 0
        assert file.read_text() != "mine"


def test_results_are_shown_before_figures_are_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full_disk(*_: object) -> None:
        raise OSError(28, "No space left on device", "bankroll.png")

    monkeypatch.setattr(figures, "save", full_disk)
    done = railbird(*MATCH, "--figures", tmp_path / "figures")
    assert done.code == 2
    assert done.error == "railbird: bankroll.png: No space left on device\n"
    assert "always-call" in done.out.decode()
