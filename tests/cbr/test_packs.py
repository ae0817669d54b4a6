"""Packs: what is read is exactly what was written, the same content gives the same bytes, and damage is noticed."""

import subprocess
import sys
import tracemalloc
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from folders import SUPPORT
from railbird.cbr.case_base import CaseBase, CaseBaseError
from railbird.cbr.columns import from_columns
from railbird.cbr.cycle.joining import joined, joined_packs
from railbird.cbr.packs import bounds
from railbird.cbr.packs import contents as contents_of_packs
from railbird.cbr.packs import files as packs
from railbird.cbr.packs.bounds import read_footer
from railbird.cbr.packs.files import Pack, PackError, read_pack, write_pack
from railbird.cbr.packs.parquet import ParquetTable
from railbird.cbr.schema import Attribute, Number, Schema, Symbol, Value

TROUBLES = Schema(
    (Symbol("noise", ("click", "grind")), Symbol("maker"), Number("age", low=0), Number("rain", whole=True)),
    ("oil", "replace"),
)
PUNCTURES = Schema((Number("age"), Number("pressure"), Symbol("maker")), ("patch", "replace", "give up"))


def workshop() -> Pack:
    """Two bases that share some attributes, one of them merged, with riders and a recipe."""
    troubles, punctures = CaseBase(TROUBLES), CaseBase(PUNCTURES)
    troubles.add({"noise": "grind", "maker": "Ürük", "age": 0.1, "rain": 3}, "oil", 2.5)
    troubles.add({"noise": "click", "maker": "", "age": 7, "rain": -1}, "replace")
    for outcome in (1.0, None, -0.25):
        punctures.add({"age": 1 / 3, "pressure": -1e300, "maker": "Ürük"}, "patch", outcome, merge=True)
    riders = {"troubles": {"ticket": ["17", "18"], "customer": ['Zoë; "Z"', ""]}}
    return Pack(
        "workshop", {"troubles": troubles, "punctures": punctures}, riders, {"seed": 7, "from": ["a", "b"]}
    )


def contents(pack: Pack) -> list[Any]:
    """Everything in a pack, to the last bit."""
    return [
        (pack.system, pack.recipe, list(pack.bases)),
        [
            (
                base.schema,
                base.vocabularies(),
                base.values.tobytes(),
                base.counts.tolist(),
                base.known.tolist(),
            )
            for base in pack.bases.values()
        ],
        [base.sums.tobytes() for base in pack.bases.values()],
        [
            (name, list(pack.riders.get(name, {})), [dict(pack.rider(name, row)) for row in range(len(base))])
            for name, base in pack.bases.items()
        ],
    ]


# Any pack

_TYPES: dict[str, tuple[Attribute, ...]] = {
    "x": (Number("x"), Number("x", whole=True), Number("x", low=-1e9, high=1e308)),
    "size": (Number("size", whole=True), Number("size", whole=True, low=0)),
    "word": (Symbol("word"), Symbol("word", ("b", "a", "")), Symbol("word", ("a", "c", "ß"))),
    "other": (Symbol("other"),),
}


def values_of(attribute: Attribute) -> st.SearchStrategy[Value]:
    if isinstance(attribute, Symbol):
        return st.sampled_from(attribute.values) if attribute.values else st.text('ab;,"é\n0', max_size=3)
    if attribute.whole:
        return st.one_of(st.integers(0, 9), st.sampled_from([2**53, 2**70])).map(float)
    low = -1e308 if attribute.low is None else attribute.low
    return st.one_of(st.floats(low, 1e308), st.sampled_from([0.0, -0.0, 0.1, 1 / 3]))


@st.composite
def case_bases(draw: st.DrawFn) -> CaseBase:
    names = draw(st.lists(st.sampled_from(list(_TYPES)), min_size=1, unique=True))
    attributes = tuple(draw(st.sampled_from(_TYPES[name])) for name in names)
    solutions = draw(st.sampled_from([("yes",), ("yes", "no"), ("fold", "call", "raise")]))
    base = CaseBase(Schema(attributes, solutions))
    description = st.fixed_dictionaries({each.name: values_of(each) for each in attributes})
    outcome = st.one_of(st.none(), st.floats(-1e6, 1e6))
    merge = draw(st.booleans())
    for _ in range(draw(st.integers(0, 8))):
        base.add(draw(description), draw(st.sampled_from(solutions)), draw(outcome), merge=merge)
    return base


