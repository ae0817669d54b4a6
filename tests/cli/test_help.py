"""Help, completion in the shell, and the notice while code is compiled."""

import io
import os
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from numba.core import event
from rich.console import Console
from rich.progress import Progress

from command import railbird
from railbird.cli import app
from railbird.cli.compiling import NOTICE, CompilingNotice
from railbird.cli.completing import complete_packs
from railbird.cli.registering import EXAMPLES


def commands(group: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, f"{path}{name} ")
        else:
            yield f"{path}{name}", command


COMMANDS = dict(commands(typer.main.get_command(app)))


def test_there_is_an_example_for_every_command_and_no_other() -> None:
    assert sorted(COMMANDS) == sorted(EXAMPLES)


@pytest.mark.parametrize("path", COMMANDS)
def test_the_example_of_a_command_is_in_its_help_and_is_a_valid_command_line(path: str) -> None:
    example = f"railbird {path} {EXAMPLES[path]}".rstrip()
    help_text = railbird(*path.split(), "--help").out.decode()
    assert f"Example: {example}" in " ".join(help_text.split())
    assert max(map(len, help_text.splitlines())) <= 80
    assert COMMANDS[path].make_context(path, shlex.split(EXAMPLES[path])).args == []


def test_summaries_are_shown_in_full() -> None:
    text = railbird("--help").out.decode()
    assert "..." not in text.partition("Commands:")[2]
    words = " ".join(text.split())
    for path, command in COMMANDS.items():
        if " " not in path:
            assert command.short_help in words.replace("hand- picked", "hand-picked")
    assert {"--install-completion", "--show-completion"} <= set(re.findall(r"--[a-z-]+", text))


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("explain simb", ["simbot"]),
        ("explain simbot:po", ["simbot:policy="]),
        ("explain simbot:policy=f", ["simbot:policy=formula"]),
        ("agents casper:pack=casper", ["casper:pack=casper01", "casper:pack=casper02"]),
        ("match --seats random,always-f", ["random,always-fold"]),
        ("match --seats simbot:trials=5,po", ["simbot:trials=5,policy=", "simbot:trials=5,pokibot"]),
        ("play --against nobody:x", []),
        ("solve --game kuhn", ["kuhn-2p", "kuhn-3p"]),
        ("reproduce loki-t", ["loki-trials"]),
    ],
)
def test_names_are_completed(typed: str, offered: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    line = f"railbird {typed}"
    monkeypatch.setenv("_RAILBIRD_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", line)
    monkeypatch.setenv("COMP_CWORD", str(line.count(" ")))
    assert railbird().out.decode().split() == offered


def test_packs_are_completed_with_their_folders(tmp_path: Path) -> None:
    for name in ("ann.parquet", "hands.log"):
        (tmp_path / name).touch()
    (tmp_path / "packs").mkdir()
    assert complete_packs(f"{tmp_path}{os.sep}") == [f"{tmp_path}/ann.parquet", f"{tmp_path}/packs/"]


# Commands that ran in this process before listen to what is really compiled, and would be heard in these tests too.
PRETENDED = "railbird:pretended"


def compile_something(notice: CompilingNotice) -> None:
    with event.install_listener(PRETENDED, notice), event.trigger_event(PRETENDED):
        for _ in range(2):
            with event.trigger_event(PRETENDED):
                pass


def test_compiling_is_announced_once_in_a_pipe(capsys: pytest.CaptureFixture[str]) -> None:
    notice = CompilingNotice(Console(file=io.StringIO()))
    compile_something(notice)
    compile_something(notice)
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("", f"{NOTICE}\n")


def test_compiling_is_counted_in_a_terminal_and_leaves_no_line(capsys: pytest.CaptureFixture[str]) -> None:
    console = Console(file=io.StringIO(), force_terminal=True, width=80)
    compile_something(CompilingNotice(console))
    drawn = console.file.getvalue()  # type: ignore[attr-defined]
    assert "Compiling, on the first run only: 2 functions" in re.sub(r"\x1b\[[0-9;]*m", "", drawn)
    assert drawn.endswith("\x1b[1A\x1b[2K")
    assert capsys.readouterr().err == ""


def test_compiling_is_counted_below_a_progress_bar() -> None:
    console = Console(file=io.StringIO(), force_terminal=True, width=80)
    with Progress(console=console, transient=True) as bar:
        bar.add_task("playing", total=10)
        with event.install_listener(PRETENDED, CompilingNotice(console)), event.trigger_event(PRETENDED):
            bar.refresh()
    drawn = re.sub(r"\x1b\[[0-9;]*m", "", console.file.getvalue())  # type: ignore[attr-defined]
    assert re.search(r"playing [^\n]*\n[^\n]*Compiling, on the first run only", drawn)
