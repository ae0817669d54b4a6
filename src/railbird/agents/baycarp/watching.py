"""How BayCaRP's cases are made: all players at the table are observed and read by the network, as in play."""

from dataclasses import asdict
from functools import partial
from hashlib import sha256

from railbird.agents.baycarp.cases import SYSTEM, TABLE, THRESHOLDS
from railbird.agents.baycarp.network import network_path, read_opponents_network
from railbird.agents.baycarp.outcomes import G_BUCKS, judge_of, worth_of
from railbird.agents.baycarp.view import Viewer
from railbird.agents.casper.agent import ELSE_NEAREST
from railbird.agents.holdem import plays_limit_holdem
from railbird.agents.system import Described, System
from railbird.cbr.cycle.retrieve import AtLeastElseNearest
from railbird.engine.actions import Action
from railbird.engine.record import HandRecord
from railbird.features.outcomes import name_of
from railbird.observation import Observation
from railbird.opponents.network.beliefs import THESIS, Beliefs, Reading

NETWORK = "baycarp"
"""The network shipped with the package."""


class _Describer:
    """Reads opponents as an agent at the table would."""

    def __init__(self, beliefs: Beliefs) -> None:
        self._viewer = Viewer(beliefs)

    def describe(self, observation: Observation, action: Action) -> Described:
        """A decision: its attributes, its cost as outcome, and its worth as rider."""
        view = self._viewer.view(observation)
        name = name_of(observation, action.kind)
        worth = worth_of(observation, view, self._viewer, name)
        return Described(view.attributes, name, judge_of(observation, name), (worth,), view.target.own)

    def follow(self, record: HandRecord) -> None:
        """Count the actions of all players."""
        self._viewer.follow(record)


def baycarp_system(network: str = "", reading: Reading = THESIS) -> System:
    """BayCaRP's cases, read with a network given by its path or by the name of a shipped one."""
    path = network_path(network or NETWORK)
    loaded, variant = read_opponents_network(path)
    beliefs = Beliefs(loaded, variant, reading)
    return System(
        SYSTEM,
        TABLE,
        partial(_Describer, beliefs),
        plays_limit_holdem,
        "limit hold'em",
        "what the action cost in small bets, positive if the hand was won and negative if it was lost or folded",
        (G_BUCKS,),
        {
            "network": {"name": path.name, "sha256": sha256(path.read_bytes()).hexdigest()},
            "reading": asdict(reading),
        },
        retrieval=lambda stage: AtLeastElseNearest(THRESHOLDS[stage], ELSE_NEAREST),
    )
