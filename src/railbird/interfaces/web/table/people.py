"""The people at a table that several share: who sits where, the invitation, the clock, and what the host allows.

Nobody who ever sat there is forgotten: a name belongs to one person as long as the table exists, so that in results,
and where hidden cards are concerned, it stands for that person only.
"""

from typing import Literal, TypeAlias
from unicodedata import category, normalize

import msgspec
from msgspec.structs import replace

from railbird.interfaces.web.http.tokens import is_same

LONGEST_NAME = 24
MOST_PEOPLE = 100
"""Maximum number of people who ever sat at one table."""
_IN_NAMES = " -'._"
"""What a name may contain besides letters and digits."""

Seconds: TypeAlias = Literal[0, 15, 30, 60]
"""The time for a decision; 0 if it is not limited."""


class SeatError(ValueError):
    """A seat that cannot be taken or given up; the message gives the reason."""


class SeatedPerson(msgspec.Struct, frozen=True):
    """Somebody who sits at the table, or has left it."""

    player: str
    """The player's id in the store."""
    name: str
    chair: int | None
    """None after leaving."""
    since: int = 0
    """The number of hands dealt before this person sat down."""
    until: int | None = None
    """The number of hands dealt before this person left."""
    out: bool = False
    """Whether this person sits out: no cards from the next hand on."""


class SharedTable(msgspec.Struct, frozen=True):
    """What a table for several people has besides its plan."""

    secret: str
    """The secret part of the invitation."""
    people: list[SeatedPerson]
    """Everybody who ever sat here; the host first."""
    clock: Seconds = 0
    fill: str = ""
    """The agent that takes empty seats when the first hand is dealt; empty if they stay free."""
    advice: bool = False
    """Whether everybody may ask for advice and for the strength of their hand."""
    statistics: bool = False
    """Whether everybody sees the statistics of the others."""

    def person(self, player: str) -> SeatedPerson | None:
        """The person with a player's id, who may have left."""
        return next((each for each in self.people if each.player == player), None)

    def named(self, name: str) -> SeatedPerson | None:
        """The person with a name who sits at the table."""
        return next((each for each in self.seated if each.name == name), None)

    @property
    def seated(self) -> list[SeatedPerson]:
        """The people who sit at the table."""
        return [each for each in self.people if each.chair is not None]

    def is_host(self, player: str) -> bool:
        """Whether a player opened the table."""
        return self.people[0].player == player

    def admits(self, secret: str) -> bool:
        """Whether this is the secret of the invitation."""
        return is_same(secret, self.secret)

    def joined(self, player: str, name: str, free: list[int], hand: int) -> "SharedTable":
        """With a person in one of the free chairs; whoever was here before keeps the name."""
        known = self.person(player)
        if known is not None and known.chair is not None:
            return self
        if not free:
            raise SeatError("no seat is free at the moment")
        if known is not None:
            return self._with(replace(known, chair=free[0], until=None, out=False))
        verify_public_name(name)
        if any(_plain(each.name) == _plain(name) for each in self.people):
            raise SeatError(f"somebody at this table is already called {name!r}: choose another name")
        if len(self.people) >= MOST_PEOPLE:
            raise SeatError(f"this table has had {MOST_PEOPLE} people, the maximum")
        return replace(self, people=[*self.people, SeatedPerson(player, name, free[0], hand)])

    def left(self, player: str, hand: int) -> "SharedTable":
        """Without a person, whose chair is free again."""
        return self._with(replace(self._seated(player), chair=None, until=hand))

    def sitting_out(self, player: str, out: bool) -> "SharedTable":
        """With a person who sits out, or comes back."""
        return self._with(replace(self._seated(player), out=out))

    def _seated(self, player: str) -> SeatedPerson:
        found = self.person(player)
        if found is None or found.chair is None:
            raise SeatError("you have no seat at this table")
        return found

    def _with(self, person: SeatedPerson) -> "SharedTable":
        people = [person if each.player == person.player else each for each in self.people]
        return replace(self, people=people)


def verify_public_name(name: str) -> None:
    """Refuse a name that the other people at a table could not tell from a text, from markup, or from themselves."""
    if not 0 < len(name) <= LONGEST_NAME or name != name.strip() or "  " in name:
        raise SeatError(f"a name must have 1 to {LONGEST_NAME} characters")
    if not all(category(letter)[0] in "LMN" or letter in _IN_NAMES for letter in name):
        raise SeatError("a name may contain letters, digits, spaces and - ' . _ only")
    if _plain(name) == "you":
        raise SeatError("choose a name for the others to see")


def _plain(name: str) -> str:
    return normalize("NFKC", name).casefold()
