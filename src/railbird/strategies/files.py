"""Files of numbers with a header that says what they are: strategies and the checkpoints of solvers.

The first line is `railbird`, the kind of file and the version of its format. The second is the header, a JSON object,
filled up with spaces to a multiple of 64 bytes; `head -2` shows both. Then come the numbers, which are read
memory-mapped. The header's `digest` covers the rest of the header and all numbers.
"""

import json
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from railbird.places import read_up_to, write_whole
from railbird.plain_data import PlainDataError, read_json, require_like

FORMAT = 1
"""The version of all formats that have only one."""
CHECKPOINT = "checkpoint"
"""The kind of file from which a solver goes on."""
MOST_HEADER = 1 << 16
_ALIGNMENT = 64


class StrategyFileError(ValueError):
    """A file that is not what it should be, or is damaged."""


def write_numbers(
    path: Path,
    kind: str,
    header: Mapping[str, Any],
    parts: Sequence[NDArray[Any]],
    *,
    version: int = FORMAT,
) -> None:
    """Write a header and arrays, one after another; readers find all of it or nothing."""
    size = sum(part.nbytes for part in parts)
    known: dict[str, Any] = {**header, "bytes": size}
    known["digest"] = _digest(known, parts)
    start = f"railbird {kind} {version}\n{json.dumps(known)}".encode()
    start += b" " * (-(len(start) + 1) % _ALIGNMENT) + b"\n"

    def write(file: IO[bytes]) -> None:
        file.write(start)
        for part in parts:
            file.write(np.ascontiguousarray(part).data)

    write_whole(path, write)


def read_numbers(
    path: Path, kind: str, example: Mapping[str, Any], *, versions: Sequence[int] = (FORMAT,)
) -> tuple[dict[str, Any], NDArray[np.uint8]]:
    """The header of a file, like an example, and its numbers as bytes, memory-mapped and verified."""
    beginning = read_up_to(path, MOST_HEADER)
    first, _, rest = beginning.partition(b"\n")
    words = first.split(b" ")
    if len(words) != 3 or words[0] != b"railbird" or words[1] != kind.encode():
        raise StrategyFileError(f"{path} is not a {kind} file")
    theirs = words[2].decode(errors="replace")
    if theirs not in map(str, versions):
        ours = " or ".join(map(str, versions))
        raise StrategyFileError(
            f"{path} has format {theirs} of {kind} files, but this version reads format {ours}"
        )
    line, newline, _ = rest.partition(b"\n")
    try:
        header = read_json(line, most_depth=3)
        require_like(header, {**example, "bytes": 0, "digest": ""}, f"the header of {path}")
    except PlainDataError as error:
        raise StrategyFileError(f"{path} has no valid header: {error}") from None
    start = len(first) + len(line) + 2
    expected = start + header["bytes"]
    size = path.stat().st_size
    if not newline or size != expected or header["bytes"] < 0:
        raise StrategyFileError(f"{path} has {size:,} bytes, but its header says {expected:,}")
    numbers = (
        np.asarray(np.memmap(path, dtype=np.uint8, mode="r", offset=start)) if header["bytes"] else _NONE
    )
    if _digest(header, [numbers]) != header["digest"]:
        raise StrategyFileError(f"{path} is damaged: its content does not match the digest in its header")
    return header, numbers


def read_checkpoint(path: Path, wanted: Mapping[str, Any], size: int) -> tuple[int, NDArray[np.uint8]]:
    """The iterations and the numbers of a solver's checkpoint, which must have the wanted header, except iterations."""
    header, numbers = read_numbers(path, CHECKPOINT, wanted)
    for name, value in wanted.items():
        if name != "iterations" and header[name] != value:
            raise StrategyFileError(
                f"{path} is a checkpoint for {name} {header[name]}, not {value}; delete it to start anew"
            )
    if len(numbers) != size or header["iterations"] < 0:
        raise StrategyFileError(f"{path} is a checkpoint of another version")
    return header["iterations"], numbers


_NONE = np.empty(0, dtype=np.uint8)


def _digest(header: Mapping[str, Any], parts: Sequence[NDArray[Any]]) -> str:
    rest = {name: value for name, value in header.items() if name != "digest"}
    digest = blake2b(json.dumps(rest, sort_keys=True).encode(), digest_size=32)
    for part in parts:
        digest.update(np.ascontiguousarray(part).data)
    return digest.hexdigest()
