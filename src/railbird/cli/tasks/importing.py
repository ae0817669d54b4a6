"""What `railbird import` and `railbird stats` do: hands from files or a store, with a bar and a word on bad hands."""

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from railbird.arena.results.career import CareerCollector
from railbird.arena.results.statistics import StatisticsError
from railbird.cli.tasks.sources import Sources
from railbird.cli.views.archive import Counted, hands
from railbird.cli.views.progress import bar, byte_bar
from railbird.engine.record import HandRecord
from railbird.notation.files import STANDARD_INPUT, Found, HandFileError, read_hands
from railbird.notation.formats import format_named
from railbird.notation.game_names import find_game
from railbird.notation.reading import BadHand
from railbird.store.addresses import default_address, is_store_address, parse_address, shown
from railbird.store.names import unknown_player

_SHOWN = 3
_HANDS_BETWEEN_CALLS = 1000


@dataclass(slots=True)
class Refused:
    """The hands that could not be used: how many, and the first of them with the reason."""

    count: int = 0
    first: list[str] = field(default_factory=list)

    def note(self, where: str, reason: str) -> None:
        """One more."""
        self.count += 1
        if len(self.first) < _SHOWN:
            self.first.append(f"{where}: {reason}")

    def tell(self, what: str) -> None:
        """Say on the error stream how many they are, in words that begin after "1 hand" or "7 hands"."""
        if self.count:
            print(f"railbird: {hands(self.count)} {what}; the first:", file=sys.stderr)
            for line in self.first:
                print(f"  {line}", file=sys.stderr)


def _records(found: Iterator[Found], refused: Refused) -> Iterator[HandRecord]:
    for each in found:
        if isinstance(each.reading, BadHand):
            name = "standard input" if each.source == STANDARD_INPUT else each.source
            refused.note(f"{name}, line {each.line}", each.reading.reason)
        else:
            yield each.reading


# import


def run(sources: Sources, address: str | None) -> None:
    """Add the hands of all files to a store and say what came of it."""
    from railbird.store.sources import Source
    from railbird.store.store import open_store

    files, from_folder = sources.files()
    if STANDARD_INPUT in files:
        raise HandFileError(
            "the standard input cannot be imported: the store keeps which file a hand is from"
        )
    paths = [Path(file) for file in files]
    for path in paths:
        if path.exists() and not path.is_file():
            raise HandFileError(f"{path}: is no plain file, which could be read twice: first for its digest")
    total = sum(path.stat().st_size for path in paths)
    refused = Refused()
    new = known = done = 0
    with open_store(address) as store, byte_bar("importing") as listen:
        for path in paths:
            source = Source.of_file(path)
            found = read_hands(
                path, sources.form, sources.game, encoding=sources.encoding, listen=_from(done, total, listen)
            )
            try:
                added = store.add_hands(_records(found, refused), source, refuse=_noting(path, refused))
            except HandFileError as error:
                if not from_folder:
                    raise
                refused.note(str(path), str(error).removeprefix(f"{path}: "))
            else:
                new, known = new + added.new, known + added.known
            done += path.stat().st_size
            listen(done, total)
    there = f", {known:,} were there before" if known else ""
    print(f"{hands(new)} added to {store.address}{there}")
    refused.tell("left out")


def _noting(path: Path, refused: Refused) -> Callable[[ValueError], None]:
    return lambda error: refused.note(str(path), str(error))


def _from(done: int, total: int, listen: Callable[[int, int], None]) -> Callable[[int], None]:
    return lambda count: listen(done + count, total)


# stats


@dataclass(frozen=True, slots=True)
class Asked:
    """Whose statistics are asked for, and where the hands are."""

    source: str | None
    player: str | None
    from_format: str | None
    game: str | None
    encoding: str

    @property
    def name(self) -> str:
        """What the hands' place is called; a password in it is not told."""
        if self.source == STANDARD_INPUT:
            return "standard input"
        source = self.source or default_address()
        return shown(parse_address(source)) if "://" in source else source


def count_careers(asked: Asked) -> Counted:
    """Go through the hands and count; the hands that do not count are told on the error stream."""
    bad, unfinished = Refused(), Refused()
    in_store = asked.source is None or is_store_address(asked.source)
    collector = CareerCollector(asked.player)
    names: dict[str, None] = {}
    count = 0
    for record in _stored(asked) if in_store else _in_files(asked, bad):
        if asked.player is not None and asked.player not in record.players:
            names.update(dict.fromkeys(record.players))
            continue
        try:
            collector.add(record)
        except StatisticsError as error:
            unfinished.note(asked.name, str(error))
        else:
            count += 1
    careers = collector.careers()
    bad.tell("could not be read")
    unfinished.tell("left out")
    if asked.player is not None:
        if asked.player not in careers:
            if unfinished.count:
                raise StatisticsError(f"{asked.name}: no hand of {asked.player} was played to its end")
            raise unknown_player(asked.player, names, asked.name)
        careers = {asked.player: careers[asked.player]}
    elif not careers:
        raise StatisticsError(f"{asked.name}: there are no hands to count")
    return Counted(asked.name, count, careers)


def _stored(asked: Asked) -> Iterator[HandRecord]:
    from railbird.store.store import open_store

    with open_store(asked.source, create=False) as store, bar("counting") as progress:
        total = store.count(asked.player, asked.game)
        for number, record in enumerate(store.hands(asked.player, asked.game)):
            if number % _HANDS_BETWEEN_CALLS == 0:
                progress(number, total)
            yield record


def _in_files(asked: Asked, bad: Refused) -> Iterator[HandRecord]:
    sources = Sources(
        (asked.source or STANDARD_INPUT,),
        None if asked.from_format is None else format_named(asked.from_format),
        None if asked.game is None else find_game(asked.game),
        asked.encoding,
    )
    with byte_bar("counting") as listen:
        yield from _records(sources.hands(listen), bad)
