"""`railbird imitate`: how faithful an imitator is, as a page of text and as JSON."""

import json
import re
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
    assert found.system.split(":")[0] == system
    assert text.startswith(
        f"{found.system} imitates rulebot: {found.learnt:,} decisions learnt from 200 hands, 1 hand in 10"
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


@pytest.mark.parametrize(("player", "is_better"), [("rulebot", True), ("random", False)])
def test_an_imitator_that_is_no_better_than_the_usual_action_is_warned_of(
    player: str, is_better: bool, tmp_path: Path
) -> None:
    usual = "the most frequent action with or without a bet to call"
    warning = f"these hands do not show that casper:look-ahead=1 predicts better than {usual}"
    log = tmp_path / "h.log"
    assert railbird("selfplay", "--seats", "rulebot,random", "--hands", 600, "-o", log).code == 0
    path = tmp_path / "found.json"
    done = railbird("imitate", log, "--player", player, "--as", "casper", "--json", path)
    watched = railbird("watch", log, "--player", player, "--as", "casper", "-o", tmp_path / "x.parquet")
    for text in (done.out.decode(), watched.out.decode()):
        assert (f"Warning: {warning}: it agrees with " in text) is not is_better
    assert any(each.startswith(warning) for each in json.loads(path.read_text())["warnings"]) is not is_better
    if is_better:
        assert re.search(
            r"Cases from nine hands in ten agree with [\d.]+ % of \d+ decisions",
            watched.out.decode(),
        )


def test_too_few_hands_cannot_be_checked(log: Path, tmp_path: Path) -> None:
    (tmp_path / "few.log").write_text("".join(log.read_text().splitlines(keepends=True)[:2]))
    done = railbird(
        "watch", tmp_path / "few.log", "--all-players", "--as", "casper", "-o", tmp_path / "x.parquet"
    )
    assert done.code == 0, done.error
    assert "There are too few hands to check how well the cases predict decisions." in done.out.decode()
