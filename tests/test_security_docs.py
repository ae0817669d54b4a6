"""Every promise of `docs/security.md` names a test, and every test that it names exists."""

import ast
import re

from folders import DOCS, TESTS

PAGE = (DOCS / "security.md").read_text(encoding="utf-8")


def names_of_tests() -> set[str]:
    """The names of all tests, whatever module they stand in."""
    return {
        node.name
        for path in TESTS.rglob("test_*.py")
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef)
    }


def promises() -> list[str]:
    """The list items before the section on what is not guaranteed."""
    promised = PAGE.partition("## What is not guaranteed")[0]
    return re.findall(r"^- .*?(?=^- |^$)", promised, re.MULTILINE | re.DOTALL)


def test_every_promise_names_tests_that_exist() -> None:
    known = names_of_tests()
    found = promises()
    assert len(found) >= 15
    for promise in found:
        named = re.findall(r"`(test_\w+)`", promise)
        assert named, promise
        assert set(named) <= known, promise
