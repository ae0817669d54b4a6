"""What one seat may know: the only view of a hand that an agent ever gets.

An observation is built by listing what the seat may know: the game, the names, its own cards, the open board, and
every post and action so far. It holds no state and no card that is hidden from the seat.
"""

from collections.abc import Sequence
from typing import Any

from railbird.cards import Card, format_cards, parse_cards
from railbird.engine.actions import Action, ActionKind, LegalActions, raise_to
from railbird.engine.betting_facts import BettingFacts
from railbird.engine.betting_tree import BettingNode
from railbird.engine.events import Act, DealBoard, DealHole, Event, Post, Reveal
from railbird.engine.history import events_of
from railbird.engine.json_form import rules_from_json, rules_to_json
from railbird.engine.setup import Setup
from railbird.engine.state import UNKNOWN, State
from railbird.kernels.rules import betting

_new = object.__new__


class Observation(BettingFacts):
    """One seat's view at one moment. Seats are positions, counted from the left of the button.

    Fields are computed on access, from the public betting situation and the cards listed here.
    """

    __slots__ = ("board", "hand_number", "hole_cards", "node", "players", "seat", "setup")

    def __init__(
        self,
        setup: Setup,
        seat: int,
        players: Sequence[str],
        hole_cards: tuple[Card, ...],
        board: tuple[Card, ...],
        node: BettingNode,
        hand_number: int = 0,
    ) -> None:
        self.setup = setup
        self.seat = seat
        self.players = players if type(players) is tuple else tuple(players)
        """Labels by position; an opponent keeps its label for a whole match."""
        self.hole_cards = hole_cards
        self.board = board
        self.hand_number = hand_number
        self.node = node

    @classmethod
    def of(cls, state: State, seat: int, players: Sequence[str], hand_number: int = 0) -> "Observation":
        """The view of a seat. This is the one place where hidden cards are left out."""
        return cls(
            setup=state.setup,
            seat=seat,
            players=players,
            hole_cards=_own_cards(state, seat),
            board=state.board,
            node=state.node,
            hand_number=hand_number,
        )

    def holding(self, cards: tuple[Card, ...]) -> "Observation":
        """What the seat would see if these were its cards."""
        return Observation(
            self.setup, self.seat, self.players, cards, self.board, self.node, self.hand_number
        )

    @property
    def legal_actions(self) -> LegalActions:
        """What the seat to act may do."""
        return self.node.legal

    @property
    def to_call(self) -> int:
        """The chips that the seat to act must pay to stay in."""
        return self.node.legal.call

    @property
    def events(self) -> tuple[Event, ...]:
        """The events this seat saw: everyone's posts and actions, the open board, its own cards."""
        return tuple(
            event
            for event in events_of(self._as_state())
            if isinstance(event, Post | DealBoard | Act)
            or (isinstance(event, DealHole) and event.seat == self.seat)
        )

    def _as_state(self) -> State:
        """A state in which every card that this seat does not see is unknown."""
        rules = self.rules
        hole = [UNKNOWN] * (rules.players * rules.hole_cards)
        hole[self.seat * rules.hole_cards : (self.seat + 1) * rules.hole_cards] = self.hole_cards
        hidden = sum(rules.board_cards) - len(self.board)
        state = State(self.setup, [*hole, *self.board, *[UNKNOWN] * hidden])
        for action in self.actions:
            state.act(action)
        return state

    def to_json(self) -> dict[str, Any]:
        """The observation as plain data, for files and sockets."""
        return {
            "rules": rules_to_json(self.rules),
            "stacks": list(self.setup.stacks),
            "blinds": list(self.setup.blinds),
            "antes": list(self.setup.antes),
            "first": self.setup.first,
            "seat": self.seat,
            "players": list(self.players),
            "hole_cards": format_cards(self.hole_cards),
            "board": format_cards(self.board),
            "actions": [[action.kind.name.lower(), action.to] for action in self.actions],
            "hand_number": self.hand_number,
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "Observation":
        """The observation that `to_json` wrote."""
        setup = Setup(
            rules=rules_from_json(data["rules"]),
            stacks=tuple(data["stacks"]),
            blinds=tuple(data["blinds"]),
            antes=tuple(data["antes"]),
            first=data["first"],
        )
        actions = tuple(
            raise_to(amount) if kind == "raise" else Action(ActionKind[kind.upper()])
            for kind, amount in data["actions"]
        )
        node = setup.tree.root
        for action in actions:
            node = setup.tree.after(node, action)
        return cls(
            setup=setup,
            seat=data["seat"],
            players=data["players"],
            hole_cards=parse_cards(data["hole_cards"]),
            board=parse_cards(data["board"]),
            node=node,
            hand_number=data["hand_number"],
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Observation) and self.to_json() == other.to_json()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        board = f" on {format_cards(self.board)}" if self.board else ""
        return f"<Observation of seat {self.seat}: {format_cards(self.hole_cards)}{board}, pot {self.pot}>"


def _own_cards(state: State, seat: int) -> tuple[Card, ...]:
    cards = state.hole_cards(seat)
    if cards is None:
        raise ValueError(f"seat {seat} cannot look at cards that are not known")
    return cards


class Views:
    """The observations of one hand in progress; what does not change between decisions is looked up once."""

    __slots__ = ("_board_round", "_cards", "_holes", "_number", "_players", "_setup", "_state", "board")

    def __init__(self, state: State, players: Sequence[str], hand_number: int = 0) -> None:
        self._state = state
        self._setup = state.setup
        self._cards = state.cards
        self._players = tuple(players)
        self._number = hand_number
        self._holes: dict[int, tuple[Card, ...]] = {}
        self._board_round = 0
        self.board = self._cards[self._setup.board_slices[0]]

    def of(self, seat: int) -> Observation:
        """What a seat may know now, while somebody is to act."""
        node = self._state.node
        number = node.view[betting.ROUND]
        if number != self._board_round:
            self._board_round = number
            self.board = self._cards[self._setup.board_slices[number]]
        try:
            hole = self._holes[seat]
        except KeyError:
            hole = self._holes[seat] = _own_cards(self._state, seat)
        # Filled in here, because the call of the constructor would take longer than all of this.
        seen = _new(Observation)
        seen.setup = self._setup
        seen.seat = seat
        seen.players = self._players
        seen.hole_cards = hole
        seen.board = self.board
        seen.hand_number = self._number
        seen.node = node
        return seen


def visible_to(seat: int | None, events: Sequence[Event]) -> tuple[Event, ...]:
    """A finished hand as a seat (or, with None, a spectator) saw it: hidden cards become None."""
    shown = {event.seat for event in events if isinstance(event, Reveal) and event.cards is not None}
    return tuple(
        DealHole(event.seat, None)
        if isinstance(event, DealHole) and event.seat != seat and event.seat not in shown
        else event
        for event in events
    )
