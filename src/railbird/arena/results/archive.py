"""The careers of players in recorded hands: from files of hands, or from a store."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from railbird import __version__
from railbird.arena.results.career import Career, CareerCollector
from railbird.arena.results.statistics import StatisticsError
from railbird.engine.record import HandRecord
from railbird.notation.files import STANDARD_INPUT
from railbird.notation.sources import Refused, Sources
from railbird.store.addresses import default_address, is_store_address, parse_address, shown
from railbird.store.names import unknown_player
from railbird.store.store import open_store

SCHEMA = "railbird.stats/1"
_HANDS_BETWEEN_CALLS = 1000

Listen: TypeAlias = Callable[[int, int], None]
"""Receives the amount read so far and the total: hands of a store, bytes of files."""


@dataclass(frozen=True, slots=True)
class Archive:
    """Where hands are, and how they are read."""

    source: str | None = None
    """A file or folder of hands, or the address of a store; None for the user's own store."""
    from_format: str | None = None
    game: str | None = None
    """For a store, the only game that counts; for ACPC logs that do not name their game, the game."""
    encoding: str = "utf-8"

    @property
    def name(self) -> str:
        """The name of the source, without any password."""
        if self.source == STANDARD_INPUT:
            return "standard input"
        source = self.source or default_address()
        return shown(parse_address(source)) if "://" in source else source

    @property
    def is_store(self) -> bool:
        """Whether the hands are in a store."""
        return self.source is None or is_store_address(self.source)

    def hands(self, player: str | None, refused: Refused, listen: Listen | None) -> Iterator[HandRecord]:
        """The hands; from a store only those of the player, if one is given."""
        if not self.is_store:
            source = self.source or STANDARD_INPUT
            yield from Sources.named(source, self.from_format, self.game, self.encoding).records(
                refused, listen
            )
            return
        with open_store(self.source, create=False) as store:
            total = store.count(player, self.game)
            for number, record in enumerate(store.hands(player, self.game)):
                if listen is not None and number % _HANDS_BETWEEN_CALLS == 0:
                    listen(number, total)
                yield record


@dataclass(frozen=True, slots=True)
class Careers:
    """Careers, and where they come from."""

    name: str
    hands: int
    careers: dict[str, Career]

    def to_json(self) -> dict[str, Any]:
        """Everything as plain data."""
        return {
            "schema": SCHEMA,
            "source": self.name,
            "hands": self.hands,
            "players": [{"label": label, **career.to_json()} for label, career in self.careers.items()],
            "version": __version__,
        }


def count_careers(
    archive: Archive,
    player: str | None = None,
    *,
    bad: Refused,
    unfinished: Refused,
    progress: Listen | None = None,
) -> Careers:
    """The careers of all players, or of one.

    Hands that cannot be read are counted in `bad`, and those that were not played to the end in `unfinished`.
    """
    collector = CareerCollector(player)
    names: dict[str, None] = {}
    count = 0
    for record in archive.hands(player, bad, progress):
        if player is not None and player not in record.players:
            names.update(dict.fromkeys(record.players))
            continue
        try:
            collector.add(record)
        except StatisticsError as error:
            unfinished.note(archive.name, str(error))
        else:
            count += 1
    careers = collector.careers()
    if player is not None:
        if player not in careers:
            if unfinished.count:
                raise StatisticsError(f"{archive.name}: no hand of {player} was played to the end")
            raise unknown_player(player, names, archive.name)
        careers = {player: careers[player]}
    elif not careers:
        raise StatisticsError(f"{archive.name}: there are no hands to count")
    return Careers(archive.name, count, careers)
