"""How BayCaRP tells opponents apart (baycarp-2011 §9.1): one network for all, one for each, or one for each group.

players     who reads an opponent
average     the network of all, which knows VPIP and PFR: the thesis
adapting    a network of the opponent's own, which starts as that of all (`opponents.network.adapting`)
groups      the network of players who play like it, beside that of all (`opponents.network.groups`)
"""

from collections.abc import Callable, Mapping
from pathlib import Path

from railbird.agent import HandResult
from railbird.agents.baycarp.network import read_opponents_network, read_player_groups
from railbird.engine.events import Post
from railbird.engine.record import HandRecord
from railbird.engine.setup import Setup
from railbird.opponents.network.adapting import AdaptingBeliefs
from railbird.opponents.network.beliefs import Beliefs, Reading
from railbird.opponents.network.group_files import group_paths
from railbird.opponents.network.groups import GroupedBeliefs

AVERAGE = "average"
GROUPS = "groups"


def _average(path: Path, reading: Reading) -> Beliefs:
    return Beliefs(*read_opponents_network(path), reading)


def _adapting(path: Path, reading: Reading) -> Beliefs:
    return AdaptingBeliefs(*read_opponents_network(path), reading)


def _groups(path: Path, reading: Reading) -> Beliefs:
    network, variant = read_opponents_network(path)
    return GroupedBeliefs(network, read_player_groups(path), variant, reading)


PLAYERS: Mapping[str, Callable[[Path, Reading], Beliefs]] = {
    AVERAGE: _average,
    "adapting": _adapting,
    GROUPS: _groups,
}
"""By name what makes beliefs from the file of the network of all."""


def files_of(players: str, network: Path) -> tuple[Path, ...]:
    """The networks that are read."""
    return (network, *(group_paths(network) if players == GROUPS else ()))


def record_of(result: HandResult, setup: Setup) -> HandRecord | None:
    """A hand as it was seen, if it began like one of which the setup was seen; else there is none."""
    posts = tuple(event for event in result.events if isinstance(event, Post))
    if posts != setup.posts or len(result.players) != setup.rules.players:
        return None
    return HandRecord(str(result.hand_number), setup, result.players, result.events)
