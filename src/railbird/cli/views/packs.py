"""How `railbird watch` and `railbird casebase` show packs."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from railbird.cbr.case_base import CaseBase
from railbird.cbr.packs.files import Pack
from railbird.cli.output import cases, hands
from railbird.explanation.formats import format_percent, format_signed
from railbird.interfaces.fitting import FittedTable
from railbird.learning.fidelity import not_better
from railbird.learning.packs import WatchedPack, value_range
from railbird.learning.recipes import single_recipes, tally
from railbird.learning.watching import HandCounts, Watcher

_MOST_PLAYERS = _MOST_SOURCES = 20
_MOST_SYMBOLS = 3
_FEWEST = 10
"""Minimum number of held-out hands for a check of a pack."""


def show_watched(watched: WatchedPack, path: Path, console: Console) -> None:
    """The result of watching."""
    console.print(_actions(watched.pack))
    console.print()
    _print_players(watched.watcher, console)
    console.print(f"\n{_read(watched.watcher.counts, watched.refused.count)}")
    _print_written(watched.pack, path, console)
    console.print(_checked(watched), markup=False)


def _checked(watched: WatchedPack) -> str:
    """How well the cases predict decisions, in a sentence, and how to measure it."""
    found, how = watched.fidelity, "railbird imitate measures this on all of them"
    if found is None or found.hands < _FEWEST:
        return "There are too few hands to check how well the cases predict decisions."
    if not found.is_better:
        return f"Warning: {not_better(watched.pack.system, found)} ({found.decisions:,} decisions held out; {how})."
    imitator, usual = (format_percent(each.agreement.mean) for each in (found.imitator, found.usual))
    return (
        f"Cases from nine hands in ten agree with {imitator} of {found.decisions:,} decisions in the other hands, the "
        f"most frequent action with {usual}; {how}."
    )


def show_merged(pack: Pack, packs: int, path: Path, console: Console) -> None:
    """The result of merging packs."""
    console.print(_actions(pack))
    console.print(f"\n{packs} packs merged")
    _print_written(pack, path, console)


def show_thinned(pack: Pack, path: Path, console: Console) -> None:
    """The result of thinning a pack."""
    console.print(_actions(pack))
    console.print(f"\n{cases(sum(pack.recipe['thinned']['cases'].values()))} thinned")
    _print_written(pack, path, console)


def _print_written(pack: Pack, path: Path, console: Console) -> None:
    size = path.stat().st_size
    console.print(
        f"{cases(len(pack))} of {pack.system} written to {path} ({size / 1000:,.0f} kB)", markup=False
    )


def _actions(pack: Pack) -> FittedTable:
    """Decisions by base and action, with their mean outcome if known."""
    solutions = list(dict.fromkeys(name for base in pack.bases.values() for name in base.schema.solutions))
    table = FittedTable("cases")
    for heading in (*solutions, "all", "mean outcome"):
        table.add_column(heading, justify="right")
    counted = tally(pack.bases)
    for name, base in pack.bases.items():
        counts = [counted[name].get(solution, 0) for solution in solutions]
        table.add_row(name, *(f"{count:,}" for count in counts), f"{sum(counts):,}", _mean([base]))
    if len(pack.bases) > 1:
        totals = [sum(counts.get(solution, 0) for counts in counted.values()) for solution in solutions]
        every = _mean(list(pack.bases.values()))
        table.add_row("all", *(f"{count:,}" for count in totals), f"{sum(totals):,}", every)
    return table


def _mean(bases: Sequence[CaseBase]) -> str:
    known = sum(int(base.known.sum()) for base in bases)
    return format_signed(sum(float(base.sums.sum()) for base in bases) / known, 3) if known else "–"


def _print_players(watcher: Watcher, console: Console) -> None:
    table = FittedTable("player")
    for heading in ("hands", "cards unknown", "cases"):
        table.add_column(heading, justify="right")
    players = sorted(watcher.players.items(), key=lambda each: -each[1].cases)
    for name, watched in players[:_MOST_PLAYERS]:
        table.add_row(Text(name), f"{watched.hands:,}", f"{watched.unknown:,}", f"{watched.cases:,}")
    if len(players) > _MOST_PLAYERS:
        table.add_row(f"and {len(players) - _MOST_PLAYERS:,} more")
    console.print(table)


def _read(counts: HandCounts, bad: int) -> str:
    parts = [f"{hands(counts.hands)} read"]
    for count, what in (
        (bad, "bad"),
        (counts.duplicates, "duplicates"),
        (counts.other_games, "of another game"),
        (counts.without_player, "without a watched player"),
        (counts.unknown, "with unknown cards"),
        (counts.unfinished, "with unknown outcome"),
    ):
        if count:
            parts.append(f"{count:,} {what}")
    return ", ".join(parts)


# casebase show


def show_pack(pack: Pack, name: str, console: Console) -> None:
    """The sources of the cases, the decisions, and the ranges of the attributes."""
    console.print(f"{name}: {cases(len(pack))} of {pack.system}", markup=False)
    for recipe in single_recipes(pack.recipe):
        console.print()
        _print_recipe(recipe, console)
    console.print()
    console.print(_actions(pack))
    console.print()
    console.print(_ranges(pack))
    riders = dict.fromkeys(rider for columns in pack.riders.values() for rider in columns)
    if riders:
        console.print(f"\nwith every case: {', '.join(riders)}", markup=False)


def _print_recipe(recipe: Mapping[str, Any], console: Console) -> None:
    table = FittedTable(show_header=False)
    for key in dict.fromkeys(["made by", "version", "players", "options", "hands", "outcome", *recipe]):
        value = recipe.get(key)
        if key == "hands" and isinstance(value, Mapping):
            value = {name: value[name] for name in sorted(value, key=lambda name: name != "read")}
        if value and key not in ("sources", "system", "cases"):
            table.add_row(key, Text(_plain(value)))
    console.print(table)
    sources = recipe.get("sources", ())
    if sources:
        console.print()
        table = FittedTable("source")
        for heading in ("hands", "bad"):
            table.add_column(heading, justify="right")
        table.add_column("SHA-256")
        for source in sources[:_MOST_SOURCES]:
            row = (f"{source['hands']:,}", f"{source['bad']:,}", source["sha256"])
            table.add_row(Text(source["name"]), *row)
        if len(sources) > _MOST_SOURCES:
            table.add_row(f"and {len(sources) - _MOST_SOURCES:,} more")
        console.print(table)


def _plain(value: object) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_plain(item)}" for key, item in value.items() if item)
    if isinstance(value, list):
        return ", ".join(map(_plain, value))
    return f"{value:,}" if isinstance(value, int) else str(value)


def _ranges(pack: Pack) -> FittedTable:
    """The lowest and the highest value of every attribute, or its most frequent symbols, by base."""
    table = FittedTable("attribute")
    for name in pack.bases:
        table.add_column(name)
    for attribute in dict.fromkeys(name for base in pack.bases.values() for name in base.schema.names):
        table.add_row(
            Text(attribute),
            *(
                Text(_shown(value_range(base, attribute)) if attribute in base.schema.places else "")
                for base in pack.bases.values()
            ),
        )
    return table


def _shown(found: Any) -> str:
    if not found:
        return "–"
    if isinstance(found, dict):
        more = f" and {len(found) - _MOST_SYMBOLS:,} more" if len(found) > _MOST_SYMBOLS else ""
        return ", ".join(list(found)[:_MOST_SYMBOLS]) + more
    low, high = found
    return f"{low:.4g}" if low == high else f"{low:.4g} … {high:.4g}"
