"""BayCaRP's parts joined in each of the four ways of the TLCPC framework (baycarp-2011 §4.1, §4.2).

    join              description                                                           module
    bn-cbr-1          the network selects the cases that are compared                       bn_cbr_1
    bn-cbr-2          the network's beliefs are attributes of the cases: the thesis         ways
    cbr-bn-1          the similar cases make the network that decides                       cbr_bn_1
    cbr-bn-1-adapt    the cases vote, and a network says which actions work                 cbr_bn_1
    cbr-bn-1-fill     the cases fill in what the network does not know, and it decides      filling
    cbr-bn-2          the opponents' styles select the networks, and these decide           cbr_bn_2
    cases             the cases alone, without the network's beliefs                        alone
    network           the network alone, without cases                                      alone

The parts are always the same (`parts`): the view of a situation, the watched cases, the network that reads opponents,
and the reuse policy. Before the flop the network gives no attributes, so bn-cbr-1 and cbr-bn-1-adapt do the same as
bn-cbr-2.
"""

from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from railbird.agents.baycarp.joins.alone import CasesAlone, NetworkAlone, require_all_holdings
from railbird.agents.baycarp.network import read_opponents_network, read_player_groups
from railbird.agents.baycarp.parts import Join, Parts, Solved
from railbird.agents.baycarp.players import AVERAGE, GROUPS, PLAYERS
from railbird.agents.baycarp.view import View
from railbird.cbr.cycle.episode import Episode
from railbird.cbr.packs.files import Pack
from railbird.observation import Observation
from railbird.opponents.network.beliefs import Beliefs, Reading

BN_CBR_1 = "bn-cbr-1"
BN_CBR_2 = "bn-cbr-2"
CBR_BN_2 = "cbr-bn-2"
CBR_BN_1_FILL = "cbr-bn-1-fill"
CASES = "cases"


class BnCbr2(Join):
    """Reuses the actions of similar situations, in which the opponents' probable hands are attributes."""

    def __init__(self, parts: Parts) -> None:
        self.parts = parts

    def solve(self, observation: Observation, view: View) -> Solved:
        """What to do after all similar cases."""
        return self.parts.plainly(observation, view)

    def episode(self, observation: Observation, view: View) -> Episode:
        """What to do after all similar cases."""
        return self.parts.plain_episode(observation, view)

    def chances(self, observation: Observation, holdings: NDArray[np.int64]) -> NDArray[np.float64]:
        """The probabilities of the solutions with each of the holdings; opponents are read once for all of them."""
        return self.parts.plain_chances(observation, holdings)


def _imported(module: str, name: str) -> Callable[[Parts], Join]:
    """A join of another module, imported when it is used: the thesis's join starts sooner without the others."""

    def make(parts: Parts) -> Join:
        made: Join = getattr(import_module(f"{__package__}.{module}"), name)(parts)
        return made

    return make


JOINS: Mapping[str, Callable[[Parts], Join]] = {
    BN_CBR_1: _imported("bn_cbr_1", "BnCbr1"),
    BN_CBR_2: BnCbr2,
    "cbr-bn-1": _imported("cbr_bn_1", "CbrBn1"),
    "cbr-bn-1-adapt": _imported("cbr_bn_1", "CbrBn1Adapt"),
    CBR_BN_1_FILL: _imported("filling", "CbrBn1Fill"),
    CBR_BN_2: _imported("cbr_bn_2", "CbrBn2"),
    CASES: CasesAlone,
    "network": NetworkAlone,
}
"""Every join by its name, and each of the two alone."""


def verify_players(join: str, players: str) -> None:
    """Refuse a setting of `players` that a join cannot use."""
    if join == CBR_BN_1_FILL and players != AVERAGE:
        raise ValueError(
            f"join={join} fills in the network of the average player: players={players} cannot be combined with it"
        )
    if join == CBR_BN_2 and players not in (AVERAGE, GROUPS):
        raise ValueError(
            f"join={join} selects a network for every player itself: players={players} cannot be combined with it, "
            f"only {AVERAGE} and {GROUPS}"
        )


def beliefs_of(join: str, players: str, network: Path, reading: Reading, pack: Pack) -> Beliefs:
    """What reads opponents in a join; for cbr-bn-2, groups of players are cases from the start."""
    if join == CASES:
        require_all_holdings(reading, join)
    if join == CBR_BN_1_FILL:
        from railbird.agents.baycarp.joins.filling import FilledBeliefs

        return FilledBeliefs(*read_opponents_network(network), reading, pack)
    if join != CBR_BN_2:
        return PLAYERS[players](network, reading)
    from railbird.agents.baycarp.joins.cbr_bn_2 import RetrievedBeliefs

    groups = read_player_groups(network) if players == GROUPS else ()
    return RetrievedBeliefs(*read_opponents_network(network), reading, groups)


def beliefs_learn(join: str, players: str) -> bool:
    """Whether the reader of opponents learns from finished hands."""
    return join == CBR_BN_2 or players != AVERAGE
