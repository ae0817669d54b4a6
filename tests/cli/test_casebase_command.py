"""`railbird casebase`: packs shown, joined, written as text and checked; and the page about packs."""

import csv
import io
import json
import lzma
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from command import Outcome, railbird
from folders import DOCS
from hand_records import plain_record
from railbird.agents.casper.attributes import STAGES
from railbird.cbr.case_base import CaseBase
from railbird.cbr.packs.files import Pack, read_pack, write_pack
from railbird.cbr.schema import Number, Schema, Symbol
from railbird.notation.records import format_record


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two logs of thirty hands, and a pack of Alice's decisions in each."""
    for name, first in (("a", 0), ("b", 30)):
        hands = [plain_record(seed, "limit-3p") for seed in range(first, first + 30)]
        (tmp_path / f"{name}.jsonl").write_text("".join(map(format_record, hands)))
        watch(tmp_path / f"{name}.jsonl", tmp_path / f"{name}.parquet", "Alice")
    return tmp_path


def watch(log: Path, pack: Path, player: str) -> None:
    done = railbird("watch", log, "--player", player, "--as", "casper", "-o", pack)
    assert done.code == 0, done.error


def casebase(*arguments: object) -> Outcome:
    done = railbird("casebase", *arguments)
    assert done.code == 0, done.error
    assert not done.error
    return done


def refusal(*arguments: object) -> str:
    done = railbird("casebase", *arguments)
    assert (done.code, done.out) == (2, b"")
    assert done.error.startswith("railbird: ")
    assert done.error.count("\n") == 1
    return done.error.removeprefix("railbird: ").rstrip()


# show


def test_show_tells_recipe_counts_and_ranges(folder: Path) -> None:
    pack = read_pack(folder / "a.parquet")
    lines = casebase("show", folder / "a.parquet").out.decode().splitlines()
    assert lines[0] == f"{folder / 'a.parquet'}: {len(pack)} cases of casper:look-ahead=1"
    rows = {line.split("  ")[0]: line.split() for line in lines if line}
    assert rows["players"] == ["players", "Alice"]
    assert rows["a.jsonl"] == ["a.jsonl", "30", "0", pack.recipe["sources"][0]["sha256"]]
    for stage in STAGES:
        counts = [pack.recipe["cases"][stage][action] for action in ("fold", "call", "raise")]
        assert rows[stage][1:5] == [str(count) for count in (*counts, sum(counts))]
    strengths = pack.bases["flop"].values[:, pack.bases["flop"].schema.place("hand strength")]
    assert f"{strengths.min():.4g} … {strengths.max():.4g}" in " ".join(rows["hand strength"])
    assert lines[-1] == "with every case: hand, player, cards, board, source"


def test_show_as_data(folder: Path) -> None:
    pack = read_pack(folder / "a.parquet")
    data = json.loads(casebase("show", folder / "a.parquet", "--json", "-").out)
    assert data["schema"] == "railbird.casebase/1"
    assert data["recipe"] == pack.recipe
    assert [base["name"] for base in data["bases"]] == list(STAGES)
    flop = data["bases"][1]
    assert (flop["cases"], flop["decisions"]) == (len(pack.bases["flop"]), pack.recipe["cases"]["flop"])
    assert flop["attributes"]["number of players"] == [2.0, 3.0]


def test_show_takes_packs_of_other_systems(tmp_path: Path) -> None:
    base = CaseBase(Schema((Symbol("noise"), Number("age")), ("oil", "replace")))
    for noise in ("click", "click", "grind", "hum", "[bold]"):
        base.add({"noise": noise, "age": 2.5}, "oil")
    empty = CaseBase(Schema((Number("pressure"),), ("patch",)))
    write_pack(Pack("workshop", {"troubles": base, "punctures": empty}), tmp_path / "w.parquet")
    out = casebase("show", tmp_path / "w.parquet").out.decode()
    assert "5 cases of workshop" in out
    assert "click, grind, hum and 1 more" in out
    assert [line.split() for line in out.splitlines() if line.startswith("troubles")] == [
        ["troubles", "5", "0", "0", "5", "–"]
    ]
    data = json.loads(casebase("show", tmp_path / "w.parquet", "--json", "-").out)
    assert data["bases"][0]["attributes"]["noise"] == {"click": 2, "grind": 1, "hum": 1, "[bold]": 1}
    assert data["bases"][1]["attributes"]["pressure"] is None


