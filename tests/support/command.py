"""The `railbird` command run inside the test's own process, which saves the second that a new one takes."""

import io
import sys
from dataclasses import dataclass

import pytest

from railbird.cli import main


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a command ended."""

    code: int
    out: bytes
    error: str


class _Stream(io.TextIOWrapper):
    """A standard stream that keeps what is written."""

    def __init__(self, content: bytes = b"") -> None:
        self.bytes = io.BytesIO(content)
        super().__init__(self.bytes, encoding="utf-8", write_through=True)


def railbird(*arguments: object, keys: bytes = b"") -> Outcome:
    """Run the command as a user would, with `keys` on its standard input."""
    streams = _Stream(keys), _Stream(), _Stream()
    with pytest.MonkeyPatch.context() as patch:
        # What is compiled depends on what earlier tests needed.
        patch.setattr("railbird.cli.compiling.tell_of_compiling", lambda: None)
        patch.setattr(sys, "argv", ["railbird", *map(str, arguments)])
        for name, stream in zip(("stdin", "stdout", "stderr"), streams, strict=True):
            patch.setattr(sys, name, stream)
        try:
            main()
            code = 0
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else int(end.code is not None)
    return Outcome(code, streams[1].bytes.getvalue(), streams[2].bytes.getvalue().decode())
