"""Plain data and text with something strange in any place, drawn from a seed."""

import random
from typing import Any

STRANGE: tuple[Any, ...] = (
    None, True, -1, 0, 7, 10**30, 10**400, 0.5, float("nan"), float("inf"), "", "oil", "1e999999999", "\ud800",
    [], [[]], {}, {"a": 1}, ["oil", {}],
)  # fmt: skip


def changed(data: Any, rng: random.Random) -> Any:
    """The data with one or two parts replaced, at any depth."""
    for _ in range(rng.choice((1, 1, 2))):
        data = _with(data, rng.choice(_places(data)), rng.choice(STRANGE))
    return data


def changed_text(text: bytes, rng: random.Random) -> bytes:
    """The text with some bytes changed, left out, doubled, or cut off."""
    place = rng.randrange(len(text))
    end = min(len(text), place + rng.choice((1, 4, 64)))
    kind = rng.randrange(4)
    if kind == 0:
        return text[:place]
    if kind == 1:
        return text[:place] + text[end:]
    if kind == 2:
        return text[:end] + text[place:]
    return text[:place] + rng.choice((b"\0", b"\xff", b"{", b"[" * 3000, b"9" * 5000, b"<")) + text[end:]


def _places(data: Any, place: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    found = [place]
    parts = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, part in parts:
        found += _places(part, (*place, key))
    return found


def _with(data: Any, place: tuple[str | int, ...], value: Any) -> Any:
    if not place:
        return value
    copy: Any = dict(data) if isinstance(data, dict) else list(data)
    copy[place[0]] = _with(data[place[0]], place[1:], value)
    return copy
