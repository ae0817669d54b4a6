"""Tallies in the tables: what players did and won, added up when hands are written, so that statistics are fast.

Hands are tallied in the order of their ids, those of a new batch in the same transaction. A store of an earlier
version has hands that are not in the tallies yet: they are tallied when statistics are first wanted, and newer hands
after them.
"""

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import chain, groupby
from operator import itemgetter
from typing import Any, TypeAlias

from sqlalchemy import Connection, Select, and_, bindparam, delete, func, select

from railbird.engine.events import Chips
from railbird.engine.json_form import fraction_from_json
from railbird.engine.positions import position_names
from railbird.engine.record import HandRecord
from railbird.features.player_counts import LeftOut, why_left_out
from railbird.features.tallies import PayoffSums, Place, PlayerTally, Stake, TallyBook
from railbird.hands.types import HandType
from railbird.store.addresses import DamagedStore
from railbird.store.reading import DAMAGE, printable_name
from railbird.store.tables import GAMES, HANDS, PLAYERS, SEATS, TALLIED, TALLIES

TallyKey: TypeAlias = tuple[int, int, str, str]
"""The ids of player and game, the currency, and the worth of a chip."""
_LONGEST_REASON = 200
_UNITS = ("sb/h", "bb/h")
_KEY = (TALLIES.c.player, TALLIES.c.game, TALLIES.c.currency, TALLIES.c.chip)


@dataclass(frozen=True, slots=True)
class StoredTallies:
    """The tallies of players, and what they were made from."""

    hands: int
    """Number of hands."""
    tallies: dict[str, dict[Stake, PlayerTally]]
    left_out: dict[LeftOut, int]
    """Number of hands without exact results, which are not in the tallies."""
    positions: dict[Place, dict[Stake, PayoffSums]]
    """Results by position, if only one player was wanted."""


@dataclass(frozen=True, slots=True)
class TalliedHand:
    """A hand with the ids of its row, its game and its players."""

    number: int
    game: int
    players: dict[str, int]
    record: HandRecord


def tallied_through(connection: Connection) -> int:
    """The id of the last hand that is in the tallies."""
    return connection.scalar(select(TALLIED.c.through)) or 0


def _set_through(connection: Connection, number: int) -> None:
    connection.execute(delete(TALLIED))
    if number:
        connection.execute(TALLIED.insert(), {"through": number})


def tally_new(connection: Connection, hands: Sequence[TalliedHand]) -> None:
    """Tally hands that have just been written, in the order of their ids, if all hands before them are tallied."""
    if tallied_through(connection) == hands[0].number - 1:
        tally(connection, hands)


def tally(connection: Connection, hands: Sequence[TalliedHand]) -> None:
    """Add the next hands to the tallies."""
    _change(connection, hands, 1)
    _set_through(connection, hands[-1].number)


def untally(connection: Connection, hands: Iterable[TalliedHand]) -> None:
    """Take hands out of the tallies, before their rows are removed."""
    through = tallied_through(connection)
    _change(connection, [hand for hand in hands if hand.number <= through], -1)


def forget_tallies(connection: Connection) -> None:
    """Begin again: all hands are tallied when statistics are next wanted."""
    connection.execute(delete(TALLIES))
    _set_through(connection, 0)


def end_removal(connection: Connection) -> None:
    """After rows were removed: the next hand may get an id that was used before."""
    last: int = connection.scalar(select(func.max(HANDS.c.id))) or 0
    _set_through(connection, min(tallied_through(connection), last))


def _change(connection: Connection, hands: Sequence[TalliedHand], times: int) -> None:
    changes = _tallies_of(hands)
    if not changes:
        return
    known = dict(_rows(connection, changes))
    for key, tally in known.items():
        tally.join(changes[key], times)
    if times > 0:
        known = changes | known
    gone = delete(TALLIES).where(and_(*(column == bindparam(f"k_{column.name}") for column in _KEY)))
    connection.execute(gone, [_parameters(key) for key in changes])
    rows = [_row(key, tally) for key, tally in known.items() if tally.hands]
    if rows:
        connection.execute(TALLIES.insert(), rows)


def _tallies_of(hands: Iterable[TalliedHand]) -> dict[TallyKey, PlayerTally]:
    """The tallies of some hands alone."""
    books: dict[int, TallyBook] = {}
    players: dict[str, int] = {}
    for hand in hands:
        if why_left_out(hand.record) is None:
            books.setdefault(hand.game, TallyBook()).add(hand.record)
            players |= hand.players
    return {
        (players[label], game, stake.currency, str(stake.chip)): tally
        for game, book in books.items()
        for (label, stake), tally in book.tallies().items()
    }


