"""Tables and views at any width: nothing is cut."""

from io import StringIO

import pytest
from rich.console import Console, RenderableType

from railbird.explanation.formats import format_fixed, format_signed
from railbird.interfaces.fitting import FittedTable, SideBySide

LABELS = [f"equilibrium:strategy=/home/ann/strategies/solved-{number}.strategy" for number in range(9)]


def drawn(view: RenderableType, width: int, *, soft_wrap: bool = False) -> list[str]:
    file = StringIO()
    Console(file=file, width=width, highlight=False, soft_wrap=soft_wrap).print(view)
    return file.getvalue().rstrip("\n").split("\n")


def crosstable() -> FittedTable:
    table = FittedTable("won from")
    for place in range(9):
        table.add_column(str(place), justify="right")
    for row, label in enumerate(LABELS):
        table.add_row(label, *(f"+{row}.{column}00 ±0.123" for column in range(9)))
    return table


@pytest.mark.parametrize("width", [40, 80, 120, 200])
def test_a_table_of_any_width_shows_every_label_and_every_number(width: int) -> None:
    lines = drawn(crosstable(), width)
    assert max(map(len, lines)) <= width
    text = "\n".join(lines)
    assert "…" not in text
    for row in range(9):
        for column in range(9):
            assert f"+{row}.{column}00 ±0.123" in text
    # Labels wrap: without the blanks of the columns beside them they are complete.
    first = "".join(line.split(" ", 1)[0] for line in lines)
    for label in LABELS:
        assert label in first


def test_a_console_whose_lines_have_any_length_gets_a_line_for_each_row() -> None:
    lines = drawn(crosstable(), 80, soft_wrap=True)
    assert len(lines) == 1 + len(LABELS)
    assert all(label in line for label, line in zip(LABELS, lines[1:], strict=True))


def test_views_side_by_side_move_below_each_other() -> None:
    views = [FittedTable("x" * 30), FittedTable("y" * 30)]
    assert len(drawn(SideBySide(views), 80)) == 1
    assert [line.strip() for line in drawn(SideBySide(views), 50)] == ["x" * 30, "", "y" * 30]


def test_zero_has_no_sign() -> None:
    assert [format_signed(value, 3) for value in (-0.0004, 0.0, 0.0004, -0.0006)] == [
        "0.000",
        "0.000",
        "0.000",
        "−0.001",
    ]
    assert [format_fixed(value, 1) for value in (-0.04, -0.06, 1234.5)] == ["0.0", "−0.1", "1,234.5"]
