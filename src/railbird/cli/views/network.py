"""How `railbird network show` shows a network: as text, as a picture and as plain data."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from textwrap import fill
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console

from railbird import __version__
from railbird.bayes.inference import posterior
from railbird.bayes.network import Network
from railbird.bayes.structure import NetworkError, Structure
from railbird.bayes.text import network_text
from railbird.bayes.xdsl.files import read_recipe, read_xdsl
from railbird.cli.output import require_json, write_json
from railbird.places import require_ending, require_output

SCHEMA = "railbird.network/1"
_WIDTH = 80


@dataclass(frozen=True, slots=True)
class Order:
    """What to show of which network, and where."""

    file: Path
    evidence: tuple[str, ...]
    nodes: tuple[str, ...]
    picture: Path | None
    json: Path | None
    force: bool = False


def run(order: Order) -> None:
    """Show a network."""
    require_json(order.json, force=order.force)
    if order.picture is not None:
        require_ending(order.picture, ".png", ".svg")
        require_output(order.picture, force=order.force)
    network, recipe = read_xdsl(order.file), read_recipe(order.file)
    structure = network.structure
    evidence = parse_evidence(structure, order.evidence)
    nodes = list(dict.fromkeys(order.nodes)) or list(structure.order)
    posteriors = posterior(network, evidence, nodes)
    alone = write_json(order.json, lambda: to_json(network, recipe, evidence, posteriors))
    console = Console(highlight=False, soft_wrap=True, markup=False, quiet=alone)
    console.print(summary(order.file, network))
    if recipe:
        console.print("\n".join(["", *_recipe_lines(recipe)]))
    console.print("\n" + network_text(structure, posteriors, evidence, nodes, width=_WIDTH))
    if order.picture is not None:
        from railbird.bayes.picture import network_picture, save_picture

        save_picture(network_picture(structure, posteriors, evidence, nodes), order.picture)
    written = [str(path) for path in (order.picture, order.json) if path is not None]
    if written:
        console.print(f"\nwritten to {' and '.join(written)}")


def parse_evidence(structure: Structure, texts: Sequence[str]) -> dict[str, str]:
    """The evidence from texts such as `Action=Raise`; raises an error for unknown nodes and states."""
    found: dict[str, str] = {}
    for text in texts:
        name, equals, state = (part.strip() for part in text.partition("="))
        if not equals:
            raise NetworkError(f"--evidence {text!r} is not NODE=STATE")
        structure.code(name, state)
        if found.setdefault(name, state) != state:
            raise NetworkError(f"--evidence gives {name} two states, {found[name]} and {state}")
    return found


def summary(file: Path, network: Network) -> str:
    """The size of a network, in one line."""
    structure = network.structure
    arcs = sum(len(parents) for parents in structure.parents.values())
    entries = sum(table.size for table in network.tables.values())
    return f"{file}: {len(structure.variables)} nodes, {arcs} arcs, {entries:,} probabilities"


def to_json(
    network: Network,
    recipe: Mapping[str, Any],
    evidence: Mapping[str, str],
    posteriors: Mapping[str, NDArray[np.float64]],
) -> dict[str, Any]:
    """The nodes with their posteriors as plain data."""
    structure = network.structure
    return {
        "schema": SCHEMA,
        "recipe": recipe,
        "evidence": evidence,
        "nodes": [
            {
                "name": name,
                "parents": list(structure.parents[name]),
                "probabilities": network.tables[name].size,
                "posterior": dict(zip(structure.variable(name).states, numbers.tolist(), strict=True)),
            }
            for name, numbers in posteriors.items()
        ],
        "version": __version__,
    }


def _recipe_lines(recipe: Mapping[str, Any]) -> Iterator[str]:
    for key, value in recipe.items():
        if isinstance(value, list) and any(isinstance(item, Mapping) for item in value):
            yield f"{key}:"
            yield from (_wrapped(f"  {_plain(item)}") for item in value)
        else:
            yield _wrapped(f"{key}: {_plain(value)}")


def _wrapped(line: str) -> str:
    return fill(line, _WIDTH, subsequent_indent="    ", break_on_hyphens=False)


def _plain(value: object) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_plain(item)}" for key, item in value.items())
    if isinstance(value, list):
        return ", ".join(map(_plain, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,}" if isinstance(value, int) else str(value) or "none"
