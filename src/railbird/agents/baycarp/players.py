"""How BayCaRP distinguishes opponents (baycarp-2011 §9.1): one network for all, one per player, or one per group.

players     network that reads an opponent
average     the population network, with VPIP and PFR as nodes: the thesis
adapting    the opponent's own network, which starts as the population network (`opponents.network.adapting`)
groups      the network of players with a similar style, next to the population network (`opponents.network.groups`)
"""

from collections.abc import Callable, Mapping
from pathlib import Path

from railbird.agent import HandResult
from railbird.agents.baycarp.network import read_opponents_network, read_player_groups
from railbird.engine.events import Post
from railbird.engine.record import HandRecord
from railbird.engine.setup import Setup
from railbird.opponents.network.beliefs import Beliefs, Reading
from railbird.opponents.network.group_files import group_paths
from railbird.opponents.network.groups import GroupedBeliefs

AVERAGE = "average"
GROUPS = "groups"


def _average(path: Path, reading: Reading) -> Beliefs:
    return Beliefs(*read_opponents_network(path), reading)


def _adapting(path: Path, reading: Reading) -> Beliefs:
    # The other ways start sooner without the modules of this one.
    from railbird.opponents.network.adapting import AdaptingBeliefs

    return AdaptingBeliefs(*read_opponents_network(path), reading)


def _groups(path: Path, reading: Reading) -> Beliefs:
    network, variant = read_opponents_network(path)
    return GroupedBeliefs(network, read_player_groups(path), variant, reading)


PLAYERS: Mapping[str, Callable[[Path, Reading], Beliefs]] = {
    AVERAGE: _average,
    "adapting": _adapting,
    GROUPS: _groups,
}
"""Functions that make beliefs from the file of the population network, by name."""


def files_of(players: str, network: Path) -> tuple[Path, ...]:
    """The network files."""
    return (network, *(group_paths(network) if players == GROUPS else ()))


def record_of(result: HandResult, setup: Setup) -> HandRecord | None:
    """The record of a hand, if its setup matches the one observed; otherwise None."""
    posts = tuple(event for event in result.events if isinstance(event, Post))
    if posts != setup.posts or len(result.players) != setup.rules.players:
        return None
    return HandRecord(str(result.hand_number), setup, result.players, result.events)
