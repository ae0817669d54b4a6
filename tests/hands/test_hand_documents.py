"""The tables of docs/hand-types.md and docs/board-textures.md are complete and their examples true."""

import re
from collections.abc import Callable, Sequence

import pytest

from folders import DOCS
from railbird.cards import parse_card, parse_cards
from railbird.hands import boards
from railbird.hands.draws import Draw, SimpleDraw, draw, simple_draw
from railbird.hands.sartre_categories import RULES, expert_category
from railbird.hands.types import HandType, hand_type


def rows(document: str, heading: str, number: int = 0) -> list[tuple[str, ...]]:
    """The cells in backticks of every row of the n-th table whose first column has that heading."""
    text = (DOCS / document).read_text(encoding="utf-8")
    tables = [
        table
        for table in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE)
        if table.startswith(f"| {heading} |")
    ]
    lines = tables[number].splitlines()[2:]
    return [tuple(re.findall(r"`([^`]+)`", line)) for line in lines]


@pytest.mark.parametrize(
    ("heading", "name", "states"),
    [
        ("state", lambda hole, board: hand_type(hole, board).label, [each.label for each in HandType]),
        ("`Draw`", lambda hole, board: draw(hole, board).name, [each.name for each in Draw]),
        (
            "`SimpleDraw`",
            lambda hole, board: simple_draw(hole, board).label,
            [each.label for each in SimpleDraw],
        ),
    ],
    ids=["types", "draws", "simple draws"],
)
def test_tables_of_hand_types_and_draws(
    heading: str, name: Callable[[Sequence[int], Sequence[int]], str], states: list[str]
) -> None:
    table = rows("hand-types.md", heading)
    assert [state for state, *_ in table] == states
    for state, hole, board in table:
        assert name(parse_cards(hole), parse_cards(board)) == state, (hole, board)


def test_table_of_expert_categories() -> None:
    table = rows("hand-types.md", "category")
    for category, hole, board in table:
        assert expert_category(parse_cards(hole), parse_cards(board)).name == category, (hole, board)
    assert [name.split(",")[0] for name, *_ in table] == [place for rule in RULES for place in rule.places]


def test_table_of_textures() -> None:
    table = rows("board-textures.md", "letter")
    assert [letter for letter, _ in table] == [each.letter for each in boards.Texture]
    for letter, board in table:
        assert boards.texture(parse_cards(board)).letter == letter, board


def test_table_of_board_states() -> None:
    table = rows("board-textures.md", "state")
    assert [state for state, _ in table] == [each.label for each in boards.Board]
    for state, flop in table:
        assert boards.board_state(parse_cards(flop)).label == state, flop


def test_table_of_board_changes() -> None:
    table = rows("board-textures.md", "state", 1)
    assert [state for state, *_ in table] == [each.label for each in boards.BoardChange]
    for state, before, card in table:
        assert boards.board_change(parse_cards(before), parse_card(card)).label == state, (before, card)


def test_tables_of_flush_boards_and_straight_boards() -> None:
    for state, flop in rows("board-textures.md", "flush"):
        assert boards.flush_board(parse_cards(flop)).label == state, flop
    for state, flop in rows("board-textures.md", "straight"):
        assert boards.straight_board(parse_cards(flop)).label == state, flop


def test_tables_of_flush_changes_and_straight_changes() -> None:
    flushes = rows("board-textures.md", "flush", 1)
    assert [state for state, *_ in flushes] == [each.label for each in boards.FlushChange]
    for state, before, card in flushes:
        assert boards.flush_change(parse_cards(before), parse_card(card)).label == state, (before, card)
    straights = rows("board-textures.md", "straight", 1)
    assert [state for state, *_ in straights] == [each.label for each in boards.StraightChange]
    for state, before, card in straights:
        assert boards.straight_change(parse_cards(before), parse_card(card)).label == state, (before, card)
