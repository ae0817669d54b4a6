"""Groups of players at rest: beside `opponents.xdsl`, the network of all, `opponents-1.xdsl` and so on, one for each.

The recipe of a group's file is that of the network of all, and says besides which of how many groups it is, and how its
players play.
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
    """Where a group's network lies, counted from 1."""
    return network.with_name(f"{network.stem}-{number}{network.suffix}")


def group_paths(network: Path) -> tuple[Path, ...]:
    """The files of all groups that lie beside the network of all."""
    return tuple(takewhile(Path.is_file, (group_path(network, number) for number in count(1))))


def write_groups(network: Path, groups: Sequence[PlayerGroup], recipe: Mapping[str, Any]) -> None:
    """Write the groups beside the network of all, each with the recipe and what is its own."""
    for number, group in enumerate(groups, 1):
        own = {
            "number": number,
            "of": len(groups),
            **{name: getattr(group.centre, name) for name in FIGURES},
            "players": group.players,
            "rows": group.rows,
        }
        write_xdsl(group_path(network, number), group.network, {**recipe, _GROUP: own})


def read_groups(network: Path, structure: Structure) -> tuple[PlayerGroup, ...]:
    """The groups beside the network of all, which has this structure; refused unless all were made together."""
    recipe = read_recipe(network)
    groups: list[PlayerGroup] = []
    expected = 1
    while len(groups) < expected:
        number = len(groups) + 1
        path = group_path(network, number)
        if not path.is_file():
            raise GroupError(
                f"{path}: there is no such file, and group {number} of {network.name} should be there "
                "(railbird train-network makes groups of players with --groups)"
            )
        rest = read_recipe(path)
        own = rest.pop(_GROUP, None)
        if not isinstance(own, dict) or not all(_is_number(own.get(name)) for name in (*FIGURES, *_AMOUNTS)):
            raise GroupError(f"{path}: the recipe does not say which group this is and how its players play")
        expected = own["of"] if number == 1 else expected
        if rest != recipe or (own["number"], own["of"]) != (number, expected):
            raise GroupError(f"{path}: was not made together with {network.name} and the groups before")
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
