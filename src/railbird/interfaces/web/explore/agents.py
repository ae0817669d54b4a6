"""Agents as plain data for the browser: what each is, and what players of its name did in the hands of this store.

At a table an agent is called by its name, with its parameters and a number where it has them (`random 2`,
`pokibot:profile=tight`), so a player of such a name is taken for the agent.
"""

from inspect import Signature
from itertools import islice
from threading import Lock
from time import monotonic
from typing import Any

from railbird.agent import agent_info, agent_names
from railbird.arena.play.plan import agent_of_label
from railbird.arena.results.career import CareerCollector
from railbird.arena.results.statistics import StatisticsError
from railbird.spec import unknown
from railbird.store.store import Store

MOST_HANDS = 2000
"""So many hands of a player are counted, the first ones."""
MOST_PLAYERS = 6
"""So many players of an agent are told, those with the most hands."""
_FRESH_S = 30.0
"""How long a count of everybody's hands is used again."""
_MOST_CAREERS = 256


def about(name: str) -> dict[str, Any]:
    """What an agent is."""
    if name not in agent_names():
        raise unknown("agent", name, agent_names())
    info = agent_info(name)
    return {
        "name": info.name,
        "summary": info.summary,
        "paper": info.paper,
        "parameters": [
            {
                "name": each.name,
                "kind": each.kind,
                "needed": each.default is Signature.empty,
                "default": "" if each.default is Signature.empty else str(each.default),
            }
            for each in info.parameters
        ],
    }


class AgentCareers:
    """What agents did in the hands of a store; careers are counted again when there are more hands."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = Lock()
        self._players: dict[str, int] = {}
        self._counted_at = -_FRESH_S
        self._careers: dict[tuple[str, int], dict[str, Any]] = {}

    def hands(self) -> dict[str, int]:
        """By agent how many hands its players played."""
        with self._lock:
            found: dict[str, int] = {}
            for player, hands in self._known_players().items():
                name = agent_of_label(player)
                found[name] = found.get(name, 0) + hands
            return found

    def of(self, name: str) -> list[dict[str, Any]]:
        """The careers of the players of an agent."""
        with self._lock:
            players = [each for each in self._known_players().items() if agent_of_label(each[0]) == name]
            return [self._career(player, hands) for player, hands in players[:MOST_PLAYERS]]

    def _known_players(self) -> dict[str, int]:
        now = monotonic()
        if now - self._counted_at > _FRESH_S:
            self._players = self._store.players()
            self._counted_at = now
        return self._players

    def _career(self, player: str, hands: int) -> dict[str, Any]:
        key = (player, hands)
        if key not in self._careers:
            if len(self._careers) >= _MOST_CAREERS:
                self._careers.clear()
            collector = CareerCollector(player)
            for record in islice(self._store.hands(player=player), MOST_HANDS):
                try:
                    collector.add(record)
                except StatisticsError:
                    continue  # a hand that was not recorded to its end says nothing
            career = collector.careers().get(player)
            counted = None if career is None else career.to_json()
            self._careers[key] = {"player": player, "hands": hands, "counted": counted}
        return self._careers[key]
