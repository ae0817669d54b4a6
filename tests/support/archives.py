"""Archives of test data: extracted with the safe filter, which early releases of Python 3.11 do not have, or read."""

import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

SAFELY: dict[str, Any] = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}


def members(archive: Path, ending: str) -> Iterator[tuple[str, list[str]]]:
    """The files of an archive whose names end like this: name and lines."""
    with tarfile.open(archive) as files:
        for member in files:
            if member.isfile() and member.name.endswith(ending):
                content = files.extractfile(member)
                assert content is not None
                yield member.name, content.read().decode().splitlines()
