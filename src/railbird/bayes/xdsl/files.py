"""XDSL files, the XML that GeNIe and SMILE read and write (baycarp-2011 §3.2).

    <smile version="1.0" id="Garden" numsamples="10000" discsamples="10000">
        <properties><property id="railbird_recipe">{…}</property></properties>
        <nodes>
            <cpt id="Wet"><state id="no" /><state id="yes" /><parents>Rain Hose</parents>
                <probabilities>0.9 0.1 …</probabilities></cpt>
        </nodes>
        <extensions><genie version="1.0" …><node id="Wet">name, colours, position</node></genie></extensions>
    </smile>

Probabilities are written so that exactly the same number is read back. The parents' combinations are in GeNIe's order
(`tables`); files written by aGrUM, which uses the reverse order, are recognised by their `app` and read accordingly.
Names are written unchanged, and refused unless GeNIe accepts them: a letter, then letters, digits and `_`.
"""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from railbird.bayes.layout import arrange
from railbird.bayes.network import Network, Table
from railbird.bayes.structure import NetworkError, Structure, Variable
from railbird.bayes.xdsl.safe_xml import MOST_BYTES, MOST_DEPTH, Element, XmlError, parse
from railbird.bayes.xdsl.tables import conditional_table, determined_table, noisy_max_table
from railbird.places import read_up_to, write_whole
from railbird.plain_data import PlainDataError, read_json

MOST_NODES = 2000
"""Maximum number of nodes; the largest networks in the literature have about a thousand."""
MOST_PROBABILITIES = 10_000_000
"""Maximum number of probabilities in all tables of a network."""
KINDS = {"cpt": conditional_table, "deterministic": determined_table, "noisymax": noisy_max_table}

_RECIPE = "railbird_recipe"
_ORDER = "railbird_order"
_OTHER_ORDER = "aGrUM"
_COLOURS = {"cause": "e5f6f7", "between": "fdf3d8", "effect": "e6f4dc"}


class XdslError(NetworkError):
    """A file that is not a valid XDSL network, or a network that cannot be written as one."""


@dataclass(frozen=True, slots=True)
class _Node:
    """A node whose element has been read, but not yet its table."""

    element: Element
    variable: Variable
    parents: tuple[str, ...]


# Reading


def read_xdsl(path: Path) -> Network:
    """The network in a file; a file that is damaged, unsafe or not a discrete Bayesian network is refused."""
    root = _root(path)
    try:
        return _network(root)
    except XmlError as error:
        raise XdslError(f"{path}, {error}") from None
    except NetworkError as error:
        raise XdslError(f"{path}: {error}") from None


def read_recipe(path: Path) -> dict[str, Any]:
    """The recipe that `write_xdsl` stored in a file; empty if there is none."""
    found = _property(_root(path), _RECIPE)
    if found is None:
        return {}
    try:
        recipe = read_json(found.text, MOST_DEPTH)
    except PlainDataError:
        recipe = None
    if not isinstance(recipe, dict):
        raise XdslError(f"{path}, line {found.line}: the property {_RECIPE} is not a JSON object")
    return recipe


def _property(root: Element, name: str) -> Element | None:
    properties = root.child("properties")
    for each in properties.children if properties is not None else ():
        if each.tag == "property" and each.attributes.get("id") == name:
            return each
    return None


def _root(path: Path) -> Element:
    try:
        content = read_up_to(path, MOST_BYTES)
    except OSError as error:
        raise XdslError(f"{path}: cannot be read: {error.strerror}") from None
    if not content.strip():
        raise XdslError(f"{path}: the file is empty")
    try:
        root = parse(content)
    except XmlError as error:
        raise XdslError(f"{path}, {error}") from None
    if root.tag != "smile":
        raise XdslError(
            f"{path}, line {root.line}: the root element is <{root.tag}>, but XDSL begins with <smile>"
        )
    return root