@st.composite
def any_pack(draw: st.DrawFn) -> Pack:
    bases = draw(st.dictionaries(st.sampled_from(["preflop", "flop", "", "ß;"]), case_bases(), max_size=3))
    riders = {
        name: {
            rider: draw(st.lists(st.text(max_size=4), min_size=len(base), max_size=len(base)))
            for rider in draw(st.lists(st.sampled_from(["hand", "player"]), unique=True))
        }
        for name, base in bases.items()
    }
    recipe = st.dictionaries(st.text(max_size=3), st.one_of(st.integers(), st.text(max_size=5), st.none()))
    return Pack(draw(st.text(max_size=8)), bases, riders, draw(recipe))


@settings(max_examples=50)
@given(pack=any_pack())
def test_what_is_read_is_exactly_what_was_written(
    pack: Pack, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("packs") / "any.parquet"
    write_pack(pack, path)
    again = read_pack(path)
    assert contents(again) == contents(pack)
    first = path.read_bytes()
    write_pack(again, path)
    assert path.read_bytes() == first
    assert [file.name for file in path.parent.iterdir()] == ["any.parquet"]


def test_numbers_and_symbols_are_plain_columns_in_any_data_tool(tmp_path: Path) -> None:
    write_pack(workshop(), tmp_path / "workshop.parquet")
    table = pl.read_parquet(tmp_path / "workshop.parquet").cast({pl.Enum: pl.String})
    assert table.rows(named=True)[0] == {
        "base": "troubles",
        "noise": "grind",
        "maker": "Ürük",
        "age": 0.1,
        "rain": 3,
        "pressure": None,
        "solution": "oil",
        "outcome": 2.5,
        **{
            f"{kind} of {name}": None
            for name in PUNCTURES.solutions
            for kind in ("count", "known", "outcomes")
        },
        "ticket": "17",
        "customer": 'Zoë; "Z"',
    }
    assert table["outcome"].to_list() == [2.5, None, None]
    assert table["count of patch"].to_list() == [None, None, 3]
    assert table["outcomes of patch"].to_list() == [None, None, 0.75]
    assert table.schema["rain"] == pl.Int64
    assert table.schema["age"] == pl.Float64


def test_the_bytes_depend_on_the_content_alone(tmp_path: Path) -> None:
    write_pack(workshop(), tmp_path / "here.parquet")
    script = (
        "import sys; sys.path[:0] = sys.argv[1].split(':'); from pathlib import Path; "
        "from test_packs import workshop, write_pack; write_pack(workshop(), Path(sys.argv[2]))"
    )
    there = tmp_path / "there.parquet"
    subprocess.run(
        [sys.executable, "-c", script, f"{SUPPORT}:{Path(__file__).parent}", str(there)],
        check=True,
        env={"POLARS_MAX_THREADS": "1", "PYTHONHASHSEED": "12", "PATH": "", "HOME": str(tmp_path)},
    )
    assert there.read_bytes() == (tmp_path / "here.parquet").read_bytes()


def test_riders_are_found_by_base_and_row() -> None:
    pack = workshop()
    assert pack.rider("troubles", 1) == {"ticket": "18", "customer": ""}
    assert pack.rider("punctures", 0) == {}
    with pytest.raises(PackError, match="no case 2: it has 2 cases, numbered from 0"):
        pack.rider("troubles", 2)
    with pytest.raises(PackError, match="did you mean 'troubles'"):
        pack.rider("trouble", 0)


# What is no pack


def refusal(path: Path) -> str:
    with pytest.raises(PackError) as caught:
        read_pack(path)
    message = str(caught.value)
    assert message.startswith(f"{path}: ")
    assert "\n" not in message
    return message.removeprefix(f"{path}: ")


def test_a_pack_that_is_cut_off_anywhere_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "cut.parquet"
    write_pack(workshop(), path)
    content = path.read_bytes()
    for size in (*range(16), *range(16, len(content), 61), *range(len(content) - 16, len(content))):
        path.write_bytes(content[:size])
        refusal(path)
    path.write_bytes(content[:-1])
    assert refusal(path) == "is truncated: the end of the file is missing"


def test_a_pack_with_a_changed_byte_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "changed.parquet"
    write_pack(workshop(), path)
    content = path.read_bytes()
    digest = content.rindex(b"railbird.digest")
    for place in (*range(0, len(content), 13), *range(digest, digest + 20)):
        path.write_bytes(content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
        refusal(path)
    path.write_bytes(content)
    assert contents(read_pack(path)) == contents(workshop())


def test_what_is_no_pack_is_refused_with_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "file"
    assert refusal(path) == "cannot be read: No such file or directory"
    assert refusal(tmp_path) == "cannot be read: Is a directory"
    path.write_bytes(b"")
    assert refusal(path) == "is empty"
    path.write_text("STATE:0:")
    assert refusal(path) == "not a pack of cases, which is a Parquet file"
    path.write_bytes(b"PAR1" + b"\xff" * 40 + b"PAR1")
    assert refusal(path) == "is damaged: its footer cannot be read"
    pl.DataFrame({"base": ["flop"]}).write_parquet(path)
    assert refusal(path) == "is a Parquet file, but not a pack of cases"
    pl.read_parquet(path).write_parquet(path, metadata={"railbird.pack": packs.VERSION})
    assert refusal(path) == "is damaged or was changed: its digest is missing"


def test_a_pack_of_another_version_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "later.parquet"
    with monkeypatch.context() as later:
        later.setattr(packs, "VERSION", "2")
        write_pack(workshop(), path)
    assert refusal(path) == "is a pack of version 2, but version 1 is expected"


def test_a_table_that_does_not_fit_its_schema_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.parquet"
    write_pack(workshop(), path)
    metadata = {
        key: value for key, value in pl.read_parquet_metadata(path).items() if key.startswith("railbird.")
    }
    for change, reason in (
        ({"railbird.bases": "[]"}, "there are 3 cases, but 0 are expected"),
        ({"railbird.bases": metadata["railbird.bases"].replace('"grind"', '"hum"')}, "row 0 of 'noise'"),
        (
            {"railbird.bases": metadata["railbird.bases"].replace('"low": 0', '"low": 5')},
            "age must be at least 5",
        ),
        ({"railbird.recipe": "{"}, "not a valid pack of version 1"),
    ):
        pl.read_parquet(path).write_parquet(
            tmp_path / "changed", metadata=metadata | change | {"railbird.digest": "0" * 64}
        )
        content = (tmp_path / "changed").read_bytes()
        place = content.rindex(b"0" * 64)
        sealed = content[:place] + sha256(content).hexdigest().encode() + content[place + 64 :]
        (tmp_path / "changed").write_bytes(sealed)
        assert reason in refusal(tmp_path / "changed")


# What cannot be written


@pytest.mark.parametrize(
    ("pack", "reason"),
    [
        (Pack("a", {"one": CaseBase(Schema((Number("base"),), ("yes",)))}), "'base': the name is reserved"),
        (
            Pack(
                "a",
                {
                    "one": CaseBase(Schema((Number("x"),), ("yes",))),
                    "two": CaseBase(Schema((Symbol("x"),), ("yes",))),
                },
            ),
            "'x' is a number in one base and a symbol in another",
        ),
        (
            Pack("a", {"one": CaseBase(Schema((Number("x"),), ("yes",)))}, {"one": {"x": []}}),
            "a rider cannot be called 'x'",
        ),
        (Pack("a", {}, {}, {"when": float("nan")}), "plain JSON data"),
        (Pack("a", {}, {}, {"when": object()}), "plain JSON data"),
    ],
)
def test_a_pack_that_a_table_cannot_hold_is_refused(pack: Pack, reason: str, tmp_path: Path) -> None:
    with pytest.raises(PackError, match=reason):
        write_pack(pack, tmp_path / "pack.parquet")
    assert not list(tmp_path.iterdir())


def test_columns_are_read_as_polars_reads_them(tmp_path: Path) -> None:
    """Runs of equal numbers alternate with packed ones of every width, and some values are missing."""
    random = np.random.default_rng(7)
    columns: dict[str, list[Any]] = {}
    for width in (1, 2, 3, 7, 8, 9, 12):
        parts: list[Any] = [
            random.integers(0, 1 << width, 5),
            [3] * 40,
            random.integers(0, 1 << width, 200),
        ] * 9
        numbers = [int(number) for part in parts for number in part]
        columns[f"{width} bits"] = numbers
        columns[f"{width} bits, some missing"] = [each if each % 5 else None for each in numbers]
        columns[f"{width} bits as text"] = [str(each) if each % 7 else None for each in numbers]
    path = tmp_path / "columns.parquet"
    pl.DataFrame(columns).write_parquet(path, compression="zstd")
    content = path.read_bytes()
    table = ParquetTable(content, read_footer(content))
    for name, wanted in columns.items():
        column = table[name]
        assert column.missing.tolist() == [each is None for each in wanted]
        found = column.values.tolist()
        if column.words is not None:
            found = [column.words[each] for each in found]
        assert [each for each, wanting in zip(found, wanted, strict=True) if wanting is not None] == [
            each for each in wanted if each is not None
        ]


def test_riders_are_checked_when_they_are_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "riders.parquet"
    write_pack(workshop(), path)
    monkeypatch.setattr(contents_of_packs, "LONGEST_TEXT", 2)
    pack = read_pack(path, riders_later=True)
    assert list(pack.riders["troubles"]["ticket"]) == ["17", "18"]
    with pytest.raises(CaseBaseError, match=r"riders\.parquet: a rider 'customer' has more than 2 bytes"):
        pack.rider("troubles", 0)


def test_riders_are_as_many_as_the_cases() -> None:
    with pytest.raises(PackError, match="2 cases of 'troubles' have 1 riders 'ticket'"):
        Pack("a", workshop().bases, {"troubles": {"ticket": ["17"]}})
    with pytest.raises(PackError, match="riders of 'other', but no such base"):
        Pack("a", workshop().bases, {"other": {}})


def test_a_pack_that_could_not_be_read_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounds, "LEAST", bounds.PackBounds(cells=5, unpacked=1000))
    monkeypatch.setattr(bounds, "_CELLS_PER_BYTE", 0)
    with pytest.raises(PackError, match="cannot be written: it has 3 rows of .* more than 5 values"):
        write_pack(workshop(), tmp_path / "pack.parquet")
    assert not list(tmp_path.iterdir())


def test_a_column_is_not_kept_once_its_cases_are_read(tmp_path: Path) -> None:
    """Reading takes the file, the cases and one column, not all columns as well."""
    count = 200_000
    names = [f"number {place}" for place in range(20)]
    random = np.random.default_rng(3)
    columns: dict[str, Any] = {name: random.random(count) for name in names}
    columns |= {"solution": np.zeros(count, dtype=np.int32), "outcome": np.zeros(count)}
    base = from_columns(Schema(tuple(map(Number, names)), ("yes",)), columns)
    path = tmp_path / "pack.parquet"
    write_pack(Pack("numbers", {"all": base}), path)
    kept = sum(array.nbytes for array in (base.values, base.counts, base.known, base.sums))
    tracemalloc.start()
    try:
        again = read_pack(path)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert np.array_equal(again.bases["all"].values, base.values)
    assert peak < 2 * path.stat().st_size + kept + 8 * 8 * count


def test_nothing_is_left_where_a_pack_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(PackError, match="folder: cannot be written: Is a directory"):
        write_pack(workshop(), tmp_path / "folder")
    with pytest.raises(PackError, match="cannot be written: No such file or directory"):
        write_pack(workshop(), tmp_path / "nowhere" / "pack.parquet")
    assert [file.name for file in tmp_path.iterdir()] == ["folder"]


def test_a_pack_of_another_schema_is_refused_with_the_difference() -> None:
    pack = workshop()
    pack.require("workshop", {"troubles": TROUBLES, "punctures": PUNCTURES})
    attributes, solutions = TROUBLES.attributes, TROUBLES.solutions
    for system, schema, reason in (
        ("casper", TROUBLES, "my.parquet: holds cases of workshop, not of casper"),
        ("workshop", Schema(attributes, ("oil",)), "its solutions are oil, replace, but oil are expected"),
        ("workshop", Schema((*attributes, Number("new")), solutions), "it has no attribute 'new'"),
        ("workshop", Schema(attributes[:-1], solutions), "its attribute 'rain' is not expected"),
        ("workshop", Schema((*attributes[:-1], Number("rain")), solutions), "whole=True.*is expected"),
    ):
        with pytest.raises(PackError, match=reason):
            pack.require(system, {"troubles": schema}, "my.parquet")
    with pytest.raises(PackError, match="no base 'flop': there are troubles, punctures"):
        pack.require("workshop", {"flop": TROUBLES})


# Joining


def cases_of(base: CaseBase) -> list[Any]:
    return [(case.description, case.counts, case.known, case.sums) for case in base]


@given(st.data())
def test_joined_bases_hold_the_cases_of_both_in_order(data: st.DataObject) -> None:
    base = data.draw(case_bases())
    description = st.fixed_dictionaries({each.name: values_of(each) for each in base.schema.attributes})
    other = CaseBase(base.schema)
    for each in data.draw(st.lists(description, max_size=5)):
        other.add(each, base.schema.solutions[0], 1.5)
    both = joined([base, other])
    assert cases_of(both) == cases_of(base) + cases_of(other)
    each_symbol_once = {name: len(set(words)) for name, words in both.vocabularies().items()}
    assert each_symbol_once == {name: len(words) for name, words in both.vocabularies().items()}


def test_joined_packs_keep_riders_and_refuse_strangers() -> None:
    pack = workshop()
    plain = Pack(pack.system, pack.bases)
    both = joined_packs({"a": pack, "b": plain}, {"joined": []})
    assert len(both) == 6
    assert [both.rider("troubles", row)["ticket"] for row in range(4)] == ["17", "18", "", ""]
    one = Pack(pack.system, {"troubles": pack.bases["troubles"]})
    with pytest.raises(PackError, match="b: has the bases troubles, but a has troubles, punctures"):
        joined_packs({"a": pack, "b": one}, {})
    with pytest.raises(PackError, match="b: holds cases of another, not of workshop"):
        joined_packs({"a": pack, "b": Pack("another", pack.bases)}, {})
    with pytest.raises(CaseBaseError, match="different schemas"):
        joined([pack.bases["troubles"], pack.bases["punctures"]])


@pytest.mark.soak
def test_a_million_cases_survive_a_file(tmp_path: Path) -> None:
    count = 1_000_000
    random = np.random.default_rng(1)
    numbers = tuple(Number(f"number {place}") for place in range(9))
    wholes = tuple(Number(f"whole {place}", whole=True) for place in range(3))
    columns: dict[str, Any] = {each.name: random.random(count) for each in numbers}
    columns |= {each.name: random.integers(0, 10, count) for each in wholes}
    columns["solution"] = random.integers(0, 3, count, dtype=np.int32)
    columns["outcome"] = random.integers(-40, 80, count) / 2
    base = from_columns(Schema((*numbers, *wholes), ("fold", "call", "raise")), columns)
    hands = random.integers(0, 100_000, count).astype(str).tolist()
    write_pack(
        Pack("big", {"all": base}, {"all": {"hand": hands, "player": hands}}), tmp_path / "big.parquet"
    )
    again = read_pack(tmp_path / "big.parquet")
    assert np.array_equal(again.bases["all"].values, base.values)
