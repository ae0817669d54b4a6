"""Packs of strangers: what is too large is refused before it is unpacked, what is malformed with one sentence."""

import json
import random
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from changed_data import changed
from command import railbird
from packs_of_strangers import forms_of, metadata_of, seal, small_pack, write_changed, write_table
from railbird.cbr.packs import bounds as parquet_bounds
from railbird.cbr.packs.files import PackError, read_pack, write_pack
from railbird.cbr.packs.pages import ParquetError
from railbird.learning.recipes import read_watched

ROWS = 11_000_000


def refusal(path: Path, read: Callable[[Path], object] = read_pack) -> str:
    with pytest.raises(PackError) as caught:
        read(path)
    message = str(caught.value)
    assert str(path) in message
    assert "\n" not in message
    return message


def bomb(path: Path, rows: int, rider: str = "") -> Path:
    """One case for every row, all alike, in a file of a few kilobytes."""
    base = pl.repeat("single", rows, dtype=pl.Enum(["single"])).alias("base")
    columns = [
        base,
        pl.repeat("click", rows, dtype=pl.Enum(["click", "grind"])).alias("noise"),
        pl.repeat(0.5, rows).alias("age"),
        pl.repeat("oil", rows, dtype=pl.Enum(["oil", "replace"])).alias("solution"),
        pl.repeat(0.5, rows).alias("outcome"),
        pl.repeat(rider, rows).alias("hand"),
    ]
    write_pack(small_pack(), path)
    form = forms_of(path)[0] | {"cases": rows}
    return write_table(
        pl.select(columns),
        metadata_of(path) | {"railbird.bases": json.dumps([form]), "railbird.recipe": "{}"},
        path,
    )


# Bombs


def test_a_pack_of_many_equal_rows_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    path = bomb(tmp_path / "bomb.parquet", ROWS)
    assert path.stat().st_size < 1_000_000
    script = (
        "import resource, sys; from pathlib import Path; from railbird.cbr.packs.files import PackError, read_pack\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "try: read_pack(Path(sys.argv[1]))\n"
        "except PackError as error: print(error)\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(path)], capture_output=True, text=True, check=True
    )
    sentence, grown = done.stdout.splitlines()
    assert f"it has {ROWS:,} rows of 6 columns" in sentence
    assert int(grown) < 100_000, "kilobytes"


def test_a_text_that_one_dictionary_repeats_for_every_row_is_refused(tmp_path: Path) -> None:
    path = bomb(tmp_path / "bomb.parquet", 20_000, rider="x" * 60_000)
    assert path.stat().st_size < 100_000
    assert "a rider 'hand' has more than" in refusal(path)


def test_a_schema_of_many_solutions_is_refused_before_a_row_is_read(tmp_path: Path) -> None:
    path = bomb(tmp_path / "bomb.parquet", 100_000)
    form = forms_of(path)[0] | {"solutions": [f"s{number}" for number in range(10_000)]}
    write_table(pl.read_parquet(path), metadata_of(path) | {"railbird.bases": json.dumps([form])}, path)
    assert "10,000 solutions, more than 64,000,000 values in all" in refusal(path)


def test_columns_of_lists_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "lists.parquet"
    write_pack(small_pack(), path)
    told = metadata_of(path)
    table = pl.read_parquet(path).with_columns(more=pl.lit([1, 2, 3]))
    assert "its column 'more' holds lists" in refusal(write_table(table, told, path))


def test_only_a_large_file_may_unpack_to_much() -> None:
    least, most = parquet_bounds.LEAST, parquet_bounds.MOST
    assert parquet_bounds.PackBounds.of(10_000) == least
    assert parquet_bounds.PackBounds.of(350_000_000) == most
    assert parquet_bounds.PackBounds.of(50_000_000).cells == 200_000_000


def test_more_texts_than_a_pack_may_have_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "pack.parquet"
    write_pack(small_pack(), path)
    monkeypatch.setattr(parquet_bounds, "MOST_TEXTS", 10)
    assert "it has more than 10 texts" in refusal(path)


def test_a_page_that_unpacks_to_too_much_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "pack.parquet"
    write_pack(small_pack(), path)
    monkeypatch.setattr(parquet_bounds, "MOST_PAGE", 20)
    assert "one of its pages unpacks to more than 20 bytes" in refusal(path)


def test_an_attribute_with_the_name_of_another_column_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "pack.parquet"
    write_pack(small_pack(), path)
    for name in ("solution", "outcome"):
        forms = forms_of(path)
        forms[0]["attributes"][1]["name"] = name
        told = metadata_of(path) | {"railbird.bases": json.dumps(forms)}
        write_table(pl.read_parquet(path), told, tmp_path / "other.parquet")
        assert f"an attribute cannot be called {name!r}" in refusal(tmp_path / "other.parquet")


