"""Packs of cases: made by watching hands, joined, thinned, exported and verified."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from railbird import __version__
from railbird.cbr.case_base import CaseBase
from railbird.cbr.cycle.joining import joined_packs
from railbird.cbr.packs.files import Pack, PackError, read_pack, write_pack
from railbird.cbr.schema import Number
from railbird.engine.record import HandRecord
from railbird.learning.fidelity import ALL, Fidelity, Lesson
from railbird.learning.imitation import PARTS
from railbird.learning.reading import prepare, read_into
from railbird.learning.recipes import (
    joined_recipe,
    read_watched,
    recipe_of,
    require_disjoint,
    single_recipes,
    tally,
    verify_counts,
    verify_sources,
)
from railbird.learning.systems import is_system, system_named
from railbird.learning.watching import Watcher, WatchingError, require_cases
from railbird.notation.files import STANDARD_INPUT
from railbird.notation.outputs import STANDARD_OUTPUT, FileOutput, StandardOutput
from railbird.notation.refusals import Refused, refused_beside
from railbird.notation.sources import Listen, Names, Sources
from railbird.places import require_output
from railbird.rng import Stream
from railbird.spec import parse_parameters, unknown

if TYPE_CHECKING:
    import polars as pl

SCHEMA = "railbird.casebase/1"
EXPORTS = ("csv", "jsonl")
CHECKED = 250
"""Maximum number of decisions of each stage that a new pack is checked with."""
_HANDS_FOR_NAMES = 200
_TOGETHER = ("hand", "player")
"""Riders of cases that belong together: the decisions of a player in a hand."""


@dataclass(frozen=True, slots=True)
class WatchedPack:
    """The result of watching."""

    pack: Pack
    watcher: Watcher
    """The watcher with its counts."""
    refused: Refused
    """Hands that could not be read."""
    fidelity: Fidelity | None
    """How well cases of most hands predict decisions in the others, up to `CHECKED` of each stage; None without any."""

    def to_json(self) -> dict[str, Any]:
        """The pack's recipe and content, as plain data."""
        return pack_to_json(self.pack)

    def to_frame(self) -> "pl.DataFrame":
        """A row for each case."""
        return self.pack.table()


def watch(
    logs: Names,
    players: Iterable[str] | None = None,
    *,
    system: str = "casper",
    output: Path | str | None = None,
    network: str = "",
    from_format: str | None = None,
    game: str | None = None,
    encoding: str = "auto",
    force: bool = False,
    progress: Listen | None = None,
    tables: Listen | None = None,
) -> WatchedPack:
    """Learn by watching: turn every decision of a player whose hole cards are known into a case.

    >>> import railbird, tempfile
    >>> log = f"{tempfile.mkdtemp()}/hands.log"
    >>> results = railbird.match(["rulebot", "always-call"], hands=20, seed=1, log=log)
    >>> watched = watch(log, ["rulebot"], system="casper")
    >>> len(watched.pack), watched.to_frame().height
    (80, 80)

    Args:
        logs: Files or folders of hands, in any format.
        players: The players to watch; all players by default.
        system: The system that learns from the cases: `"casper"`, `"baycarp"`, `"sartre"`, `"sartre-3p"` or
            `"sartre-nl"`, also with parameters such as `"casper:look-ahead=2"` or
            `"sartre:strength=categories,solutions=single"`.
        output: The pack to write, a Parquet file. Hands that cannot be read go to a file beside it, `.bad`.
        network: For BayCaRP, the network that reads opponents, an XDSL file.
        from_format: The format of the logs; recognised by default.
        game: The game of ACPC logs that do not name it.
        encoding: The encoding of the logs.
        force: Whether an existing file is overwritten.
        progress: Called with the number of bytes read and the total number.
        tables: Called while tables are built before many hands are watched, with the work done and the total.

    """
    learner = system_named(system, network)
    sources = Sources.named(logs, from_format, game, encoding)
    files = sources.files()
    if STANDARD_INPUT in files:
        raise WatchingError("the standard input cannot be watched: a pack stores the hash of every source")
    if output is not None:
        require_output(Path(output), force=force, inputs=map(Path, files))
    watched = None if players is None else tuple(players)
    lesson = Lesson(learner, PARTS)
    watcher = Watcher(learner, watched or (), also=lesson.add)
    prepare(learner, sources, tables)
    bad = None if output is None else refused_beside(output)
    read = read_into(watcher.add, sources, progress, bad=bad)
    require_cases(str(sources), watched or (), watcher, read.refused)
    options = {"from": from_format, "game": game, "encoding": None if encoding == "auto" else encoding}
    told = {name: value for name, value in options.items() if value is not None}
    pack = watcher.pack(recipe_of(watcher, read.files, told))
    if output is not None:
        write_pack(pack, Path(output))
    fidelity = lesson.examine(CHECKED).get(ALL) if lesson.learnt else None
    return WatchedPack(pack, watcher, read.refused, fidelity)


def players_in(sources: Sources) -> tuple[str, ...]:
    """The players of the first hands, for a choice of players to watch."""
    names: dict[str, None] = {}
    for found in islice(sources.hands(), _HANDS_FOR_NAMES):
        if isinstance(found.reading, HandRecord):
            names.update(dict.fromkeys(found.reading.players))
    return tuple(names)


