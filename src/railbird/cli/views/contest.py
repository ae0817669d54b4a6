"""How `railbird match`, `selfplay` and `tournament` show their results."""

from typing import Any

from rich.console import Console
from rich.table import Table

from railbird.arena.results.outcomes import MatchResults, TournamentResults


def show_match(results: MatchResults, console: Console) -> None:
    """The final table of a match."""
    report = results.to_json()
    table = Table("player", box=None, padding=(0, 2, 0, 0))
    for heading in (
        "hands",
        "net",
        report["players"][0]["rate"]["unit"],
        "95 % interval",
        "played",
        "won",
        "faults",
    ):
        table.add_column(heading, justify="right")
    for player, counted in zip(report["players"], results.statistics, strict=True):
        rate = player["rate"]
        table.add_row(
            player["label"], f"{player['hands']:,}", f"{player['net']:,}", f"{rate['mean']:+.3f}", _interval(rate),
            _percent(counted.played), _percent(counted.won),
            ", ".join(f"{count} {fault}" for fault, count in player["faults"].items()),
        )  # fmt: skip
    console.print(table)
    if "without_luck" in report["players"][0]:
        console.print()
        _show_without_luck(report, console)
    if "sequential" in report:
        _show_sequential(report, console)
    if report["void"]:
        console.print(f"void: {report['void']}")
    _show_end(report, console)


def _interval(rate: dict[str, Any]) -> str:
    return "" if rate["low"] is None else f"{rate['low']:+.3f} … {rate['high']:+.3f}"


def _show_without_luck(report: dict[str, Any], console: Console) -> None:
    table = Table("without the luck of all-ins and starting hands", box=None, padding=(0, 2, 0, 0))
    table.add_column(report["players"][0]["rate"]["unit"], justify="right")
    table.add_column("95 % interval", justify="right")
    for player in report["players"]:
        rate = player["without_luck"]
        table.add_row(player["label"], f"{rate['mean']:+.3f}", _interval(rate))
    console.print(table)


def _show_sequential(report: dict[str, Any], console: Console) -> None:
    found, label = report["sequential"], report["players"][0]["label"]
    rate = found["rate"]
    verdict = f"{label} {'wins' if rate['mean'] > 0 else 'loses'}" if found["decided"] else "not decided"
    after = f"after {report['matches']} match{'' if report['matches'] == 1 else 'es'}"
    console.print(
        f"\n{verdict} {after}: {_interval(rate)} {rate['unit']} valid after any number of looks, "
        f"error rate {found['error_rate']:g}",
        soft_wrap=True,
    )


def _percent(share: Any) -> str:
    return f"{100 * share.count / share.of:.1f} %" if share.of else ""


def show_tournament(results: TournamentResults, console: Console) -> None:
    """The standings and the crosstable of a tournament."""
    report = results.to_json()
    bankroll, runoff = report["standings"]["total_bankroll"], report["standings"]["instant_runoff"]
    standings = Table("", "total bankroll", "instant run-off", box=None, padding=(0, 2, 0, 0))
    for place, (first, second) in enumerate(zip(bankroll, runoff, strict=True), start=1):
        standings.add_row(str(place), first, second)
    console.print(standings)
    console.print()
    unit = report["players"][0]["rate"]["unit"]
    table = Table(f"won from, {unit}", box=None, padding=(0, 2, 0, 0))
    for label in bankroll:
        table.add_column(label, justify="right")
    for label in bankroll:
        cells = []
        for other in bankroll:
            rate = report["crosstable"][label].get(other)
            half = None if rate is None or rate["low"] is None else (rate["high"] - rate["low"]) / 2
            cells.append(
                "" if rate is None else f"{rate['mean']:+.3f}" + ("" if half is None else f" ±{half:.3f}")
            )
        table.add_row(label, *cells)
    console.print(table)
    for void in report["void"]:
        console.print(f"void: {void}")
    _show_end(report, console)


def _show_end(report: dict[str, Any], console: Console) -> None:
    console.print(
        f"\ndigest {report['digest'][:16]}, {report['elapsed_s']:.1f} s; reproduce: {report['reproduce']}",
        soft_wrap=True,
    )
