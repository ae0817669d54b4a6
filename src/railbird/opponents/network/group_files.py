"""Files of player groups: next to the population network `opponents.xdsl`, `opponents-1.xdsl` and so on per group.

The recipe in a group's file is that of the population network, with the number of the group, the number of groups, and
the style of its players added.
"""

from collections.abc import Mapping, Sequence
from itertools import count, takewhile
from pathlib import Path
from typing import Any

from railbird.bayes.structure import Structure
from railbird.bayes.xdsl.files import read_recipe, read_xdsl, write_xdsl
from railbird.opponents.network.groups import FIGURES, Centre, GroupError, PlayerGroup

_GROUP = "group"
_AMOUNTS = ("number", "of", "players", "rows")


def group_path(network: Path, number: int) -> Path:
    """The path of a group's network, counted from 1."""
    return network.with_name(f"{network.stem}-{number}{network.suffix}")


def group_paths(network: Path) -> tuple[Path, ...]:
    """The files of all groups next to the population network."""
    return tuple(takewhile(Path.is_file, (group_path(network, number) for number in count(1))))


def write_groups(
    network: Path, groups: Sequence[PlayerGroup], recipe: Mapping[str, Any], digits: int | None = None
) -> None:
    """Write the groups next to the population network, each with the recipe and its own data."""
    for number, group in enumerate(groups, 1):
        own = {
            "number": number,
            "of": len(groups),
            **{name: getattr(group.centre, name) for name in FIGURES},
            "players": group.players,
            "rows": group.rows,
        }
        write_xdsl(group_path(network, number), group.network, {**recipe, _GROUP: own}, digits)


def read_groups(network: Path, structure: Structure) -> tuple[PlayerGroup, ...]:
    """The groups next to the population network, which has this structure; refused unless all were made together."""
    recipe = read_recipe(network)
    groups: list[PlayerGroup] = []
    expected = 1
    while len(groups) < expected:
        number = len(groups) + 1
        path = group_path(network, number)
        if not path.is_file():
            raise GroupError(
                f"{path}: no such file; it should contain group {number} of {network.name} "
                "(create groups of players with railbird train-network --groups)"
            )
        rest = read_recipe(path)
        own = rest.pop(_GROUP, None)
        if not isinstance(own, dict) or not all(_is_number(own.get(name)) for name in (*FIGURES, *_AMOUNTS)):
            raise GroupError(
                f"{path}: the recipe does not give the number of the group and the style of its players"
            )
        expected = own["of"] if number == 1 else expected
        if rest != recipe or (own["number"], own["of"]) != (number, expected):
            raise GroupError(
                f"{path}: the file was not made together with {network.name} and the previous groups"
            )
        found = read_xdsl(path)
        if found.structure != structure:
            raise GroupError(f"{path}: its nodes, states or arcs are not those of {network.name}")
        groups.append(PlayerGroup(_centre(path, own), found, int(own["players"]), int(own["rows"])))
    return tuple(groups)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _centre(path: Path, own: Mapping[str, Any]) -> Centre:
    try:
        return Centre(*(float(own[name]) for name in FIGURES))
    except GroupError as error:
        raise GroupError(f"{path}: {error}") from None
