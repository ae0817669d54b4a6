"""A hand as a card room's text tells it: what every reader of a room fills in, line by line.

`settling` makes the record of it. A room's reader decides nothing by itself: it only says what the lines say.
"""

from collections.abc import Iterator
from typing import NamedTuple

from railbird.cards import Card
from railbird.notation.rooms.hands import GrowingBoard, Holes, refuse, shorten
from railbird.notation.rooms.money import CHIPS
from railbird.notation.rooms.play import PlayLine, Verb

ANTE, SMALL, BIG, BOTH, STRADDLE = "the ante", "small blind", "big blind", "small & big blinds", "straddle"
MOST_SEATS = 99
"""The largest number of a seat, far more than at any table."""
MISSED = "missed blind"
"""A blind that a player owes: the big blind is live, a smaller one is dead."""


class PostLine(NamedTuple):
    """An ante or blind."""

    line: int
    who: str
    kind: str
    amount: int
    all_in: bool = False


class ToldHand:
    """What the lines of a hand say, before the rules are applied. Amounts are chips: cents if they have a currency."""

    def __init__(self, venue: str) -> None:
        self.venue = venue
        self.number = ""
        self.game = ""
        """The game with its stakes, as printed."""
        self.limit = False
        self.stakes: tuple[int, int] | None = None
        """The blinds, or the two bets of a limit game; None if they follow from the posts."""
        self.money = CHIPS
        self.tournament = ""
        """Its number; empty for a cash game."""
        self.table = ""
        self.time = ""
        self.button = 0
        self.notes: dict[str, str] = {}
        self.seats: dict[str, int] = {}
        """All seated players, dealt in or not."""
        self.stacks: dict[str, int] = {}
        self._names: list[str] = []
        self.sitting_out: list[str] = []
        self.hero = ""
        """The player whose cards are shown, in histories that a player saved."""
        self.holes = Holes()
        self.board = GrowingBoard()
        self.posts: list[PostLine] = []
        self.steps: list[PlayLine] = []
        self.shown: dict[str, tuple[Card, ...] | None] = {}
        """Hands in the order in which they were shown; None for a hand that was not."""
        self.collected: dict[str, int] = {}
        self.takings: list[tuple[str, int]] = []
        """What players collected, line by line."""
        self.returned: tuple[int, str, int] | None = None
        """The line, the player and the amount of an uncalled bet, if the text prints it."""
        self.total: int | None = None
        """The pot before rake, if the text prints it."""
        self.rake: int | None = None
        self.counts_uncalled: bool | None = None
        """Whether the winnings include an uncalled bet that the text does not return; None if that is not known."""
        self.bets: dict[str, int] = {}
        """What every player bet in total, in texts that say so."""
        self.second_small_is_live = False
        """Whether a small blind after the big blind counts as a bet; in most rooms it is dead."""
        self.dealt_in: set[str] = set()
        """Those who were dealt in, in texts that list them."""
        self.chat: list[str] = []
        self.remarks: list[str] = []

    # What readers do with a line

    def seat(self, number: int, who: str, stack: int, line: int, *, out: bool = False) -> None:
        """A player with a seat."""
        if not 0 <= number <= MOST_SEATS:
            refuse(line, f"{who} has a seat beyond number {MOST_SEATS}")
        if who in self.seats or number in self.seats.values():
            refuse(line, f"seat {number} or the player {who} is listed twice")
        self.seats[who] = number
        self.stacks[who] = stack
        if out:
            self.sitting_out.append(who)

    def speakers(self, line: str) -> Iterator[tuple[str, str]]:
        """Players with whose name a line begins, longer names first, and the text after it."""
        if len(self._names) != len(self.seats):
            self._names = sorted(self.seats, key=len, reverse=True)
        for who in self._names:
            if line.startswith(who) and line[len(who) : len(who) + 1] == " ":
                yield who, line[len(who) + 1 :]

    def seated(self, who: str, line: int) -> str:
        """The name of a player with a seat; another name is refused."""
        if who not in self.seats:
            refuse(line, f"{shorten(who)} has no seat")
        return who

    def step(
        self,
        line: int,
        who: str,
        verb: Verb,
        amount: int = 0,
        to: int | None = None,
        all_in: bool | None = None,
    ) -> None:
        """An action."""
        self.steps.append(PlayLine(line, who, verb, amount, to, all_in))

    def street(self, line: int) -> None:
        """The end of a betting round."""
        self.steps.append(PlayLine(line, "", "street"))

    def show(self, who: str, cards: str, line: int) -> None:
        """The cards that a player shows."""
        self.shown[who] = self.holes.tell(who, cards, line)

    def collect(self, who: str, chips: int) -> None:
        """Chips that a player takes out of a pot."""
        self.collected[who] = self.collected.get(who, 0) + chips
        self.takings.append((who, chips))

    def note(self, **notes: str) -> None:
        """What else the text says, by name; empty notes are left out."""
        for name, note in notes.items():
            if note:
                self.notes[name.replace("_", " ")] = note
