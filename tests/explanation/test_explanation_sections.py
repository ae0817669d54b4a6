"""Explanations and the sections that any field can use."""

import pytest

from railbird.explanation.sections import (
    Bar,
    Bars,
    Deferred,
    Explanation,
    ExplanationError,
    Section,
    TableSection,
)


def test_deferred_sections_are_made_once_and_equal_those_made_at_once() -> None:
    made = []

    def make() -> tuple[Section, ...]:
        made.append(True)
        return (Bars("values", (Bar("call", 1.0),)),)

    lazy = Explanation("Why.", (), Deferred(make))
    assert not made
    eager = Explanation("Why.", (), (Bars("values", (Bar("call", 1.0),)),))
    assert lazy == eager
    assert eager == lazy
    assert hash(lazy) == hash(eager)
    assert lazy.sections[0] == lazy.sections[:1][0]
    assert "values" in repr(lazy)
    assert made == [True]


def test_values_that_cannot_be_drawn_are_refused() -> None:
    with pytest.raises(ExplanationError, match="the bar 'a' is nan"):
        Bars("t", (Bar("a", float("nan")),))
    with pytest.raises(ExplanationError, match="a row of 1 cells below 2 columns"):
        TableSection("t", ("a", "b"), ((1,),))
