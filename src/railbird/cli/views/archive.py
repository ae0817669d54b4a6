"""How `railbird stats` and `railbird store` show their results."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

from railbird.arena.results.archive import Careers
from railbird.arena.results.career import Career
from railbird.arena.results.rates import Rate
from railbird.arena.results.statistics import ActionCounts, PlayerStatistics, Share
from railbird.cli.output import hands, print_table
from railbird.engine.rules import ROUND_NAMES
from railbird.hands.types import HandType

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
    career = counted.careers[player]
    statistics = career.statistics
    console.print(f"{player} in {hands(career.hands)} of {counted.name}", markup=False)
    for rate in career.rates:
        console.print(f"won {rate}")
        if rate.unit == "bb/h":
            console.print(f"    {rate.in_thousandths()}")
    console.print(f"net {_chips(statistics.net)} chips{_money(career)}\n")
    shares = _plain_table()
    for name, meaning in _SHARES:
        shares.add_row(meaning, *_share(getattr(statistics, name)))
    factor = statistics.aggression_factor
    calls = statistics.actions.call
    shares.add_row("aggression factor: bets and raises per call", _ratio(factor), f"of {calls:,}")
    print_table(shares, console)
    console.print()
    print_table(_positions(career), console)
    console.print()
    print_table(_rounds(statistics), console)
    if any(part.hands for part in statistics.flop_types):
        console.print()
        print_table(_flop_types(statistics), console)


def _plain_table() -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), show_header=False)
    table.add_column()
    table.add_column(justify="right")
    table.add_column()
    return table


def _share(share: Share) -> tuple[str, str]:
    return "–" if share.fraction is None else f"{100 * share.fraction:.1f} %", f"of {share.of:,}"


def _ratio(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def _chips(chips: int | Fraction) -> str:
    return f"{chips:+,}" if isinstance(chips, int) else f"{float(chips):+,.2f}"


def _money(career: Career) -> str:
    won = ", ".join(f"{float(amount):+,.2f} {currency}" for currency, amount in sorted(career.money.items()))
    return f" ({won})" if won else ""


def _positions(career: Career) -> Table:
    """Winnings by position."""
    table = Table("position", box=None, padding=(0, 2, 0, 0))
    for heading in ("hands", "won", "95 % interval"):
        table.add_column(heading, justify="right")
    for name, rates in career.positions.items():
        for rate in rates:
            interval = "–" if rate.hands < 2 else f"{rate.low:+.3f} … {rate.high:+.3f}"
            table.add_row(name, f"{rate.hands:,}", f"{rate.mean:+.3f} {rate.unit}", interval)
    return table


def _rounds(statistics: PlayerStatistics) -> Table:
    """Decisions by betting round."""
    table = Table("decisions", box=None, padding=(0, 2, 0, 0))
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


def _flop_types(statistics: PlayerStatistics) -> Table:
    """Winnings with each hand type at the flop, if the hole cards are known."""
    table = Table("at the flop, cards known", box=None, padding=(0, 2, 0, 0))
    for heading in ("hands", "net", "chips per hand"):
        table.add_column(heading, justify="right")
    for kind in HandType:
        part = statistics.flop_types[kind]
        if part.hands:
            table.add_row(kind.title, f"{part.hands:,}", _chips(part.net), f"{part.per_hand:+,.2f}")
    return table


def show_careers(counted: Careers, top: int, console: Console) -> None:
    """A table of the players with the most hands; every share is followed by its sample size."""
    shown = list(counted.careers.items())[:top]
    units = {rate.unit for _, career in shown for rate in career.rates}
    table = Table("player", box=None, padding=(0, 2, 0, 0))
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
    print_table(table, console)
    players = len(counted.careers)
    more = f", {min(top, players)} shown (--top {players} shows all)" if players > top else ""
    counts = f"{players:,} player{'' if players == 1 else 's'} in {hands(counted.hands)}"
    console.print(f"\n{counts} of {counted.name}{more}", markup=False)


def _percent_of(share: Share) -> tuple[str, str]:
    return _share(share)[0], f"{share.of:,}"


def _short(rate: Rate, *, with_unit: bool) -> str:
    half = "" if rate.hands < 2 else f" ±{(rate.high - rate.low) / 2:.3f}"
    return f"{rate.mean:+.3f}{half}{f' {rate.unit}' if with_unit else ''}"


def show_store(store: "Store", console: Console) -> None:
    """Games, players and sources."""
    players = store.players()
    console.print(
        f"{store.address}: {hands(store.count())}, {len(players):,} player{'' if len(players) == 1 else 's'}",
        markup=False,
    )
    for title, counts in (("game", store.games()), ("player", players)):
        table = Table(title, box=None, padding=(0, 2, 0, 0))
        table.add_column("hands", justify="right")
        for name, count in list(counts.items())[:_MOST_PLAYERS]:
            table.add_row(name, f"{count:,}")
        if len(counts) > _MOST_PLAYERS:
            table.add_row(f"and {len(counts) - _MOST_PLAYERS:,} more")
        console.print()
        print_table(table, console)
    sources = store.sources()
    played = [source for source in sources if source.is_session]
    console.print()
    print_table(_files([source for source in sources if not source.is_session]), console)
    if played:
        console.print()
        print_table(_sessions(played), console)


def _files(sources: Sequence["StoredSource"]) -> Table:
    table = Table("source", box=None, padding=(0, 2, 0, 0))
    table.add_column("hands", justify="right")
    for heading in ("added", "SHA-256", ""):
        table.add_column(heading)
    for source in sources[-_MOST_SOURCES:]:
        stopped = "" if source.complete else "incomplete: import it again"
        table.add_row(source.name, f"{source.hands:,}", source.added, source.digest[:16], stopped)
    _count_earlier(table, sources)
    return table


def _sessions(sources: Sequence["StoredSource"]) -> Table:
    table = Table("played in the browser", box=None, padding=(0, 2, 0, 0))
    table.add_column("hands", justify="right")
    table.add_column("since")
    for source in sources[-_MOST_SOURCES:]:
        table.add_row(source.name, f"{source.hands:,}", source.added)
    _count_earlier(table, sources)
    return table


def _count_earlier(table: Table, sources: Sequence["StoredSource"]) -> None:
    if len(sources) > _MOST_SOURCES:
        table.add_row(f"and {len(sources) - _MOST_SOURCES:,} earlier ones")