def merge_packs(
    paths: Sequence[Path], output: Path, *, keep_duplicates: bool = False, force: bool = False
) -> Pack:
    """Join packs of one system into a new one that keeps all their recipes."""
    require_output(output, force=force, inputs=paths)
    if len({path.resolve() for path in paths}) < 2:
        raise PackError("at least two different packs are required")
    packs = {str(path): read_watched(path) for path in paths}
    recipes = {name: pack.recipe for name, pack in packs.items()}
    if not keep_duplicates:
        require_disjoint(recipes)
    joined = joined_packs(packs, joined_recipe(tuple(recipes.values())))
    write_pack(joined, output)
    return joined


def parse_numbers(text: str) -> dict[str, int]:
    """The number of cases by base: `preflop=34350,flop=30297`."""
    numbers = {}
    for base, number in parse_parameters(text, text).items():
        if not number.isascii() or not number.isdigit():
            raise PackError(f"{base}={number} is not a number of cases")
        numbers[base] = int(number)
    return numbers


def thin_pack(path: Path, output: Path, most: Mapping[str, int], *, seed: str, force: bool = False) -> Pack:
    """Write a pack with at most these numbers of cases in some bases; the others keep all of theirs.

    What a player did in a hand stays together, so a base may have a few cases fewer.
    """
    require_output(output, force=force, inputs=[path])
    pack = read_watched(path)
    for base in most:
        if base not in pack.bases:
            raise PackError(str(unknown("base", base, pack.bases)))
    if len(list(single_recipes(pack.recipe))) != 1:
        raise PackError(f"{path}: a pack joined from others cannot be thinned: thin them before merging")
    stream = Stream.from_seed(seed)
    rows = {
        name: selected(pack, name, most.get(name, len(base)), stream.child("thin", name))
        for name, base in pack.bases.items()
    }
    bases = {name: base.select(rows[name]) for name, base in pack.bases.items()}
    recipe = {
        **pack.recipe,
        "cases": tally(bases),
        "thinned": {"seed": seed, "cases": {name: len(base) for name, base in pack.bases.items()}},
    }
    riders = {
        base: {name: [str(column[row]) for row in rows[base].tolist()] for name, column in columns.items()}
        for base, columns in pack.riders.items()
    }
    thinned = Pack(pack.system, bases, riders, recipe)
    write_pack(thinned, output)
    return thinned


def selected(pack: Pack, base: str, most: int, stream: Stream) -> NDArray[np.int64]:
    """The rows of at most this number of cases of a base, in their order."""
    count = len(pack.bases[base])
    if count <= most:
        return np.arange(count)
    riders = pack.riders.get(base, {})
    if all(name in riders for name in _TOGETHER):
        keys = [
            f"{hand}\n{player}" for hand, player in zip(*(riders[name] for name in _TOGETHER), strict=True)
        ]
        _, part = np.unique(np.array(keys), return_inverse=True)
    else:
        part = np.arange(count)
    sizes = np.bincount(part)
    order = stream.generator().permutation(len(sizes))
    taken = np.zeros(len(sizes), dtype=np.bool_)
    taken[order[np.cumsum(sizes[order]) <= most]] = True
    return np.flatnonzero(taken[part])


def export_pack(
    path: Path, output: str, *, to_format: str, base: str | None = None, force: bool = False
) -> int:
    """Write the cases as `csv` or `jsonl`, to a file or the standard output (`-`), and return their number."""
    if to_format not in EXPORTS:
        raise PackError(f"cases can be exported as csv or jsonl, not as {to_format}")
    if output != STANDARD_OUTPUT:
        require_output(Path(output), force=force, inputs=[path])
    table = read_pack(path).table(base)
    text = BytesIO()
    if to_format == "csv":
        table.write_csv(text)
    else:
        table.write_ndjson(text)
    place = StandardOutput(held_back=False) if output == STANDARD_OUTPUT else FileOutput(Path(output))
    try:
        place.write(text.getvalue())
        place.finish()
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            raise
        raise PackError(f"{output}: cannot be written: {error.strerror or error}") from None
    finally:
        place.discard()
    return len(table)


def verify_pack(path: Path, files: Sequence[Path] = ()) -> Pack:
    """Check that a pack matches its recipe, and that files are among its sources."""
    pack = read_watched(path)
    if is_system(pack.system):
        pack.require(pack.system, system_named(pack.system).table.schemas, str(path))
    verify_counts(pack, str(path))
    verify_sources(pack, str(path), files)
    return pack


def pack_to_json(pack: Pack) -> dict[str, Any]:
    """The origin of the cases of a pack, their actions, and the ranges of their attributes."""
    return {
        "schema": SCHEMA,
        "system": pack.system,
        "recipe": pack.recipe,
        "bases": [
            {
                "name": name,
                "cases": len(base),
                "decisions": tally({name: base})[name],
                "attributes": {each: value_range(base, each) for each in base.schema.names},
                "riders": list(pack.riders.get(name, {})),
            }
            for name, base in pack.bases.items()
        ],
        "version": __version__,
    }


def value_range(base: CaseBase, name: str) -> list[float] | Mapping[str, int] | None:
    """The lowest and the highest value of an attribute; for symbols, their frequencies, the most frequent first."""
    place = base.schema.place(name)
    column = base.values[:, place]
    if isinstance(base.schema.attributes[place], Number):
        return [float(column.min()), float(column.max())] if len(column) else None
    words = base.vocabulary(name)
    counts = np.bincount(column.astype(np.int64), minlength=len(words)).tolist()
    found = sorted(zip(words, counts, strict=True), key=lambda each: -each[1])
    return {word: count for word, count in found if count}
