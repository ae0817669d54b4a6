"""Cases and network without each other: what the joins are compared with.

`CasesAlone` measures its hand against all holdings and compares no hand types. Its pack must be made the same way, with
`railbird watch --as baycarp:ranges=all`; then nothing in it depends on the network. `NetworkAlone` takes the action
worth most against what the network believes, and uses no cases.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from railbird.agents.baycarp.attributes import HAND_TYPES
from railbird.agents.baycarp.joins.worth import ByWorth
from railbird.agents.baycarp.parts import Join, Parts, Solved
from railbird.agents.baycarp.view import View
from railbird.agents.casper.attributes import STAGES
from railbird.cbr.cycle.episode import Episode
from railbird.cbr.cycle.retrieve import Retrieve
from railbird.cbr.packs.files import PackError
from railbird.observation import Observation
from railbird.opponents.network.beliefs import READINGS, Reading


class CasesAlone(Join):
    """Reuses the actions of similar situations, whatever the opponents may hold."""

    def __init__(self, parts: Parts) -> None:
        nothing = dict.fromkeys(HAND_TYPES, 0.0)
        retrieve = dict(parts.retrieve)
        for stage in STAGES[1:]:
            before = retrieve[stage]
            retrieve[stage] = Retrieve(before.similarity.with_weights(nothing), before.policy)
        self.parts = replace(parts, retrieve=retrieve)

    def solve(self, observation: Observation, view: View) -> Solved:
        """What to do after all similar cases."""
        return self.parts.plainly(observation, view)

    def episode(self, observation: Observation, view: View) -> Episode:
        """What to do after all similar cases."""
        return self.parts.plain_episode(observation, view)

    def chances(self, observation: Observation, holdings: NDArray[np.int64]) -> NDArray[np.float64]:
        """The probabilities of the solutions with each of the holdings."""
        return self.parts.plain_chances(observation, holdings)


def require_all_holdings(reading: Reading, name: str) -> None:
    """Refuse ranges of a network's beliefs for the cases alone; `name` is that of the join."""
    if reading != READINGS["all"]:
        raise PackError(
            f"join={name} needs cases without a network's beliefs: a pack of railbird watch --as baycarp:ranges=all"
        )


class NetworkAlone(ByWorth):
    """Takes the action worth most against what the network believes."""