def _network(root: Element) -> Network:
    dynamic = root.child("dynamic")
    if dynamic is not None:
        raise XmlError(dynamic.line, "dynamic networks are not supported")
    elements = root.child("nodes")
    if elements is None or not elements.children:
        raise XmlError(root.line, "there are no nodes")
    if len(elements.children) > MOST_NODES:
        raise XmlError(elements.line, f"there are {len(elements.children):,} nodes, more than {MOST_NODES:,}")
    nodes: dict[str, _Node] = {}
    for element in elements.children:
        node = _node(element)
        earlier = nodes.setdefault(node.variable.name, node)
        if earlier is not node:
            raise XmlError(
                element.line,
                f"node {node.variable.name} is repeated, first defined in line {earlier.element.line}",
            )
    order = _property(root, _ORDER)
    if order is not None:
        nodes = _in_order(nodes, order)
    structure = _structure(nodes)
    entries = sum(prod(structure.shape(name)) for name in nodes)
    if entries > MOST_PROBABILITIES:
        raise XmlError(
            elements.line, f"the tables have {entries:,} probabilities, more than {MOST_PROBABILITIES:,}"
        )
    other_order = _application(root).startswith(_OTHER_ORDER)
    return Network(structure, {name: _table(node, nodes, other_order) for name, node in nodes.items()})


def _in_order(nodes: Mapping[str, _Node], order: Element) -> dict[str, _Node]:
    """The nodes in the stored order; those added or renamed in GeNIe since then come last."""
    kept = [name for name in dict.fromkeys(order.text.split()) if name in nodes]
    return {name: nodes[name] for name in dict.fromkeys([*kept, *nodes])}


def _application(root: Element) -> str:
    extensions = root.child("extensions")
    genie = extensions.child("genie") if extensions is not None else None
    return genie.attributes.get("app", "") if genie is not None else ""


def _node(element: Element) -> _Node:
    name = _identifier(element, f"a <{element.tag}>")
    if element.tag not in KINDS:
        raise XmlError(
            element.line,
            f"node {name} is of the unsupported kind {element.tag!r}; only {', '.join(KINDS)} are read",
        )
    states = tuple(
        _identifier(each, f"node {name}: a state") for each in element.children if each.tag == "state"
    )
    parents = element.child("parents")
    try:
        return _Node(
            element, Variable(name, states), tuple(parents.text.split()) if parents is not None else ()
        )
    except NetworkError as error:
        raise XmlError(element.line, f"node {error}") from None


def _identifier(element: Element, what: str) -> str:
    found = element.attributes.get("id", "")
    if not found or found.split() != [found]:
        raise XmlError(
            element.line, f"{what} has no id" if not found else f"{what} has a blank in its id {found!r}"
        )
    return found


def _structure(nodes: Mapping[str, _Node]) -> Structure:
    for name, node in nodes.items():
        for place, parent in enumerate(node.parents):
            if parent not in nodes:
                raise XmlError(
                    node.element.line, f"node {name} has the parent {parent!r}, which is not a node"
                )
            if parent in node.parents[:place]:
                raise XmlError(node.element.line, f"node {name} has the parent {parent} twice")
    cycle = _cycle({name: node.parents for name, node in nodes.items()})
    if cycle:
        around = " → ".join([*cycle, cycle[0]])
        raise XmlError(nodes[cycle[0]].element.line, f"node {cycle[0]} depends on itself: {around}")
    return Structure(
        tuple(node.variable for node in nodes.values()), {name: node.parents for name, node in nodes.items()}
    )


def _cycle(parents: Mapping[str, Iterable[str]]) -> list[str]:
    """A cycle of nodes, each a parent of the next and the last of the first; empty if there is none."""
    left = {name: set(each) for name, each in parents.items()}
    while free := [name for name, each in left.items() if not each & left.keys()]:
        for name in free:
            del left[name]
    if not left:
        return []
    path = [next(iter(left))]
    while True:
        parent = next(each for each in parents[path[-1]] if each in left)
        if parent in path:
            return list(reversed(path[path.index(parent) :]))
        path.append(parent)


def _table(node: _Node, nodes: Mapping[str, _Node], other_order: bool) -> Table:
    parents = [nodes[name].variable for name in node.parents]
    if node.element.tag == "cpt":
        return conditional_table(node.element, node.variable, parents, first_parent_fastest=other_order)
    return KINDS[node.element.tag](node.element, node.variable, parents)


# Writing


def write_xdsl(
    path: Path, network: Network, recipe: Mapping[str, Any] | None = None, digits: int | None = None
) -> None:
    """Write a network, laid out for GeNIe, with the recipe that made it. The file is written atomically.

    Probabilities have all their digits, or are rounded to a number of significant ones, which takes less space.
    """
    content = _document(network, _title(path), recipe or {}, digits).encode()
    if len(content) > MOST_BYTES:
        raise XdslError(
            f"{path}: the file would have {len(content):,} bytes, more than the limit of {MOST_BYTES:,}"
        )
    try:
        write_whole(path, lambda file: file.write(content))
    except OSError as error:
        raise XdslError(f"{path}: cannot be written: {error.strerror}") from None


