import pytest

from railbird.spec import Spec, SpecError, parse_flag, parse_number, parse_spec, split_specs, unknown


@pytest.mark.parametrize("text", ["name", "name:key=value", "limit-9max:cap=5,carry=yes"])
def test_a_name_with_parameters_is_written_as_it_is_read(text: str) -> None:
    assert str(parse_spec(text)) == text


def test_spaces_around_names_and_values_do_not_matter() -> None:
    assert parse_spec(" a : b = 1 , c = 2 ") == Spec("a", {"b": "1", "c": "2"})


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (":a=1", "has no name"),
        ("x:a", "'a' in 'x:a' is not a parameter: write key=value"),
        ("x:a=", "is not a parameter"),
        ("x:=1", "is not a parameter"),
        ("x:a=1,,b=2", "'' in"),
        ("x:a=1,a=2", "'a' is given twice"),
    ],
)
def test_broken_parameters_are_named(text: str, sentence: str) -> None:
    with pytest.raises(SpecError, match=sentence):
        parse_spec(text)


def test_an_unknown_name_is_answered_with_the_nearest() -> None:
    assert "did you mean 'random'?" in str(unknown("agent", "randon", ["random", "always-call"]))
    assert "there are always-call, random" in str(unknown("agent", "xyz", ["random", "always-call"]))


def test_a_list_of_names_keeps_parameters_together() -> None:
    assert split_specs("a:x=1,y=2,b,c:z=3") == ["a:x=1,y=2", "b", "c:z=3"]
    url = "postgresql://ann@host:5433/hands"
    assert split_specs(f"a:name=ann,store={url},b,c:store={url}") == [
        f"a:name=ann,store={url}",
        "b",
        f"c:store={url}",
    ]
    with pytest.raises(SpecError, match="empty name"):
        split_specs("a,,b")


def test_flags_and_numbers_are_checked() -> None:
    assert (parse_flag("carry", "Yes"), parse_flag("carry", "no")) == (True, False)
    with pytest.raises(SpecError, match="carry=maybe is neither yes nor no"):
        parse_flag("carry", "maybe")
    assert parse_number("cap", "12") == 12
    for text in ("-1", "1.5", "", "١"):
        with pytest.raises(SpecError, match="is not a whole number"):
            parse_number("cap", text)
