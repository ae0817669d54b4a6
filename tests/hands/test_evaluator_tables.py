"""The evaluator's tables are built once, kept, checked when they are read, and built again when spoilt."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from railbird.cards import parse_cards
from railbird.hands import evaluator
from railbird.hands.evaluator import evaluate, tables
from railbird.kernels.hands.evaluation_tables import (
    BEST_VALUE,
    RANK_KEYS,
    TABLES_CHECKSUM,
    DisplacementError,
    build_tables,
    find_rank_keys,
)

ROYAL_FLUSH = parse_cards("Ah Kh Qh Jh Th 2c 2d")


@pytest.fixture
def good_content() -> bytes:
    """What the file of the tables should hold."""
    return tables().astype("<u2").tobytes()


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty cache folder, and nothing remembered of the usual one; the file of the tables there."""
    monkeypatch.setenv("RAILBIRD_HOME", str(tmp_path))
    tables.cache_clear()
    yield evaluator.tables_file()
    tables.cache_clear()


def test_tables_are_built_once_and_read_back_the_next_time(
    own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built = tables()
    assert own_cache.stat().st_size == built.nbytes
    tables.cache_clear()
    monkeypatch.setattr(evaluator, "build_tables", lambda: pytest.fail("the tables were built again"))
    assert (tables() == built).all()
    assert not tables().flags.writeable


@pytest.mark.parametrize(
    "spoil",
    [
        lambda content: content[:0],
        lambda content: content[:-2],
        lambda content: content[:5000] + b"?" + content[5001:],
    ],
    ids=["empty", "cut short", "one byte altered"],
)
def test_spoilt_tables_are_built_again(
    good_content: bytes, own_cache: Path, spoil: Callable[[bytes], bytes]
) -> None:
    own_cache.parent.mkdir()
    own_cache.write_bytes(spoil(good_content))
    assert evaluate(ROYAL_FLUSH) == BEST_VALUE
    assert own_cache.read_bytes() == good_content


def test_without_a_place_for_the_tables_the_evaluator_says_so_and_works(own_cache: Path) -> None:
    own_cache.parent.write_text("a file where the cache folder should be")
    with pytest.warns(UserWarning, match="tables cannot be cached"):
        assert evaluate(ROYAL_FLUSH) == BEST_VALUE


def test_rank_keys_that_let_two_hands_coincide_are_refused() -> None:
    with pytest.raises(DisplacementError):
        build_tables(rank_keys=tuple(range(13)))


@pytest.mark.soak
def test_the_rank_keys_are_the_ones_that_the_search_finds() -> None:
    assert find_rank_keys(seed=1) == RANK_KEYS


def test_the_name_of_the_tables_file_changes_with_the_tables() -> None:
    assert f"{TABLES_CHECKSUM:08x}" in evaluator.tables_file().name
