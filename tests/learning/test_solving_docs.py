"""Every command and program of `docs/solving.md` runs, in small sizes and with made-up buckets."""

import json
import re
import shlex
from pathlib import Path

import pytest

from command import railbird
from folders import DOCS
from made_up_buckets import use_made_up_buckets
from railbird.experiments import experiments
from railbird.learning import exploit as exploiting

PAGE = (DOCS / "solving.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^    railbird (.+?)(?:  +.*)?$", PAGE, re.MULTILINE)
PROGRAMS = re.findall(r"^    from [^\n]+\n(?:(?:    [^\n]*)?\n)*?(?=\n\S)", PAGE, re.MULTILINE)
SMALL = (
    (r"--game limit-2p(?! --seats equilibrium,)(?!\S)", "--game limit-2p:raises=1/0/0/0"),
    (r"--game nolimit-2p", "--game nolimit-2p:stack=500"),
    (r"--game limit-3p", "--game limit-3p:raises=1"),
    (r"--actions fchpa$", "--actions fchpa --hands 20"),
    (r'"limit-2p"', '"limit-2p:raises=1/0/0/0"'),
    (r"(percentiles|clusters):[\d/]+", "percentiles:5/4/3"),
    (r"--iterations \d+", "--iterations 2"),
    (r"iterations=[\d_]+", "iterations=2"),
    (r"--minutes \d+", "--minutes 0.0001"),
    (r"--flops \d+", "--flops 2"),
    (r"flops=\d+", "flops=2"),
    (r"--hands \d+", "--hands 20"),
    (r"hands=\d+", "hands=20"),
    (r"--workers \d+", "--workers 1"),
    (r'workers="\d+"', 'workers="1"'),
    (r"run\(600\)", "run(60)"),
)


def small(text: str) -> str:
    for found, instead in SMALL:
        text = re.sub(found, instead, text)
    return text


@pytest.fixture(autouse=True)
def apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    use_made_up_buckets(monkeypatch)
    monkeypatch.setattr(exploiting, "cache_folder", lambda: tmp_path / "kept")
    monkeypatch.chdir(tmp_path)


def test_the_commands_run_one_after_another(tmp_path: Path) -> None:
    assert len(COMMANDS) == 13
    for command in COMMANDS:
        if command.startswith("reproduce"):
            continue
        done = railbird(*shlex.split(small(command)))
        assert done.code == 0, (command, done.error)
    (text,) = re.findall(r'^    (\{"agent".*?\})\n\n', PAGE, re.MULTILINE | re.DOTALL)
    shown = json.loads(text.replace("…", "0"))
    found = json.loads((tmp_path / "limit.json").read_text())
    assert {name: type(value) for name, value in found.items()} == {
        name: type(value) for name, value in shown.items()
    }


def test_the_programs_run_one_after_another() -> None:
    assert len(PROGRAMS) == 4
    for program in PROGRAMS:
        exec(compile(re.sub(r"^    ", "", small(program), flags=re.MULTILINE), "docs/solving.md", "exec"), {})


def test_the_curves_are_experiments() -> None:
    (command,) = [each for each in COMMANDS if each.startswith("reproduce")]
    assert set(command.split()[1:3]) <= experiments().keys()
