"""Messages over a socket: they come out as they went in, and whatever else comes is refused."""

import asyncio
import socket
from time import monotonic
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from railbird.arena.processes.frames import Channel, FrameError, FrameTooLong, frame, read_frame

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text('ab\u00e9\u20ac\n\0"', max_size=5),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("abc"), inner, max_size=2),
    max_leaves=4,
)


@settings(max_examples=40)
@given(st.lists(st.dictionaries(st.sampled_from("abc"), PLAIN, max_size=2), max_size=3))
def test_frames_come_out_as_they_went_in(messages: list[dict[str, Any]]) -> None:
    ours, theirs = socket.socketpair()
    with theirs:
        with ours:
            for message in messages:
                Channel(ours).send(message)
        channel = Channel(theirs)
        assert [channel.receive() for _ in messages] == messages
        with pytest.raises(EOFError):
            channel.receive()


@given(st.binary(max_size=40))
def test_bytes_that_are_no_frame_are_refused(data: bytes) -> None:
    ours, theirs = socket.socketpair()
    with theirs:
        with ours:
            ours.sendall(data)
        with pytest.raises((EOFError, FrameError)):
            read_all(Channel(theirs, most_bytes=1 << 20))


def read_all(channel: Channel) -> None:
    while True:
        channel.receive()


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        (b"hello", "5 bytes that are not valid JSON"),
        (b"[1,2]", "5 bytes that are not a JSON object"),
        (b"{}" * 9, "a message of 18 bytes; at most 16 are allowed"),
        (b"\xff", "1 bytes that are not valid JSON"),
    ],
)
def test_both_readers_refuse_the_same_bytes(body: bytes, sentence: str) -> None:
    data = len(body).to_bytes(4) + body
    ours, theirs = socket.socketpair()
    with ours, theirs:
        ours.sendall(data)
        with pytest.raises(FrameError, match=sentence) as refused:
            Channel(theirs, most_bytes=16).receive()
        assert isinstance(refused.value, FrameTooLong) == (len(body) > 16)
    with pytest.raises(FrameError, match=sentence):
        asyncio.run(read_from_stream(data, most_bytes=16))


async def read_from_stream(data: bytes, most_bytes: int) -> dict[str, Any]:
    reader = asyncio.StreamReader()
    reader.feed_data(data)
    reader.feed_eof()
    return await read_frame(reader, most_bytes)


@pytest.mark.parametrize("text", ["\ud83c\udca1 and \u20ac", "half \ud800 of a pair"])
def test_half_a_character_does_not_end_a_conversation(text: str) -> None:
    sent = asyncio.run(read_from_stream(frame({"text": text}), most_bytes=1000))
    assert sent == {
        "text": text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").replace("\ufffd", "?")
    }


def test_what_is_not_json_becomes_text() -> None:
    sent = asyncio.run(read_from_stream(frame({"chance": float("nan"), "of": {1}}), most_bytes=1000))
    assert sent == {"chance": "nan", "of": "{1}"}


def test_nobody_waits_beyond_a_deadline() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        channel = Channel(theirs)
        ours.sendall(frame({"a": 1})[:-1])
        with pytest.raises(TimeoutError):
            channel.receive(monotonic() + 0.05)
        with pytest.raises(TimeoutError):
            channel.send({}, monotonic())
