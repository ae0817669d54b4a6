"""How `railbird stats` and `railbird store` show their results."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from rich.console import Console

from railbird.arena.results.archive import Careers
from railbird.arena.results.career import Career
from railbird.arena.results.rates import Rate
from railbird.arena.results.statistics import ActionCounts, PlayStatistics, Share
from railbird.cli.output import hands
from railbird.engine.rules import ROUND_NAMES
from railbird.explanation.formats import format_signed
from railbird.hands.types import HandType
from railbird.interfaces.fitting import FittedTable

if TYPE_CHECKING:
    from railbird.store.sources import StoredSource
    from railbird.store.store import Store

_MOST_SOURCES = 20
_MOST_PLAYERS = 10

_SHARES = (
    ("played", "voluntarily put chips in, of all hands"),
    ("won", "won a pot or a part of one"),
    ("uncontested_wins", "won because everyone else folded"),
    ("flops_seen", "saw the flop"),
    ("showdowns_seen", "saw a showdown"),
    ("wtsd", "WTSD: of the flops seen, went to showdown"),
    ("wsd", "W$SD: of the showdowns seen, won"),
    ("vpip", "VPIP: voluntarily put chips in before the flop"),
    ("pfr", "PFR: raised before the flop"),
    ("three_bet", "3-bet: reraised before the flop"),
    ("aggression_frequency", "bets and raises, of all decisions except checks"),
)


def show_career(counted: Careers, player: str, console: Console) -> None:
    """Everything about one player."""
    career = counted.career(player)
    statistics = career.statistics
    console.print(f"{player} in {hands(career.hands)} of {counted.name}", markup=False)
    for rate in career.rates:
        console.print(f"won {rate}")
        if rate.unit == "bb/h":
            console.print(f"    {rate.in_thousandths()}")
    for currency, amount in sorted(career.net.items()):
        console.print(f"net {_amount(amount, currency)}")
    console.print()
    if len(career.stakes) > 1:
        console.print(_stakes(career))
        console.print()
    shares = _plain_table()
    for name, meaning in _SHARES:
        shares.add_row(meaning, *_share(getattr(statistics, name)))
    factor = statistics.aggression_factor
    calls = statistics.actions.call
    shares.add_row("aggression factor: bets and raises per call", _ratio(factor), f"of {calls:,}")
    console.print(shares)
    console.print()
    console.print(_positions(career))
    console.print()
    console.print(_rounds(statistics))
    if any(part.hands for part in career.flop_types):
        console.print()
        console.print(_flop_types(career))


def _plain_table() -> FittedTable:
    table = FittedTable(show_header=False)
    table.add_column()
    table.add_column(justify="right")
    table.add_column()
    return table


def _share(share: Share) -> tuple[str, str]:
    return "–" if share.fraction is None else f"{100 * share.fraction:.1f} %", f"of {share.of:,}"


def _ratio(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def _amount(amount: Fraction, currency: str) -> str:
    """What was won: whole play chips without decimals, money with cents."""
    decimals = 2 if currency or amount.denominator != 1 else 0
    return f"{format_signed(float(round(amount, 2)), decimals, commas=True)} {currency or 'chips'}"


def _stakes(career: Career) -> FittedTable:
    """Winnings by stake."""
    table = FittedTable("stake")
    for heading in ("hands", "net", "won", "95 % interval"):
        table.add_column(heading, justify="right")
    for stake in career.stakes:
        bet = "small bet" if stake.rate.unit == "sb/h" else "big blind"
        size = _amount(stake.size, stake.currency).removeprefix("+")
        table.add_row(
            f"{bet} {size}",
            f"{stake.rate.hands:,}",
            _amount(stake.net, stake.currency),
            *_won(stake.rate),
        )
    return table


def _won(rate: Rate) -> tuple[str, str]:
    interval = "–" if rate.hands < 2 else f"{format_signed(rate.low, 3)} … {format_signed(rate.high, 3)}"
    return f"{format_signed(rate.mean, 3)} {rate.unit}", interval


def _positions(career: Career) -> FittedTable:
    """Winnings by position."""
    table = FittedTable("position")
    for heading in ("hands", "won", "95 % interval"):
        table.add_column(heading, justify="right")
    for name, rates in career.positions.items():
        for rate in rates:
            table.add_row(name, f"{rate.hands:,}", *_won(rate))
    return table


def _rounds(statistics: PlayStatistics) -> FittedTable:
    """Decisions by betting round."""
    table = FittedTable("decisions")
    for heading in ("fold", "check", "call", "bet", "raise", "of", "aggression"):
        table.add_column(heading, justify="right")
    rows: Iterable[tuple[str, ActionCounts]] = (
        *zip(ROUND_NAMES, statistics.rounds, strict=True),
        ("all", statistics.actions),
    )
    for name, counts in rows:
        frequencies = [_share(share)[0] for share in counts.frequencies.values()]
        table.add_row(name, *frequencies, f"{counts.decisions:,}", _ratio(counts.aggression_factor))
    return table


def _flop_types(career: Career) -> FittedTable:
    """Winnings with each hand type at the flop, if the hole cards are known."""
    table = FittedTable("hand on the flop, where known")
    for heading in ("hands", "net"):
        table.add_column(heading, justify="right")
    for kind, part in zip(HandType, career.flop_types, strict=True):
        if part.hands:
            nets = (_amount(amount, currency) for currency, amount in sorted(part.net.items()))
            table.add_row(kind.title, f"{part.hands:,}", ", ".join(nets))
    return table


def show_careers(counted: Careers, top: int, console: Console) -> None:
    """A table of the players with the most hands; every share is followed by its sample size."""
    everyone = counted.players
    shown = [(label, counted.career(label)) for label in everyone[:top]]
    units = {rate.unit for _, career in shown for rate in career.rates}
    table = FittedTable("player")
    won = f"{units.pop()}, 95 %" if len(units) == 1 else "won, 95 %"
    for heading in ("hands", won, "VPIP", "PFR", "of", "WTSD", "of", "W$SD", "of"):
        table.add_column(heading, justify="right")
    for label, career in shown:
        statistics = career.statistics
        table.add_row(
            label,
            f"{career.hands:,}",
            "\n".join(_short(rate, with_unit=bool(units)) for rate in career.rates),
            _share(statistics.vpip)[0],
            *_percent_of(statistics.pfr),
            *_percent_of(statistics.wtsd),
            *_percent_of(statistics.wsd),
        )
    console.print(table)
    players = len(everyone)
    more = f", {min(top, players)} shown (--top {players} shows all)" if players > top else ""
    counts = f"{players:,} player{'' if players == 1 else 's'} in {hands(counted.hands)}"
    console.print(f"\n{counts} of {counted.name}{more}", markup=False)


def _percent_of(share: Share) -> tuple[str, str]:
    return _share(share)[0], f"{share.of:,}"


def _short(rate: Rate, *, with_unit: bool) -> str:
    half = "" if rate.hands < 2 else f" ±{(rate.high - rate.low) / 2:.3f}"
    return f"{format_signed(rate.mean, 3)}{half}{f' {rate.unit}' if with_unit else ''}"


def show_store(store: "Store", console: Console) -> None:
    """Games, players and sources."""
    players = store.players()
    console.print(
        f"{store.address}: {hands(store.count())}, {len(players):,} player{'' if len(players) == 1 else 's'}",
        markup=False,
    )
    for title, counts in (("game", store.games()), ("player", players)):
        table = FittedTable(title)
        table.add_column("hands", justify="right")
        for name, count in list(counts.items())[:_MOST_PLAYERS]:
            table.add_row(name, f"{count:,}")
        if len(counts) > _MOST_PLAYERS:
            table.add_row(f"and {len(counts) - _MOST_PLAYERS:,} more")
        console.print()
        console.print(table)
    sources = store.sources()
    played = [source for source in sources if source.is_session]
    console.print()
    console.print(_files([source for source in sources if not source.is_session]))
    if played:
        console.print()
        console.print(_sessions(played))


def _shown(source: "StoredSource") -> str:
    """The name of a source, escaped where it could manipulate the terminal."""
    return source.name if source.name.isprintable() else repr(source.name)


def _files(sources: Sequence["StoredSource"]) -> FittedTable:
    table = FittedTable("source")
    table.add_column("hands", justify="right")
    for heading in ("added", "SHA-256", ""):
        table.add_column(heading)
    for source in sources[-_MOST_SOURCES:]:
        stopped = "" if source.complete else "incomplete: import it again"
        table.add_row(_shown(source), f"{source.hands:,}", _minute(source.added), source.digest[:16], stopped)
    _count_earlier(table, sources)
    return table


def _sessions(sources: Sequence["StoredSource"]) -> FittedTable:
    table = FittedTable("played in the browser")
    table.add_column("hands", justify="right")
    table.add_column("since")
    for source in sources[-_MOST_SOURCES:]:
        table.add_row(_shown(source), f"{source.hands:,}", _minute(source.added))
    _count_earlier(table, sources)
    return table


def _minute(time: str) -> str:
    """A time in UTC, to the minute.

    >>> _minute("2026-11-17T22:06:11+00:00")
    '2026-11-17 22:06 UTC'
    """
    return f"{time[:16].replace('T', ' ')} UTC"


def _count_earlier(table: FittedTable, sources: Sequence["StoredSource"]) -> None:
    if len(sources) > _MOST_SOURCES:
        table.add_row(f"and {len(sources) - _MOST_SOURCES:,} earlier ones")
