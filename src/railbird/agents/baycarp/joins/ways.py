"""BayCaRP's parts joined in each of the four ways of the TLCPC framework (baycarp-2011 §4.1, §4.2).

    join              what happens                                                          module
    bn-cbr-1          the network says which cases are compared at all                      baycarp_bn_cbr_1
    bn-cbr-2          what the network believes is attributes of the cases: the thesis      here
    cbr-bn-1          the similar cases make the network that decides                       baycarp_cbr_bn_1
    cbr-bn-1-adapt    the cases vote, and a network says what works here                    baycarp_cbr_bn_1
    cbr-bn-2          the opponents' styles say which networks read them, and these decide  baycarp_cbr_bn_2

The parts are always the same (`baycarp_parts`): the view of a situation, the cases that were watched, the network that
reads opponents, and the way in which cases are reused. Before the flop the network gives no attributes, so bn-cbr-1 and
cbr-bn-1-adapt do there what bn-cbr-2 does.
"""

from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from railbird.agents.baycarp.joins.bn_cbr_1 import BnCbr1
from railbird.agents.baycarp.joins.cbr_bn_1 import CbrBn1, CbrBn1Adapt
from railbird.agents.baycarp.joins.cbr_bn_2 import CbrBn2, RetrievedBeliefs
from railbird.agents.baycarp.network import read_opponents_network, read_player_groups
from railbird.agents.baycarp.parts import Join, Parts, Solved
from railbird.agents.baycarp.players import AVERAGE, GROUPS, PLAYERS
from railbird.agents.baycarp.view import View
from railbird.cbr.cycle.episode import Episode
from railbird.observation import Observation
from railbird.opponents.network.beliefs import Beliefs, Reading

BN_CBR_2 = "bn-cbr-2"
CBR_BN_2 = "cbr-bn-2"


class BnCbr2(Join):
    """Does what was done in similar situations, where what opponents hold is part of a situation."""

    def __init__(self, parts: Parts) -> None:
        self.parts = parts

    def solve(self, observation: Observation, view: View) -> Solved:
        """What to do after all similar cases."""
        return self.parts.plainly(observation, view)

    def episode(self, observation: Observation, view: View) -> Episode:
        """What to do after all similar cases."""
        return self.parts.plain_episode(observation, view)

    def chances(self, observation: Observation, holdings: NDArray[np.int64]) -> NDArray[np.float64]:
        """How probable every solution is with each of the holdings; opponents are read once for all of them."""
        return self.parts.plain_chances(observation, holdings)


JOINS: Mapping[str, Callable[[Parts], Join]] = {
    "bn-cbr-1": BnCbr1,
    BN_CBR_2: BnCbr2,
    "cbr-bn-1": CbrBn1,
    "cbr-bn-1-adapt": CbrBn1Adapt,
    CBR_BN_2: CbrBn2,
}
"""Every join by its name."""


def verify_players(join: str, players: str) -> None:
    """Refuse a way to tell players apart that a join has no use for."""
    if join == CBR_BN_2 and players not in (AVERAGE, GROUPS):
        raise ValueError(
            f"join={join} chooses a network for every player itself: players={players} cannot be joined with it, "
            f"{AVERAGE} and {GROUPS} can"
        )


def beliefs_of(join: str, players: str, network: Path, reading: Reading) -> Beliefs:
    """What reads opponents in a join; for cbr-bn-2, groups of players are cases from the beginning."""
    if join != CBR_BN_2:
        return PLAYERS[players](network, reading)
    groups = read_player_groups(network) if players == GROUPS else ()
    return RetrievedBeliefs(*read_opponents_network(network), reading, groups)


def beliefs_learn(join: str, players: str) -> bool:
    """Whether what reads opponents learns from hands that are over."""
    return join == CBR_BN_2 or players != AVERAGE
