"""Agents as plain data: their descriptions, and statistics of their players in this store.

A player is taken to be an agent if its label is the agent's name for people or its spec, with or without a number
(`Random 2`, `pokibot:profile=tight-passive`).
"""

from functools import cache
from itertools import islice
from threading import Lock
from time import monotonic
from typing import Any

from railbird.agent import agent_info, agent_names, agent_of_label
from railbird.agents.provenance import sources
from railbird.arena.results.career import CareerCollector
from railbird.arena.results.rates import UNIT_WORDS
from railbird.arena.results.statistics import StatisticsError
from railbird.interfaces.web.agent_descriptions import described
from railbird.spec import unknown
from railbird.store.store import Store

MOST_HANDS = 2000
"""Maximum number of hands counted per player, from the first."""
MOST_PLAYERS = 6
"""Maximum number of players listed per agent, those with the most hands."""
_FRESH_S = 30.0
"""Seconds for which the counts of all players' hands are cached."""
_MOST_CAREERS = 256


def about(name: str) -> dict[str, Any]:
    """The description of an agent."""
    if name not in agent_names():
        raise unknown("agent", name, agent_names())
    return described(agent_info(name))


@cache
def knowledge(name: str) -> tuple[str, ...]:
    """Where the knowledge of an agent comes from. Shipped files do not change while a server runs."""
    return tuple(sources(name))


def _in_words(career: dict[str, Any]) -> dict[str, Any]:
    """A career with the units of its rates in words."""
    rates = [{**rate, "unit": UNIT_WORDS[rate["unit"]]} for rate in career["rates"]]
    return {**career, "rates": rates}


class AgentCareers:
    """Statistics of agents in the hands of a store; they are recounted when there are more hands."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = Lock()
        self._players: dict[str, int] = {}
        self._counted_at = -_FRESH_S
        self._careers: dict[tuple[str, int], dict[str, Any]] = {}

    def hands(self) -> dict[str, int]:
        """The number of hands of each agent's players."""
        with self._lock:
            found: dict[str, int] = {}
            for player, hands in self._known_players().items():
                name = agent_of_label(player)
                if name is not None:
                    found[name] = found.get(name, 0) + hands
            return found

    def of(self, name: str) -> list[dict[str, Any]]:
        """The statistics of an agent's players."""
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
                    continue  # a hand that was not recorded to its end is skipped
            career = collector.careers().get(player)
            counted = None if career is None else _in_words(career.to_json())
            self._careers[key] = {"player": player, "hands": hands, "counted": counted}
        return self._careers[key]
