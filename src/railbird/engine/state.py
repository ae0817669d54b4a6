"""`State`: one hand in progress, the Python face of the compiled rules in `kernels.rules.betting`.

For every action there are three methods: `verify_…` raises an error with the reason when the rules forbid it, `can_…`
returns whether they allow it, and the verb performs it and returns its record.

>>> state = deal("limit-2p", seed=7)
>>> state.raise_to(20)
Act(seat=1, kind=<ActionKind.RAISE: 2>, paid=15, to=20)
>>> state.can_raise_to(25), state.legal_actions.raise_minimum
(False, 30)
>>> state.fold(); state.payoffs
Act(seat=0, kind=<ActionKind.FOLD: 0>, paid=0, to=10)
(-10, 10)
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from railbird.cards import DECK_SIZE, Card, format_card, format_cards
from railbird.engine.actions import CALL, FOLD, Action, ActionError, LegalActions, raise_to
from railbird.engine.betting_facts import BettingFacts
from railbird.engine.betting_tree import BettingNode, verify
from railbird.engine.events import Act, Chips, Event
from railbird.engine.games import named_game
from railbird.engine.rules import GameRules
from railbird.engine.setup import Setup
from railbird.hands.evaluator import tables
from railbird.kernels.random import shuffle_first
from railbird.kernels.rules import betting
from railbird.kernels.rules.pots import PARTS, collect_pots
from railbird.kernels.rules.showdown import settle
from railbird.rng import Stream

UNKNOWN: Card = -1
"""An unknown card, in hands read from histories."""


_new = object.__new__


class Pot(NamedTuple):
    """The chips of a pot, and the seats that can win it."""

    amount: int
    seats: tuple[int, ...]


class State(BettingFacts):
    """One hand: its setup, its cards and its actions. Seats are positions, counted from the left of the button.

    `cards` are everyone's hole cards seat by seat, then the whole board, dealt or not; UNKNOWN ones are −1.

    >>> state = deal("limit-2p", seed=7)
    >>> state.actor, state.pot, state.legal_actions.call
    (1, 15, 5)
    >>> state
    <State of limit-2p: preflop, pot 15, seat 1 to act>
    """

    __slots__ = ("_cards", "_listed", "_values", "ending", "node", "setup")

    def __init__(self, setup: Setup, cards: Sequence[Card], node: BettingNode | None = None) -> None:
        """A hand at its opening, or in another situation of the setup's betting tree."""
        _check_cards(setup, cards)
        self.setup = setup
        self._cards: NDArray[np.int64] | None = None
        self._listed: tuple[Card, ...] | None = tuple(cards)
        self._values: Sequence[int] | None = None
        self.node = setup.tree.root if node is None else node
        """The betting situation: actor, legal actions, choices. It holds no cards, and other hands share it."""
        self.ending: tuple[Event, ...] | None = None
        """How the hand ended, computed by `engine.history` when it is over."""

    @classmethod
    def deal(cls, setup: Setup, source: Stream | NDArray[np.uint64]) -> "State":
        """A new hand with cards from a shuffled deck.

        The same stream deals the same cards; the words of a stream (`Stream.words`) deal one hand after another.
        """
        deck = setup.deck.copy()
        shuffle_first(source.words() if isinstance(source, Stream) else source, deck, setup.cards_dealt)
        return cls.dealt(setup, deck)

    @classmethod
    def dealt(cls, setup: Setup, cards: NDArray[np.int64], values: Sequence[int] | None = None) -> "State":
        """A new hand with cards from a deck: everyone's hole cards, the whole board, possibly more.

        The values of all hands at the showdown (`kernels.rules.showdown`) may be given if they are known already.
        """
        state = _new(cls)
        state.setup = setup
        state._cards = cards
        state._listed = None
        state._values = values
        state.node = setup.tree.root
        state.ending = None
        return state

    def clone(self) -> "State":
        """An independent copy of this hand at this point."""
        copy = State.__new__(State)
        copy.setup = self.setup
        copy._cards = self._cards
        copy._listed = self._listed
        copy._values = self._values
        copy.node = self.node
        copy.ending = self.ending
        return copy

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        hole = self.rules.players * self.rules.hole_cards
        # Cards that are still in the deck are not part of the hand so far.
        return (
            self.setup == other.setup
            and self.actions == other.actions
            and np.array_equal(self.node.vector, other.node.vector)
            and self.cards[:hole] == other.cards[:hole]
            and self.board == other.board
        )

    __hash__ = None  # type: ignore[assignment]  # a state changes

    def __repr__(self) -> str:
        at = "over" if self.is_over else f"seat {self.actor} to act"
        board = f" on {format_cards(self.board)}" if self.board else ""
        return (
            f"<State of {self.rules.name}: {self.rules.round_name(self.round)}{board}, pot {self.pot}, {at}>"
        )

    # Cards

    def hole_cards(self, seat: int) -> tuple[Card, ...] | None:
        """A seat's hole cards, None if they are not known."""
        size = self.rules.hole_cards
        cards = self.cards[seat * size : (seat + 1) * size]
        return None if UNKNOWN in cards else cards

    @property
    def board(self) -> tuple[Card, ...]:
        """The board cards dealt so far. An all-in showdown deals all of them."""
        view = self.node.view
        number = -1 if view[betting.OUTCOME] == betting.SHOWDOWN else view[betting.ROUND]
        return self.cards[self.setup.board_slices[number]]

    @property
    def deck(self) -> NDArray[np.int64]:
        """The cards as compiled code reads them: hole cards seat by seat, the board, possibly more of the deck."""
        deck = self._cards
        if deck is None:
            deck = self._cards = np.array(self._listed, dtype=np.int64)
        return deck

    @property
    def cards(self) -> tuple[Card, ...]:
        """All cards of the hand, dealt or not: hole cards seat by seat, then the board."""
        cards = self._listed
        if cards is None:
            cards = self._listed = tuple(self.deck[: self.setup.cards_dealt].tolist())
        return cards

    # Legal actions

    @property
    def legal_actions(self) -> LegalActions:
        """What the seat to act may do."""
        if self.node.actor is None:
            raise ActionError("the hand is over: nobody may act")
        return self.node.legal

    def verify(self, action: Action) -> None:
        """Raise `ActionError` with the reason if the rules forbid an action now."""
        verify(self.rules, self.node, action)

    def verify_fold(self) -> None:
        """Refuse to fold when the hand is over or there is nothing to call."""
        self.verify(FOLD)

    def verify_call(self) -> None:
        """Refuse to check or call when the hand is over."""
        self.verify(CALL)

    def verify_raise_to(self, amount: int) -> None:
        """Refuse to bet or raise when it is not allowed now, or not to this amount."""
        self.verify(raise_to(amount))

    def can_fold(self) -> bool:
        """Whether the seat to act may fold."""
        return self.node.legal.fold

    def can_call(self) -> bool:
        """Whether there is a seat to act, which may then check or call."""
        return self.node.actor is not None

    def can_raise_to(self, amount: int) -> bool:
        """Whether the seat to act may bet or raise to this amount."""
        return self.node.legal.allows(raise_to(amount))

    # Actions

    def fold(self) -> Act:
        """Fold the hand."""
        return self._recorded(FOLD)

    def call(self) -> Act:
        """Check, or call as much of the highest bet as the stack allows."""
        return self._recorded(CALL)

    def raise_to(self, amount: int) -> Act:
        """Bet or raise so that the seat's bet in this round becomes `amount`."""
        return self._recorded(raise_to(amount))

    def _recorded(self, action: Action) -> Act:
        self.act(action)
        return self.node.act

    def act(self, action: Action) -> None:
        """Perform an action; an illegal one raises `ActionError` and changes nothing."""
        node = self.node
        try:
            self.node = node.following[action]
        except KeyError:
            self.node = self.setup.tree.after(node, action)

    # Result

    @property
    def pots(self) -> tuple[Pot, ...]:
        """The main pot and the side pots as they are now, bets of this round included."""
        amounts = np.empty(betting.MOST_SEATS, dtype=np.int64)
        claims = np.empty(betting.MOST_SEATS, dtype=np.int64)
        count = collect_pots(self.setup.rules_vector, self.node.vector, amounts, claims)
        return tuple(
            Pot(amount, tuple(seat for seat in range(self.rules.players) if claim >> seat & 1))
            for amount, claim in zip(amounts[:count].tolist(), claims[:count].tolist(), strict=True)
        )

    @property
    def payoffs(self) -> tuple[Chips, ...]:
        """What every seat won or lost in this hand, which must be over."""
        node = self.node
        if node.payoffs is not None:
            return node.payoffs
        if node.actor is not None:
            raise ActionError(f"the hand is not over: seat {node.actor} is to act")
        live = node.view[betting.LIVE]
        if live == 1:
            node.payoffs = self._settled()  # they do not depend on the cards
            return node.payoffs
        values = self._values
        if live > 2 or values is None:
            if self._listed is not None and UNKNOWN in self._listed:
                self.require_known_cards()
            return self._settled()
        # Of two hands, only their order matters.
        first, second = values if len(values) == 2 else [values[seat] for seat in self.live_seats]
        order = (first > second) - (first < second)
        by_order = node.payoffs_by_order
        if by_order is None:
            by_order = node.payoffs_by_order = [None, None, None]
        payoffs = by_order[order]
        if payoffs is None:
            payoffs = by_order[order] = self._settled()
        return payoffs

    def _settled(self) -> tuple[Chips, ...]:
        won = np.empty(len(self.setup.stacks), np.int64)
        settle(self.setup.rules_vector, self.node.vector, self.deck, tables(), won)
        return _in_chips(tuple(won.tolist()))

    def require_known_cards(self) -> None:
        """Raise `ActionError` if a card that decides the showdown is not known."""
        for seat in self.live_seats:
            if self.hole_cards(seat) is None:
                raise ActionError(
                    f"the hole cards of seat {seat} are not known, so the showdown has no winner"
                )
        if UNKNOWN in self.board:
            raise ActionError("the board is not known, so the showdown has no winner")


