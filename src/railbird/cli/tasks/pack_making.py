"""What `railbird watch` and `railbird casebase` do: packs from hands, from other packs, and into other files."""

from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from itertools import islice
from pathlib import Path

from rich.console import Console

from railbird.cbr.cycle.joining import joined_packs
from railbird.cbr.packs.files import PackError, read_pack, write_pack
from railbird.cli.tasks.importing import Refused
from railbird.cli.tasks.output import STANDARD_OUTPUT, FileOutput, StandardOutput
from railbird.cli.tasks.sources import Sources
from railbird.cli.views.archive import hands
from railbird.cli.views.packs import cases, show_merged, show_watched
from railbird.cli.views.progress import byte_bar
from railbird.engine.actions import ActionError
from railbird.learning.recipes import (
    WatchedFile,
    joined_recipe,
    read_watched,
    recipe_of,
    require_disjoint,
    sources_of,
    verify_counts,
    verify_sources,
)
from railbird.learning.systems import system_named, system_names
from railbird.learning.watching import Watcher, WatchingError
from railbird.notation.files import STANDARD_INPUT
from railbird.notation.formats import COMPRESSIONS, format_named
from railbird.notation.game_names import find_game
from railbird.notation.reading import BadHand
from railbird.store.names import unknown_player

_HANDS_FOR_NAMES = 200
_NAMES_SHOWN = 10


@dataclass(frozen=True, slots=True)
class Order:
    """What `railbird watch` was asked to do."""

    logs: tuple[str, ...]
    players: tuple[str, ...]
    all_players: bool
    system: str
    network: str
    output: Path
    from_format: str | None
    game: str | None
    encoding: str
    force: bool

    @property
    def name(self) -> str:
        """What the hands' place is called."""
        return ", ".join(self.logs)

    def sources(self) -> Sources:
        """What is read."""
        return Sources(
            self.logs,
            None if self.from_format is None else format_named(self.from_format),
            None if self.game is None else find_game(self.game),
            self.encoding,
        )

    def options(self) -> dict[str, str]:
        """How the hands are read, for the recipe, where it is not as always."""
        told = {"from": self.from_format, "game": self.game}
        told["encoding"] = None if self.encoding == "utf-8" else self.encoding
        return {name: value for name, value in told.items() if value is not None}


def run(order: Order) -> None:
    """Watch the hands of all files, write a pack and say what came of it."""
    system, sources = system_named(order.system, order.network), order.sources()
    files, _ = sources.files()
    if STANDARD_INPUT in files:
        raise WatchingError("the standard input cannot be watched: a pack keeps the hash of every source")
    paths = [Path(file) for file in files]
    _require_free(order.output, paths, force=order.force)
    if order.all_players == bool(order.players):
        raise WatchingError(_which_players(order, sources))
    watched = {str(path): WatchedFile.of(path) for path in paths}
    watcher, refused = Watcher(system, order.players), Refused()
    with byte_bar("watching") as listen:
        for found in sources.hands(listen):
            file = watched[found.source]
            reason = found.reading.reason if isinstance(found.reading, BadHand) else None
            if not isinstance(found.reading, BadHand):
                try:
                    watcher.add(found.reading, file.name)
                except ActionError as error:
                    reason = str(error)
            if reason is None:
                file.hands += 1
            else:
                file.bad += 1
                refused.note(f"{found.source}, line {found.line}", reason)
    _require_cases(order, watcher, refused)
    pack = watcher.pack(recipe_of(watcher, tuple(watched.values()), order.options()))
    write_pack(pack, order.output)
    show_watched(watcher, pack, order.output, refused.count, Console(highlight=False, soft_wrap=True))
    refused.tell("could not be read")


def _which_players(order: Order, sources: Sources) -> str:
    if order.players:
        return "--player and --all-players cannot both be said"
    names: dict[str, None] = {}
    for found in islice(sources.hands(lambda _, __: None), _HANDS_FOR_NAMES):
        if not isinstance(found.reading, BadHand):
            names.update(dict.fromkeys(found.reading.players))
    shown = ", ".join(list(names)[:_NAMES_SHOWN]) or "no hand that can be read"
    more = " and others" if len(names) > _NAMES_SHOWN else ""
    return f"say whom to watch, --player NAME or --all-players: {order.name} has {shown}{more}"


