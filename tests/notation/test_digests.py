"""Digests of hands, which stores keep; and a set of digests that finds what was added, in little memory."""

import json
import tracemalloc
from hashlib import blake2b
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hand_records import random_record, unfinished_record
from railbird.engine.json_form import event_to_json
from railbird.notation import digests
from railbird.notation.digests import DigestSet
from railbird.notation.records import digest_of


def digest(number: int) -> bytes:
    return blake2b(number.to_bytes(8, "little"), digest_size=16).digest()


@given(st.integers(0, 10**6))
def test_the_digest_of_a_hand_is_that_of_its_plain_data(seed: int) -> None:
    for make in (random_record, unfinished_record):
        record = make(Random(seed))
        setup, details = record.setup, record.details
        played = [
            record.hand_id,
            [details.venue, details.table, details.time, details.currency, str(details.chip)],
            [record.rules.betting.value, setup.stacks, setup.blinds, setup.antes, setup.first],
            [record.players, record.seats, [event_to_json(event) for event in record.events]],
        ]
        text = json.dumps(played, separators=(",", ":"))
        assert digest_of(record) == blake2b(text.encode(), digest_size=16).digest()


@given(st.lists(st.integers(0, 60)))
def test_it_holds_what_a_set_holds(numbers: list[int]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(digests, "_FEW", 5)
        hands, expected = DigestSet(), set[bytes]()
        for found in map(digest, numbers):
            assert (found in hands) == (found in expected)
            if found not in hands:
                hands.add(found)
            expected.add(found)
        assert len(hands) == len(expected)
        assert all(found in hands for found in expected)


def test_digests_with_the_highest_and_the_lowest_prefix_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(digests, "_FEW", 2)
    hands = DigestSet()
    ends = [b"\xff" * 16, b"\0" * 16]
    for end in ends:
        assert end not in hands
        hands.add(end)
    assert all(end in hands for end in ends)
    assert b"\xff" * 7 + b"\0" * 9 not in hands


def test_a_digest_takes_at_most_sixteen_bytes() -> None:
    count = 50_000
    hands = DigestSet()
    tracemalloc.start()
    for number in range(count):
        hands.add(digest(number))
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(hands) == count
    assert size < 16 * count