# merge


def cases_of(pack: Pack, stage: str) -> list[Any]:
    base = pack.bases[stage]
    return [
        (base.description(row), base.sums[row].tolist(), pack.rider(stage, row)) for row in range(len(base))
    ]


def test_merge_joins_the_cases_and_keeps_the_recipes(folder: Path) -> None:
    a, b, both = (folder / f"{name}.parquet" for name in ("a", "b", "both"))
    done = casebase("merge", a, b, "-o", both)
    first, second, joined = read_pack(a), read_pack(b), read_pack(both)
    for stage in STAGES:
        assert cases_of(joined, stage) == cases_of(first, stage) + cases_of(second, stage)
    assert joined.recipe == {"joined": [first.recipe, second.recipe]}
    assert f"{len(first) + len(second)} cases of casper:look-ahead=1 written to {both}" in done.out.decode()
    assert casebase("show", both).out.decode().count("railbird watch") == 2
    casebase("verify", both, folder / "a.jsonl", folder / "b.jsonl")
    watch(folder / "a.jsonl", folder / "bob.parquet", "Bob")
    casebase("merge", both, folder / "bob.parquet", "-o", folder / "three.parquet")
    assert len(read_pack(folder / "three.parquet").recipe["joined"]) == 3


def test_merge_counts_no_case_twice_unless_asked_to(folder: Path) -> None:
    a, b, both = (folder / f"{name}.parquet" for name in ("a", "b", "both"))
    casebase("merge", a, b, "-o", both)
    again = folder / "again.parquet"
    message = refusal("merge", both, a, "-o", again)
    assert message.startswith(f"{a}: Alice in a.jsonl was already watched for {both}")
    assert not again.exists()
    casebase("merge", both, a, "-o", again, "--keep-duplicates")
    assert len(read_pack(again)) == len(read_pack(both)) + len(read_pack(a))


def test_merge_refuses_what_does_not_fit(folder: Path) -> None:
    a, b, other, output = (folder / f"{name}.parquet" for name in ("a", "b", "other", "output"))
    pack = read_pack(a)
    write_pack(Pack("sartre", pack.bases, {}, {}), other)
    assert (
        refusal("merge", a, other, "-o", output)
        == f"{other}: holds cases of sartre, not of casper:look-ahead=1"
    )
    write_pack(Pack("casper:look-ahead=2", pack.bases, {}, {}), other)
    assert refusal("merge", a, other, "-o", output) == (
        f"{other}: holds cases of casper:look-ahead=2, not of casper:look-ahead=1"
    )
    flop = CaseBase(Schema(pack.bases["flop"].schema.attributes[:-1], ("fold", "call", "raise")))
    write_pack(Pack(pack.system, {**pack.bases, "flop": flop}, {}, {}), other)
    assert "flop has another schema: it has no attribute" in refusal("merge", a, other, "-o", output)
    assert "at least two different packs" in refusal("merge", a, a, "-o", output)
    assert "exists already" in refusal("merge", a, b, "-o", other)
    assert "is read and cannot be written" in refusal("merge", a, b, "-o", b, "--force")
    assert not output.exists()


# export


def test_thin_takes_whole_hands_and_tells_so(folder: Path) -> None:
    whole = read_pack(folder / "a.parquet")
    said = casebase(
        "thin", folder / "a.parquet", "--most", "preflop=20,flop=9", "-o", folder / "few.parquet"
    ).out
    thin = read_pack(folder / "few.parquet")
    assert f"{len(thin):,} cases of {thin.system} written" in said.decode()
    assert 14 <= len(thin.bases["preflop"]) <= 20
    assert 5 <= len(thin.bases["flop"]) <= 9
    assert len(thin.bases["turn"]) == len(whole.bases["turn"])
    for stage in ("preflop", "flop"):
        kept, every = thin.riders[stage]["hand"], list(whole.riders[stage]["hand"])
        assert {hand: list(kept).count(hand) for hand in kept} == {hand: every.count(hand) for hand in kept}
    for row in range(len(thin.bases["flop"])):
        place = list(whole.riders["flop"]["hand"]).index(thin.riders["flop"]["hand"][row])
        again = list(thin.riders["flop"]["hand"])[:row].count(thin.riders["flop"]["hand"][row])
        assert replace(thin.bases["flop"].case(row), number=0) == replace(
            whole.bases["flop"].case(place + again), number=0
        )
    told = thin.recipe["thinned"]
    assert told == {"seed": "1", "cases": {name: len(base) for name, base in whole.bases.items()}}
    casebase("verify", folder / "few.parquet", folder / "a.jsonl")
    casebase("thin", folder / "a.parquet", "--most", "flop=9", "--seed", "2", "-o", folder / "other.parquet")
    assert set(read_pack(folder / "other.parquet").riders["flop"]["hand"]) != set(thin.riders["flop"]["hand"])


