"""Numbers are written by their unit, in the browser as in the terminal (`test_web_drawing`)."""

import pytest

from railbird.explanation import Cell
from railbird.explanation.formats import format_value
from written_numbers import WRITTEN


@pytest.mark.parametrize(("value", "unit", "text"), WRITTEN)
def test_a_value_is_written_by_its_unit(value: Cell, unit: str, text: str) -> None:
    assert format_value(value, unit) == text
