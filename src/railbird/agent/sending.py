"""Sending agents, and work with agents, to other processes: pickled, if the other process can find their classes."""

import pickle
import sys
from functools import cache
from inspect import isclass
from io import BytesIO
from pathlib import Path
from types import FunctionType
from typing import Any


class CannotBeSent(ValueError):
    """Something that another process could not restore; the message gives the reason."""


def packed(thing: object, *, has_main: bool) -> bytes:
    """Anything pickled for another process that has the same paths; `has_main`: and the same main program.

    A program run from a file is known to spawned processes, which load it again; a notebook or a prompt is not.
    """
    written = BytesIO()
    try:
        _Packer(written, has_main).dump(thing)
    except CannotBeSent:
        raise
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise CannotBeSent(f"it cannot be sent to another process: {error}") from None
    return written.getvalue()


class _Packer(pickle.Pickler):
    """A pickler that refuses what only this process knows."""

    def __init__(self, file: BytesIO, has_main: bool) -> None:
        super().__init__(file)
        self._has_main = has_main and Path(getattr(sys.modules["__main__"], "__file__", "")).is_file()

    def reducer_override(self, thing: Any) -> Any:
        if isclass(thing) or isinstance(thing, FunctionType):
            name, module = thing.__qualname__, thing.__module__
            if "<locals>" in name or "<lambda>" in name:
                raise CannotBeSent(
                    f"{name} is defined inside a function, where other processes do not find it: "
                    "define it at the top of a file"
                )
            if module in ("__main__", "__mp_main__"):
                if not self._has_main:
                    raise CannotBeSent(
                        f"{name} is defined in a notebook, at a prompt or in the main program, where other processes "
                        "do not find it: import it from a file, or play with one worker and without limits"
                    )
            elif not _can_be_imported(module.partition(".")[0]):
                raise CannotBeSent(f"{name} is in {module}, which other processes cannot import")
        return NotImplemented


@cache
def _can_be_imported(name: str) -> bool:
    return any(finder.find_spec(name, None) is not None for finder in sys.meta_path)
