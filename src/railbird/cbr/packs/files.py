"""Packs: case bases in one Parquet file that any data tool opens.

A pack holds the case bases of one system by name, with the recipe that made it and fields that are not searched but
explain a case (its *riders*). A row of the file is a case; `table` describes its columns. Other information is in the
key-value metadata of the file:

    railbird.pack     the version of this format
    railbird.system   the system to which the cases belong
    railbird.bases    for each base the schema, the order of its symbols, the number of cases, the names of its riders
    railbird.recipe   the origin of the cases
    railbird.digest   the SHA-256 of the whole file, computed with 64 zeros in this place; the same in every version

The same content gives the same bytes (with the same version of polars), and reading returns exactly what was written.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from railbird.cbr.case_base import CaseBase, CaseBaseError
from railbird.cbr.packs.bounds import Footer, PackBounds, read_footer, require_bounds
from railbird.cbr.packs.contents import RiderColumn, bases_of, riders_of
from railbird.cbr.packs.forms import Form
from railbird.cbr.packs.pages import MARK, ParquetError
from railbird.cbr.packs.parquet import ParquetTable
from railbird.cbr.schema import Schema
from railbird.extras import require_extra
from railbird.places import read_up_to, write_whole
from railbird.plain_data import PlainDataError, read_json, require_like
from railbird.spec import unknown

if TYPE_CHECKING:
    import polars as pl

VERSION = "1"
MOST_BYTES = 1024**3
"""Maximum size of a file."""
MOST_DEPTH = 16
"""Maximum nesting depth of lists and objects in a recipe or in the forms of the bases."""
_VERSION_KEY, _SYSTEM_KEY, _BASES_KEY = "railbird.pack", "railbird.system", "railbird.bases"
_RECIPE_KEY, _DIGEST_KEY = "railbird.recipe", "railbird.digest"
_LEVEL = 9
_NO_DIGEST = "0" * 64
# In a Parquet footer, the value of a key follows the key, the type of the field and its length.
_BEFORE_DIGEST = _DIGEST_KEY.encode() + bytes((0x18, len(_NO_DIGEST)))


class PackError(ValueError):
    """A file that is not a pack, has another version or is damaged; or a pack that cannot be used as requested."""


@dataclass(frozen=True, eq=False)
class Pack:
    """The case bases of one system by name, the riders of their cases, and their origin."""

    system: str
    bases: Mapping[str, CaseBase]
    riders: Mapping[str, Mapping[str, RiderColumn]] = field(default_factory=dict)
    """By base and name, a column of text with a value for every case."""
    recipe: Mapping[str, Any] = field(default_factory=dict)
    """Plain JSON data."""

    def __post_init__(self) -> None:
        for base, columns in self.riders.items():
            if base not in self.bases:
                raise PackError(f"there are riders of {base!r}, but no such base")
            for name, column in columns.items():
                if len(column) != len(self.bases[base]):
                    raise PackError(
                        f"{len(self.bases[base])} cases of {base!r} have {len(column)} riders {name!r}"
                    )

    def __len__(self) -> int:
        """The number of cases in all bases."""
        return sum(map(len, self.bases.values()))

    def rider(self, base: str, row: int) -> Mapping[str, str]:
        """The fields of a case that are not searched."""
        if base not in self.bases:
            raise PackError(str(unknown("base", base, self.bases)))
        if not 0 <= row < len(self.bases[base]):
            raise PackError(
                f"{base} has no case {row}: it has {len(self.bases[base])} cases, numbered from 0"
            )
        return {name: column[row] for name, column in self.riders.get(base, {}).items()}

    def table(self, base: str | None = None) -> "pl.DataFrame":
        """All cases, or those of one base, as a data frame."""
        require_extra("learn", "polars", "the table of a pack")
        from railbird.cbr.packs.table import table_of

        if base is None:
            return table_of(self.bases, self.riders)
        if base not in self.bases:
            raise PackError(str(unknown("base", base, self.bases)))
        return table_of({base: self.bases[base]}, {base: self.riders.get(base, {})})

    def require(self, system: str, schemas: Mapping[str, Schema], name: str = "the pack") -> None:
        """Refuse a pack of another system, without one of these bases, or with another schema for one of them."""
        if self.system != system:
            raise PackError(f"{name}: holds cases of {self.system}, not of {system}")
        for base, schema in schemas.items():
            if base not in self.bases:
                raise PackError(f"{name}: has no base {base!r}: there are {', '.join(self.bases) or 'none'}")
            found = self.bases[base].schema
            if found != schema:
                raise PackError(f"{name}: {base} has another schema: {_difference(found, schema)}")


def _difference(found: Schema, wanted: Schema) -> str:
    if found.solutions != wanted.solutions:
        return (
            f"its solutions are {', '.join(found.solutions)}, but {', '.join(wanted.solutions)} are expected"
        )
    for name in wanted.names:
        if name not in found.places:
            return f"it has no attribute {name!r}"
    for name in found.names:
        if name not in wanted.places:
            return f"its attribute {name!r} is not expected"
    for first, second in zip(found.attributes, wanted.attributes, strict=True):
        if first != second:
            return f"it has {first}, but {second} is expected"
    raise AssertionError("the schemas are the same")


def write_pack(pack: Pack, path: Path) -> None:
    """Write a pack atomically: to a temporary file, which then replaces the target."""
    content = _written(pack).getbuffer()
    try:
        write_whole(path, lambda file: file.write(content), make_folder=False)
    except OSError as error:
        raise PackError(f"{path}: cannot be written: {error.strerror or error}") from None


def _written(pack: Pack) -> BytesIO:
    forms = [Form.of(name, base, pack.riders.get(name, {})) for name, base in pack.bases.items()]
    metadata = {
        _VERSION_KEY: VERSION,
        _SYSTEM_KEY: pack.system,
        _BASES_KEY: _to_json([form.to_json() for form in forms]),
        _RECIPE_KEY: _to_json(pack.recipe),
        _DIGEST_KEY: _NO_DIGEST,
    }
    try:
        table = pack.table()
    except CaseBaseError as error:
        raise PackError(f"the pack cannot be written: {error}") from None
    buffer = BytesIO()
    table.write_parquet(buffer, compression="zstd", compression_level=_LEVEL, metadata=metadata)
    place, digest = _digest_of(buffer.getvalue(), forms)
    with buffer.getbuffer() as content:
        content[place : place + len(_NO_DIGEST)] = digest
    return buffer


def _digest_of(content: bytes, forms: Sequence[Form]) -> tuple[int, bytes]:
    """The place of the digest in a file, and the digest."""
    try:
        _require_readable(content, forms)
    except ValueError as error:
        raise PackError(f"the pack cannot be written: {error}") from None
    return content.rindex(_BEFORE_DIGEST) + len(_BEFORE_DIGEST), sha256(content).hexdigest().encode()


def _require_readable(content: bytes, forms: Sequence[Form]) -> None:
    """Refuse what `read_pack` would refuse because of its size."""
    if len(content) > MOST_BYTES:
        raise PackError(f"it has {len(content):,} bytes, more than {MOST_BYTES:,}")
    most = PackBounds.of(len(content))
    require_bounds(content, read_footer(content), most)
    for form in forms:
        form.require_bounds(repr(form.name), most)


def _to_json(data: Any) -> str:
    try:
        return json.dumps(data, ensure_ascii=False, sort_keys=True, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise PackError(f"a recipe must be plain JSON data: {error}") from None


def read_pack(path: Path, *, riders_later: bool = False, most: PackBounds | None = None) -> Pack:
    """The pack of a file; other versions, damaged packs and other files are refused.

    `riders_later` reads and checks riders when they are first asked for; it is for files that can be trusted. To how
    much a file may unpack depends on its size, unless `most` says it.
    """
    try:
        content = read_up_to(path, MOST_BYTES)
    except OSError as error:
        raise PackError(f"{path}: cannot be read: {error.strerror}") from None
    if not content:
        raise PackError(f"{path}: is empty")
    if len(content) > MOST_BYTES:
        raise PackError(f"{path}: has more than {MOST_BYTES:,} bytes, too many for a pack")
    if not content.startswith(MARK):
        raise PackError(f"{path}: not a pack of cases, which is a Parquet file")
    if not content.endswith(MARK) or len(content) < 3 * len(MARK):
        raise PackError(f"{path}: is truncated: the end of the file is missing")
    has_digest = _BEFORE_DIGEST in content
    if has_digest and not _is_whole(content):
        raise PackError(f"{path}: is damaged or was changed: its digest does not match")
    footer = _footer(content, path)
    metadata = footer.metadata
    version = metadata.get(_VERSION_KEY)
    if version is None:
        raise PackError(f"{path}: is a Parquet file, but not a pack of cases")
    if version != VERSION:
        raise PackError(f"{path}: is a pack of version {version}, but version {VERSION} is expected")
    if not has_digest:
        raise PackError(f"{path}: is damaged or was changed: its digest is missing")
    try:
        most = most or PackBounds.of(len(content))
        require_bounds(content, footer, most)
        forms = _forms(metadata, most)
        recipe = _plain(metadata, _RECIPE_KEY, {})
        table = ParquetTable(content, footer)
        bases, riders = bases_of(table, forms), riders_of(table, forms, str(path) if riders_later else "")
        return Pack(_text(metadata, _SYSTEM_KEY), bases, riders, recipe)
    except ValueError as error:
        reason = str(error).partition("\n")[0]
        raise PackError(f"{path}: not a valid pack of version {VERSION}: {reason}") from None


def _forms(metadata: Mapping[str, str], most: PackBounds) -> list[Form]:
    bases = _plain(metadata, _BASES_KEY, [])
    return [Form.from_json(data, f"base {number}", most) for number, data in enumerate(bases, start=1)]


def _plain(metadata: Mapping[str, str], key: str, example: Any) -> Any:
    """The plain data under a key."""
    try:
        found = read_json(_text(metadata, key), MOST_DEPTH)
    except PlainDataError as error:
        raise PackError(f"{key} is not valid JSON for a pack: {error}") from None
    require_like(found, example, key)
    return found


def _text(metadata: Mapping[str, str], key: str) -> str:
    if key not in metadata:
        raise PackError(f"{key} is missing")
    return metadata[key]


def _footer(content: bytes, path: Path) -> Footer:
    try:
        return read_footer(content)
    except ParquetError:
        raise PackError(f"{path}: is damaged: its footer cannot be read") from None


def _is_whole(content: bytes) -> bool:
    """Whether the digest in a file matches the file's content without the digest."""
    place = content.rindex(_BEFORE_DIGEST) + len(_BEFORE_DIGEST)
    end = place + len(_NO_DIGEST)
    found = sha256(memoryview(content)[:place])
    found.update(_NO_DIGEST.encode())
    found.update(memoryview(content)[end:])
    return found.hexdigest().encode() == content[place:end]