def _require_cases(order: Order, watcher: Watcher, refused: Refused) -> None:
    """Refuse to go on with a name that nobody has, or without a case."""
    counts = watcher.counts
    if not counts.hands:
        first = f"; {refused.first[0]}" if refused.first else ""
        raise WatchingError(f"{order.name}: no hand can be read{first}")
    for player in order.players:
        if player not in counts.names:
            raise unknown_player(player, counts.names, order.name)
    if watcher.cases:
        return
    system = watcher.system
    if counts.other_games + counts.without_player + counts.duplicates == counts.hands:
        raise WatchingError(
            f"{order.name}: {_of_all(counts.other_games)} {system.game}, which {system.name} learns from"
        )
    who = f"the hole cards of {' and '.join(order.players)}" if order.players else "hole cards"
    if counts.unknown:
        raise WatchingError(
            f"{order.name}: {who} are known in no hand ({hands(counts.unknown)} left out), "
            "so there is nothing to learn"
        )
    raise WatchingError(f"{order.name}: nobody who is watched has decided anything")


def _of_all(count: int) -> str:
    return "the one hand is not" if count == 1 else f"none of {count:,} hands is"


def _require_free(path: Path, inputs: Sequence[Path], *, force: bool) -> None:
    if path.is_dir():
        raise PackError(f"{path}: is a folder, but a file is to be written")
    if any(path.resolve() == other.resolve() for other in inputs):
        raise PackError(f"{path}: is read and cannot be written at the same time")
    if path.exists() and not force:
        raise PackError(f"{path}: exists already: --force writes over it")
    if not path.parent.is_dir():
        raise PackError(f"{path.parent} is not a folder to write {path.name} into")


# casebase


def merge_packs(paths: Sequence[Path], output: Path, *, keep_duplicates: bool, force: bool) -> None:
    """Join packs into a new one and say what is in it."""
    _require_free(output, paths, force=force)
    if len({path.resolve() for path in paths}) < 2:
        raise PackError("two packs at least are joined: name several different ones")
    packs = {str(path): read_watched(path) for path in paths}
    recipes = {name: pack.recipe for name, pack in packs.items()}
    if not keep_duplicates:
        require_disjoint(recipes)
    joined = joined_packs(packs, joined_recipe(tuple(recipes.values())))
    write_pack(joined, output)
    show_merged(joined, len(packs), output, Console(highlight=False, soft_wrap=True))


def export_pack(path: Path, output: str, *, base: str | None, to_format: str | None, force: bool) -> None:
    """Write the cases as text."""
    ending = _ending(output, to_format)
    if output != STANDARD_OUTPUT:
        _require_free(Path(output), [path], force=force)
    table = read_pack(path).table(base)
    text = BytesIO()
    if ending == "csv":
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
    if output != STANDARD_OUTPUT:
        print(f"{cases(len(table))} written to {output}")


def _ending(output: str, to_format: str | None) -> str:
    if to_format is None:
        name = Path(output)
        found = Path(name.stem).suffix if name.suffix in COMPRESSIONS else name.suffix
        to_format = found.removeprefix(".").lower()
        if to_format not in ("csv", "jsonl"):
            raise PackError(f"{output}: the name does not tell the format: say --to csv or jsonl")
    if to_format not in ("csv", "jsonl"):
        raise PackError(f"cases are exported as csv or jsonl, not as {to_format}")
    return to_format


def verify_pack(path: Path, files: Sequence[Path]) -> None:
    """Check a pack in every way there is and say so; the first thing that is wrong is an error."""
    pack = read_watched(path)
    if pack.system in system_names():
        pack.require(pack.system, system_named(pack.system).table.schemas, str(path))
    verify_counts(pack, str(path))
    verify_sources(pack, str(path), files)
    print(f"{path}: is whole, {cases(len(pack))} of {pack.system} as the recipe says")
    if pack.system not in system_names():
        print(f"no system is called {pack.system}, so its schema was not compared")
    known = len(sources_of(pack.recipe))
    if files:
        print(
            f"{len(files):,} of {known:,} source{'' if known == 1 else 's'} compared: the same as were watched"
        )
    elif known:
        print(f"{known:,} source{'' if known == 1 else 's'} not compared: name the files to do so")
