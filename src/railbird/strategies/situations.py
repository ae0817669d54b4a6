"""What a solved strategy does in one public situation, with every holding.

    situation = StrategySituation.of(strategy, "cr", "")
    situation.sections()                 hold'em: a grid of starting hands for each action; small games: a table

Betting is written as the letters of the actions from the start of the hand; `/` between rounds is allowed.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from railbird.agent.ranges import action_grids, class_means, possible_combos
from railbird.cards import Card, format_cards, parse_cards
from railbird.engine.actions import Action
from railbird.engine.setup import Setup
from railbird.engine.wording import Wording
from railbird.explanation import SHARE, RangeGrid, TableSection
from railbird.strategies.exact_strategy import ExactStrategy, SolvedStrategy
from railbird.strategies.table_strategy import TableStrategy
from railbird.strategies.tree import DECISION, PublicTree

SCHEMA = "railbird.strategy/1"
_POSITIONS = {2: ("big blind", "button"), 3: ("small blind", "big blind", "button")}


class NoSuchSituation(ValueError):
    """A situation that does not occur in the game of a strategy."""


@dataclass(frozen=True, slots=True)
class StrategySituation:
    """A decision of a strategy: a node of its betting tree, the open board, and the betting so far."""

    strategy: SolvedStrategy
    node: int
    board: tuple[Card, ...]
    betting: str
    """Letters without marks between rounds."""

    @classmethod
    def of(cls, strategy: SolvedStrategy, betting: str = "", board: str = "") -> "StrategySituation":
        """The situation after some betting on a board; an error if it is impossible or the hand is over."""
        tree, cards, letters = strategy.tree, parse_cards(board), betting.replace("/", "")
        node = _node_after(tree, letters)
        expected = tree.rules.board_size(int(tree.rounds[node]))
        if len(cards) != expected:
            raise NoSuchSituation(
                f"after the betting {betting!r} the board has {expected} cards, but {len(cards)} are given"
            )
        strange = [card for card in cards if card not in tree.rules.deck]
        if strange:
            raise NoSuchSituation(f"{format_cards(strange[:1])} is not in the deck of {tree.rules.name}")
        return cls(strategy, node, cards, letters)

    @property
    def title(self) -> str:
        """Who acts after which betting on which board."""
        tree = self.strategy.tree
        street = tree.rules.round_name(int(tree.rounds[self.node]))
        cards = f" {format_cards(self.board, ' ')}" if self.board else ""
        betting = f"after {self.betting}" if self.betting else "first to act"
        seat = int(tree.actors[self.node])
        names = _POSITIONS.get(tree.rules.players) if tree.rules.is_holdem else None
        who = names[seat] if names else f"seat {seat + 1}"
        return f"{tree.rules.name}, {street}{cards}, {betting}, {who}"

    @property
    def actions(self) -> tuple[Action, ...]:
        """The actions that are possible, in the order of the letters."""
        return tuple(self.strategy.tree.action(self.node, letter) for letter in self._letters)

    @property
    def _letters(self) -> list[int]:
        return np.flatnonzero(self.strategy.tree.children[self.node] >= 0).tolist()

    @property
    def _wording(self) -> Wording:
        tree = self.strategy.tree
        real, node = Setup.of(tree.rules).tree, 0
        situation = real.root
        for letter in map(tree.actions.letters.index, self.betting):
            situation = real.after(situation, tree.action(node, letter))
            node = int(tree.children[node, letter])
        return Wording.at(situation)

    def sections(self) -> tuple[RangeGrid | TableSection, ...]:
        """In hold'em, how probably the seat plays to this point, and each action, by starting hand; else a table."""
        if isinstance(self.strategy, ExactStrategy):
            return (self._table(self.strategy),)
        return self._grids(self.strategy)

    def to_json(self) -> dict[str, Any]:
        """The situation and its sections as plain data."""
        tree = self.strategy.tree
        return {
            "schema": SCHEMA,
            "game": tree.rules.name,
            "strategy": self.strategy.digest,
            "betting": self.betting,
            "board": format_cards(self.board),
            "seat": int(tree.actors[self.node]),
            "actions": [str(action) for action in self.actions],
            "sections": [section.to_json() for section in self.sections()],
        }

    def _table(self, strategy: ExactStrategy) -> TableSection:
        rows: list[tuple[str | float, ...]] = []
        for place, known in enumerate(strategy.game.information_sets):
            if (known.node, known.board) == (self.node, self.board):
                rows.append((format_cards(known.hole), *strategy.profile[place, self._letters].tolist()))
        names = tuple(map(self._wording.name, self.actions))
        return TableSection(self.title, ("cards", *names), tuple(rows), ("", *(SHARE for _ in names)))

    def _grids(self, strategy: TableStrategy) -> tuple[RangeGrid, ...]:
        tree, seat = strategy.tree, strategy.tree.actors[self.node]
        streets = range(int(tree.rounds[self.node]) + 1)
        buckets = [strategy.finder.on_board(self.board[: (0, 3, 4, 5)[street]]) for street in streets]
        holdings = np.flatnonzero(buckets[-1] >= 0)

        def probabilities(node: int) -> NDArray[np.float64]:
            return strategy.probabilities(node)[buckets[int(tree.rounds[node])][holdings]]

        grids = action_grids(
            self.actions, holdings, probabilities(self.node)[:, self._letters], self._wording
        )
        reach = np.ones(len(holdings))
        node, has_acted = 0, False
        for letter in map(tree.actions.letters.index, self.betting):
            if tree.actors[node] == seat:
                reach *= probabilities(node)[:, letter]
                has_acted = True
            node = int(tree.children[node, letter])
        if not has_acted:
            return grids
        played = RangeGrid(
            "hands that play to this point",
            class_means(holdings, reach),
            possible_combos(holdings),
            "how often each combo plays to this point",
        )
        return (played, *grids)


def _node_after(tree: PublicTree, betting: str) -> int:
    node = 0
    for place, letter in enumerate(betting):
        column = tree.actions.letters.find(letter)
        following = int(tree.children[node, column]) if column >= 0 else -1
        if following < 0:
            possible = [
                each
                for each, child in zip(tree.actions.letters, tree.children[node].tolist(), strict=True)
                if child >= 0
            ]
            after = f"after {betting[:place]!r}" if place else "at the start"
            shown = f"possible: {', '.join(possible)}" if possible else "the hand is over"
            raise NoSuchSituation(f"{letter!r} is not an action {after} ({shown})")
        node = following
    if tree.kinds[node] != DECISION:
        raise NoSuchSituation(f"after the betting {betting!r} the hand is over")
    return node
