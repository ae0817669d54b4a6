"""Bayesian networks as plain data: layout, and posteriors given evidence.

The picture follows GeNIe (baycarp-2011 fig. 6.6): every variable is a box with a bar for each state. Positions are in
pixels with the origin at (0, 0); a box has room for `MOST_ROWS` states, and scrolls if there are more.
"""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Any

from railbird.agents.shipped import Stamp, stamp
from railbird.bayes.inference import posterior
from railbird.bayes.layout import Box, Layout, arrange, courses
from railbird.bayes.network import Network
from railbird.bayes.structure import Structure, Variable
from railbird.bayes.xdsl.files import read_recipe, read_xdsl
from railbird.interfaces.web.explore.knowledge import NETWORKS, Item, Shelf, item
from railbird.opponents.network.nodes import node_title, state_title

MOST_ROWS = 24
_MOST_NETWORKS, _MOST_ANSWERS = 4, 256
_HEADING, _ROW, _PADDING = 32.0, 24.0, 8.0
_LETTER, _HEADING_LETTER, _BAR_AND_SHARE = 8.0, 8.6, 128.0
_NARROWEST, _WIDEST = 170.0, 360.0
_GAP, _CORRIDOR = 22.0, 84.0
_TOLD = ("made by", "version", "variant", "hands", "rows")


class ExploredNetwork:
    """A network open for exploration."""

    def __init__(self, path: Path) -> None:
        self.network: Network = read_xdsl(path)
        self.recipe = {key: value for key, value in read_recipe(path).items() if key in _TOLD}
        structure = self.network.structure
        sizes = {each.name: _size(each) for each in structure.variables}
        self.layout: Layout = arrange(structure, sizes, gap=_GAP, corridor=_CORRIDOR)


_SHELF = Shelf(ExploredNetwork, _MOST_NETWORKS)
_THINKING = Lock()
"""A query may need much memory, so there is only one at a time."""


def picture(name: str) -> dict[str, Any]:
    """The variables of a network with their states and boxes, and the arcs between them."""
    found = item(NETWORKS, name)
    explored = _SHELF.get(found)
    structure, layout = explored.network.structure, explored.layout
    return {
        "id": found.id,
        "title": found.title,
        "comes_along": found.comes_along,
        "recipe": explored.recipe,
        "probabilities": sum(table.size for table in explored.network.tables.values()),
        "width": layout.width,
        "height": layout.height,
        "variables": [_variable(structure, each, layout.boxes[each]) for each in structure.order],
        "arcs": [
            {"parent": parent, "child": child, "points": points}
            for (parent, child), points in courses(layout).items()
        ],
    }


def posteriors(name: str, evidence: Mapping[str, str]) -> dict[str, list[float]]:
    """The exact probabilities of all states, given the known states."""
    found = item(NETWORKS, name)
    structure = _SHELF.get(found).network.structure
    for variable, state in evidence.items():
        structure.code(variable, state)
    with _THINKING:
        return _answer(found, stamp(found.path), tuple(sorted(evidence.items())))


@lru_cache(maxsize=_MOST_ANSWERS)
def _answer(found: Item, _: Stamp, evidence: tuple[tuple[str, str], ...]) -> dict[str, list[float]]:
    network = _SHELF.get(found).network
    return {name: numbers.tolist() for name, numbers in posterior(network, dict(evidence)).items()}


def _size(variable: Variable) -> tuple[float, float]:
    longest = max(len(state_title(variable.name, state)) for state in variable.states)
    heading = _HEADING_LETTER * len(node_title(variable.name))
    wanted = max(_LETTER * longest + _BAR_AND_SHARE, heading) + 2 * _PADDING
    height = _HEADING + _PADDING + _ROW * min(len(variable), MOST_ROWS)
    return min(max(wanted, _NARROWEST), _WIDEST), height


def _variable(structure: Structure, name: str, box: Box) -> dict[str, Any]:
    return {
        "name": name,
        "title": node_title(name),
        "states": [
            {"name": state, "title": state_title(name, state)} for state in structure.variable(name).states
        ],
        "parents": list(structure.parents[name]),
        "left": box.left,
        "top": box.top,
        "width": box.width,
        "height": box.height,
    }