def _title(path: Path) -> str:
    words = re.sub(r"\W", "_", path.stem, flags=re.ASCII)
    return words if _is_identifier(words) else f"Network_{words}"


def _is_identifier(name: str) -> bool:
    return name[:1].isalpha() and all(
        letter == "_" or letter.isalpha() or letter.isdecimal() for letter in name
    )


def _document(network: Network, title: str, recipe: Mapping[str, Any], digits: int | None) -> str:
    structure = network.structure
    for variable in structure.variables:
        for name in (variable.name, *variable.states):
            if not _is_identifier(name):
                raise XdslError(
                    f"{variable.name}: {name!r} is not a valid name in GeNIe: a letter, then letters, digits and _"
                )
    names = tuple(each.name for each in structure.variables)
    # GeNIe lists parents before their children; if the variables are in another order, a property stores it.
    written = names if _is_topological(structure) else structure.order
    properties = {_RECIPE: _json(recipe)} if recipe else {}
    if written != names:
        properties[_ORDER] = " ".join(names)
    lines = ['<?xml version="1.0" encoding="UTF-8"?>']
    lines.append(f'<smile version="1.0" id="{title}" numsamples="10000" discsamples="10000">')
    if properties:
        lines.append("\t<properties>")
        lines += [f'\t\t<property id="{key}">{escape(value)}</property>' for key, value in properties.items()]
        lines.append("\t</properties>")
    lines.append("\t<nodes>")
    for name in written:
        lines.append(f'\t\t<cpt id="{name}">')
        lines += [f'\t\t\t<state id="{state}" />' for state in structure.variable(name).states]
        if structure.parents[name]:
            lines.append(f"\t\t\t<parents>{' '.join(structure.parents[name])}</parents>")
        written_as = repr if digits is None else f"{{:.{digits}g}}".format
        numbers = " ".join(map(written_as, network.tables[name].ravel().tolist()))
        lines += [f"\t\t\t<probabilities>{numbers}</probabilities>", "\t\t</cpt>"]
    lines += ["\t</nodes>", "\t<extensions>"]
    lines.append(f'\t\t<genie version="1.0" app="Railbird" name="{title}" faultnameformat="nodestate">')
    lines += _screen(structure)
    lines += ["\t\t</genie>", "\t</extensions>", "</smile>", ""]
    return "\n".join(lines)


def _is_topological(structure: Structure) -> bool:
    places = structure.places
    return all(
        places[parent] < places[name] for name, parents in structure.parents.items() for parent in parents
    )


def _json(recipe: Mapping[str, Any]) -> str:
    try:
        return json.dumps(dict(recipe), allow_nan=False)
    except (TypeError, ValueError) as error:
        raise XdslError(f"a recipe must be data that JSON can represent: {error}") from None


def _screen(structure: Structure) -> Iterable[str]:
    """How GeNIe shows the nodes: bar charts of the size of their boxes, so that none overlap."""
    sizes = {each.name: _chart_size(each) for each in structure.variables}
    layout = arrange(structure, sizes, gap=24, corridor=96)
    for name in structure.order:
        box = layout.boxes[name]
        role = "effect" if not structure.children(name) else "between"
        colour = _COLOURS["cause" if not structure.parents[name] else role]
        left, top = 24 + round(box.left), 24 + round(box.top)
        width, height = round(box.width), round(box.height)
        yield f'\t\t\t<node id="{name}">'
        yield f"\t\t\t\t<name>{name}</name>"
        yield f'\t\t\t\t<interior color="{colour}" />'
        yield '\t\t\t\t<outline color="000080" />'
        yield '\t\t\t\t<font color="000000" name="Arial" size="8" />'
        yield f"\t\t\t\t<position>{left} {top} {left + width} {top + height}</position>"
        yield f'\t\t\t\t<barchart active="true" width="{width}" height="{height}" />'
        yield "\t\t\t</node>"


def _chart_size(variable: Variable) -> tuple[float, float]:
    """Pixels for the title and a row for every state: its name, its percentage and its bar."""
    letters = max(len(variable.name) + 2, max(map(len, variable.states)) + 14)
    return 16.0 + 7 * letters, 30.0 + 17 * len(variable)
