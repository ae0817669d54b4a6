"""A picture of a network as GeNIe shows one, with the probabilities of all states as bars (baycarp-2011 fig. 6.6).

Every variable is a box; columns and arcs run from causes to effects (`layout`). A box whose state is known has a dark
heading and that state in bold. The picture is legible in greyscale and is written as PNG or SVG.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from math import sqrt
from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties, findfont, get_font
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch, Rectangle
from matplotlib.path import Path as Outline
from matplotlib.textpath import text_to_path
from numpy.typing import NDArray

from railbird.bayes.layout import Box, Layout, arrange, columns_of, courses
from railbird.bayes.structure import NetworkError, Structure, Variable
from railbird.bayes.text import percent
from railbird.places import require_ending, write_whole

Posteriors = Mapping[str, Sequence[float] | NDArray[np.float64]]

MOST_ROWS = 24
"""Maximum number of rows in a box; the least probable further states share the last row."""

_POINT = 1 / 72
_SIZE, _HEADING_SIZE = 7.5, 8.5
_ROW, _HEADING = 11.5, 18.0
_PADDING, _BAR, _SHARE = 7.0, 54.0, 34.0
_GAP, _CORRIDOR, _MARGIN = 16.0, 62.0, 14.0
_LONGEST_NAME = 28
_MOST_DOTS = 60e6
_DOTS_PER_INCH = 160

_INK, _LINE, _ARC = "#1b2733", "#5b6b7a", "#7c8a97"
_HEADING_PLAIN, _HEADING_KNOWN = "#dce5ee", "#2f4456"
_TRACK, _BAR_PLAIN, _BAR_KNOWN = "#eef2f5", "#6f9fc8", "#e0912f"


class PictureError(NetworkError):
    """A picture that cannot be written."""


@dataclass(frozen=True, slots=True)
class _Row:
    name: str
    share: float
    known: bool = False


def save_picture(figure: Figure, path: Path) -> None:
    """Write a picture as PNG or SVG, depending on the file's extension."""
    require_ending(path, ".png", ".svg")
    content = BytesIO()
    width, height = figure.get_size_inches()
    dots = min(_DOTS_PER_INCH, sqrt(_MOST_DOTS / (width * height)), 60_000 / max(width, height))
    metadata = {"Date": None} if path.suffix == ".svg" else {}
    with mpl.rc_context({"svg.hashsalt": "railbird"}):
        figure.savefig(content, format=path.suffix[1:], dpi=dots, metadata=metadata)
    try:
        write_whole(path, lambda file: file.write(content.getvalue()))
    except OSError as error:
        raise PictureError(f"{path}: cannot be written: {error.strerror}") from None


def network_picture(
    structure: Structure,
    posteriors: Posteriors,
    evidence: Mapping[str, str],
    nodes: Iterable[str] | None = None,
) -> Figure:
    """The boxes of all variables or some, with the arcs between them."""
    shown = structure if nodes is None else _part(structure, nodes)
    rows = {
        each.name: _rows(each, posteriors[each.name], evidence.get(each.name)) for each in shown.variables
    }
    _require_letters(name for each in shown.variables for name in (each.name, *each.states))
    layout = arrange(shown, _sizes(shown, rows), gap=_GAP, corridor=_CORRIDOR)
    width, height = layout.width + 2 * _MARGIN, layout.height + 2 * _MARGIN
    figure = Figure(figsize=(width * _POINT, height * _POINT))
    FigureCanvasAgg(figure)
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set_axis_off()
    axes.set_xlim(-_MARGIN, layout.width + _MARGIN)
    axes.set_ylim(layout.height + _MARGIN, -_MARGIN)
    _draw_arcs(axes, layout)
    for name, box in layout.boxes.items():
        _draw_box(axes, name, box, rows[name])
    return figure


def _part(structure: Structure, nodes: Iterable[str]) -> Structure:
    names = dict.fromkeys(nodes)
    return Structure(
        tuple(structure.variable(name) for name in names),
        {name: tuple(each for each in structure.parents[name] if each in names) for name in names},
    )


def _rows(variable: Variable, shares: Sequence[float] | NDArray[np.float64], known: str | None) -> list[_Row]:
    rows = [
        _Row(state, float(share), state == known)
        for state, share in zip(variable.states, shares, strict=True)
    ]
    if len(rows) <= MOST_ROWS:
        return rows
    kept = set(sorted(rows, key=lambda row: (not row.known, -row.share))[: MOST_ROWS - 1])
    rest = [row for row in rows if row not in kept]
    return [row for row in rows if row in kept] + [
        _Row(f"{len(rest):,} others", sum(row.share for row in rest))
    ]


def _require_letters(names: Iterable[str]) -> None:
    drawn = get_font(findfont(FontProperties())).get_charmap()
    for name in names:
        for letter in name:
            if ord(letter) not in drawn:
                raise PictureError(f"{name} cannot be drawn: the font of pictures has no {letter!r}")


