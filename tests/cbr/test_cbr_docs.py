"""The worked example outside poker runs as it stands."""

import doctest

from folders import ROOT


def test_the_bicycle_workshop_runs() -> None:
    results = doctest.testfile(str(ROOT / "docs" / "cbr.md"), module_relative=False, encoding="utf-8")
    assert results.attempted > 30
    assert results.failed == 0
