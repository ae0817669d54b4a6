"""How `railbird match`, `selfplay` and `tournament` show their results."""

from collections.abc import Sequence
from typing import Any

from rich.console import Console

from railbird.agent.faults import Fault
from railbird.arena.results.outcomes import MatchResults, TournamentResults
from railbird.explanation.formats import format_signed
from railbird.interfaces.fitting import FittedTable


def show_match(results: MatchResults, console: Console) -> None:
    """The final table of a match."""
    report = results.to_json()
    table = FittedTable("player")
    for heading in (
        "hands",
        "net",
        report["players"][0]["rate"]["unit"],
        "95 % interval",
        "played",
        "won",
    ):
        table.add_column(heading, justify="right")
    for player, counted in zip(report["players"], results.statistics, strict=True):
        rate = player["rate"]
        table.add_row(
            player["label"],
            f"{player['hands']:,}",
            format_signed(player["net"], 0 if isinstance(player["net"], int) else 2, commas=True),
            format_signed(rate["mean"], 3),
            _interval(rate),
            _percent(counted.played),
            _percent(counted.won),
        )
    console.print(table)
    if "without_luck" in report["players"][0]:
        console.print()
        _show_without_luck(report, console)
    if "sequential" in report:
        _show_sequential(report, console)
    _show_faults(report, console)
    if report["void"]:
        console.print(
            "The match is void." if report["matches"] == 1 else "Matches in which players failed are void."
        )
    _show_end(report, console)


def _interval(rate: dict[str, Any]) -> str:
    return (
        "" if rate["low"] is None else f"{format_signed(rate['low'], 3)} … {format_signed(rate['high'], 3)}"
    )


def _show_without_luck(report: dict[str, Any], console: Console) -> None:
    table = FittedTable("adjusted for the luck of starting hands and of the board")
    table.add_column(report["players"][0]["rate"]["unit"], justify="right")
    table.add_column("95 % interval", justify="right")
    for player in report["players"]:
        rate = player["without_luck"]
        table.add_row(player["label"], format_signed(rate["mean"], 3), _interval(rate))
    console.print(table)


def _show_sequential(report: dict[str, Any], console: Console) -> None:
    found, label = report["sequential"], report["players"][0]["label"]
    rate = found["rate"]
    verdict = f"{label} {'wins' if rate['mean'] > 0 else 'loses'}" if found["decided"] else "not decided"
    after = f"after {report['matches']} match{'' if report['matches'] == 1 else 'es'}"
    console.print(
        f"\n{verdict} {after}: interval {_interval(rate)} {rate['unit']} of a sequential test with the error rate "
        f"{found['error_rate']:g}"
    )


def _percent(share: Any) -> str:
    return f"{100 * share.count / share.of:.1f} %" if share.of else ""


def show_tournament(results: TournamentResults, console: Console) -> None:
    """The standings and the crosstable of a tournament."""
    report = results.to_json()
    bankroll, runoff = report["standings"]["total_bankroll"], report["standings"]["instant_runoff"]
    if bankroll:
        _show_standings(report, bankroll, runoff, console)
    _show_faults(report, console)
    void, matches = len(report["void"]), report["matches"]
    if void:
        share = f"{void} of {matches} matches are" if void < matches else "All matches are"
        console.print(f"{share} void." if matches > 1 else "The match is void.")
    if report["disqualified"]:
        console.print(f"Disqualified: {', '.join(report['disqualified'])}.", markup=False)
    _show_end(report, console)


def _show_standings(
    report: dict[str, Any], bankroll: Sequence[str], runoff: Sequence[str], console: Console
) -> None:
    standings = FittedTable("", "total bankroll", "instant run-off")
    for place, (first, second) in enumerate(zip(bankroll, runoff, strict=True), start=1):
        standings.add_row(str(place), first, second)
    console.print(standings)
    console.print()
    console.print(_crosstable(report, bankroll))


def _crosstable(report: dict[str, Any], labels: Sequence[str]) -> FittedTable:
    """What each player won from each other one; columns are headed by the players' places."""
    table = FittedTable(f"won from, {report['players'][0]['rate']['unit']}")
    for place in range(1, len(labels) + 1):
        table.add_column(str(place), justify="right")
    for place, label in enumerate(labels, start=1):
        rates = [report["crosstable"][label].get(other) for other in labels]
        table.add_row(f"{place} {label}", *map(_with_error, rates))
    return table


def _with_error(rate: dict[str, Any] | None) -> str:
    if rate is None:
        return ""
    error = "" if rate["low"] is None else f" ±{(rate['high'] - rate['low']) / 2:.3f}"
    return f"{format_signed(rate['mean'], 3)}{error}"


def _show_faults(report: dict[str, Any], console: Console) -> None:
    """A line for each player with faults: how many of each kind, and the reason of the first."""
    failed = [player for player in report["players"] if player["faults"]]
    if failed:
        console.print()
    for player in failed:
        counts = [Fault(name).times(count) for name, count in player["faults"].items()]
        if player["forfeits"]:
            counts.append("forfeited" + (f" {player['forfeits']} times" if player["forfeits"] > 1 else ""))
        first = player["first_fault"]
        kind = "" if first["fault"] == Fault.CRASH.value else f"{first['fault']}: "
        console.print(
            f"{player['label']}: {', '.join(counts)}, first: {kind}{first['detail']}",
            markup=False,
            soft_wrap=True,
        )


def _show_end(report: dict[str, Any], console: Console) -> None:
    console.print(
        f"\ndigest {report['digest'][:16]}, {report['elapsed_s']:.1f} s; reproduce: {report['reproduce']}",
        soft_wrap=True,
    )
