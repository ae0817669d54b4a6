"""The careers of players in recorded hands: from files of hands, or from a store."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from railbird import __version__
from railbird.arena.results.career import Career, CareerCollector, by_hands, careers_of
from railbird.arena.results.statistics import StatisticsError
from railbird.features.player_counts import LeftOut, why_left_out
from railbird.features.tallies import PayoffSums, Place, PlayerTally, Stake
from railbird.notation.files import STANDARD_INPUT, HandFileError
from railbird.notation.refusals import Refused
from railbird.notation.sources import Sources
from railbird.store.addresses import default_address, is_store_address, parse_address, shown
from railbird.store.names import unknown_player
from railbird.store.store import open_store

SCHEMA = "railbird.stats/2"

Listen: TypeAlias = Callable[[int, int], None]
"""Receives the amount read so far and the total: hands of a store, bytes of files."""


@dataclass(frozen=True, slots=True)
class Archive:
    """Where hands are, and how they are read."""

    names: tuple[str, ...] = ()
    """Files and folders of hands, or the address of a store; empty for the user's own store."""
    from_format: str | None = None
    game: str | None = None
    """For a store, the only game that counts; for ACPC logs that do not name their game, the game."""
    encoding: str = "auto"

    def __post_init__(self) -> None:
        if len(self.names) > 1 and any(map(is_store_address, self.names)):
            raise HandFileError("a store is counted alone: name one store, or files and folders of hands")

    @property
    def name(self) -> str:
        """The name of the source, without any password."""
        return ", ".join(map(_shown, self.names or (default_address(),)))

    @property
    def is_store(self) -> bool:
        """Whether the hands are in a store."""
        return not self.names or is_store_address(self.names[0])

    @property
    def sources(self) -> Sources:
        """The files."""
        return Sources.named(self.names, self.from_format, self.game, self.encoding)


def _shown(name: str) -> str:
    if name == STANDARD_INPUT:
        return "standard input"
    return shown(parse_address(name)) if "://" in name else name


@dataclass(frozen=True, slots=True)
class Careers:
    """Careers, and where they come from."""

    name: str
    hands: int
    tallies: dict[str, dict[Stake, PlayerTally]]
    left_out: dict[LeftOut, int]
    """Hands without exact results, which do not count."""
    positions: Mapping[Place, Mapping[Stake, PayoffSums]] = field(default_factory=dict)
    """Of the one player whose career was wanted."""

    @property
    def players(self) -> list[str]:
        """All players, those with the most hands first."""
        return by_hands(self.tallies)

    def career(self, player: str) -> Career:
        """The career of one of the players."""
        return Career.of(self.tallies[player], self.positions)

    def to_json(self) -> dict[str, Any]:
        """Everything as plain data."""
        careers = careers_of(self.tallies, self.positions)
        return {
            "schema": SCHEMA,
            "source": self.name,
            "hands": self.hands,
            "left_out": {reason.value: count for reason, count in self.left_out.items()},
            "players": [{"label": label, **career.to_json()} for label, career in careers.items()],
            "version": __version__,
        }


def count_careers(
    archive: Archive, player: str | None = None, *, refused: Refused, progress: Listen | None = None
) -> Careers:
    """The careers of all players, or of one; what cannot be read is added to `refused`."""
    count = _count_store if archive.is_store else _count_files
    careers = count(archive, player, refused, progress)
    if not careers.tallies:
        if player is not None:
            raise StatisticsError(
                f"{archive.name}: no hand of {player} was played to its end with a known winner"
            )
        first = f"; {refused.first[0]}" if refused.first else ""
        raise StatisticsError(f"{archive.name}: there are no hands to count{first}")
    return careers


def _count_store(archive: Archive, player: str | None, _: Refused, progress: Listen | None) -> Careers:
    with open_store(archive.names[0] if archive.names else None, create=False) as store:
        found = store.tallies(player, archive.game, progress)
    return Careers(archive.name, found.hands, found.tallies, found.left_out, found.positions)


def _count_files(archive: Archive, player: str | None, refused: Refused, progress: Listen | None) -> Careers:
    collector = CareerCollector(player)
    others: dict[str, None] = {}
    left_out: dict[LeftOut, int] = {}
    count = 0
    for record in archive.sources.records(refused, progress):
        if player is not None and player not in record.players:
            others.update(dict.fromkeys(record.players))
        elif reason := why_left_out(record):
            left_out[reason] = left_out.get(reason, 0) + 1
        else:
            collector.add(record)
            count += 1
    if player is not None and not count and not left_out:
        raise unknown_player(player, others, archive.name)
    return Careers(archive.name, count, collector.tallies(), left_out, collector.positions)
