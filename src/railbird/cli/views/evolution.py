"""How `railbird evolve` shows its results."""

from collections.abc import Mapping
from pathlib import Path

from rich.console import Console

from railbird.cli.output import plain_table
from railbird.explanation.formats import format_percent
from railbird.learning.evolve.trials import Weights
from railbird.learning.evolve.weights import EvolvedWeights
from railbird.learning.imitation import Agreement


def show_evolved(evolved: EvolvedWeights, output: Path, console: Console) -> None:
    """The losses of every lineage, both weights on the held-out hands, and the file of the weights."""
    _show_lineages(evolved, console)
    _show_agreement(evolved.hand_picked, evolved.found, console)
    console.print(f"\n{_written(evolved.weights)} written to {output}", markup=False)


def _show_lineages(evolved: EvolvedWeights, console: Console) -> None:
    table = plain_table(
        evolved.unit, "hand-picked", "evolved", "generation", "held out: hand-picked", "held out: evolved"
    )
    for lineage in evolved.lineages:
        start, found = lineage.start, lineage.found
        table.add_row(
            ", ".join(lineage.stages),
            f"{start.loss:.4f}",
            f"{found.loss:.4f}",
            f"{found.number} of {lineage.generations[-1].number}",
            f"{start.held_out:.4f}",
            f"{found.held_out:.4f}",
        )
    console.print(table)


def _show_agreement(
    hand_picked: Mapping[str, Agreement], found: Mapping[str, Agreement], console: Console
) -> None:
    """Both weights on all held-out decisions, next to the baseline."""
    console.print("\nAll held-out decisions; right: the most probable action was the actual one")
    table = plain_table("", "decisions", "right", "log-loss", "no similar case")
    for stage, first in hand_picked.items():
        usual = first.usual
        table.add_row(
            f"{stage}: baseline",
            f"{first.count:,}",
            format_percent(usual.right),
            f"{usual.log_loss:.4f}",
            "–",
        )
        for name, each in (("hand-picked", first), ("evolved", found[stage])):
            figures = format_percent(each.right), f"{each.log_loss:.4f}", format_percent(each.missed)
            table.add_row(f"{stage}: {name}", f"{each.count:,}", *figures)
    console.print(table)


def _written(weights: Weights) -> str:
    count = sum(map(len, weights.values()))
    return f"{count} weights of {', '.join(weights)}"
