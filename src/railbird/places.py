"""Where files live: caches and the default store, in the platform's user folders.

`RAILBIRD_HOME` moves all of them below one folder. Everything under `cache_folder()` is derived and may be
deleted at any time: it is rebuilt when it is needed again.
"""

import os
import re
from collections.abc import Callable
from pathlib import Path
from secrets import token_hex
from typing import IO

import platformdirs

_PATH = re.compile(r"""(?:(?<![\w./:])|(?<=sqlite:///))/(?:[^\s/'"]+/)*([^\s/'":,;]+)""")


def cache_folder() -> Path:
    """The folder of what can be rebuilt: lookup tables and compiled kernels."""
    home = os.environ.get("RAILBIRD_HOME")
    return Path(home) / "cache" if home else Path(platformdirs.user_cache_dir("railbird", appauthor=False))


def data_folder() -> Path:
    """The folder of what a user would miss: the default store of hands and lived experience."""
    home = os.environ.get("RAILBIRD_HOME")
    return Path(home) / "data" if home else Path(platformdirs.user_data_dir("railbird", appauthor=False))


def without_folders(sentence: str) -> str:
    """A sentence for somebody on another machine: files by their names, without the folders in which they lie.

    >>> without_folders("'/srv/cards/hands.db' cannot be read; blinds 5/10, see http://localhost/play")
    "'hands.db' cannot be read; blinds 5/10, see http://localhost/play"
    """
    return _PATH.sub(r"\1", sentence)


def write_whole(path: Path, write: Callable[[IO[bytes]], object]) -> None:
    """Write a file so that readers find either the old content or all of the new, even after a crash."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f"{path.name}{token_hex(4)}.part")
    with temporary.open("xb") as file:  # with the permissions of any new file, unlike those of `tempfile`
        try:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
    temporary.replace(path)
