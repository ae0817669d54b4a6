"""Record to text to record: the identity where a format can carry the record, and a list of losses where it cannot."""

import io
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hand_records import plain_record, random_record, records
from railbird.engine.record import HandRecord
from railbird.notation.files import find_hands
from railbird.notation.formats import FORMATS, Format, format_named
from railbird.notation.reading import NotationError

WRITTEN = [form for form in FORMATS if form.writer is not None]
names = st.sampled_from([form.name for form in WRITTEN])


def written(form: Format, record: HandRecord) -> str | None:
    """A hand as a whole file, None where the format refuses it."""
    assert form.writer is not None
    writer = form.writer()
    try:
        return writer.hand(record) + writer.end()
    except NotationError:
        return None


def read_back(form: Format, text: str) -> HandRecord:
    (found,) = find_hands(io.BytesIO(text.encode()), form)
    assert isinstance(found.reading, HandRecord), found.reading
    return found.reading


@given(names, records)
def test_a_record_without_losses_survives_its_text(name: str, record: HandRecord) -> None:
    form = format_named(name)
    text = written(form, record)
    if text is None:
        return
    again = read_back(form, text)
    losses = form.losses(record)
    if losses:
        assert again != record, losses
    else:
        assert again == record


@given(names, records)
def test_what_a_format_loses_is_lost_once_and_never_the_play(name: str, record: HandRecord) -> None:
    form = format_named(name)
    text = written(form, record)
    if text is None:
        return
    again = read_back(form, text)
    assert again.players == record.players
    assert again.actions() == record.actions()
    assert again.setup.stacks == record.setup.stacks
    assert again.cards == record.cards
    assert form.losses(again) == ()
    text_again = written(form, again)
    assert text_again is not None
    assert read_back(form, text_again) == again


@pytest.mark.parametrize("form", WRITTEN, ids=lambda form: form.name)
def test_many_hands_in_one_file_are_read_back_in_their_order(form: Format) -> None:
    if form.one_hand:
        return
    assert form.writer is not None
    writer = form.writer()
    games = ("limit-2p", "nolimit-3p", "limit-6max")
    hands = [plain_record(seed, games[seed // 10 % 3]) for seed in range(60)]
    text = "".join(map(writer.hand, hands)) + writer.end()
    expected = [read_back(form, written(form, hand) or "") for hand in hands]
    assert [found.reading for found in find_hands(io.BytesIO(text.encode()))] == expected


@pytest.mark.parametrize("form", WRITTEN, ids=lambda form: form.name)
def test_a_refused_hand_leaves_no_trace_in_the_file(form: Format) -> None:
    if form.one_hand:
        return
    assert form.writer is not None
    random = Random(1)
    writer = form.writer()
    parts, expected = [], []
    for number in range(150):
        record = replace(random_record(random), hand_id=str(number))
        try:
            parts.append(writer.hand(record))
        except NotationError:
            continue
        expected.append(read_back(form, written(form, record) or ""))
    text = "".join(parts) + writer.end()
    assert len(expected) >= 20
    assert [found.reading for found in find_hands(io.BytesIO(text.encode()), form)] == expected


def test_our_own_form_carries_every_record() -> None:
    form = format_named("railbird")
    random = Random(2)
    for _ in range(100):
        record = random_record(random)
        assert form.losses(record) == ()
        assert read_back(form, written(form, record) or "") == record
