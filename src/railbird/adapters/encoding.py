"""Situations of a game as numbers: its actions by number, and what a seat sees as a vector.

The actions are the letters of an `ActionAbstraction` in ascending order: `fcr` in limit games, otherwise by default
`fchpa` (fold, call, half the pot, the pot, all-in).

An observation is a vector of 32-bit floats. Its parts, in order:

    own cards       1 for each card of the deck that the seat holds
    board           1 for each card of the deck that is open
    round           1 for the current betting round
    position        1 for the seat itself; seats are counted from the left of the button
    raises          bets and raises of every betting round, blinds not counted
    pot, to call    chips in the pot, and chips to call
    players         for every seat, beginning with its own: 1 if it is still in the hand, the chips that it bet in this
                    round, the chips that it paid in the whole hand, and the share of its stack that it has left

Chips are counted in small bets at limit, in big blinds otherwise; so are rewards. Cards are in the order of the deck:
from the lowest rank to the highest, within a rank clubs, diamonds, hearts, spades.
"""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from railbird.cards import DECK_SIZE
from railbird.engine.actions import CALL, FOLD, Action, ActionKind, raise_to
from railbird.engine.betting_tree import BettingNode
from railbird.engine.rules import Betting
from railbird.engine.setup import Setup
from railbird.kernels.rules import betting
from railbird.strategies.actions import LIMIT, ActionAbstraction

Vector: TypeAlias = NDArray[np.float32]
Mask: TypeAlias = NDArray[np.int8]
Offer: TypeAlias = tuple[dict[str, tuple[int, ...]], Mask]
"""The numbers of legal actions, as an info and as a mask."""

DEFAULT_ACTIONS = "fchpa"
MOST_SPOTS = 1 << 14
"""Maximum number of situations that an encoder remembers."""
_PER_PLAYER = 4


class NumberedSpot:
    """A betting situation by numbers, shared by all hands that pass through it."""

    __slots__ = (
        "actions",
        "actor",
        "board",
        "following",
        "has_board",
        "info",
        "is_showdown",
        "mask",
        "node",
        "raises",
        "rewards",
        "views",
    )

    def __init__(
        self,
        node: BettingNode,
        actions: dict[int, Action],
        offer: Offer,
        board: slice,
        raises: tuple[int, ...],
        players: int,
    ) -> None:
        self.node = node
        self.actor = node.actor
        self.is_showdown = node.view[betting.OUTCOME] == betting.SHOWDOWN
        self.actions = actions
        """The legal actions by number."""
        self.info, self.mask = offer
        """Their numbers, as environments tell them, shared by all situations with the same ones."""
        self.rewards: dict[str, float] | None = None
        """Where everybody else folded: what the players won, once it is known."""
        self.has_board = board.start < board.stop
        self.board = board
        """The part of a hand's cards that is open."""
        self.raises = raises
        """The number of bets and raises by round."""
        self.following: dict[int, NumberedSpot] = {}
        """By number, where the actions lead that were taken before."""
        self.views: list[Vector | None] = [None] * players
        """By seat, what those see that were asked, without cards."""


class Encoder:
    """The numbers of one game."""

    def __init__(self, setup: Setup, actions: str | None = None) -> None:
        rules = setup.rules
        limit = rules.betting is Betting.LIMIT
        self.abstraction = (
            LIMIT if limit and actions is None else ActionAbstraction(actions or DEFAULT_ACTIONS)
        )
        self.letters = self.abstraction.letters
        """The actions in the order of their numbers."""
        self.setup = setup
        places = {card: place for place, card in enumerate(sorted(rules.deck))}
        self.places = None if len(places) == DECK_SIZE else places
        """The place of every own card in an observation, which in a full deck is the card itself."""
        self.board = len(places)
        """What is added to it for a card of the board."""
        self.size = 2 * len(places) + 2 * rules.rounds + 2 + (1 + _PER_PLAYER) * rules.players
        self._blank = np.zeros(self.size, np.float32)
        self._unit = rules.unit_chips
        players = range(rules.players)
        self._orders = [(*players[seat:], *players[:seat]) for seat in players]
        """For every seat, all seats beginning with its own."""
        self._places = {
            (number, seat): [float(number == each) for each in range(rules.rounds)]
            + [float(seat == each) for each in players]
            for number in range(rules.rounds)
            for seat in players
        }
        """The parts of an observation for the round and the position."""
        self._root: NumberedSpot | None = None
        self._spots = 0
        self._offers: dict[tuple[int, ...], Offer] = {}

    @property
    def root(self) -> NumberedSpot:
        """The situation before the first action."""
        if self._root is None or self._spots > MOST_SPOTS:
            self._spots = 0
            self._root = self._spot(self.setup.tree.root, (0,) * self.setup.rules.rounds)
        return self._root

    def after(self, spot: NumberedSpot, number: int) -> NumberedSpot:
        """The situation after a legal action, by its number."""
        following = spot.following.get(number)
        if following is None:
            action, round_now = spot.actions[number], spot.node.view[betting.ROUND]
            raises = tuple(
                count + (place == round_now and action.kind is ActionKind.RAISE)
                for place, count in enumerate(spot.raises)
            )
            node = spot.node.following.get(action) or self.setup.tree.after(spot.node, action)
            following = spot.following[number] = self._spot(node, raises)
        return following

    def _spot(self, node: BettingNode, raises: tuple[int, ...]) -> NumberedSpot:
        self._spots += 1
        actions: dict[int, Action] = {}
        if node.actor is not None:
            actions = {0: FOLD, 1: CALL} if node.legal.fold else {1: CALL}
            if self.abstraction is not LIMIT:
                for letter, amount in self.abstraction.bets(node.view).items():
                    actions[self.letters.index(letter)] = raise_to(amount)
            elif node.legal.can_raise:
                actions[2] = node.choices[-1]
        shown = node.view[betting.OUTCOME] == betting.SHOWDOWN
        board = self.setup.board_slices[-1 if shown else node.view[betting.ROUND]]
        return NumberedSpot(
            node, actions, self._offer(tuple(actions)), board, raises, self.setup.rules.players
        )

    def _offer(self, numbers: tuple[int, ...]) -> Offer:
        """These actions as environments tell them, once for all situations."""
        offer = self._offers.get(numbers)
        if offer is None:
            mask = np.zeros(len(self.letters), np.int8)
            mask[list(numbers)] = 1
            mask.flags.writeable = False
            offer = self._offers[numbers] = {"legal_actions": numbers}, mask
        return offer

    def view(self, spot: NumberedSpot, seat: int) -> Vector:
        """What a seat sees of a situation, without cards; copy it before you change it."""
        view = spot.views[seat]
        if view is None:
            view = spot.views[seat] = self._view(spot, seat)
        return view

    def _view(self, spot: NumberedSpot, seat: int) -> Vector:
        state, unit, stacks = spot.node.view, self._unit, self.setup.stacks
        folded = state[betting.FOLDED]
        numbers: list[float] = [
            *self._places[state[betting.ROUND], seat],
            *spot.raises,
            state[betting.POT] / unit,
            spot.node.legal.call / unit if seat == spot.actor else 0.0,
        ]
        for other in self._orders[seat]:
            numbers += (
                0.0 if folded >> other & 1 else 1.0,
                state[betting.BETS + other] / unit,
                state[betting.PAID + other] / unit,
                state[betting.STACKS + other] / stacks[other],
            )
        view = self._blank.copy()
        view[-len(numbers) :] = numbers
        return view
