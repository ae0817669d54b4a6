"""New files and folders that only their owner can read, because a store contains players' hands and identities.

Existing files and folders keep their permissions, which may have been widened on purpose.
"""

import os
from pathlib import Path

from railbird.store.addresses import StoreError

_OWNER_ONLY = 0o600
_OWNER_ONLY_FOLDER = 0o700


def make_private_file(path: Path) -> None:
    """Create an empty file, which SQLite treats as an empty database; its journals get the same permissions."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, _OWNER_ONLY))
    except OSError as error:
        raise StoreError(f"{path} cannot be created: {error.strerror}") from None


def make_private_folder(path: Path) -> None:
    """Create a folder and its missing parents."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.mkdir(mode=_OWNER_ONLY_FOLDER, exist_ok=True)
