"""The figure of an evolution: the losses by generation; readable in greyscale."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from railbird.arena.results.figures import blank_figure
from railbird.learning.evolve.evolution import Lineage

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_COLUMNS = 2


def convergence(lineages: Sequence[Lineage], unit: str) -> "Figure":
    """A panel for each lineage: best and median of the points, the mean's loss, and its held-out loss."""
    columns = min(_COLUMNS, len(lineages))
    rows = -(-len(lineages) // columns)
    figure = blank_figure(5.2 * columns + 1.6, 3.4 * rows)
    panels = figure.subplots(rows, columns, squeeze=False).flat
    for axes, lineage in zip(panels, lineages, strict=False):
        _draw(axes, lineage)
        axes.set_ylabel(unit)
    for axes in list(panels)[len(lineages) :]:
        axes.set_axis_off()
    handles, labels = figure.axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, frameon=False, loc="outside right center", fontsize=8)
    return figure


def _draw(axes: "Axes", lineage: Lineage) -> None:
    from matplotlib.ticker import MaxNLocator

    generations = lineage.generations
    numbers = [generation.number for generation in generations]
    curves = (
        ("best", [generation.best for generation in generations], "-", "0.45"),
        ("median", [generation.median for generation in generations], ":", "0.45"),
        ("mean", [generation.loss for generation in generations], "-", "black"),
        ("mean, held out", [generation.held_out for generation in generations], "--", "black"),
    )
    for label, losses, dashes, grey in curves:
        axes.plot(numbers, losses, dashes, color=grey, linewidth=1.3, label=label)
    start, found = lineage.start, lineage.found
    axes.axhline(start.loss, color="0.7", linewidth=0.9, label="hand-picked")
    axes.axhline(start.held_out, color="0.7", linewidth=0.9, linestyle="--", label="hand-picked, held out")
    axes.plot([found.number], [found.loss], "o", color="black", markersize=4, label="found")
    axes.set_xlabel("generation")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_title(", ".join(lineage.stages), fontsize=10)
