"""The betting situations of a setup, each computed once, which makes stepping through hands from Python fast.

Betting does not depend on cards, and most hands at a limit table take the same paths. A `BettingNode` is one
situation, immutable and shared by every hand that passes through it; it has the legal actions and, once hands pass
repeatedly or if the tree is small, the node that each action leads to. The compiled rules in `kernels.rules.betting`
compute new nodes only.

A hand whose actions are all known goes from the opening to a `SequenceEnd` in one compiled call.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from railbird.engine.actions import Action, ActionError, ActionKind, LegalActions
from railbird.engine.events import Act, Chips
from railbird.engine.rules import Betting, GameRules
from railbird.kernels.rules import betting
from railbird.kernels.rules.sequences import ROW, perform

MOST_NODES = 1 << 15
"""Maximum number of situations in a tree before it is cleared: about 40 MB."""

_FOLD, _CALL, _RAISE = ActionKind
_NOTHING = LegalActions(fold=False, call=0, raise_minimum=0, raise_maximum=0)


_OFFER = slice(betting.MAY_FOLD, betting.RAISE_MAXIMUM + 1)
_legal = tuple.__new__
"""Called directly, because a situation is made for every action, and the generated constructor takes twice the time."""
_NOWHERE: "dict[Action, BettingNode]" = {}
"""The empty successors of a new node; shared, never filled."""


class Reckoning(NamedTuple):
    """The part of a finished hand's payout that depends on betting only; computed by `engine.history`."""

    uncalled_seat: int
    uncalled: int
    vector: NDArray[np.int64]
    """The state after uncalled chips are returned."""
    amounts: NDArray[np.int64]
    claims: NDArray[np.int64]
    pots: int
    order: tuple[int, ...]
    """The order in which hands are shown at the showdown."""
    all_in: bool


class BettingNode:
    """One betting situation. `vector` is the state as compiled code reads it and must not be changed."""

    __slots__ = (
        "__weakref__",  # so that data cached for a node can be freed with it
        "_reached_by",
        "actor",
        "choices",
        "following",
        "left_before",
        "legal",
        "payoffs",
        "payoffs_by_order",
        "reached_with",
        "reckoning",
        "vector",
        "view",
    )

    def __init__(
        self, vector: NDArray[np.int64], reached_by: "tuple[BettingNode, Action] | None" = None
    ) -> None:
        view: memoryview[int] = memoryview(vector)  # type: ignore[arg-type]  # indexing it gives plain ints, fast
        actor = view[betting.ACTOR]
        self.vector = vector
        self.view = view
        self._reached_by = reached_by
        self.reached_with: Act | None = None
        self.reckoning: Reckoning | None = None
        self.actor: int | None = None if actor < 0 else actor
        self.following = _NOWHERE
        self.left_before = False
        self.payoffs: tuple[Chips, ...] | None = None
        """What every seat won or lost, where it does not depend on cards and has been asked for."""
        self.payoffs_by_order: list[tuple[Chips, ...] | None] | None = None
        """The same at a showdown of two hands: if these are equal, the first is higher, the first is lower."""
        if self.actor is None:
            self.legal = _NOTHING
            self.choices: tuple[Action, ...] = ()
        else:
            may_fold, to_call, minimum, maximum = view[_OFFER]
            self.legal = _legal(LegalActions, (may_fold == 1, to_call, minimum, maximum))
            self.choices = _choices(may_fold == 1, minimum)

    @property
    def reached_by(self) -> "tuple[BettingNode, Action] | None":
        """The situation before the last action, and that action; None at the opening."""
        return self._reached_by

    @property
    def path(self) -> "list[BettingNode]":
        """The situations after every action up to this one, in order."""
        nodes = []
        node = self
        while node.reached_by is not None:
            nodes.append(node)
            node = node.reached_by[0]
        nodes.reverse()
        return nodes

    @property
    def actions(self) -> tuple[Action, ...]:
        """All actions before this situation, in order."""
        return tuple([node.reached_by[1] for node in self.path if node.reached_by])

    def course(self) -> tuple[list[Act], Sequence[int]]:
        """The records of all actions before this situation, and the round of each."""
        acts: list[Act] = []
        rounds: list[int] = []
        node = self
        while (before := node.reached_by) is not None:
            acts.append(node.reached_with or node.act)
            node = before[0]
            rounds.append(node.view[betting.ROUND])
        acts.reverse()
        rounds.reverse()
        return acts, rounds

    @property
    def act(self) -> Act:
        """The record of the action that led here: the seat, the cost, and the seat's bet afterwards."""
        if self.reached_with is None:
            assert self.reached_by is not None, "no action leads to the opening"
            self.reached_with = _act(*self.reached_by)
        return self.reached_with


class SequenceEnd(BettingNode):
    """The situation after a sequence of actions from the opening. Those in between are computed only when asked for."""

    __slots__ = ("_acts", "_rounds", "_tree", "left", "to_match")

    def __init__(
        self, vector: NDArray[np.int64], tree: "BettingTree", rows: list[int], kinds: list[ActionKind]
    ) -> None:
        super().__init__(vector)
        seats, paid, bets, rounds, to_match, left = [rows[column::ROW] for column in range(ROW)]
        self._acts = list(map(Act, seats, kinds, paid, bets))
        self.reached_with = self._acts[-1]
        self._rounds = rounds
        self._tree = tree
        self.to_match = to_match
        """The highest bet of the round before each action."""
        self.left = left
        """The chips that the seat had left after each action."""

    @property
    def reached_by(self) -> tuple[BettingNode, Action]:
        """The situation before the last action, and that action."""
        if self._reached_by is None:
            *earlier, last = [act.action for act in self._acts]
            node = self._tree.root
            for action in earlier:
                node = self._tree.after(node, action)
            self._reached_by = node, last
        return self._reached_by

    def course(self) -> tuple[list[Act], Sequence[int]]:
        """The records of all actions, and the round of each."""
        return self._acts, self._rounds


