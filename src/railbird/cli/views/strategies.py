"""How `railbird solve`, `railbird strategy` and `railbird exploit` show their results."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.console import Console

from railbird.cli.output import plain_table, print_table
from railbird.cli.progress import running_figures
from railbird.explanation import RangeGrid
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

    grids = [section for section in situation.sections() if isinstance(section, RangeGrid)]
    if not grids:
        raise NoSuchSituation(f"pictures are drawn of hold'em only, not of {situation.strategy.recipe.game}")
    save(range_grids(situation.title, grids), path)


def show_exploit(found: ExploitResult, console: Console) -> None:
    """What the opponent wins, and from what it was estimated."""
    is_sampled = found.rate.low < found.rate.high
    table = plain_table(f"{found.agent} in {found.game}", UNIT, "95 % interval" if is_sampled else "")
    opponent = "a local best response" if found.method is ExploitMethod.LOCAL else "a best response"
    table.add_row(f"{opponent} wins", *_figures(found.rate))
    if found.own_preflop is not None:
        table.add_row("with the strategy's own play before the flop", *_figures(found.own_preflop))
    print_table(table, console)
    if found.method is ExploitMethod.LOCAL:
        console.print(
            f"from {found.hands:,} hands with the actions {found.actions}; a best response wins at least as much"
        )
    elif is_sampled:
        console.print(
            f"from {found.flops:,} sampled flops; the first figure is biased upwards: compare strategies by the second"
        )


def _figures(rate: IntervalEstimate) -> tuple[str, str]:
    interval = f"{rate.low:,.1f} to {rate.high:,.1f}" if rate.low < rate.high else ""
    return f"{rate.mean:,.1f}", interval
