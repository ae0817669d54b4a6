"""The worked example outside poker runs as it stands, and nothing of poker is named in the package."""

import doctest
from pathlib import Path

import pytest

from folders import ROOT

POKER = ("poker", "flop", "preflop", "bluff", "opponent", "holding", "hold'em", "showdown", "dealer")


def test_the_clinic_runs() -> None:
    results = doctest.testfile(str(ROOT / "docs" / "bayes.md"), module_relative=False, encoding="utf-8")
    assert results.attempted > 30
    assert results.failed == 0


@pytest.mark.parametrize(
    "module", sorted((ROOT / "src" / "railbird" / "bayes").rglob("*.py")), ids=lambda path: path.stem
)
def test_no_module_names_anything_of_poker(module: Path) -> None:
    text = module.read_text(encoding="utf-8")
    if module.name != "__init__.py":
        assert not [word for word in POKER if word in text.lower()]
