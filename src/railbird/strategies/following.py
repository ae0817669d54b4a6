"""A real hand followed through an abstract betting tree: which decision of a strategy a situation corresponds to.

    follower = Follower(strategy.tree, Translation.SOFT, stream)
    spot = follower.spot(observation.node, observation.hand_number)
    spot.node                            the decision of the tree, whose probabilities are by letter
    spot.actions, spot.columns           what these letters are in the real hand

In a limit game every action is a letter, and the tree is followed exactly. Otherwise:

- A letter means in the real hand what it means in the tree: a share of the pot, the least raise, or all chips. A bet
  that is not legal becomes that of the next larger letter, or a call if there is none.
- A real bet that is no letter's amount is read as one of the two nearest letters, the same throughout the hand.
  `Translation.SOFT` draws which (sartre-2012, Eq. 4 and 5) from the stream, the hand's number and the action's place in
  the hand; `Translation.HARD` takes the nearer one (Eq. 3). An observation and the stream are enough to repeat this.

The tree may have fewer raises than the real hand, and its chips are not the real ones. Then:

- A raise where the tree has none is read as a call. A seat that must act once more because of it is at its last
  decision of this round, where it folds as often and otherwise calls; in a limit game, where staying costs one bet, it
  calls.
- In a limit game the pot is then larger than in the tree, and a call is cheaper. The part of folds that become calls
  is 1 − (real price / price in the tree)⁴, a price being the call as a share of the pot with it. Without this, a
  strategy with two raises a round folds too much to players who raise without end.
- If the tree's hand is over because a bet was read as all-in, and the real hand goes on, the seat plays for all its
  chips: it checks and calls.
- A seat that folded, or has no chips left, before it did in the tree checks there, and folds to a bet if it folded.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from railbird.engine.actions import CALL, FOLD, Action, ActionKind
from railbird.engine.betting_tree import BettingNode
from railbird.engine.rules import Betting, GameRules
from railbird.engine.wording import Wording
from railbird.explanation import SHARE, Cell, TableSection
from railbird.explanation.formats import format_share
from railbird.kernels.rules import betting
from railbird.rng import Stream
from railbird.strategies.actions import (
    LETTER_NAMES,
    ActionAbstraction,
    Chances,
    Choice,
    Part,
    Translation,
    Translator,
    legal_places,
    merged,
    raise_share,
)
from railbird.strategies.tree import DECISION, PublicTree

NOWHERE = -1
"""The node of a situation for which the tree has no decision."""


@dataclass(frozen=True, slots=True)
class ActionReading:
    """How an action was read."""

    before: BettingNode
    """The situation of the action."""
    action: Action
    letter: str
    share: Fraction
    """By how much the real bet raised, as a share of the pot after a call; 0 for a fold or call."""
    chances: Chances
    is_exact: bool = True
    """Whether the action is exactly what its letter means."""

    @property
    def seat(self) -> int:
        """Who acted."""
        assert self.before.actor is not None
        return self.before.actor


def readings_table(
    title: str, readings: Iterable[ActionReading], players: Sequence[str]
) -> tuple[TableSection, ...]:
    """How bets were read that are not exactly what their letters mean; nothing if there are none."""
    rows: list[tuple[Cell, ...]] = []
    for reading in readings:
        if not reading.is_exact:
            possible = ", ".join(
                f"{LETTER_NAMES[letter]} {format_share(chance)}" for letter, chance in reading.chances
            )
            done = Wording.at(reading.before).name(reading.action)
            rows.append(
                (players[reading.seat], done, float(reading.share), LETTER_NAMES[reading.letter], possible)
            )
    columns = ("player", "action", "share of the pot", "read as", "possible readings")
    return (TableSection(title, columns, tuple(rows), ("", "", SHARE, "", "")),) if rows else ()


@dataclass(frozen=True, slots=True)
class Spot:
    """A decision of the real hand, and the decision of the tree that it corresponds to."""

    node: int
    """The decision of the tree; `NOWHERE` if there is none, and the only action is to call."""
    actions: tuple[Action, ...]
    """Legal actions of the real hand."""
    columns: tuple[int, ...]
    """The place among the actions of every letter of the tree."""
    is_repeated: bool = False
    """Whether the seat already acted at this decision of the tree, before a raise that the tree does not have."""
    staying: float = 0.0
    """The part of the tree's folds that become calls, because calling is cheaper than in the tree."""

    def merged(self, by_letter: Sequence[Part]) -> list[Part]:
        """What the letters of the tree add up to for every action."""
        found = merged(by_letter, self.columns, len(self.actions))
        if self.staying and FOLD in self.actions:
            fold, call = self.actions.index(FOLD), self.actions.index(CALL)
            moved = _part(found[fold], self.staying)
            found[fold], found[call] = found[fold] - moved, found[call] + moved
        return found