def whole_or_fraction(parts: int) -> Chips:
    """A number of chip parts in chips: an int if whole, otherwise an exact fraction."""
    chips, rest = divmod(parts, PARTS)
    return Fraction(parts, PARTS) if rest else chips


@lru_cache(maxsize=1 << 12)
def _in_chips(payoffs: tuple[int, ...]) -> tuple[Chips, ...]:
    """Payoffs in chip parts as payoffs in chips; equal ones are one object, which many situations share."""
    return tuple([whole_or_fraction(parts) for parts in payoffs])


def deal(game: str | GameRules, seed: int | str | None = None) -> State:
    """A new hand of a game, by its name or its rules; without a seed the cards cannot be repeated.

    >>> state = deal("limit-2p", seed=7)
    >>> while not state.is_over:
    ...     act = state.call()
    >>> format_cards(state.board), state.payoffs
    ('7c2d7sTsQh', (10, -10))
    """
    rules = named_game(game) if isinstance(game, str) else game
    return State.deal(Setup.of(rules), Stream.live() if seed is None else Stream.from_seed(seed))


def _check_cards(setup: Setup, cards: Sequence[Card]) -> None:
    name = setup.rules.name
    if len(cards) != setup.cards_dealt:
        raise ActionError(f"{len(cards)} cards for a hand of {name}, which needs {setup.cards_dealt}")
    known = [card for card in cards if card != UNKNOWN]
    if len(setup.cards_in_play.intersection(known)) == len(known):
        return
    seen: set[Card] = set()
    for card in known:
        if card not in setup.cards_in_play:
            text = format_card(card) if 0 <= card < DECK_SIZE else str(card)
            raise ActionError(f"{text} is not in the deck of {name}")
        if card in seen:
            raise ActionError(f"{format_card(card)} is dealt twice")
        seen.add(card)