def _rows(connection: Connection, keys: Iterable[TallyKey]) -> Iterator[tuple[TallyKey, PlayerTally]]:
    """The stored tallies with these keys."""
    wanted = set(keys)
    asked = select(TALLIES).where(
        TALLIES.c.player.in_({key[0] for key in wanted}), TALLIES.c.game.in_({key[1] for key in wanted})
    )
    with _sound_tallies():
        for player, game, currency, chip, *sums in connection.execute(asked):
            key = (player, game, currency, chip)
            if key in wanted:
                yield key, _tally(*sums)


def _parameters(key: TallyKey) -> dict[str, object]:
    return {f"k_{column.name}": value for column, value in zip(_KEY, key, strict=True)}


def _row(key: TallyKey, tally: PlayerTally) -> dict[str, object]:
    types = zip(tally.type_hands, tally.type_nets, strict=True)
    return dict(zip((column.name for column in _KEY), key, strict=True)) | {
        "hands": tally.hands,
        "net": str(tally.net),
        "squares": str(tally.squares),
        "counts": " ".join(map(str, tally.counts)),
        "flop_types": " ".join(f"{hands}:{net}" for hands, net in types) if any(tally.type_hands) else "",
    }


def _tally(hands: int, net: str, squares: str, counts: str, flop_types: str) -> PlayerTally:
    tally = PlayerTally()
    tally.hands, tally.net, tally.squares = hands, _chips(net), _chips(squares)
    tally.counts = list(map(int, counts.split(" ")))
    if flop_types:
        types = [part.partition(":") for part in flop_types.split(" ")]
        tally.type_hands = [int(hands_of_type) for hands_of_type, _, _ in types]
        tally.type_nets = [_chips(net_of_type) for _, _, net_of_type in types]
        if len(types) != len(HandType):
            raise DamagedStore(f"a tally has {len(types)} types of hands")
    if not tally.is_possible:
        raise DamagedStore("a tally has sums that no hands can have")
    return tally


def _chips(text: str) -> Chips:
    return Fraction(text) if "/" in text else int(text)


@contextmanager
def _sound_tallies() -> Iterator[None]:
    """Reports whatever invalid rows cause in one sentence."""
    try:
        yield
    except DamagedStore:
        raise
    except DAMAGE as error:
        reason = f"{type(error).__name__}: {error}"
        raise DamagedStore(f"the tallies cannot be read: {reason[:_LONGEST_REASON]}") from None


def read_tallies(connection: Connection, player: int | None, game: str | None) -> StoredTallies:
    """The tallies of all players or of one, in all games or in one; they are compared with the number of hands.

    Those of one player are compared with all that the player won.
    """
    with _sound_tallies():
        tallies = _all_tallies(connection, player, game)
        counted, seats = _counted(connection, player, game)
        positions = {} if player is None else _positions(connection, player, game)
        left_out = {LeftOut(reason): count for reason, count in counted.items() if reason is not None}
        if player is None:
            if sum(tally.hands for own in tallies.values() for tally in own.values()) != seats:
                raise DamagedStore("the tallies are not of its hands")
        elif _sums(chain.from_iterable(own.items() for own in tallies.values())) != _sums(
            chain.from_iterable(own.items() for own in positions.values())
        ):
            raise DamagedStore("the tallies of the player are not the sums of the hands")
    return StoredTallies(counted.get(None, 0), tallies, left_out, positions)


def _sums(results: Iterable[tuple[Stake, PayoffSums]]) -> dict[Stake, tuple[int, Chips, Chips]]:
    found: dict[Stake, PayoffSums] = {}
    for stake, sums in results:
        found.setdefault(stake, PayoffSums()).join(sums)
    return {stake: (sums.hands, sums.net, sums.squares) for stake, sums in found.items()}


def _all_tallies(
    connection: Connection, player: int | None, game: str | None
) -> dict[str, dict[Stake, PlayerTally]]:
    asked = (
        select(PLAYERS.c.name, GAMES.c.unit, GAMES.c.unit_chips, *list(TALLIES.c)[2:])
        .join_from(TALLIES, PLAYERS, TALLIES.c.player == PLAYERS.c.id, isouter=True)
        .join(GAMES, TALLIES.c.game == GAMES.c.id, isouter=True)
    )
    if player is not None:
        asked = asked.where(TALLIES.c.player == player)
    if game is not None:
        asked = asked.where(GAMES.c.name == game)
    tallies: dict[str, dict[Stake, PlayerTally]] = {}
    for label, unit, unit_chips, currency, chip, *sums in connection.execute(asked):
        stakes = tallies.setdefault(printable_name(label), {})
        stake = _stake(unit, unit_chips, currency, chip)
        tally = _tally(*sums)
        if stake in stakes:
            stakes[stake].join(tally)
        else:
            stakes[stake] = tally
    return tallies


