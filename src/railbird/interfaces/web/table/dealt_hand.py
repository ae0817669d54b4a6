"""A hand at the table with all hidden information: its start, its cards and its actions.

It leaves the server only through `views`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from railbird.agent import HandResult
from railbird.cards import format_cards, parse_cards
from railbird.engine.actions import CALL, FOLD, Action, ActionKind, raise_to
from railbird.engine.history import events_of
from railbird.engine.json_form import rules_from_json, rules_to_json
from railbird.engine.record import Details, HandRecord
from railbird.engine.setup import Setup
from railbird.engine.state import State
from railbird.observation import Observation, visible_to


@dataclass(frozen=True, slots=True, eq=False)
class DealtHand:
    """One hand. Positions count from the left of the button; chairs are places at the table."""

    number: int
    state: State
    players: tuple[str, ...]
    """Labels by position."""
    chairs: tuple[int, ...]
    """The chair of each position."""
    button: int
    """The chair of the button."""

    @property
    def step(self) -> int:
        """The number of actions so far."""
        return len(self.state.actions)

    def position(self, chair: int) -> int | None:
        """The position of a chair, None if it is not dealt in."""
        return self.chairs.index(chair) if chair in self.chairs else None

    @property
    def passing(self) -> Action:
        """What a player does who does nothing: check if possible, otherwise fold."""
        legal = self.state.legal_actions
        return FOLD if legal.fold and legal.call else CALL

    @property
    def by_chair(self) -> tuple[str, ...]:
        """The players in the order of their chairs."""
        return tuple(player for _, player in sorted(zip(self.chairs, self.players, strict=True)))

    def before(self, step: int) -> "DealtHand":
        """The hand as it was after its first `step` actions."""
        return self.restored(self.number, self.start(), " ".join(self.done().split()[:step]))

    def observation(self, position: int) -> Observation:
        """What a position may know now."""
        return Observation.of(self.state, position, self.players, self.number)

    def result(self, position: int) -> HandResult:
        """The finished hand as a position saw it."""
        seen = visible_to(position, events_of(self.state))
        return HandResult(position, self.players, seen, self.state.payoffs, self.number)

    def record(self, details: Details) -> HandRecord:
        """The hand as stored, with all cards."""
        record = HandRecord.of(self.state, self.players, str(self.number), self.chairs)
        return HandRecord(record.hand_id, record.setup, record.players, record.events, record.seats, details)

    def start(self) -> dict[str, Any]:
        """Everything determined before the first action, as plain data."""
        setup = self.state.setup
        return {
            "rules": rules_to_json(setup.rules),
            "stacks": list(setup.stacks),
            "blinds": list(setup.blinds),
            "antes": list(setup.antes),
            "first": setup.first,
            "players": list(self.players),
            "chairs": list(self.chairs),
            "button": self.button,
            "cards": format_cards(self.state.cards),
        }

    def done(self, *more: Action) -> str:
        """The actions, followed by `more`, as text: `f`, `c`, `r40`, separated by spaces."""
        return " ".join(_short(action) for action in (*self.state.actions, *more))

    @classmethod
    def restored(cls, number: int, start: Mapping[str, Any], done: str) -> "DealtHand":
        """The hand described by the results of `start` and `done`."""
        setup = Setup(
            rules=rules_from_json(start["rules"]),
            stacks=tuple(start["stacks"]),
            blinds=tuple(start["blinds"]),
            antes=tuple(start["antes"]),
            first=start["first"],
        )
        state = State(setup, parse_cards(start["cards"]))
        for word in done.split():
            state.act(_action(word))
        return cls(number, state, tuple(start["players"]), tuple(start["chairs"]), start["button"])


def _short(action: Action) -> str:
    return f"r{action.to}" if action.kind is ActionKind.RAISE else action.kind.name[0].lower()


def _action(word: str) -> Action:
    match word[0]:
        case "f":
            return FOLD
        case "c":
            return CALL
        case _:
            return raise_to(int(word[1:]))
