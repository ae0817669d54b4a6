"""The public betting tree of a game as arrays, made by the engine's own rules.

Betting does not depend on cards, so one tree serves all deals; cards that are dealt between rounds are no nodes of
it. Nodes are numbered in preorder: a node comes before what follows it, in the order of the actions.

>>> from railbird.engine.games import named_game
>>> tree = public_tree(named_game("kuhn-2p"))
>>> tree.size, len(tree.decisions), tree.words[tree.size - 1]
(9, 4, 'rc')
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
        """The node before every node, −1 before the first."""
        parents = np.full(self.size, -1, dtype=np.int32)
        nodes, letters = np.nonzero(self.children >= 0)
        parents[self.children[nodes, letters]] = nodes
        return parents

    @cached_property
    def levels(self) -> tuple[NDArray[np.int64], ...]:
        """The nodes by the number of actions before them."""
        levels = [np.zeros(1, dtype=np.int64)]
        while len(levels[-1]):
            following = self.children[levels[-1]]
            levels.append(np.sort(following[following >= 0]).astype(np.int64))
        return tuple(levels[:-1])

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The letters of the actions before every node, without marks between rounds."""
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
    nodes = trees.grow(setup.rules_vector, setup.opening, actions.possible(), actions.shares(), most_nodes)
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
