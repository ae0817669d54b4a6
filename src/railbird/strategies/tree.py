"""The public betting tree of a game as arrays, made by the engine's own rules.

Betting does not depend on cards, so one tree serves all deals; cards that are dealt between rounds are no nodes of
it. Nodes are numbered in preorder: a node comes before what follows it, in the order of the actions.

With a merged abstraction, situations that open a betting round are one node if the same seats have folded, every seat
has paid the same, and the last raise of the hand was made by the same seat in the same round. Nodes then come round by
round. This is imperfect recall: in each round a seat only remembers this much of the betting before. Three-player limit
hold'em has 31,054 decisions so, and 9,711,806 otherwise.

>>> from railbird.engine.games import named_game
>>> tree = public_tree(named_game("kuhn-2p"))
>>> tree.size, len(tree.decisions), tree.words[tree.size - 1]
(9, 4, 'rc')
>>> len(public_tree(named_game("limit-3p"), ActionAbstraction("fcr-merged")).decisions)
31054
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from railbird.engine.actions import CALL, FOLD, Action, raise_to
from railbird.engine.rules import Betting, GameRules
from railbird.engine.setup import Setup
from railbird.kernels.rules import betting
from railbird.kernels.solve import trees
from railbird.strategies.actions import LIMIT, ActionAbstraction

DECISION, UNCONTESTED, SHOWDOWN = betting.RUNNING, betting.UNCONTESTED, betting.SHOWDOWN
"""The kinds of nodes: somebody is to act, all but one folded, hands are compared."""


class TreeError(ValueError):
    """A tree that is too large."""


@dataclass(frozen=True, eq=False)
class PublicTree:
    """A betting tree; every array has a row for each node."""

    rules: GameRules
    actions: ActionAbstraction
    kinds: NDArray[np.int8]
    """`DECISION`, `UNCONTESTED` or `SHOWDOWN`."""
    actors: NDArray[np.int8]
    """The seat to act, −1 at the end of a hand."""
    rounds: NDArray[np.int8]
    folded: NDArray[np.int16]
    """The seats that folded, as bits."""
    paid: NDArray[np.int64]
    """Chips paid by every seat in the whole hand."""
    children: NDArray[np.int32]
    """Where every letter of the abstraction leads, −1 where it is not possible."""
    amounts: NDArray[np.int64]
    """To how much every letter raises, 0 where it is no raise."""

    @property
    def size(self) -> int:
        """The number of nodes."""
        return len(self.kinds)

    @cached_property
    def decisions(self) -> NDArray[np.int64]:
        """The nodes where a seat is to act."""
        return np.flatnonzero(self.kinds == DECISION)

    @cached_property
    def parents(self) -> NDArray[np.int32]:
        """The node before every node, −1 before the first; the last one where several were merged."""
        parents = np.full(self.size, -1, dtype=np.int32)
        nodes, letters = np.nonzero(self.children >= 0)
        parents[self.children[nodes, letters]] = nodes
        return parents

    @cached_property
    def levels(self) -> tuple[NDArray[np.int64], ...]:
        """The nodes by the number of actions before them; merged ones may occur in several levels."""
        levels = [np.zeros(1, dtype=np.int64)]
        while len(levels[-1]):
            following = self.children[levels[-1]]
            levels.append(np.unique(following[following >= 0]).astype(np.int64))
        return tuple(levels[:-1])

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The letters of the actions before every node, without marks between rounds; of merged ones, the last."""
        words = [""] * self.size
        for node in self.decisions.tolist():
            for letter, child in zip(self.actions.letters, self.children[node].tolist(), strict=True):
                if child >= 0:
                    words[child] = words[node] + letter
        return tuple(words)

    def action(self, node: int, letter: int) -> Action:
        """The action of the letter with a number, where it is possible."""
        amount = int(self.amounts[node, letter])
        return raise_to(amount) if amount else (FOLD, CALL)[letter]


def public_tree(
    rules: GameRules, actions: ActionAbstraction | None = None, most_nodes: int = 4_000_000
) -> PublicTree:
    """The tree of a game under an action abstraction; a limit game needs none."""
    if actions is None:
        if rules.betting is not Betting.LIMIT:
            raise TreeError(f"{rules.name} needs an action abstraction: its raises can be of any size")
        actions = LIMIT
    setup = Setup.of(rules)
    nodes = (_merged if actions.is_merged else _whole)(setup, actions, most_nodes)
    if len(nodes) > most_nodes:
        raise TreeError(
            f"the betting tree of {rules.name} under {actions} has more than {most_nodes:,} nodes"
        )
    ends = np.cumsum((trees.PAID, rules.players, len(actions.letters)))
    _, paid, children, amounts = np.split(nodes, ends, axis=1)
    return PublicTree(
        rules,
        actions,
        nodes[:, trees.KIND].astype(np.int8),
        nodes[:, trees.ACTOR].astype(np.int8),
        nodes[:, trees.ROUND].astype(np.int8),
        nodes[:, trees.FOLDED].astype(np.int16),
        paid.copy(),
        children.astype(np.int32),
        amounts.copy(),
    )


def _whole(setup: Setup, actions: ActionAbstraction, most_nodes: int) -> NDArray[np.int64]:
    """All nodes in preorder; more than `most_nodes` if there are more."""
    letters, last_round = (actions.possible(), actions.shares()), setup.rules.rounds - 1
    nodes, _ = trees.grow(setup.rules_vector, _opening(setup), *letters, last_round, most_nodes)
    return nodes


def _merged(setup: Setup, actions: ActionAbstraction, most_nodes: int) -> NDArray[np.int64]:
    """All nodes, opening by opening, those that are alike as one; more than `most_nodes` if there are more."""
    letters = actions.possible(), actions.shares()
    payments = range(betting.PAID, betting.PAID + setup.rules.players)
    remembered = [betting.ROUND, betting.FOLDED, *payments, trees.RAISER, trees.RAISED_IN]
    children = trees.PAID + setup.rules.players + np.arange(len(actions.letters))
    opened, places = [_opening(setup)], dict[bytes, int]()
    grown, starts, links = list[NDArray[np.int64]](), [0], list[tuple[int, int, int]]()
    for opening in opened:  # to which those of the next round are added
        nodes, later = trees.grow(
            setup.rules_vector, opening, *letters, int(opening[betting.ROUND]), most_nodes
        )
        start = starts[-1]
        grown.append(nodes)
        starts.append(start + len(nodes))
        if starts[-1] > most_nodes:
            return np.concatenate(grown)
        nodes[:, children] += np.where(nodes[:, children] >= 0, start, 0)
        for situation in later:
            place = places.setdefault(situation[remembered].tobytes(), len(opened))
            if place == len(opened):
                opened.append(situation)
            links.append((start + situation[trees.PARENT], children[situation[trees.LETTER]], place))
    found = np.concatenate(grown)
    parents, columns, following = np.array(links, dtype=np.int64).reshape(-1, 3).T
    found[parents, columns] = np.array(starts)[following]
    return found


def _opening(setup: Setup) -> NDArray[np.int64]:
    """The first situation of a hand, before which nothing happened."""
    found = np.full(trees.SITUATION_LENGTH, -1, dtype=np.int64)
    found[: betting.STATE_LENGTH] = setup.opening
    return found
