"""A soak test that was stopped goes on at the first hand that has not passed."""

from pathlib import Path

import pytest

from resuming import digest_of_rules, hands_to_go


@pytest.fixture(autouse=True)
def _empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAILBIRD_HOME", str(tmp_path))


def run(hands: int, stop_at: int | None = None, version: str = "1", chunk: int = 0) -> list[int]:
    """The hands that are played until one is stopped."""
    played = []
    for hand in hands_to_go("example", version, chunk, hands):
        played.append(hand)
        if hand == stop_at:
            break
    return played


def test_a_stopped_run_goes_on_with_the_hand_that_was_not_finished() -> None:
    assert run(10, stop_at=3) == [0, 1, 2, 3]
    assert run(10, stop_at=7) == [3, 4, 5, 6, 7]
    assert run(10) == [7, 8, 9]
    assert run(10) == []


def test_an_error_leaves_the_hand_to_be_played_again() -> None:
    with pytest.raises(ZeroDivisionError):
        fail_at_hand_five()
    assert run(10) == [5, 6, 7, 8, 9]


def fail_at_hand_five() -> None:
    for hand in hands_to_go("example", "1", 0, 10):
        1 // (5 - hand)


def test_every_chunk_and_every_version_counts_for_itself() -> None:
    run(10)
    assert len(run(10, chunk=1)) == 10
    assert len(run(10, version="2")) == 10


def test_the_version_depends_on_the_referee() -> None:
    assert digest_of_rules("pokerkit", "1") != digest_of_rules("pokerkit", "2")
    assert digest_of_rules("pokerkit", "1") == digest_of_rules("pokerkit", "1")