@lru_cache(maxsize=4096)
def _choices(fold: bool, raise_minimum: int) -> tuple[Action, ...]:
    """One action of each kind that is legal."""
    return LegalActions(fold, 0, raise_minimum, raise_minimum).kinds()


def _act(node: BettingNode, action: Action) -> Act:
    seat = node.actor
    assert seat is not None
    bet = node.view[betting.BETS + seat]
    kind, to = action
    if kind == _RAISE:
        return Act(seat, _RAISE, to - bet, to)
    if kind == _FOLD:
        return Act(seat, _FOLD, 0, bet)
    paid = node.legal.call
    return Act(seat, _CALL, paid, bet + paid)


class BettingTree:
    """The situations reached from one opening; it grows as hands are played."""

    __slots__ = ("_is_small", "_nodes", "_rules_vector", "root", "rules")

    def __init__(self, rules: GameRules, rules_vector: NDArray[np.int64], opening: NDArray[np.int64]) -> None:
        self.rules = rules
        self.root = BettingNode(opening)
        self._rules_vector = rules_vector
        self._nodes = 1
        # Heads-up limit hold'em has 16,584 situations, so that even rare ones are worth storing.
        self._is_small = rules.betting is Betting.LIMIT and rules.players == 2

    @property
    def size(self) -> int:
        """The number of situations in the tree."""
        return self._nodes

    def after(self, node: BettingNode, action: Action, *, keep: bool = False) -> BettingNode:
        """The node that an action leads to; an illegal one is refused.

        It is stored from the second visit on, or at once: if asked for, or in a small tree.
        """
        verify(self.rules, node, action)
        vector = node.vector.copy()
        betting.step(self._rules_vector, vector, int(action.kind), action.to)
        following = BettingNode(vector, (node, action))
        if keep or self._is_small or node.left_before:
            self._link(node, action, following)
        node.left_before = True
        return following

    def after_all(self, actions: Sequence[Action]) -> SequenceEnd | None:
        """The situation after one or more actions from the opening, None if they are not all offered."""
        vector = self.root.vector.copy()
        count = len(actions)
        rows = np.empty(ROW * count, dtype=np.int64)
        pairs = np.fromiter(chain.from_iterable(actions), np.int64, 2 * count)
        if not count or perform(self._rules_vector, vector, pairs, rows) < count:
            return None
        return SequenceEnd(vector, self, rows.tolist(), [action[0] for action in actions])

    def _link(self, node: BettingNode, action: Action, following: BettingNode) -> None:
        """Store the successor of a node. Situations visited only once are not stored, and are freed with their hand."""
        if node.following is _NOWHERE:
            node.following = {}
        node.following[action] = following
        self._nodes += 1
        if self._nodes >= MOST_NODES:
            # Hands in progress keep their nodes; all others are freed.
            self.root = BettingNode(self.root.vector)
            self._nodes = 1


def verify(rules: GameRules, node: BettingNode, action: Action) -> None:
    """Refuse an action that the rules forbid in a situation, naming the reason."""
    if node.actor is None:
        raise ActionError(f"the hand is over: nobody can {action.kind.name.lower()}")
    legal = node.legal
    kind, to = action
    if kind == _RAISE:
        if not isinstance(to, int):
            raise ActionError(f"an amount must be a whole number of chips, not {to}")
        if not legal.raise_maximum:
            raise ActionError(f"seat {node.actor} cannot raise: {_why_no_raise(rules, node)}")
        if not legal.raise_minimum <= to <= legal.raise_maximum:
            raise ActionError(f"seat {node.actor} can raise {_bounds(legal)}, not to {to}")
        return
    if kind == _FOLD and not legal.fold and not rules.free_folds:
        raise ActionError(f"seat {node.actor} cannot fold: checking is free")
    if to:
        raise ActionError(f"a {kind.name.lower()} has no amount, but {to} was given")


def _bounds(legal: LegalActions) -> str:
    if legal.raise_minimum == legal.raise_maximum:
        return f"only to {legal.raise_minimum}"
    return f"to between {legal.raise_minimum} and {legal.raise_maximum}"


def _why_no_raise(rules: GameRules, node: BettingNode) -> str:
    view, seat = node.view, node.actor
    assert seat is not None
    cap = rules.raise_caps[view[betting.ROUND]]
    if cap is not None and view[betting.RAISES] >= cap:
        return f"the cap of {cap} raise{'' if cap == 1 else 's'} in this round is reached"
    stack = view[betting.STACKS + seat]
    if view[betting.BETS + seat] + stack <= view[betting.HIGH]:
        return f"its {stack} chips are only enough to call"
    if view[betting.ABLE] & ~(1 << seat) == 0:
        return "every opponent is all-in"
    return "no opponent could call more, or only a short all-in was made since it acted"