def test_a_footer_that_lies_about_its_rows_is_found_out_by_the_pages(tmp_path: Path) -> None:
    path = tmp_path / "pack.parquet"
    write_pack(small_pack(), path)
    content = path.read_bytes()
    footer = parquet_bounds.read_footer(content)
    for change in (
        {3: footer.fields[3] - 1},
        {4: [*footer.fields[4], *footer.fields[4]]},
        {3: 2**62},
        {3: -5},
    ):
        lying = parquet_bounds.Footer(footer.metadata, footer.fields | change)
        with pytest.raises(ParquetError):
            parquet_bounds.require_bounds(content, lying, parquet_bounds.LEAST)


# Malformed packs

DEEP = "[" * 100_000 + "]" * 100_000


@pytest.mark.parametrize(
    ("key", "text", "reason"),
    [
        (
            "recipe",
            DEEP,
            "railbird.recipe is not valid JSON for a pack: its lists and objects are nested too deeply",
        ),
        ("recipe", '{"a":' * 200 + "1" + "}" * 200, "are nested more than 16 levels deep"),
        ("recipe", "[1]", "railbird.recipe is a list, but an object is expected"),
        ("recipe", '"text"', "railbird.recipe is text, but an object is expected"),
        ("recipe", "", "railbird.recipe is not valid JSON for a pack"),
        (
            "bases",
            DEEP,
            "railbird.bases is not valid JSON for a pack: its lists and objects are nested too deeply",
        ),
        ("bases", "{}", "railbird.bases is an object, but a list is expected"),
        ("bases", "[7]", "base 1 is a whole number, but an object is expected"),
        ("bases", "[{}]", "name of base 1 is missing"),
    ],
)
def test_metadata_of_another_shape_are_refused_with_their_name(
    key: str, text: str, reason: str, tmp_path: Path
) -> None:
    assert reason in refusal(write_changed(tmp_path / "pack.parquet", **{key: text}))


def changed_packs(path: Path, seed: int, count: int) -> None:
    """Put something strange into any place of the forms or the recipe of a pack: read, or refused with a sentence."""
    write_pack(small_pack(), path)
    table, told = pl.read_parquet(path), metadata_of(path)
    plain = {key: json.loads(told[key]) for key in ("railbird.bases", "railbird.recipe")}
    rng = random.Random(seed)
    for _ in range(count):
        key = rng.choice(list(plain))
        data = changed(plain[key], rng)
        try:
            write_table(table, told | {key: json.dumps(data)}, path)
        except (UnicodeEncodeError, pl.exceptions.PolarsError):
            continue  # Polars writes no half characters
        done = railbird("casebase", "show", path)
        assert done.code in (0, 2), json.dumps(data)
        assert done.error.count("\n") == (done.code == 2)
        if done.code == 2:
            assert str(path) in done.error


def _refused(path: Path) -> str | None:
    try:
        read_pack(path)
    except PackError as error:
        return str(error)
    return None


def changed_bytes(path: Path, seed: int, count: int) -> None:
    """Change bytes anywhere and renew the digest: read, or refused with a sentence."""
    write_pack(small_pack(), path)
    content = path.read_bytes()
    rng = random.Random(seed)
    for _ in range(count):
        bent = bytearray(content)
        for _ in range(rng.choice((1, 1, 2, 4))):
            place = rng.randrange(4, len(content) - 8)
            bent[place] = rng.choice((0, 127, 255, bent[place] ^ 1, rng.randrange(256)))
        if b"railbird.digest\x18\x40" in bent:
            path.write_bytes(seal(bytes(bent)))
            reason = _refused(path)
            assert reason is None or reason.startswith(f"{path}: ")
            assert reason is None or "\n" not in reason


def test_whatever_stands_in_a_recipe_or_a_schema_ends_in_a_pack_or_a_sentence(tmp_path: Path) -> None:
    changed_packs(tmp_path / "pack.parquet", seed=1, count=60)


def test_whatever_bytes_are_changed_end_in_a_pack_or_a_sentence(tmp_path: Path) -> None:
    changed_bytes(tmp_path / "pack.parquet", seed=1, count=300)


@pytest.mark.soak
def test_thousands_of_changed_packs_end_in_a_pack_or_a_sentence(tmp_path: Path) -> None:
    changed_packs(tmp_path / "pack.parquet", seed=2, count=3000)
    changed_bytes(tmp_path / "pack.parquet", seed=2, count=20_000)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < 4_000_000, "kilobytes"


def test_a_recipe_whose_sources_are_none_is_refused_by_the_commands(tmp_path: Path) -> None:
    path = write_changed(tmp_path / "pack.parquet", recipe='{"sources": [{"name": {}}]}')
    assert "sources[0].name of the recipe" in refusal(path, read_watched)
    other = tmp_path / "other.parquet"
    write_pack(small_pack(), other)
    for command in (("show",), ("verify",), ("merge", other, "-o", tmp_path / "new.parquet")):
        done = railbird("casebase", command[0], path, *command[1:])
        assert done.code == 2
        assert str(path) in done.error
        assert done.error.count("\n") == 1


def test_counts_that_cannot_be_added_up_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "pack.parquet"
    write_pack(small_pack(), path)
    told = metadata_of(path)
    table = pl.read_parquet(path).with_columns(pl.col("count of replace") * 2**60)
    assert "of 'count of replace' is above" in refusal(write_table(table, told, path))
