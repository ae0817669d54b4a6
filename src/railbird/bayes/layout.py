"""The layout of a network's boxes: columns from causes to effects, with short arcs and few crossings.

1. A variable is placed one column to the right of its rightmost parent; one without parents just before its first
   child, where its arcs are short.
2. An arc across several columns gets a narrow place of its own in each column between, so that it crosses no box.
3. Columns are swept back and forth: each is sorted by the mean position of its neighbours, and the order with the
   fewest crossings is kept (Sugiyama, Tagawa and Toda 1981).
4. Heights: each place should be level with its neighbours; the best heights that keep the order and the gaps are an
   isotonic regression.
"""

from bisect import bisect_right, insort
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from railbird.bayes.structure import Structure

_SWEEPS = 12
_PORT_GAP, _PORT_SIDE = 14.0, 0.7
"""Maximum distance between the arcs at a box, and the share of its side that they may use."""
_Place = tuple[str, str, int] | str
"""A variable's name, or the place where an arc (parent, child) passes a column."""


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle; x grows to the right, y grows downwards."""

    left: float
    top: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """The right edge."""
        return self.left + self.width

    @property
    def bottom(self) -> float:
        """The lower edge."""
        return self.top + self.height

    @property
    def middle(self) -> float:
        """The vertical centre."""
        return self.top + self.height / 2


@dataclass(frozen=True, slots=True)
class Arc:
    """From a parent to a child, through boxes of zero height in the columns between."""

    parent: str
    child: str
    passes: tuple[Box, ...]


@dataclass(frozen=True, slots=True)
class Layout:
    """Boxes by variable, and arcs, in a drawing with its origin at (0, 0)."""

    boxes: Mapping[str, Box]
    arcs: tuple[Arc, ...]
    width: float
    height: float


def arrange(
    structure: Structure, sizes: Mapping[str, tuple[float, float]], *, gap: float, corridor: float
) -> Layout:
    """Place boxes of the given (width, height), `gap` apart in a column, with `corridor` between columns."""
    columns, neighbours = _places(structure, columns_of(structure))
    columns = _uncrossed(columns, neighbours)
    heights = {place: sizes[place][1] if isinstance(place, str) else 0.0 for place in neighbours}
    middles = _level(columns, neighbours, heights, gap)
    highest = min(middles[place] - heights[place] / 2 for place in middles)
    boxes: dict[_Place, Box] = {}
    left = 0.0
    for column in columns:
        width = max((sizes[place][0] for place in column if isinstance(place, str)), default=0.0)
        for place in column:
            top = middles[place] - heights[place] / 2 - highest
            own = sizes[place][0] if isinstance(place, str) else width
            boxes[place] = Box(left + (width - own) / 2, top, own, heights[place])
        left += width + corridor
    passes: dict[tuple[str, str], list[Box]] = {}
    for place, box in boxes.items():
        if not isinstance(place, str):
            passes.setdefault(place[:2], []).append(box)
    arcs = tuple(
        Arc(parent, child, tuple(passes.get((parent, child), ())))
        for child, parents in structure.parents.items()
        for parent in parents
    )
    named = {each.name: boxes[each.name] for each in structure.variables}
    return Layout(named, arcs, left - corridor, max(box.bottom for box in boxes.values()))


def courses(layout: Layout) -> dict[tuple[str, str], tuple[tuple[float, float], ...]]:
    """By parent and child, the points of an arc: from the parent, through both ends of all passes, to the child."""
    boxes, arcs = layout.boxes, layout.arcs
    leaving = _ports(boxes, [(arc.parent, (*arc.passes, boxes[arc.child])[0], arc) for arc in arcs])
    entering = _ports(boxes, [(arc.child, (boxes[arc.parent], *arc.passes)[-1], arc) for arc in arcs])
    return {
        (arc.parent, arc.child): (
            (boxes[arc.parent].right, leaving[arc.parent, arc.child]),
            *((edge, box.middle) for box in arc.passes for edge in (box.left, box.right)),
            (boxes[arc.child].left, entering[arc.parent, arc.child]),
        )
        for arc in arcs
    }


def _ports(boxes: Mapping[str, Box], ends: Iterable[tuple[str, Box, Arc]]) -> dict[tuple[str, str], float]:
    """The height at which each arc meets its box: arcs on a side are spread over it in the order of their origins."""
    sides: dict[str, list[tuple[float, Arc]]] = {}
    for name, beside, arc in ends:
        sides.setdefault(name, []).append((beside.middle, arc))
    ports = {}
    for name, arcs in sides.items():
        box = boxes[name]
        step = min(_PORT_GAP, box.height * _PORT_SIDE / len(arcs))
        first = box.middle - step * (len(arcs) - 1) / 2
        for number, (_, arc) in enumerate(sorted(arcs, key=lambda each: each[0])):
            ports[arc.parent, arc.child] = first + step * number
    return ports


def columns_of(structure: Structure) -> dict[str, int]:
    """The column of every variable, counted from 0; parents come before children."""
    columns: dict[str, int] = {}
    for name in structure.order:
        columns[name] = max((columns[parent] + 1 for parent in structure.parents[name]), default=0)
    for name in structure.order:
        children = structure.children(name)
        if children and not structure.parents[name]:
            columns[name] = min(columns[child] for child in children) - 1
    return columns


def _places(
    structure: Structure, column_of: Mapping[str, int]
) -> tuple[list[list[_Place]], dict[_Place, tuple[list[_Place], list[_Place]]]]:
    """The places in every column, and for every place its neighbours to the left and to the right."""
    columns: list[list[_Place]] = [[] for _ in range(max(column_of.values()) + 1)]
    neighbours: dict[_Place, tuple[list[_Place], list[_Place]]] = {}
    for name in structure.order:
        columns[column_of[name]].append(name)
        neighbours[name] = ([], [])
    for child, parents in structure.parents.items():
        for parent in parents:
            path: list[_Place] = [parent]
            for column in range(column_of[parent] + 1, column_of[child]):
                place = (parent, child, column)
                columns[column].append(place)
                neighbours[place] = ([], [])
                path.append(place)
            for left, right in pairwise([*path, child]):
                neighbours[left][1].append(right)
                neighbours[right][0].append(left)
    return columns, neighbours


def _uncrossed(
    columns: Sequence[Sequence[_Place]], neighbours: Mapping[_Place, tuple[list[_Place], list[_Place]]]
) -> list[list[_Place]]:
    """The columns, ordered with the fewest crossings that sweeping finds."""
    current = [list(column) for column in columns]
    best, fewest = [list(column) for column in current], _crossings(current, neighbours)
    for sweep in range(_SWEEPS):
        side = sweep % 2
        for number in range(len(current)) if side == 0 else reversed(range(len(current))):
            beside = number - 1 if side == 0 else number + 1
            if not 0 <= beside < len(current):
                continue
            ranks = {place: rank for rank, place in enumerate(current[beside])}
            wanted = {}
            for rank, place in enumerate(current[number]):
                found = [ranks[each] for each in neighbours[place][side]]
                wanted[place] = sum(found) / len(found) if found else rank * len(ranks) / len(current[number])
            current[number].sort(key=wanted.__getitem__)
        crossings = _crossings(current, neighbours)
        if crossings < fewest:
            best, fewest = [list(column) for column in current], crossings
    return best


def _crossings(
    columns: Sequence[Sequence[_Place]], neighbours: Mapping[_Place, tuple[list[_Place], list[_Place]]]
) -> int:
    count = 0
    for left, right in pairwise(columns):
        ranks = {place: rank for rank, place in enumerate(right)}
        above: list[int] = []
        for place in left:
            ends = [ranks[each] for each in neighbours[place][1]]
            count += sum(len(above) - bisect_right(above, end) for end in ends)
            for end in ends:
                insort(above, end)
    return count


def _level(
    columns: Sequence[Sequence[_Place]],
    neighbours: Mapping[_Place, tuple[list[_Place], list[_Place]]],
    heights: Mapping[_Place, float],
    gap: float,
) -> dict[_Place, float]:
    """The vertical centre of every place: level with its neighbours as far as order and gaps allow."""
    middles: dict[_Place, float] = {}
    for column in columns:
        total = sum(heights[place] for place in column) + gap * (len(column) - 1)
        top = -total / 2
        for place in column:
            middles[place] = top + heights[place] / 2
            top += heights[place] + gap
    for sweep in range(_SWEEPS):
        for column in columns if sweep % 2 == 0 else reversed(columns):
            wanted = []
            for place in column:
                around = [middles[each] for side in neighbours[place] for each in side]
                wanted.append(sum(around) / len(around) if around else middles[place])
            distances = [(heights[first] + heights[second]) / 2 + gap for first, second in pairwise(column)]
            middles.update(zip(column, _spaced(wanted, distances), strict=True))
    return middles


def _spaced(wanted: Sequence[float], distances: Sequence[float]) -> list[float]:
    """The numbers closest to those wanted such that neighbours differ by at least their distance.

    >>> _spaced([0.0, 0.0, 9.0], [2.0, 2.0])
    [-1.0, 1.0, 9.0]
    """
    offsets = [0.0]
    for distance in distances:
        offsets.append(offsets[-1] + distance)
    blocks: list[tuple[float, int]] = []
    for value, offset in zip(wanted, offsets, strict=True):
        total, count = value - offset, 1
        while blocks and blocks[-1][0] / blocks[-1][1] > total / count:
            before, many = blocks.pop()
            total, count = total + before, count + many
        blocks.append((total, count))
    means = [total / count for total, count in blocks for _ in range(count)]
    return [mean + offset for mean, offset in zip(means, offsets, strict=True)]
