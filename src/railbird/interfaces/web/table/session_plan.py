"""The plan of a session as stored: the game, the players, training and speed."""

from collections.abc import Mapping
from typing import Any
from unicodedata import normalize

import msgspec

from railbird.agent import agent_of_label, display_name, display_names
from railbird.engine.games import game_title
from railbird.engine.json_form import rules_from_json, rules_to_json
from railbird.engine.rules import GameRules
from railbird.interfaces.web.table.messages import Practice, Speed
from railbird.spec import SpecError

PERSON = ""
"""The person's entry in a list of agents."""
LONGEST_NAME = 24
LONGEST_GAME = 200
"""Maximum length of a game's name with its parameters."""
NAMED = 3
"""Maximum number of agents named in the title of a session."""


class SessionPlan(msgspec.Struct, frozen=True):
    """Everything fixed when a session begins, and the settings that may change."""

    rules: dict[str, Any]
    names: list[str]
    """Labels by chair."""
    agents: list[str]
    """Agents by chair; an empty name for the person."""
    training: Practice | None = None
    speed: Speed = "normal"
    auto_deal: bool = True

    @property
    def watching(self) -> bool:
        """Whether no person plays."""
        return PERSON not in self.agents

    @property
    def person(self) -> int | None:
        """The person's chair."""
        return None if self.watching else self.agents.index(PERSON)

    @property
    def counted(self) -> bool:
        """Whether the hands count; in training they do not."""
        return self.training is None

    def game(self) -> GameRules:
        """The game."""
        return rules_from_json(self.rules)

    @property
    def game_title(self) -> str:
        """The game's name for people."""
        return game_title(self.game())

    @property
    def title(self) -> str:
        """The session in a line."""
        others = [display_name(agent) for agent in self.agents if agent != PERSON]
        told, more = others[:NAMED], len(others) - NAMED
        rest = f" and {more} more" if more > 0 else ""
        opponents = f"{', '.join(told)}{rest}"
        return (
            f"{self.game_title}: {opponents}" if self.watching else f"{self.game_title}, against {opponents}"
        )

    def to_json(self) -> dict[str, Any]:
        """The plan as plain data."""
        data: dict[str, Any] = msgspec.to_builtins(self)
        return data

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "SessionPlan":
        """The plan that `to_json` wrote."""
        return msgspec.convert(dict(data), cls)


def is_like_an_agent(name: str) -> bool:
    """Whether a person's name could be confused with that of a registered agent.

    >>> is_like_an_agent("Simbot 2"), is_like_an_agent("simbot:trials=5"), is_like_an_agent("Ann")
    (True, True, False)
    """
    return agent_of_label(normalize("NFKC", name)) is not None


def plan_session(
    rules: GameRules,
    agents: list[str],
    *,
    name: str | None,
    training: Practice | None = None,
    speed: Speed = "normal",
    auto_deal: bool = True,
) -> SessionPlan:
    """A session of a person with a name, or with None of agents only."""
    people = 0 if name is None else 1
    if len(agents) + people != rules.players:
        asked = rules.players - people
        raise SpecError(f"{rules.name} needs {asked} agents, not {len(agents)}")
    if training is not None and training.hands and rules.hole_cards != 2:
        raise SpecError(f"starting hands can be chosen in hold'em, not in {rules.name}")
    labels = display_names(agents)
    if name is not None:
        if not 0 < len(name) <= LONGEST_NAME or not name.isprintable() or name != name.strip():
            raise SpecError(f"a name must have 1 to {LONGEST_NAME} letters")
        if "|" in name or " #" in name:
            raise SpecError("a name may not contain | or a # after a space, which have a meaning in logs")
        if name in labels or is_like_an_agent(name):
            raise SpecError(f"{name!r} is the name of an agent: choose another name")
    return SessionPlan(
        rules=rules_to_json(rules),
        names=[*([] if name is None else [name]), *labels],
        agents=[*([] if name is None else [PERSON]), *agents],
        training=training,
        speed=speed,
        auto_deal=auto_deal,
    )
