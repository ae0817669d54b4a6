"""The examples run, and print something."""

import runpy
import sys
from pathlib import Path

import pytest

from folders import ROOT

EXAMPLES = sorted((ROOT / "examples").glob("*.py"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_runs(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", [str(path), str(tmp_path / "output")])
    runpy.run_path(str(path), run_name="__main__")
    printed = capsys.readouterr()
    assert not printed.err
    assert len(printed.out.splitlines()) > 3
