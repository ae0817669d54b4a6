"""Files of BayCaRP's networks: the variant is recognised by the nodes; groups of players are located next to it."""

from functools import lru_cache
from pathlib import Path

from railbird.agents.shipped import Stamp, shipped_path, stamp
from railbird.bayes.network import Network
from railbird.bayes.structure import NetworkError
from railbird.bayes.xdsl.files import read_xdsl
from railbird.opponents.network.group_files import group_paths, read_groups
from railbird.opponents.network.groups import PlayerGroup
from railbird.opponents.network.nodes import Variant, variant_of

_MOST_NETWORKS = 4
"""Maximum number of networks kept in memory."""


def network_path(text: str) -> Path:
    """The location of a network, given by its path or by its name if it is shipped with the package."""
    return shipped_path("network", text, ".xdsl")


def read_opponents_network(path: Path) -> tuple[Network, Variant]:
    """The network of a file and its variant; read once as long as the file does not change."""
    return _read(stamp(path))


def read_player_groups(path: Path) -> tuple[PlayerGroup, ...]:
    """The groups of players next to a network; read once as long as none of the files changes."""
    return _read_groups(stamp(path), tuple(stamp(each) for each in group_paths(path)))


@lru_cache(maxsize=_MOST_NETWORKS)
def _read_groups(found: Stamp, groups: tuple[Stamp, ...]) -> tuple[PlayerGroup, ...]:  # noqa: ARG001
    return read_groups(found.path, _read(found)[0].structure)


@lru_cache(maxsize=_MOST_NETWORKS)
def _read(found: Stamp) -> tuple[Network, Variant]:
    network = read_xdsl(found.path)
    variant = variant_of(network.structure)
    if variant is None:
        raise NetworkError(
            f"{found.path}: not a network of opponents: its nodes, states or arcs differ "
            "(railbird train-network makes one)"
        )
    return network, variant