def _cut(name: str) -> str:
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"


def _text_width(text: str, size: float, weight: str = "bold") -> float:
    font = FontProperties(size=size, weight=weight)
    return float(text_to_path.get_text_width_height_descent(text, font, ismath=False)[0])


def _sizes(structure: Structure, rows: Mapping[str, Sequence[_Row]]) -> dict[str, tuple[float, float]]:
    """Box sizes that fit the longest name; all boxes of a column have the same width."""
    columns = columns_of(structure)
    widths: dict[int, float] = {}
    for name, column in columns.items():
        names = max(_text_width(_cut(row.name), _SIZE) for row in rows[name])
        wanted = max(names + 6 + _BAR + _SHARE, _text_width(_cut(name), _HEADING_SIZE)) + 2 * _PADDING
        widths[column] = max(widths.get(column, 0.0), wanted)
    return {name: (widths[column], _HEADING + 5 + _ROW * len(rows[name])) for name, column in columns.items()}


def _draw_box(axes: Axes, name: str, box: Box, rows: Sequence[_Row]) -> None:
    known = any(row.known for row in rows)
    outline = FancyBboxPatch(
        (box.left, box.top),
        box.width,
        box.height,
        boxstyle="round,pad=0,rounding_size=4",
        facecolor="white",
        edgecolor="none",
        zorder=2,
    )
    axes.add_patch(outline)
    heading = Rectangle(
        (box.left, box.top), box.width, _HEADING, color=_HEADING_KNOWN if known else _HEADING_PLAIN, zorder=3
    )
    axes.add_patch(heading)
    heading.set_clip_path(outline)
    frame = FancyBboxPatch(
        (box.left, box.top),
        box.width,
        box.height,
        boxstyle="round,pad=0,rounding_size=4",
        facecolor="none",
        edgecolor=_HEADING_KNOWN if known else _LINE,
        linewidth=1.3 if known else 0.8,
        zorder=5,
    )
    axes.add_patch(frame)
    _write(
        axes,
        (box.left + box.width / 2, box.top + _HEADING / 2),
        _cut(name),
        "center",
        size=_HEADING_SIZE,
        weight="bold",
        color="white" if known else _INK,
    )
    for number, row in enumerate(rows):
        middle = box.top + _HEADING + 2.5 + _ROW * (number + 0.5)
        _draw_row(axes, box, middle, row, faint=known and not row.known)


def _draw_row(axes: Axes, box: Box, middle: float, row: _Row, *, faint: bool) -> None:
    right = box.right - _PADDING - _SHARE
    weight = "bold" if row.known else "normal"
    color = _ARC if faint else _INK
    _write(axes, (box.left + _PADDING, middle), _cut(row.name), "left", weight=weight, color=color)
    if not faint:
        _write(axes, (box.right - _PADDING, middle), percent(row.share), "right", weight=weight)
    top, height = middle - _ROW * 0.34, _ROW * 0.68
    axes.add_patch(Rectangle((right - _BAR, top), _BAR, height, color=_TRACK, linewidth=0, zorder=4))
    colour = _BAR_KNOWN if row.known else _BAR_PLAIN
    axes.add_patch(Rectangle((right - _BAR, top), _BAR * row.share, height, color=colour, lw=0, zorder=4))


def _write(
    axes: Axes,
    place: tuple[float, float],
    text: str,
    align: str,
    *,
    size: float = _SIZE,
    weight: str = "normal",
    color: str = _INK,
) -> None:
    axes.text(
        *place,
        text,
        ha=align,
        va="center_baseline",
        size=size,
        weight=weight,
        color=color,
        zorder=6,
        parse_math=False,
    )


def _draw_arcs(axes: Axes, layout: Layout) -> None:
    for start, *passes, end in courses(layout).values():
        points, codes = [start], [int(Outline.MOVETO)]
        for left, right in zip(passes[::2], passes[1::2], strict=True):
            _curve_to(points, codes, left)
            points.append(right)
            codes.append(int(Outline.LINETO))
        _curve_to(points, codes, (end[0] - 1, end[1]))
        axes.add_patch(
            FancyArrowPatch(
                path=Outline(points, codes),
                arrowstyle="-|>",
                mutation_scale=7,
                color=_ARC,
                linewidth=0.9,
                shrinkA=0,
                shrinkB=0,
                zorder=1,
            )
        )


def _curve_to(points: list[tuple[float, float]], codes: list[int], end: tuple[float, float]) -> None:
    start = points[-1]
    reach = (end[0] - start[0]) * 0.5
    points += [(start[0] + reach, start[1]), (end[0] - reach, end[1]), end]
    codes += [int(Outline.CURVE4)] * 3
