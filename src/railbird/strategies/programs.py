"""The programs that walk sections of a betting tree: what `kernels.solve.programs` describes, written for a seat."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from railbird.kernels.solve.boards import STREETS
from railbird.kernels.solve.programs import (
    AVERAGE,
    COLUMNS,
    DEPTH,
    END,
    FOLD,
    GATHER,
    HAND_DOWN,
    LETTER,
    LETTERS,
    MATCH,
    OUT,
    REACH,
    ROW,
    SEND,
    SHOWDOWN,
    SHOWDOWN_OR_FOLD,
    SKIP,
    STREET,
    STRIDE,
    TAKE_UP,
    UPDATE,
    WHAT,
)
from railbird.strategies.streets import TreeLayout, TreeSection
from railbird.strategies.tree import SHOWDOWN as SHOWDOWN_NODE
from railbird.strategies.tree import UNCONTESTED

_COLUMN = {
    "what": WHAT,
    "street": STREET,
    "row": ROW,
    "stride": STRIDE,
    "depth": DEPTH,
    "reach": REACH,
    "out": OUT,
    "letter": LETTER,
    "end": END,
    "skip": SKIP,
}


@dataclass(frozen=True, slots=True, eq=False)
class WalkProgram:
    """The steps of a walk, and how much room it needs."""

    steps: NDArray[np.int64]
    depth: int
    """How many decisions follow each other at most."""


class _Writer:
    """Writes the steps of a walk through a section, for one seat as the one that learns or answers."""

    def __init__(self, layout: TreeLayout, section: TreeSection, seat: int, *, down: bool, up: bool) -> None:
        self.layout, self.section, self.seat = layout, section, seat
        self.tree = section.tree
        self.down, self.up = down, up
        self.first = int(section.roots[0, 0])
        self.ends = {node: place for place, node in enumerate(section.ends)}
        self.leaves = {node: place for place, node in enumerate(section.leaves)}
        self.steps: list[list[int]] = []
        self.depth = 0

    def add(self, **columns: int) -> int:
        step = [0] * COLUMNS
        for name, number in columns.items():
            step[_COLUMN[name]] = number
        self.steps.append(step)
        return len(self.steps) - 1

    def visit(self, node: int, depth: int, reach: int, out: int) -> None:
        """Write the steps for a node, whose range is at `reach` and whose value goes to `out`."""
        offset = node - self.first
        if offset in self.leaves:
            self._leave(self.leaves[offset], reach, out)
        elif offset in self.ends:
            if self.up:
                what = FOLD if self.tree.kinds[node] == UNCONTESTED else SHOWDOWN
                end = self.ends[offset]
                self.add(what=what, end=end, stride=len(self.ends), reach=reach, out=out)
        else:
            self._decide(node, depth, reach, out)

    def _leave(self, leaf: int, reach: int, out: int) -> None:
        if self.down:
            self.add(what=HAND_DOWN, end=leaf, reach=reach)
        if self.up:
            self.add(what=TAKE_UP, end=leaf, out=out)

    def _decide(self, node: int, depth: int, reach: int, out: int) -> None:
        self.depth = max(self.depth, depth + 1)
        children = self.tree.children[node].tolist()
        possible = sum(1 << letter for letter, child in enumerate(children) if child >= 0)
        layout, batches = self.layout, self.section.roots
        row = int(layout.rows[node])
        stride = 0
        if len(batches) > 1:
            stride = int(layout.rows[batches[1, 0] + node - self.first]) - row
        place = {
            "street": STREETS * layout.book_of(int(self.tree.actors[node])) + int(self.tree.rounds[node]),
            "row": row,
            "stride": stride,
            "depth": depth,
            "reach": reach,
            "letter": possible,
        }
        mine = int(self.tree.actors[node]) == self.seat
        if not mine or self.up:
            self.add(what=MATCH, **place)
        if not mine and self.down:
            self.add(what=AVERAGE, **place)
        skipped = 0
        if mine and self.up and children[0] >= 0 and self.tree.kinds[children[1]] == SHOWDOWN_NODE:
            end = self.ends[children[0] - self.first]
            self.add(
                what=SHOWDOWN_OR_FOLD, end=end, stride=len(self.ends), reach=reach, out=1 + LETTERS * depth
            )
            skipped = 2
        for letter in range(skipped, LETTERS):
            if children[letter] < 0:
                continue
            below = reach if mine else depth + 1
            value = 1 + LETTERS * depth + letter
            sent = -1
            if not mine:
                sent = self.add(what=SEND, **(place | {"letter": letter, "out": below}))
            self.visit(children[letter], depth + 1, below, value)
            if sent >= 0:
                self.steps[sent][SKIP] = len(self.steps)
        if self.up:
            self.add(what=UPDATE if mine else GATHER, **(place | {"out": out}))


def write_program(
    layout: TreeLayout, section: TreeSection, seat: int, *, down: bool = True, up: bool = True
) -> WalkProgram:
    """The steps of a walk: `down` with the opponent's ranges, `up` with the values of a seat, or both at once."""
    writer = _Writer(layout, section, seat, down=down, up=up)
    writer.visit(writer.first, 0, 0, 0)
    return WalkProgram(np.array(writer.steps, dtype=np.int64), writer.depth)
