"""Between hands: the players dealt in, the button, the blinds and the stacks.

A table has physical seats, numbered clockwise. Players may sit out, come back, run out of chips or leave; `next_hand`
determines who plays from which position. There are two button rules:

- `MOVING`: the button goes to the next player who is dealt in, and the blinds follow it.
- `DEAD`: the big blind goes to the next player who is dealt in; the small blind is due where the big blind was, and
  the button is where the small blind was, whether or not that seat is still occupied. Nobody skips or repeats a
  blind, but the small blind may be missing and the button may be dead.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from railbird.engine.events import Chips
from railbird.engine.rules import GameRules
from railbird.engine.setup import Setup


class TableError(ValueError):
    """An impossible request to a table, such as dealing to a single player."""


class ButtonRule(Enum):
    """How the button moves past empty seats."""

    MOVING = "moving"
    DEAD = "dead"


@dataclass(frozen=True, slots=True)
class Seating:
    """The next hand: its setup, and the physical seat of every position, from the left of the button."""

    setup: Setup
    seats: tuple[int, ...]
    button: int
    """The seat of the button; a dead button is at a seat that is not dealt in."""


class Table:
    """The physical seats of a game, from hand to hand.

    With `shares_setups` its betting tree stays in memory for the next table of the game (`Setup.shared`).
    """

    def __init__(
        self,
        rules: GameRules,
        *,
        button: int | None = None,
        button_rule: ButtonRule = ButtonRule.DEAD,
        shares_setups: bool = False,
    ) -> None:
        self.rules = rules
        self.button_rule = button_rule
        self.stacks: list[Chips] = list(rules.stacks)
        self.present = [True] * rules.players
        if button is None:
            button = rules.players - 1
        if not 0 <= button < rules.players:
            raise TableError(f"seat {button} cannot have the button: seats are 0 … {rules.players - 1}")
        self._first_button = button
        self._button: int | None = None
        self._small = button
        self._big = button
        self._usual: dict[int, Setup] = {}
        self._usual_setup = Setup.shared if shares_setups else Setup.of
        self._moves: dict[tuple[tuple[int, ...], int | None, int, int], tuple[Seating, int, int]] = {}
        """A cache for games without carried stacks: from players, button and blinds to the next hand and its blinds."""

    def sit_out(self, seat: int) -> None:
        """Stop dealing to a seat; its chips stay."""
        self.present[self._seat(seat)] = False

    def come_back(self, seat: int) -> None:
        """Deal to a seat again."""
        self.present[self._seat(seat)] = True

    def add_chips(self, seat: int, chips: int) -> None:
        """Buy more chips between hands."""
        if chips <= 0:
            raise TableError(f"cannot buy {chips} chips")
        self.stacks[self._seat(seat)] += chips

    def _seat(self, seat: int) -> int:
        if not 0 <= seat < self.rules.players:
            raise TableError(f"there is no seat {seat}: seats are 0 … {self.rules.players - 1}")
        return seat

    def dealt_in(self) -> tuple[int, ...]:
        """The seats that play the next hand: present and with at least one chip."""
        present = self.present
        return tuple([seat for seat, chips in enumerate(self.stacks) if chips >= 1 and present[seat]])

    def next_hand(self) -> Seating:
        """Move the button and the blinds, and return who plays from which position."""
        playing = self.dealt_in()
        if len(playing) < 2:
            raise TableError(f"{len(playing)} players with chips are present, but a hand needs two")
        before = (playing, self._button, self._small, self._big)
        known = self._moves.get(before)
        if known is not None:
            seating, self._small, self._big = known
            self._button = seating.button
            return seating
        button = self._move_blinds(playing)
        order = sorted(playing, key=lambda seat: (seat - button - 1) % self.rules.players)
        seating = Seating(self._setup(order), tuple(order), button)
        if not self.rules.carry:
            self._moves[before] = seating, self._small, self._big
        return seating

    def settle(self, seating: Seating, payoffs: Sequence[Chips]) -> None:
        """Update the stacks after a finished hand, if the game carries them over."""
        if self.rules.carry:
            for seat, payoff in zip(seating.seats, payoffs, strict=True):
                self.stacks[seat] += payoff

    def _move_blinds(self, playing: tuple[int, ...]) -> int:
        """Move button and blinds; returns the button's seat."""

        def following(seat: int) -> int:
            return next((other for other in playing if other > seat), playing[0])

        if self.button_rule is ButtonRule.MOVING or self._button is None:
            self._button = following(self._first_button - 1 if self._button is None else self._button)
            self._small = self._button if len(playing) == 2 else following(self._button)
            self._big = following(self._small)
        else:
            old_small, old_big = self._small, self._big
            self._big = following(old_big)
            if len(playing) == 2:
                self._small = self._button = following(self._big)
            else:
                self._small, self._button = old_big, old_small
        return self._button

    def _setup(self, order: list[int]) -> Setup:
        rules = self.rules.for_players(len(order))
        stacks: tuple[int, ...] | None = None
        if rules.carry:
            # After a split pot a player can own a fraction of a chip but cannot bet it.
            stacks = tuple(int(self.stacks[seat]) for seat in order)
        usual = self._usual.get(len(order))
        if usual is None:
            usual = self._usual[len(order)] = self._usual_setup(rules)
        places = {seat: position for position, seat in enumerate(order)}
        everybody_posts_the_same = min(usual.blinds) == max(usual.blinds)
        if everybody_posts_the_same or (
            places.get(self._big) == usual.blinds.index(max(usual.blinds)) and self._small in places
        ):
            return usual if stacks is None else Setup.of(rules, stacks)
        small, big = sorted(blind for blind in rules.blinds if blind)
        blinds = [0] * len(order)
        if self._small in places:
            blinds[places[self._small]] = small
        blinds[places[self._big]] = big
        return Setup(
            rules=rules,
            stacks=rules.stacks if stacks is None else stacks,
            blinds=tuple(blinds),
            antes=rules.antes,
            first=(places[self._big] + 1) % len(order),
        )