def test_thin_refuses_what_does_not_fit(folder: Path) -> None:
    a, few = folder / "a.parquet", folder / "few.parquet"
    assert "no base is called 'flopp'" in refusal("thin", a, "--most", "flopp=2", "-o", few)
    assert "flop=many is not a number of cases" in refusal("thin", a, "--most", "flop=many", "-o", few)
    casebase("merge", a, folder / "b.parquet", "-o", folder / "both.parquet")
    assert "thin them before merging" in refusal(
        "thin", folder / "both.parquet", "--most", "flop=2", "-o", few
    )
    assert not few.exists()


def test_export_of_all_cases_as_comma_separated_values(folder: Path) -> None:
    pack = read_pack(folder / "a.parquet")
    casebase("export", folder / "a.parquet", folder / "a.csv")
    rows = list(csv.DictReader(io.StringIO((folder / "a.csv").read_text())))
    assert [row["base"] for row in rows] == [stage for stage in STAGES for _ in range(len(pack.bases[stage]))]
    numbers = dict.fromkeys(STAGES, 0)
    for row in rows:
        base, number = pack.bases[row["base"]], numbers[row["base"]]
        described = base.description(number)
        assert {name: float(row[name]) for name in described} == described
        assert base.case(number).counts[row["solution"]] == 1
        assert base.case(number).sums[row["solution"]] == float(row["outcome"])
        assert {name: row[name] for name in pack.rider(row["base"], number)} == pack.rider(
            row["base"], number
        )
        numbers[row["base"]] += 1
    assert rows[0]["positive potential"] == ""


def test_export_of_one_base_as_json_lines(folder: Path) -> None:
    pack = read_pack(folder / "a.parquet")
    casebase("export", folder / "a.parquet", folder / "flop.jsonl.xz", "--base", "flop")
    rows = [
        json.loads(line) for line in lzma.decompress((folder / "flop.jsonl.xz").read_bytes()).splitlines()
    ]
    base = pack.bases["flop"]
    assert [{name: row[name] for name in base.schema.names} for row in rows] == [
        base.description(number) for number in range(len(base))
    ]
    assert list(rows[0]) == ["base", *base.schema.names, "solution", "outcome", *pack.rider("flop", 0)]
    printed = casebase("export", folder / "a.parquet", "-", "--to", "jsonl", "--base", "flop").out
    assert [json.loads(line) for line in printed.splitlines()] == rows


def test_export_refuses_what_it_cannot_do(folder: Path) -> None:
    a = folder / "a.parquet"
    assert "the file name does not indicate the format: use --to csv or --to jsonl" in refusal(
        "export", a, folder / "a.xls"
    )
    assert refusal("export", a, "-", "--to", "xls") == "cases can be exported as csv or jsonl, not as xls"
    assert refusal("export", a, folder / "x.csv", "--base", "flopp") == (
        "no base is called 'flopp': did you mean 'flop'?"
    )
    assert not (folder / "x.csv").exists()
    (folder / "x.csv").write_text("precious")
    assert "exists already" in refusal("export", a, folder / "x.csv")
    casebase("export", a, folder / "x.csv", "--force")
    assert (folder / "x.csv").read_text().startswith("base,")


# verify