@lru_cache
def _stake(unit: str, unit_chips: int, currency: str | None, chip: str | None) -> Stake:
    worth = fraction_from_json(chip or 1)
    if unit not in _UNITS or type(unit_chips) is not int or unit_chips < 1 or worth <= 0:
        raise DamagedStore(f"{unit_chips!r} chips of {worth} are not a stake in {unit!r}")
    return Stake(unit, unit_chips, printable_name(currency or ""), worth)


def _counted(
    connection: Connection, player: int | None, game: str | None
) -> tuple[Mapping[str | None, int], int]:
    """The number of hands by the reason why they are left out, None for those that count; and all seats of these."""
    asked = (
        select(HANDS.c.left_out, func.count(), func.sum(func.coalesce(GAMES.c.players, 1)))
        .join_from(HANDS, GAMES, HANDS.c.game == GAMES.c.id, isouter=True)
        .where(HANDS.c.id <= tallied_through(connection))
        .group_by(HANDS.c.left_out)
    )
    if game is not None:
        asked = asked.where(HANDS.c.game.in_(select(GAMES.c.id).where(GAMES.c.name == game)))
    if player is not None:
        asked = asked.where(HANDS.c.id.in_(select(SEATS.c.hand).where(SEATS.c.player == player)))
    found = {reason: (int(count), int(seats)) for reason, count, seats in connection.execute(asked)}
    return {reason: count for reason, (count, _) in found.items()}, found.get(None, (0, 0))[1]


def _positions(connection: Connection, player: int, game: str | None) -> dict[Place, dict[Stake, PayoffSums]]:
    own = SEATS.alias()
    asked = (
        select(
            own.c.hand, own.c.seat, own.c.payoff, own.c.payoff_of,
            GAMES.c.unit, GAMES.c.unit_chips, HANDS.c.currency, HANDS.c.chip,
        )
        .join_from(own, HANDS, own.c.hand == HANDS.c.id)
        .join(GAMES, HANDS.c.game == GAMES.c.id)
        .where(
            own.c.player == player,
            HANDS.c.left_out.is_(None),
            HANDS.c.id <= tallied_through(connection),
        )
        .order_by(own.c.hand, own.c.seat)
    )  # fmt: skip
    if game is not None:
        asked = asked.where(GAMES.c.name == game)
    blinds_of_hands = _blinds(connection, player)
    known: tuple[int, tuple[int, ...]] = 0, ()
    positions: dict[Place, dict[Stake, PayoffSums]] = {}
    for hand, seat, payoff, payoff_of, unit, unit_chips, currency, chip in _streamed(connection, asked):
        while known[0] < hand:
            known = next(blinds_of_hands, (sys.maxsize, ()))
        if known[0] != hand:
            raise DamagedStore(f"hand {hand!r} has no seats")
        names = _names(known[1])
        stake = _stake(unit, unit_chips, currency, chip)
        sums = positions.setdefault(Place(-len(names), seat, names[seat]), {})
        sums.setdefault(stake, PayoffSums()).add(payoff if payoff_of == 1 else Fraction(payoff, payoff_of))
    return positions


def _blinds(connection: Connection, player: int) -> Iterator[tuple[int, tuple[int, ...]]]:
    """The hands of a player in the order of their numbers, with the blinds seat by seat."""
    own = SEATS.alias()
    asked = (
        select(SEATS.c.hand, SEATS.c.blind)
        .where(SEATS.c.hand.in_(select(own.c.hand).where(own.c.player == player)))
        .order_by(SEATS.c.hand, SEATS.c.seat)
    )
    for hand, seats in groupby(_streamed(connection, asked), itemgetter(0)):
        yield hand, tuple([blind for _, blind in seats])


def _streamed(connection: Connection, asked: Select[Any]) -> Iterable[Any]:
    """The rows of an answer that may not fit into memory."""
    return connection.execute(asked, execution_options={"stream_results": True})


@lru_cache(maxsize=1024)
def _names(blinds: tuple[int, ...]) -> tuple[str, ...]:
    if any(type(blind) is not int for blind in blinds):
        raise DamagedStore("a blind is not a number of chips")
    return position_names(blinds)
