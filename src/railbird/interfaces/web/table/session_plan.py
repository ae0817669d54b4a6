"""The plan of a session as stored: the game, the players, training and speed."""

from collections.abc import Collection, Container, Mapping
from typing import Any
from unicodedata import normalize

import msgspec
from msgspec.structs import replace

from railbird.agent import agent_of_label, display_name, display_names
from railbird.engine.games import game_title
from railbird.engine.json_form import rules_from_json, rules_to_json
from railbird.engine.rules import GameRules
from railbird.interfaces.web.table.messages import Practice, Speed
from railbird.interfaces.web.table.people import (
    LONGEST_NAME,
    SeatError,
    SharedTable,
    verify_public_name,
)
from railbird.interfaces.web.table.views import TableViewer
from railbird.spec import SpecError
from railbird.store.sessions import StoredSession

PERSON = ""
"""The entry of a person, or of a seat for one, in a list of agents."""
LONGEST_GAME = 200
"""Maximum length of a game's name with its parameters."""
NAMED = 3
"""Maximum number of agents named in the title of a session."""


class SessionPlan(msgspec.Struct, frozen=True):
    """Everything fixed when a session begins, and the settings that may change."""

    rules: dict[str, Any]
    names: list[str]
    """Labels by chair; empty for a free seat."""
    agents: list[str]
    """Agents by chair; an empty name for a person."""
    training: Practice | None = None
    speed: Speed = "normal"
    auto_deal: bool = True
    shared: SharedTable | None = None
    """What a table for several people has besides; None for one person, or none."""

    @property
    def watching(self) -> bool:
        """Whether no person plays."""
        return PERSON not in self.agents

    @property
    def person(self) -> int | None:
        """The chair of the person who opened the table."""
        return None if self.watching else self.agents.index(PERSON)

    def chair_of(self, player: str) -> int | None:
        """The chair of a player who may see this table; None if it has none."""
        if self.shared is None:
            return self.person
        found = self.shared.person(player)
        return None if found is None else found.chair

    def name_of(self, player: str) -> str | None:
        """The label of a player who may see this table; None if only agents play."""
        if self.shared is None:
            return None if self.person is None else self.names[self.person]
        found = self.shared.person(player)
        return None if found is None else found.name

    def is_host(self, player: str) -> bool:
        """Whether a player who may see this table decides how it goes on."""
        return self.shared is None or self.shared.is_host(player)

    @property
    def hides(self) -> bool:
        """Whether a person plays who may not see all cards."""
        return not self.watching and not (self.training is not None and self.training.face_up)

    def viewer(self, player: str, *, after: bool = False) -> TableViewer:
        """What a player may see of a hand while it is played, or `after` it: never another person's hidden cards."""
        chair, name = self.chair_of(player), self.name_of(player)
        if not self.hides or (after and self.shared is None):
            return TableViewer(chair, name, None)
        agents = [label for label, agent in zip(self.names, self.agents, strict=True) if agent != PERSON]
        return TableViewer(
            chair, name, frozenset([*([] if name is None else [name]), *(agents if after else ())])
        )

    def saw(self, player: str, hand: int) -> bool:
        """Whether a player was at the table when a hand was played."""
        if self.shared is None:
            return True
        found = self.shared.person(player)
        return found is not None and found.since < hand and (found.until is None or hand <= found.until)

    def is_free(self, chair: int) -> bool:
        """Whether a person may take a chair."""
        return self.agents[chair] == PERSON and not self.names[chair]

    @property
    def present(self) -> list[bool]:
        """Whether each chair is dealt in."""
        out = {each.chair for each in self.shared.people if each.out} if self.shared is not None else set()
        return [bool(name) and chair not in out for chair, name in enumerate(self.names)]

    @property
    def can_deal(self) -> bool:
        """Whether two players are present, and one of them is a person unless only agents play."""
        playing = [agent for agent, present in zip(self.agents, self.present, strict=True) if present]
        return len(playing) > 1 and (self.watching or PERSON in playing)

    def with_people(self, shared: SharedTable) -> "SessionPlan":
        """The same table with other people."""
        names = {each.chair: each.name for each in shared.people}
        labels = [
            name if agent != PERSON else names.get(chair, "")
            for chair, (name, agent) in enumerate(zip(self.names, self.agents, strict=True))
        ]
        return replace(self, names=labels, shared=shared)

    def joined(self, player: str, name: str, hands: int, taken: Container[int]) -> "SessionPlan":
        """The table with a person in a free chair that is not among those taken, after so many hands."""
        shared = self.require_shared()
        free = [chair for chair in range(len(self.names)) if self.is_free(chair) and chair not in taken]
        if shared.person(player) is None:
            verify_name(name, self.names)
        return self.with_people(shared.joined(player, name, free, hands))

    def require_shared(self) -> SharedTable:
        """What a table for several people has besides; other tables are refused."""
        if self.shared is None:
            raise SeatError("this table is for one person")
        return self.shared

    def player_named(self, name: str) -> str | None:
        """The id of a person who sits at this table."""
        found = None if self.shared is None else self.shared.named(name)
        return None if found is None else found.player

    def filled(self) -> "SessionPlan":
        """The table with agents in its free chairs, if the host wants them."""
        if self.shared is None or not self.shared.fill:
            return self
        fill = self.shared.fill
        agents = [fill if self.is_free(chair) else agent for chair, agent in enumerate(self.agents)]
        labels = iter(display_names([agent for agent in agents if agent != PERSON]))
        names = [
            name if agent == PERSON else next(labels) for name, agent in zip(self.names, agents, strict=True)
        ]
        return replace(self, agents=agents, names=names)

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
        if self.shared is not None:
            others = [each.name for each in self.shared.seated] + others
        told, more = others[:NAMED], len(others) - NAMED
        rest = f" and {more} more" if more > 0 else ""
        how = ":" if self.watching else ", against" if self.shared is None else ", with"
        return f"{self.game_title}{how} {', '.join(told)}{rest}"

    def to_json(self) -> dict[str, Any]:
        """The plan as plain data."""
        data: dict[str, Any] = msgspec.to_builtins(self)
        return data

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "SessionPlan":
        """The plan that `to_json` wrote."""
        return msgspec.convert(dict(data), cls)


