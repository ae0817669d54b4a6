"""`railbird imitate`: how faithful an imitator is, as a page of text and as JSON."""

import json
from pathlib import Path

import pytest

from command import railbird
from railbird.learning.fidelity import imitate


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("hands") / "h.log"
    done = railbird(
        "selfplay", "--game", "limit-2p", "--seats", "rulebot,random", "--hands", 200, "--seed", 1, "-o", path
    )
    assert done.code == 0, done.error
    return path


@pytest.mark.parametrize("system", ["casper", "sartre"])
def test_a_page_of_figures(system: str, log: Path, tmp_path: Path) -> None:
    path = tmp_path / "found.json"
    done = railbird("imitate", log, "--player", "rulebot", "--as", system, "--json", path)
    assert done.code == 0, done.error
    found = imitate(log, ["rulebot"], system=system)
    assert json.loads(path.read_text()) == json.loads(json.dumps(found.to_json()))
    text = done.out.decode()
    assert text.startswith(
        f"{system} imitates rulebot: {found.learnt:,} decisions learnt from 200 hands, 1 hand in 10"
    )
    rows = [line.split() for line in text.splitlines()]
    for stage, figures in found.stages.items():
        agreed, lost = (row for row in rows if row and row[0] == stage)
        assert agreed[1:3] == [f"{figures.decisions:,}", f"{100 * figures.imitator.agreement.mean:.1f}"]
        assert lost[1:3] == [f"{figures.decisions:,}", f"{figures.imitator.log_loss.mean:.3f}"]
    assert len(rows) < 30


def test_players_must_be_named(log: Path) -> None:
    for arguments, message in (
        ((), "choose players with --player NAME or --all-players"),
        (("--player", "rolebot"), "no player is called 'rolebot'; the nearest names are rulebot"),
        (("--player", "rulebot", "--as", "caspar"), "no system is called 'caspar': did you mean 'casper'?"),
        (
            ("--player", "rulebot", "--network", "x.xdsl"),
            "casper does not read opponents, so it takes no network",
        ),
    ):
        done = railbird("imitate", log, *arguments)
        assert done.code == 2
        assert message in done.error
