"""The start of a hand before any cards: the players dealt in, their stacks, blinds and antes."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from railbird.cards import Card
from railbird.engine.betting_tree import BettingTree
from railbird.engine.events import Post, PostKind
from railbird.engine.rules import UNLIMITED_STACK, GameRules, RulesError, compiled
from railbird.kernels.rules import betting

MOST_SHARED = 4
"""Maximum number of games whose shared setup is kept, each with a betting tree of at most about 40 MB."""


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
        rules = self.rules
        players = len(rules.blinds)
        for name, amounts in (("stacks", self.stacks), ("blinds", self.blinds), ("antes", self.antes)):
            if len(amounts) != players:
                raise RulesError(f"{len(amounts)} {name} for the {players} players of {rules.name}")
            if min(amounts) < 0:
                raise RulesError(f"{name} may not be negative: {amounts}")
        if 0 in self.stacks:
            seat = self.stacks.index(0)
            raise RulesError(f"seat {seat} has no chips and cannot be dealt in")
        if max(self.stacks) > UNLIMITED_STACK:
            raise RulesError(f"a stack is at most {UNLIMITED_STACK}, not {max(self.stacks)}")
        if not 0 <= self.first < players:
            raise RulesError(f"seat {self.first} cannot open: seats are 0 … {players - 1}")
        rules_vector, deck, cards_in_play, cards_dealt, board_slices = _constants(rules)
        opening = np.empty(betting.STATE_LENGTH, dtype=np.int64)
        chips = np.array(self.stacks + self.blinds + self.antes, dtype=np.int64)
        stacks, blinds, antes = chips[:players], chips[players : 2 * players], chips[2 * players :]
        betting.start(rules_vector, opening, stacks, blinds, antes, self.first)
        tree = BettingTree(rules, rules_vector, opening)
        keep = object.__setattr__
        keep(self, "rules_vector", rules_vector)
        keep(self, "tree", tree)
        keep(self, "deck", deck)
        keep(self, "cards_in_play", cards_in_play)
        keep(self, "cards_dealt", cards_dealt)
        keep(self, "board_slices", board_slices)
        view = tree.root.view
        paid = tuple(view[betting.PAID : betting.PAID + players])
        keep(self, "posts", _posts(paid, tuple(view[betting.ANTES : betting.ANTES + players])))

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

    @classmethod
    def shared(cls, rules: GameRules) -> "Setup":
        """The usual start as one object for the whole process, so that matches of a game share its betting tree."""
        return _shared(rules)

    @property
    def opening(self) -> NDArray[np.int64]:
        """The betting state after antes and blinds."""
        return self.tree.root.vector


@lru_cache(maxsize=MOST_SHARED)
def _shared(rules: GameRules) -> Setup:
    return Setup.of(rules)


@lru_cache(maxsize=256)
def _constants(
    rules: GameRules,
) -> tuple[NDArray[np.int64], NDArray[np.int64], frozenset[Card], int, tuple[slice, ...]]:
    """The compiled rules, and what a game deals: the deck as an array and as a set, the number of cards, the board."""
    deck, hole = rules.deck, rules.players * rules.hole_cards
    board = tuple(slice(hole, hole + rules.board_size(number)) for number in range(rules.rounds))
    return compiled(rules), np.array(deck, dtype=np.int64), frozenset(deck), board[-1].stop, board


@lru_cache(maxsize=1024)
def _posts(paid: tuple[int, ...], antes: tuple[int, ...]) -> tuple[Post, ...]:
    posts = [Post(seat, PostKind.ANTE, ante) for seat, ante in enumerate(antes) if ante]
    for seat, (chips, ante) in enumerate(zip(paid, antes, strict=True)):
        if chips > ante:
            posts.append(Post(seat, PostKind.BLIND, chips - ante))
    return tuple(posts)