def test_verify_says_what_was_checked(folder: Path) -> None:
    a = folder / "a.parquet"
    count = len(read_pack(a))
    whole = f"{a}: intact, {count} cases of casper:look-ahead=1 as in the recipe\n"
    assert (
        casebase("verify", a).out.decode()
        == f"{whole}1 source not compared: name the files to compare them\n"
    )
    assert casebase("verify", a, folder / "a.jsonl").out.decode() == (
        f"{whole}1 of 1 source compared: unchanged\n"
    )


def test_verify_refuses_other_sources(folder: Path) -> None:
    a = folder / "a.parquet"
    assert refusal("verify", a, folder / "b.jsonl") == (
        f"{folder / 'b.jsonl'}: was not watched for {a}, which has other sources"
    )
    with (folder / "a.jsonl").open("a") as file:
        file.write("\n")
    assert f"not the source of {a}: its SHA-256 is" in refusal("verify", a, folder / "a.jsonl")
    assert "cannot be read: No such file" in refusal("verify", a, folder / "none.jsonl")


def test_verify_refuses_a_pack_that_is_not_as_its_recipe_says(folder: Path) -> None:
    pack = read_pack(folder / "a.parquet")
    wrong = folder / "wrong.parquet"
    folds = pack.recipe["cases"]["preflop"]["fold"]
    cases = pack.recipe["cases"] | {"preflop": pack.recipe["cases"]["preflop"] | {"fold": folds + 1}}
    write_pack(replace(pack, recipe={**pack.recipe, "cases": cases}), wrong)
    assert refusal("verify", wrong) == (
        f"{wrong}: holds {folds} cases of preflop with fold, but its recipe says {folds + 1}"
    )
    write_pack(replace(pack, recipe={}), wrong)
    assert refusal("verify", wrong) == f"{wrong}: its recipe does not state the number of cases"


def test_verify_refuses_another_schema(folder: Path) -> None:
    pack = read_pack(folder / "a.parquet")
    wrong = folder / "wrong.parquet"
    river = CaseBase(Schema((Number("hand strength"),), ("fold", "call", "raise")))
    write_pack(Pack(pack.system, {**pack.bases, "river": river}, {}, pack.recipe), wrong)
    assert refusal("verify", wrong) == (
        f"{wrong}: river has another schema: it has no attribute 'number of players'"
    )


def test_verify_says_when_it_does_not_know_the_system(tmp_path: Path) -> None:
    write_pack(Pack("workshop", {}, {}, {"cases": {}}), tmp_path / "w.parquet")
    assert (
        casebase("verify", tmp_path / "w.parquet")
        .out.decode()
        .endswith("there is no system workshop, so the schema was not compared\n")
    )


@pytest.mark.parametrize("verb", ["show", "verify"])
def test_a_file_that_is_no_pack_ends_in_one_line(verb: str, folder: Path) -> None:
    bad = folder / "bad.parquet"
    bad.write_bytes((folder / "a.parquet").read_bytes()[:-100])
    assert refusal(verb, bad) == f"{bad}: is truncated: the end of the file is missing"
    pl.DataFrame({"x": [1]}).write_parquet(bad)
    assert refusal(verb, bad) == f"{bad}: is a Parquet file, but not a pack of cases"
    assert refusal(verb, folder / "none") == f"{folder / 'none'}: cannot be read: No such file or directory"


# docs/packs.md


def test_the_commands_of_the_page_do_what_it_says(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = (DOCS / "packs.md").read_text(encoding="utf-8")
    commands = re.findall(r"^    railbird (.+?)(?:  .*)?$", page, re.MULTILINE)
    assert [command.split()[0] for command in commands] == ["watch", "imitate", *["casebase"] * 5]
    hands = [replace(plain_record(seed, "limit-3p"), players=("Doyle", "Bob", "Carol")) for seed in range(30)]
    (folder / "hands.log").write_text("".join(map(format_record, hands)))
    monkeypatch.chdir(folder)
    for command in commands:
        done = railbird(*command.split())
        assert (done.code, done.error) == (0, ""), command
    pack = read_pack(folder / "doyle.parquet")
    assert all(f"`{name}`" in page for name in pack.rider("preflop", 0))
    assert all(f"`{key}`" in page for key in pack.recipe)
    metadata = pl.read_parquet_metadata(folder / "doyle.parquet")
    assert all(f"`{key}`" in page for key in metadata if key.startswith("railbird."))
