"""PHH's TOML: our own quick reader agrees with Python's parser, and values survive being written."""

from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from railbird.notation.phh.fields import format_field, note_text, note_value, parse_fields, parse_toml
from railbird.notation.reading import NotationError

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
numbers = st.integers(-(10**20), 10**20) | st.decimals(-(10**9), 10**9, allow_nan=False, places=2)
simple = (
    texts
    | numbers
    | st.booleans()
    | st.times(timezones=st.none()).map(lambda clock: clock.replace(fold=0))
    | st.dates()
    | st.datetimes(timezones=st.none()).map(lambda moment: moment.replace(fold=0))
    | st.just(Decimal("inf"))
)
values = st.recursive(
    simple,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)
line_parts = st.sampled_from(
    [
        *"0123456789'\",.[]{}#=-+_: \t",
        "p1 f",
        "inf",
        "nan",
        "true",
        "0.50",
        "12:30:00",
        "', '",
        ", ",
        "= ",
        "\\",
        "é",
    ]
)


def same(ours: Any, theirs: Any) -> bool:
    """Whether two values are the same, kind and digits included."""
    return repr(ours) == repr(theirs)


@given(
    st.lists(
        st.builds("key_{} = {}".format, st.integers(0, 5), st.lists(line_parts).map("".join)), max_size=4
    )
)
def test_usual_lines_mean_what_pythons_parser_says(lines: list[str]) -> None:
    try:
        expected: Any = parse_toml("\n".join(lines))
    except NotationError as error:
        expected = str(error)
    try:
        found: Any = parse_fields(lines)
    except NotationError as error:
        found = str(error)
    assert same(found, expected)


@given(st.dictionaries(texts, values, max_size=4))
def test_what_is_written_is_read_back(fields: dict[str, Any]) -> None:
    lines = [format_field(name, value) for name, value in fields.items()]
    assert same(parse_fields(lines), fields)
    assert same(parse_toml("\n".join(lines)), fields)


@given(values)
def test_every_value_has_a_note_that_gives_it_back(value: Any) -> None:
    assert same(note_value(note_text(value)), value)


@given(texts)
def test_the_text_of_a_note_is_kept(text: str) -> None:
    assert note_text(note_value(text)) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("Las Vegas", "Las Vegas"),
        ("5", "'5'"),
        (5, "5"),
        (["", "GG"], "['', 'GG']"),
        (Decimal("2.50"), "2.50"),
        (time(15, 11, 21), "15:11:21"),
        (date(2009, 7, 1), "2009-07-01"),
        (datetime(2009, 7, 1, 15), "2009-07-01 15:00:00"),
    ],
)
def test_notes_are_plain_where_they_can_be(value: Any, text: str) -> None:
    assert note_text(value) == text


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("a = 1\na = 2", "the text is not valid TOML at line 8, column 6: Cannot overwrite a value"),
        ("a = 'x", "the text is not valid TOML at its end: Expected"),
        ("a = " + "[" * 5000, "lists are nested too deeply"),
        ("a" + ".a" * 5000 + " = 1", "a name has more than 32 parts"),
        ("a = " + "9" * 5000, "the text is not valid TOML: Exceeds the limit"),
        ("a = 1e99999999999999999999", "the text is not valid TOML"),
    ],
)
def test_what_is_not_toml_is_refused_with_its_place(text: str, sentence: str) -> None:
    with pytest.raises(NotationError, match=sentence):
        parse_fields(text.split("\n"), first=7)
