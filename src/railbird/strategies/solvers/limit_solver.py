"""Equilibria of heads-up limit hold'em: regret minimisation with sampled boards (Johanson and others 2012).

An iteration draws one board and goes through the whole betting tree with all 1,081 holdings of both seats, one seat
after the other ("public chance sampling"). Iteration t counts t times, in regrets and in the average ("linear").

Sixteen betting histories are walked at once (`strategies.streets`). What is learnt below the roots of the turn is
disjoint, so its four batches can be walked in different threads; preflop and flop are walked before and after. Every
number is added in the same order whatever the number of threads, and the board of an iteration depends on the seed and
the iteration only: the result is the same to the last bit, also when a run is stopped and resumed.

The button may have another card abstraction than the big blind. A seat that learns against a finer one learns to be
less exploitable: the thought behind CFR-BR (Johanson and others 2012, "Finding Optimal Abstract Strategies").
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from railbird.cards import DECK_SIZE, Card
from railbird.engine.rules import GameRules
from railbird.equities.table_files import Progress
from railbird.hands.evaluator import tables as evaluator_tables
from railbird.kernels.random import shuffle_first
from railbird.kernels.solve import boards, buckets, regrets
from railbird.kernels.solve.lanes import aligned_zeros
from railbird.kernels.solve.programs import LETTERS
from railbird.rng import Stream
from railbird.strategies.card_abstraction import CardAbstraction
from railbird.strategies.files import CHECKPOINT, read_checkpoint, write_numbers
from railbird.strategies.programs import WalkProgram, write_program
from railbird.strategies.streets import TreeLayout, TreeSection, UnsolvableGame

SEATS = 2
_MEETINGS = 990
"""How many holdings of the opponent a holding meets on a full board."""


class _Walk:
    """A section of the tree with the programs and payoffs of both seats."""

    def __init__(self, layout: TreeLayout, section: TreeSection, *, is_last: bool) -> None:
        write = partial(write_program, layout, section)
        self.up = [write(seat, down=is_last) for seat in range(SEATS)]
        self.down = [] if is_last else [write(seat, up=False) for seat in range(SEATS)]
        self.payoffs = [section.payoffs(seat) for seat in range(SEATS)]
        self.onward = section.onward


class LimitSolver:
    """What has been learnt about a game after some iterations; `run` adds more."""

    def __init__(
        self,
        rules: GameRules,
        cards: CardAbstraction,
        seed: int,
        threads: int = 1,
        progress: Progress | None = None,
        *,
        button: CardAbstraction | None = None,
    ) -> None:
        if not rules.is_holdem:
            raise UnsolvableGame(f"{rules.name} is not hold'em with a full deck")
        self.rules, self.seed = rules, seed
        self.iterations = 0
        self.books: tuple[CardAbstraction, ...] = (cards,) if button is None else (cards, button)
        """The card abstraction of both seats, or those of the big blind and of the button."""
        self.layout = TreeLayout(rules, *(book.buckets for book in self.books))
        self.tree = self.layout.tree
        self.learned = regrets.Learned(aligned_zeros(self.layout.size), aligned_zeros(self.layout.size))
        self._buckets = [book.tables(progress) for book in self.books]
        self._stream = Stream.from_seed(seed).child("solve", "board")
        layout = self.layout
        self._preflop = _Walk(layout, layout.preflop, is_last=False)
        self._flop = _Walk(layout, layout.flop, is_last=False)
        self._rest = _Walk(layout, layout.turn_and_river, is_last=True)
        self._batches = range(layout.turn_and_river.batches)
        self._flop_roots = aligned_zeros(1, boards.LIVE)
        self._turn_roots = aligned_zeros(len(self._batches), boards.LIVE)
        self._start = aligned_zeros(boards.LIVE)
        self._start[:, 0] = 1 / _MEETINGS
        depth = max(program.depth for program in (*self._preflop.up, *self._flop.up, *self._rest.up))
        self._rooms = [_room(depth) for _ in self._batches]
        self._board = boards.empty_board()
        self._board_room = boards.board_room()
        self._bucket_room = buckets.bucket_room(max(max(book.buckets) for book in self.books))
        self._open = np.zeros(5, dtype=np.uint8)
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None

    def run(self, iterations: int) -> NDArray[np.float64]:
        """Do a number of iterations; returns what the seats won on the board of each, in small bets."""
        won = np.zeros((iterations, SEATS))
        for row in won:
            self._open[:] = self.cards_of_iteration(self.iterations)
            boards.order_holdings(self._open, evaluator_tables(), self._board_room, self._board)
            for book, known in enumerate(self._buckets):
                buckets.find_buckets(self._open, known, book, self._bucket_room, self._board)
            for seat in range(SEATS):
                row[seat] = self._improve(seat)
            self.iterations += 1
        return won

    def weights(self, node: int) -> NDArray[np.float32]:
        """The weighted sum of all strategies at a decision, by bucket and letter."""
        return self.layout.numbers(self.learned.sums, node)

    def save(self, path: Path) -> None:
        """Write a checkpoint, from which `resume` goes on to the same bits."""
        write_numbers(path, CHECKPOINT, self._header(), self.learned)

    def resume(self, path: Path) -> None:
        """Go on from a checkpoint of the same game, card abstraction and seed."""
        size = sum(each.nbytes for each in self.learned)
        iterations, numbers = read_checkpoint(path, self._header(), size)
        self.take(iterations, np.split(numbers.view(np.float32), 2))

    def take(self, iterations: int, learned: Sequence[NDArray[np.float32]]) -> None:
        """Go on from what the same solver had learnt after a number of iterations."""
        for each, found in zip(self.learned, learned, strict=True):
            each[:] = found.reshape(each.shape)
        self.iterations = iterations

    def _header(self) -> dict[str, Any]:
        return {
            "game": self.rules.name,
            "cards": " and ".join(map(str, self.books)),
            "seed": self.seed,
            "iterations": self.iterations,
        }

    def cards_of_iteration(self, iteration: int) -> tuple[Card, ...]:
        """The board of an iteration: flop, turn and river."""
        deck = np.arange(DECK_SIZE)
        shuffle_first(self._stream.child(iteration).words(), deck, 5)
        return tuple(deck[:5].tolist())

    def _improve(self, seat: int) -> float:
        """Update the regrets of a seat and the average of its opponent; returns what the seat won."""
        room = self._rooms[0]
        self._flop_roots[:] = self._turn_roots[:] = 0  # a walk skips what the opponent never comes to
        room.reach[: boards.LIVE] = self._start
        self._walk(self._preflop, self._preflop.down[seat], seat, 0, self._flop_roots, room)
        room.reach[: boards.LIVE] = self._flop_roots[0]
        self._walk(self._flop, self._flop.down[seat], seat, 0, self._turn_roots, room)
        each_batch = map if self._pool is None else self._pool.map
        list(each_batch(partial(self._walk_batch, seat), self._batches))
        room.reach[: boards.LIVE] = self._flop_roots[0]
        self._walk(self._flop, self._flop.up[seat], seat, 0, self._turn_roots, room)
        self._flop_roots[0] = room.values[: boards.LIVE]
        room.reach[: boards.LIVE] = self._start
        self._walk(self._preflop, self._preflop.up[seat], seat, 0, self._flop_roots, room)
        return float(room.values[: boards.LIVE, 0].mean(dtype=np.float64))

    def _walk_batch(self, seat: int, batch: int) -> None:
        """Walk turn and river below the roots of a batch, from their ranges to their values."""
        room, roots = self._rooms[batch], self._turn_roots
        room.reach[: boards.LIVE] = roots[batch]
        self._walk(self._rest, self._rest.up[seat], seat, batch, roots, room)
        roots[batch] = room.values[: boards.LIVE]

    def _walk(
        self,
        part: _Walk,
        program: WalkProgram,
        seat: int,
        batch: int,
        passing: NDArray[np.float32],
        room: regrets.Room,
    ) -> None:
        weight = float(self.iterations + 1)
        regrets.walk(
            program.steps,
            batch,
            weight,
            self._board,
            part.payoffs[seat],
            self.learned,
            passing,
            part.onward,
            room,
        )


def _room(depth: int) -> regrets.Room:
    live, letters = boards.LIVE, LETTERS
    return regrets.Room(
        aligned_zeros((1 + depth) * live),
        aligned_zeros((1 + letters * depth) * live),
        aligned_zeros(depth * live * letters),
        aligned_zeros(live * letters),
        aligned_zeros(DECK_SIZE),
    )
