"""BayCaRP's networks at rest: which variant a file holds is seen from its nodes; groups of players lie beside it."""

from functools import lru_cache
from itertools import product
from pathlib import Path

from railbird.agents.shipped import Stamp, shipped_path, stamp
from railbird.bayes.network import Network
from railbird.bayes.structure import NetworkError
from railbird.bayes.xdsl.files import read_xdsl
from railbird.opponents.network.group_files import group_paths, read_groups
from railbird.opponents.network.groups import PlayerGroup
from railbird.opponents.network.nodes import Variant, structure

_MOST_NETWORKS = 4
"""So many networks are kept in memory."""


def network_path(text: str) -> Path:
    """Where a network lies: by its path, or by the name of one that comes with the package."""
    return shipped_path("network", text, ".xdsl")


def read_opponents_network(path: Path) -> tuple[Network, Variant]:
    """The network of a file that reads opponents, and which variant it is; read once while it does not change."""
    return _read(stamp(path))


def read_player_groups(path: Path) -> tuple[PlayerGroup, ...]:
    """The groups of players beside a network; read once while none of the files changes."""
    return _read_groups(stamp(path), tuple(stamp(each) for each in group_paths(path)))


@lru_cache(maxsize=_MOST_NETWORKS)
def _read_groups(found: Stamp, groups: tuple[Stamp, ...]) -> tuple[PlayerGroup, ...]:  # noqa: ARG001
    return read_groups(found.path, _read(found)[0].structure)


@lru_cache(maxsize=_MOST_NETWORKS)
def _read(found: Stamp) -> tuple[Network, Variant]:
    network = read_xdsl(found.path)
    for options in product((False, True), repeat=len(Variant.__slots__)):
        variant = Variant(*options)
        if structure(variant) == network.structure:
            return network, variant
    raise NetworkError(
        f"{found.path}: is no network of opponents: its nodes, states or arcs are others "
        "(railbird train-network makes one)"
    )
