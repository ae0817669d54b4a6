"""The worked example outside poker runs as it stands, and nothing of poker is in the package."""

import doctest
from pathlib import Path

import pytest

from folders import ROOT


def test_the_bicycle_workshop_runs() -> None:
    results = doctest.testfile(str(ROOT / "docs" / "cbr.md"), module_relative=False, encoding="utf-8")
    assert results.attempted > 30
    assert results.failed == 0


@pytest.mark.parametrize(
    "module", sorted((ROOT / "src" / "railbird" / "cbr").rglob("*.py")), ids=lambda path: path.stem
)
def test_no_module_imports_anything_of_poker(module: Path) -> None:
    allowed = (
        "railbird.cbr",
        "railbird.kernels.cases",
        "railbird.explanation",
        "railbird.spec",
        "railbird.rng",
        "railbird.places",
        "railbird.plain_data",
    )
    for line in module.read_text(encoding="utf-8").splitlines():
        words = line.split()
        if words[:1] in (["from"], ["import"]) and words[1].startswith("railbird"):
            assert words[1].startswith(allowed), f"{module.name} imports {words[1]}"
