"""The start of a hand before any cards: the players dealt in, their stacks, blinds and antes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from railbird.cards import Card
from railbird.engine.betting_tree import BettingTree
from railbird.engine.events import Post, PostKind
from railbird.engine.rules import UNLIMITED_STACK, GameRules, RulesError, compiled
from railbird.kernels.rules import betting


@dataclass(frozen=True, slots=True)
class Setup:
    """The start of a hand. Any number of hands can start from it; they share its betting tree.

    >>> from railbird.engine.games import named_game
    >>> setup = Setup.of(named_game("nolimit-2p"), stacks=(3000, 5000))
    >>> setup.blinds, setup.stacks
    ((100, 50), (3000, 5000))
    """

    rules: GameRules
    stacks: tuple[int, ...]
    blinds: tuple[int, ...]
    antes: tuple[int, ...]
    first: int
    """The seat that opens the first round."""
    rules_vector: NDArray[np.int64] = field(init=False, repr=False, compare=False)
    tree: BettingTree = field(init=False, repr=False, compare=False)
    deck: NDArray[np.int64] = field(init=False, repr=False, compare=False)
    cards_in_play: frozenset[Card] = field(init=False, repr=False, compare=False)
    cards_dealt: int = field(init=False, repr=False, compare=False)
    posts: tuple[Post, ...] = field(init=False, repr=False, compare=False)
    """The antes and blinds as events."""
    board_slices: tuple[slice, ...] = field(init=False, repr=False, compare=False)
    """The slice of a hand's cards that is the board in each round."""

    def __post_init__(self) -> None:
        players = self.rules.players
        for name in ("stacks", "blinds", "antes"):
            amounts = getattr(self, name)
            if len(amounts) != players:
                raise RulesError(f"{len(amounts)} {name} for the {players} players of {self.rules.name}")
            if min(amounts) < 0:
                raise RulesError(f"{name} may not be negative: {amounts}")
        if min(self.stacks) == 0:
            seat = self.stacks.index(0)
            raise RulesError(f"seat {seat} has no chips and cannot be dealt in")
        if max(self.stacks) > UNLIMITED_STACK:
            raise RulesError(f"a stack is at most {UNLIMITED_STACK}, not {max(self.stacks)}")
        if not 0 <= self.first < players:
            raise RulesError(f"seat {self.first} cannot open: seats are 0 … {players - 1}")
        rules_vector = compiled(self.rules)
        opening = np.zeros(betting.STATE_LENGTH, dtype=np.int64)
        stacks, blinds, antes = (
            np.array(amounts, dtype=np.int64) for amounts in (self.stacks, self.blinds, self.antes)
        )
        betting.start(rules_vector, opening, stacks, blinds, antes, self.first)
        object.__setattr__(self, "rules_vector", rules_vector)
        object.__setattr__(self, "tree", BettingTree(self.rules, rules_vector, opening))
        rules = self.rules
        cards = _cards(players * rules.hole_cards, rules.board_cards, rules.deck)
        for name, value in zip(("deck", "cards_in_play", "cards_dealt", "board_slices"), cards, strict=True):
            object.__setattr__(self, name, value)
        object.__setattr__(self, "posts", tuple(_posts(opening.tolist(), players)))

    @classmethod
    def of(cls, rules: GameRules, stacks: Sequence[int] | None = None) -> "Setup":
        """The usual start: the game's own blinds and antes, and its stacks unless others are given."""
        return cls(
            rules=rules,
            stacks=rules.stacks if stacks is None else tuple(stacks),
            blinds=rules.blinds,
            antes=rules.antes,
            first=rules.first_seats[0],
        )

    @property
    def opening(self) -> NDArray[np.int64]:
        """The betting state after antes and blinds."""
        return self.tree.root.vector


@lru_cache(maxsize=256)
def _cards(
    hole: int, board_cards: tuple[int, ...], deck: tuple[Card, ...]
) -> tuple[NDArray[np.int64], frozenset[Card], int, tuple[slice, ...]]:
    """What a game deals: the deck as an array and as a set, the number of cards, and the board by round."""
    sizes = [sum(board_cards[: number + 1]) for number in range(len(board_cards))]
    array = np.array(deck, dtype=np.int64)
    return array, frozenset(deck), hole + sizes[-1], tuple(slice(hole, hole + size) for size in sizes)


def _posts(opening: list[int], players: int) -> Iterator[Post]:
    antes, paid = opening[betting.ANTES :], opening[betting.PAID :]
    for seat in range(players):
        if antes[seat]:
            yield Post(seat, PostKind.ANTE, antes[seat])
    for seat in range(players):
        if paid[seat] > antes[seat]:
            yield Post(seat, PostKind.BLIND, paid[seat] - antes[seat])
