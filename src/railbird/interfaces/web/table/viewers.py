"""The browsers that look at one table: each is shown what its player may see."""

from collections.abc import Callable, Container
from typing import Protocol

from railbird.interfaces.web.table.messages import PersonView, TogetherView
from railbird.interfaces.web.table.session_plan import SessionPlan


class Viewing(Protocol):
    """A viewer of the table."""

    def show(self, view: str) -> None:
        """Show a view, replacing any earlier one; must not block."""
        ...

    def dismiss(self, sentence: str) -> None:
        """End the connection of somebody who has no seat any more; must not block."""
        ...


class Viewers:
    """The viewers of a table, with the player of each."""

    def __init__(self, draw: Callable[[str], str]) -> None:
        self._draw = draw
        """The table as a player sees it."""
        self._players: dict[Viewing, str] = {}

    def __len__(self) -> int:
        """The number of viewers."""
        return len(self._players)

    @property
    def players(self) -> frozenset[str]:
        """The players who look at the table."""
        return frozenset(self._players.values())

    def of(self, player: str) -> int:
        """The number of viewers of one player."""
        return sum(each == player for each in self._players.values())

    def add(self, viewer: Viewing, player: str) -> bool:
        """Add a viewer; returns whether it is the first of its player."""
        self._players[viewer] = player
        return self.of(player) == 1

    def remove(self, viewer: Viewing) -> bool:
        """Remove a viewer; returns whether it was the last of its player."""
        player = self._players.pop(viewer, None)
        return player is not None and not self.of(player)

    def dismiss(self, player: str, sentence: str) -> None:
        """End all connections of a player."""
        for viewer in [each for each, whose in self._players.items() if whose == player]:
            del self._players[viewer]
            viewer.dismiss(sentence)

    def show(self) -> None:
        """Show every viewer the table."""
        views: dict[str, str] = {}
        for viewer, player in self._players.items():
            if player not in views:
                views[player] = self._draw(player)
            viewer.show(views[player])


def together(
    session: str, plan: SessionPlan, player: str, there: Container[str], *, can_deal: bool
) -> TogetherView | None:
    """What a player sees of the people at a table for several, of whom some are `there`; None at any other table."""
    shared = plan.shared
    if shared is None:
        return None
    host = shared.is_host(player)
    return TogetherView(
        host=host,
        people=[
            PersonView(each.chair, each.name, shared.is_host(each.player), each.out, each.player not in there)
            for each in shared.seated
            if each.chair is not None
        ],
        free=sum(plan.is_free(chair) for chair in range(len(plan.names))),
        can_deal=can_deal,
        invitation=f"{session}.{shared.secret}" if host else "",
        advice=shared.advice,
    )