def takes_part(session: StoredSession, player: str) -> bool:
    """Whether a player opened a session, or plays or played in it as a guest."""
    if session.owner == player:
        return True
    if session.settings.get("shared") is None:
        return False
    shared = SessionPlan.from_json(session.settings).shared
    return shared is not None and shared.person(player) is not None


def is_like_an_agent(name: str) -> bool:
    """Whether a person's name could be confused with that of a registered agent.

    >>> is_like_an_agent("Simbot 2"), is_like_an_agent("simbot:trials=5"), is_like_an_agent("Ann")
    (True, True, False)
    """
    return agent_of_label(normalize("NFKC", name)) is not None


def verify_name(name: str, labels: Collection[str]) -> None:
    """Refuse a person's name that has a meaning in logs, or is that of an agent."""
    if not 0 < len(name) <= LONGEST_NAME or not name.isprintable() or name != name.strip():
        raise SpecError(f"a name must have 1 to {LONGEST_NAME} characters")
    if "|" in name or " #" in name:
        raise SpecError("a name may not contain | or a # after a space, which have a meaning in logs")
    if name in labels or is_like_an_agent(name):
        raise SpecError(f"{name!r} is the name of a bot: choose another name")


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
    _verify_number(rules, agents, people)
    if training is not None and training.hands and rules.hole_cards != 2:
        raise SpecError(f"starting hands can be chosen in hold'em, not in {rules.name}")
    labels = display_names(agents)
    if name is not None:
        verify_name(name, labels)
    return SessionPlan(
        rules=rules_to_json(rules),
        names=[*([] if name is None else [name]), *labels],
        agents=[*([] if name is None else [PERSON]), *agents],
        training=training,
        speed=speed,
        auto_deal=auto_deal,
    )


def plan_shared_session(
    rules: GameRules, agents: list[str], shared: SharedTable, *, seats: int, speed: Speed = "normal"
) -> SessionPlan:
    """A session with seats for several people, of whom the host is already there."""
    if not 2 <= seats <= rules.players:
        raise SpecError(f"{rules.name} has 2 to {rules.players} seats for people, not {seats}")
    _verify_number(rules, agents, seats)
    labels = display_names(agents)
    (host,) = shared.people
    verify_public_name(host.name)
    verify_name(host.name, labels)
    return SessionPlan(
        rules=rules_to_json(rules),
        names=[host.name, *[""] * (seats - 1), *labels],
        agents=[*[PERSON] * seats, *agents],
        speed=speed,
        shared=shared,
    )


def _verify_number(rules: GameRules, agents: list[str], people: int) -> None:
    needed = rules.players - people
    if len(agents) != needed:
        raise SpecError(f"{rules.name} needs {needed} bot{'' if needed == 1 else 's'}, not {len(agents)}")
