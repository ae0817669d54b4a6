"""Packs that Railbird would never write, with a valid digest."""

import json
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import polars as pl

from railbird.cbr.case_base import CaseBase
from railbird.cbr.packs.files import Pack, write_pack
from railbird.cbr.schema import Number, Schema, Symbol

_NO_DIGEST = b"0" * 64
SCHEMA = Schema((Symbol("noise", ("click", "grind")), Number("age", low=0)), ("oil", "replace"))


def small_pack() -> Pack:
    """Two bases of a few cases, one of them merged, with riders and a recipe as `railbird watch` writes it."""
    single, merged = CaseBase(SCHEMA), CaseBase(SCHEMA)
    for age in range(5):
        single.add({"noise": "grind", "age": age}, "oil", 0.5)
        merged.add({"noise": "click", "age": age % 2}, "replace", None if age else 1.0, merge=True)
    recipe = {
        "made by": "railbird watch",
        "players": ["ann"],
        "sources": [{"name": "a.log", "sha256": "0" * 64, "hands": 5, "bad": 0}],
        "cases": {"single": {"oil": 5, "replace": 0}, "merged": {"oil": 0, "replace": 5}},
        "hands": {"read": 5},
    }
    riders = {"single": {"hand": list("abcde")}}
    return Pack("workshop", {"single": single, "merged": merged}, riders, recipe)


def metadata_of(path: Path) -> dict[str, str]:
    """What a pack says about itself."""
    return {key: text for key, text in pl.read_parquet_metadata(path).items() if key.startswith("railbird.")}


def seal(content: bytes) -> bytes:
    """The same file with the digest that it should have."""
    place = content.rindex(b"railbird.digest") + len(b"railbird.digest") + 2
    empty = content[:place] + _NO_DIGEST + content[place + 64 :]
    return content[:place] + sha256(empty).hexdigest().encode() + content[place + 64 :]


def write_table(table: pl.DataFrame, metadata: Mapping[str, str], path: Path) -> Path:
    """A table as a pack, whatever is in it."""
    table.write_parquet(
        path, compression="zstd", metadata={**metadata, "railbird.digest": _NO_DIGEST.decode()}
    )
    path.write_bytes(seal(path.read_bytes()))
    return path


def write_changed(path: Path, **changes: str) -> Path:
    """The small pack with other metadata: `recipe="{"`."""
    write_pack(small_pack(), path)
    told = {f"railbird.{key}": text for key, text in changes.items()}
    return write_table(pl.read_parquet(path), metadata_of(path) | told, path)


def forms_of(path: Path) -> list[dict[str, Any]]:
    """The forms of the bases of a pack."""
    found: list[dict[str, Any]] = json.loads(metadata_of(path)["railbird.bases"])
    return found
