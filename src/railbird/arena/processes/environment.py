"""Environment variables for processes that are started within a block."""

import os
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def environment(**variables: str) -> Iterator[None]:
    """Set environment variables until the end of this block."""
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
