"""Plain values of the command line are read as Typer reads them, without Pydantic."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
import typer
from typer import core
from typer.main import get_command

from railbird.cli.plain_values import read_plain_values

coercion = pytest.importorskip("typer._coercion", reason="this version of Typer does not use Pydantic")

WITHOUT_PYDANTIC = """
import sys
from railbird.cli import app

app(["papers"], prog_name="railbird", standalone_mode=False)
app(["match", "--seats", "always-call,always-fold", "--hands", "2", "--seed", "1"], standalone_mode=False)
print("pydantic" in sys.modules)
"""

TEXTS = (
    *("", "0", "7", "-3", "007", "+7", "1_0", "10", "1e3", " 7", "0.5", ".5", "1.", "nan", "seven", "9" * 20),
    *(".", "no/such", "./x", "-", "flop", "FLOP", "é", "\N{ARABIC-INDIC DIGIT SEVEN}"),
)
OPTIONS = "number", "share", "clamped", "name", "path", "file", "names", "numbers", "kind", "output"


def _command(
    *,
    number: Annotated[int, typer.Option(min=0, max=9)] = 1,
    share: Annotated[float, typer.Option(max=1)] = 0,
    clamped: Annotated[int, typer.Option(max=5, clamp=True)] = 1,
    name: str = "ann",
    path: Path = Path("x"),
    file: Annotated[Path | None, typer.Option(exists=True, dir_okay=False)] = None,
    names: Annotated[list[str] | None, typer.Option()] = None,
    numbers: Annotated[list[int] | None, typer.Option()] = None,
    kind: Literal["flop", "river"] = "flop",
    output: Annotated[Path, typer.Option(allow_dash=True)] = Path("-"),
) -> None:
    pass


def _read(build: Callable[[Any], Any], arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> str:
    """The values of a command with these arguments, or the error."""
    monkeypatch.setattr(core, "build_runtime_param", build)
    app = typer.Typer()
    app.command()(_command)
    try:
        return repr(get_command(app).make_context("command", list(arguments)).params)
    except typer.BadParameter as error:
        return error.format_message()


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("option", OPTIONS)
def test_every_value_is_read_as_typer_reads_it(
    option: str, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    read_plain_values()
    ours = core.build_runtime_param  # type: ignore[attr-defined]
    arguments = [f"--{option}={text}"]
    assert _read(ours, arguments, monkeypatch) == _read(coercion.build_runtime_param, arguments, monkeypatch)


def test_commands_do_not_load_pydantic(tmp_path: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-c", WITHOUT_PYDANTIC], capture_output=True, text=True, cwd=tmp_path, check=False
    )
    assert (run.stdout.splitlines() or [run.stderr])[-1] == "False", run.stderr
