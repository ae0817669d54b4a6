"""New files and folders that only their owner may read: a store holds the hands of people, and who they are.

What is there already keeps its permissions: somebody may have widened them on purpose.
"""

import os
from pathlib import Path

from railbird.store.addresses import StoreError

_OWNER_ONLY = 0o600
_OWNER_ONLY_FOLDER = 0o700


def make_private_file(path: Path) -> None:
    """Make an empty file, which to SQLite is an empty database; the journals beside it get the same permissions."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, _OWNER_ONLY))
    except OSError as error:
        raise StoreError(f"{path} cannot be made: {error.strerror}") from None


def make_private_folder(path: Path) -> None:
    """Make a folder and those above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.mkdir(mode=_OWNER_ONLY_FOLDER, exist_ok=True)
