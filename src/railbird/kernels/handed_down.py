"""The options that a compiled function hands down to numba's implementations of what it calls."""

from numba.core.compiler import Flags

HANDED_DOWN = "nrt", "fastmath", "error_model", "forceinline"
"""The names of the options; an implementation does not depend on any other option of its caller."""


class HandedDown(Flags):
    """Nothing but these options. Equal ones are the same object, so that comparing them takes no time."""

    __eq__ = object.__eq__
    __hash__ = object.__hash__


_EACH: list[HandedDown] = []
_OF_CALLERS: dict[int, tuple[Flags, HandedDown]] = {}
"""By the caller's identity; the caller is kept, so that no other can have it."""


def handed_down(caller: Flags) -> HandedDown:
    """What a function with these options hands down."""
    if (known := _OF_CALLERS.get(id(caller))) is not None:
        return known[1]
    values = _values(caller)
    options = next((each for each in _EACH if _values(each) == values), None)
    if options is None:
        options = HandedDown()
        for name, value in zip(HANDED_DOWN, values, strict=True):
            setattr(options, name, value)
        _EACH.append(options)
    _OF_CALLERS[id(caller)] = caller, options
    return options


def _values(flags: Flags) -> list[object]:
    return [getattr(flags, name) for name in HANDED_DOWN]
