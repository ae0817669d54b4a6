"""How `railbird solve`, `railbird strategy` and `railbird exploit` show their results."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.console import Console

from railbird.cli.output import plain_table
from railbird.cli.progress import running_figures
from railbird.explanation import RangeGrid
from railbird.explanation.formats import format_fixed
from railbird.interfaces.explaining import section_view
from railbird.learning.exploit import UNIT, ExploitMethod, ExploitResult
from railbird.learning.solve import SolvingReport
from railbird.strategies.best_response import IntervalEstimate
from railbird.strategies.exact_strategy import SolvedStrategy
from railbird.strategies.situations import NoSuchSituation, StrategySituation


def show_solved(
    strategy: SolvedStrategy, report: SolvingReport | None, output: Path, console: Console
) -> None:
    """The figures of the solver, and the file of the strategy."""
    if report is not None:
        console.print(running_figures(report), markup=False)
    recipe = strategy.recipe
    against = f" against {recipe.against}" if recipe.against else ""
    abstractions = f"{recipe.actions}, {recipe.cards}{against}"
    console.print(
        f"{output}: {recipe.game}, {abstractions}, {recipe.iterations:,} iterations, seed {recipe.seed}",
        markup=False,
    )


def facts_of(strategy: SolvedStrategy) -> dict[str, Any]:
    """The recipe, the size and the digest of a strategy as plain data."""
    return {
        **asdict(strategy.recipe),
        "decisions": len(strategy.tree.decisions),
        "bytes": strategy.numbers.nbytes,
        "digest": strategy.digest,
    }


def show_info(strategy: SolvedStrategy, console: Console) -> None:
    """The recipe, the size and the digest of a strategy."""
    for name, value in facts_of(strategy).items():
        if value != "":
            console.print(f"{name:<11}{f'{value:,}' if isinstance(value, int) else value}", markup=False)


def show_situation(situation: StrategySituation, console: Console) -> None:
    """A grid of starting hands for each action, or a table."""
    sections = situation.sections()
    if isinstance(sections[0], RangeGrid):
        console.print(situation.title, markup=False)
        console.print()
    for section in sections:
        console.print(section_view(section))
        console.print()


def draw_situation(situation: StrategySituation, path: Path) -> None:
    """The grids as a picture."""
    from railbird.arena.results.figures import range_grids, save

    save(range_grids(situation.title, require_grids(situation)), path)


def require_grids(situation: StrategySituation) -> list[RangeGrid]:
    """The grids of a situation; an error for small games, which have none."""
    grids = [section for section in situation.sections() if isinstance(section, RangeGrid)]
    if not grids:
        raise NoSuchSituation(f"pictures are drawn of hold'em only, not of {situation.strategy.recipe.game}")
    return grids


def show_exploit(found: ExploitResult, console: Console) -> None:
    """What the opponent wins, and from what it was estimated."""
    is_sampled = found.rate.low < found.rate.high
    table = plain_table(f"{found.agent} in {found.game}", UNIT, "95 % interval" if is_sampled else "")
    opponent = "a local best response" if found.method is ExploitMethod.LOCAL else "a best response"
    table.add_row(f"{opponent} wins", *_figures(found.rate))
    if found.own_preflop is not None:
        table.add_row("with the strategy's own play before the flop", *_figures(found.own_preflop))
    console.print(table)
    if found.method is ExploitMethod.LOCAL:
        console.print(
            f"from {found.hands:,} hands with the actions {found.actions}; a best response wins at least as much"
        )
    elif is_sampled:
        console.print(
            f"from {found.flops:,} sampled flops; the first figure is biased upwards: compare strategies by the second"
        )


def _figures(rate: IntervalEstimate) -> tuple[str, str]:
    interval = f"{format_fixed(rate.low, 1)} … {format_fixed(rate.high, 1)}" if rate.low < rate.high else ""
    return format_fixed(rate.mean, 1), interval
