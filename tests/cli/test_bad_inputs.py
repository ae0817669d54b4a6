"""Whatever a user does wrong is answered in one sentence, before any work begins, and leaves no file behind.

The table of command lines and sentences is `tests/data/bad_inputs.txt`.
"""

import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from command import railbird
from railbird import match
from railbird.store.store import open_store

TABLE = Path(__file__).parents[1] / "data" / "bad_inputs.txt"
LINES = TABLE.read_text(encoding="utf-8").splitlines()[1:]
ROWS = [(line, sentence.removeprefix("    ")) for line, sentence in zip(LINES[::2], LINES[1::2], strict=True)]
IN_A_PROCESS = [
    "match --seats random,random --hands 0",
    "convert hands.log out",
    "RAILBIRD_HOME=text.txt games",
]
BOTS = {
    "broken.py": "import no_such_module\n",
    "syntax.py": "def act(:\n",
    "noagent.py": "class Bot: ...\n",
    "crash.py": """from railbird.agent import Agent


class Crash(Agent):
    def act(self, observation):
        return {}["lost"]


class Wrong(Agent):
    def act(self, observation):
        return 7


class Loud(Agent):
    def begin_match(self, start):
        raise RuntimeError("too loud")


class BadInit(Agent):
    def __init__(self):
        raise KeyError("oops")
""",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with everything that the table mentions."""
    here = tmp_path_factory.mktemp("bad-inputs")
    for name in ("folder", "old", "figures"):
        (here / name).mkdir()
    for name in ("text.txt", "old.png", "old.log", "figures/bankroll.png", "old/random-player.json"):
        (here / name).write_text("text\n")
    for name, program in BOTS.items():
        (here / name).write_text(program)
    match(["random", "always-call"], hands=3, seed=1, log=here / "hands.log")
    open_store(here / "hands.db").close()
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(here)
        patch.setattr(sys, "dont_write_bytecode", True)
        yield here


def content(folder: Path) -> dict[Path, bytes | None]:
    return {path: path.read_bytes() if path.is_file() else None for path in folder.rglob("*")}


@pytest.mark.parametrize(("line", "sentence"), ROWS, ids=[line for line, _ in ROWS])
def test_a_mistake_is_answered_in_one_sentence(
    line: str, sentence: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = content(folder)
    words = shlex.split(line)
    if words[0].startswith("RAILBIRD_HOME="):
        monkeypatch.setenv(*words.pop(0).split("=", 1))
    done = railbird(*words)
    assert done.error == f"railbird: {sentence.replace('{here}', str(folder))}\n"
    assert (done.code, done.out) == (2, b"")
    assert content(folder) == before


@pytest.mark.parametrize("line", IN_A_PROCESS)
def test_the_same_in_a_process_of_its_own(line: str, folder: Path) -> None:
    words = shlex.split(line)
    environment = ["env", words.pop(0)] if words[0].startswith("RAILBIRD_HOME=") else []
    command = [*environment, sys.executable, "-B", "-m", "railbird", *words]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"railbird: {dict(ROWS)[line]}\n"


def test_every_command_is_in_the_table() -> None:
    listed = railbird("--help").out.decode().partition("Commands:\n")[2]
    commands = {line.split()[0] for line in listed.splitlines() if line[:3].strip()}
    tried = {word for line, _ in ROWS for word in shlex.split(line)[:2]}
    assert commands - tried == set()