def _part(of: Any, share: float) -> Any:
    """A share of a number, or of many, in whole numbers."""
    return np.rint(of * share).astype(np.uint8) if isinstance(of, np.ndarray) else round(of * share)


_CALLING = Spot(NOWHERE, (CALL,), ())
_CHEAPNESS = 4
"""The exponent of the ratio of prices: of 1, 2 and 4 the only one that did not lose to two always-raise."""


class _Position(NamedTuple):
    """Where a real hand is in the tree."""

    node: int
    decisions: tuple[int, ...]
    """The last decision of every seat in the present round of the real hand, or `NOWHERE`."""
    actions: int
    """The number of actions so far."""


def is_same_game(rules: GameRules, other: GameRules) -> bool:
    """Whether two games are bet alike, except for their stacks and the size of their chips."""
    return rules.is_holdem and other.is_holdem and _betting_of(rules) == _betting_of(other)


def _betting_of(rules: GameRules) -> tuple[object, ...]:
    amounts = (*rules.blinds, *rules.antes, *rules.bet_sizes)
    return (
        rules.players,
        rules.betting,
        rules.raise_caps,
        rules.first_seats,
        [Fraction(amount, rules.bet_sizes[0]) for amount in amounts],
    )


class Follower:
    """Follows the hands of a match through a tree."""

    def __init__(self, tree: PublicTree, translation: Translation, stream: Stream) -> None:
        self.tree = tree
        self._translator = Translator(translation, stream.child("translation"))
        # Readings that are drawn are those of one hand; others apply to all hands that pass through a situation.
        self._is_limit = tree.rules.betting is Betting.LIMIT
        self._is_drawn = translation is Translation.SOFT and not self._is_limit
        self._hand = 0
        self._positions: WeakKeyDictionary[BettingNode, _Position] = WeakKeyDictionary()
        self._spots: WeakKeyDictionary[BettingNode, Spot] = WeakKeyDictionary()

    def spot(self, node: BettingNode, hand: int) -> Spot:
        """The decision of the tree for a decision of the real hand with a number."""
        self._begin(hand)
        found = self._spots.get(node)
        if found is None:
            found = self._spots[node] = self._find(node)
        return found

    def readings(self, node: BettingNode, hand: int) -> list[ActionReading]:
        """How all actions before a situation of the real hand with a number were read, where the tree has them."""
        self._begin(hand)
        found = []
        for after in node.path:
            assert after.reached_by is not None
            before, action = after.reached_by
            position = self._position(before)
            if self._is_at(position.node, before):
                found.append(self._read(position, before, action))
        return found

    def _begin(self, hand: int) -> None:
        if self._is_drawn and hand != self._hand:
            self._positions.clear()
            self._spots.clear()
        self._hand = hand

    def _find(self, real: BettingNode) -> Spot:
        position = self._position(real)
        assert real.actor is not None, "the hand is over"
        if self._is_at(position.node, real):
            actions = {choice.letter: choice.action for choice in self._choices(position.node, real)}
            return self._spot(position.node, actions, staying=self._staying(position.node, real))
        decided = position.decisions[real.actor]
        if decided == NOWHERE:
            return _CALLING
        actions = {"f": FOLD, "c": CALL} if real.legal.fold else {"c": CALL}
        return self._spot(decided, actions, True, float(self._is_limit))

    def _spot(
        self, node: int, actions: dict[str, Action], is_repeated: bool = False, staying: float = 0.0
    ) -> Spot:
        """A spot where some letters have an action."""
        return Spot(node, *legal_places(self.tree.actions.letters, actions), is_repeated, staying)

    def _staying(self, node: int, real: BettingNode) -> float:
        """The part of the folds at a decision of the tree that become calls."""
        paid = self.tree.paid[node].tolist()
        to_call = max(paid) - paid[self.tree.actors[node]]
        if not (self._is_limit and to_call and real.legal.call):
            return 0.0
        price = real.legal.call / (real.view[betting.POT] + real.legal.call)
        planned = to_call / (sum(paid) + to_call)
        return max(0.0, 1.0 - float(price / planned) ** _CHEAPNESS)

    def _position(self, real: BettingNode) -> _Position:
        unknown = []
        node = real
        while (found := self._positions.get(node)) is None:
            unknown.append(node)
            if node.reached_by is None:
                seats = self.tree.rules.players
                found = _Position(self._align(0, unknown.pop()), (NOWHERE,) * seats, 0)
                self._positions[node] = found
                break
            node = node.reached_by[0]
        for node in reversed(unknown):
            assert node.reached_by is not None
            found = self._positions[node] = self._after(found, *node.reached_by, node)
        return found

    def _after(
        self, position: _Position, before: BettingNode, action: Action, after: BettingNode
    ) -> _Position:
        node, decisions, actions = position
        if self._is_at(node, before):
            assert before.actor is not None
            decisions = (*decisions[: before.actor], node, *decisions[before.actor + 1 :])
            letter = self._read(position, before, action).letter
            node = int(self.tree.children[node, self.tree.actions.letters.index(letter)])
        if after.view[betting.ROUND] != before.view[betting.ROUND]:
            decisions = (NOWHERE,) * len(decisions)
        return _Position(self._align(node, after), decisions, actions + 1)

    def _is_at(self, node: int, real: BettingNode) -> bool:
        """Whether a node of the tree is the same seat's decision in the same round."""
        tree = self.tree
        return bool(tree.actors[node] == real.actor and tree.rounds[node] == real.view[betting.ROUND])

    def _align(self, node: int, real: BettingNode) -> int:
        """The node of the tree after passing over decisions that the real hand does not have."""
        tree, view = self.tree, real.view
        while tree.kinds[node] == DECISION and real.actor is not None and not self._is_at(node, real):
            seat = int(tree.actors[node])
            may_act = view[betting.ABLE] >> seat & 1
            if may_act and tree.rounds[node] >= view[betting.ROUND]:
                break  # the tree is ahead, and waits for the real hand
            has_folded = view[betting.FOLDED] >> seat & 1 and tree.children[node, 0] >= 0
            node = int(tree.children[node, 0 if has_folded else 1])
        return node

    def _letters(self, node: int) -> str:
        """The letters that are possible at a decision of the tree."""
        children = self.tree.children[node].tolist()
        return "".join(
            letter for letter, child in zip(self.tree.actions.letters, children, strict=True) if child >= 0
        )

    def _choices(self, node: int, real: BettingNode) -> tuple[Choice, ...]:
        """What the letters of a decision of the tree are in the real hand; impossible and equal bets are left out."""
        return _abstraction(self._letters(node)).choices(real.view)

    def _read(self, position: _Position, before: BettingNode, action: Action) -> ActionReading:
        assert before.actor is not None
        possible = self._letters(position.node)
        if action.kind is not ActionKind.RAISE:
            letter = "f" if action.kind is ActionKind.FOLD and "f" in possible else "c"
            return ActionReading(before, action, letter, Fraction(0), ((letter, 1.0),))
        share = raise_share(before.view, action.to)
        bets = [choice for choice in self._choices(position.node, before) if choice.share]
        # Without bets, it is a bet below the least raise, or a call where the tree has no raise.
        letter = possible[-1]
        chances: Chances = ((letter, 1.0),)
        if bets:
            letter, chances = self._translator.read(bets, share, self._hand, position.actions)
        is_exact = any(bet.letter == letter and bet.action == action for bet in bets)
        return ActionReading(before, action, letter, share, chances, is_exact)


@cache
def _abstraction(possible: str) -> ActionAbstraction:
    return ActionAbstraction("fc" + possible.lstrip("fc"))
