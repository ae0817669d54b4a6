"""Simulated hands step by step in plain Python, on the engine's `State`: the twin of `kernels.play.simulation`."""

from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np

from railbird.cards import Card
from railbird.engine.actions import CALL, FOLD, Action, ActionKind, raise_to
from railbird.engine.state import State
from railbird.hands.evaluator import evaluate
from railbird.hands.holdings import HOLDINGS, cards_of, holding
from railbird.kernels.hands.draws import board_sets
from railbird.kernels.play.holding_weights import crude_potential
from railbird.kernels.play.poki_formula import formula_triple_of
from railbird.kernels.play.prob_triple import triple_of
from railbird.kernels.play.simulation import FORMULA, MOST_RAISES, PROB_TRIPLE, Table
from railbird.kernels.play.situations import GROUP, OPPONENTS, SITUATION_LENGTH, situation_of
from railbird.kernels.showdown.joint_draws import MEAN_ROW, Chances
from reference.randomness import WORD, Generator

LUCK_OF_OTHERS = 1 << 16


def joint_chances(weights: Sequence[Sequence[float]], dead: set[Card]) -> dict[tuple[int, ...], float]:
    """The chance of every set of holdings in which no card comes up twice, by multiplying everything out."""
    found: dict[tuple[int, ...], float] = {}
    possible = [[index for index in range(HOLDINGS) if row[index] > 0] for row in weights]
    for chosen in product(*possible):
        cards = [card for index in chosen for card in cards_of(index)]
        if len({*cards, *dead}) == len(cards) + len(dead):
            weight = 1.0
            for row, index in zip(weights, chosen, strict=True):
                weight *= row[index]
            found[chosen] = weight
    total = sum(found.values())
    return {chosen: weight / total for chosen, weight in found.items()}


def unit(luck: int, number: int) -> float:
    """SplitMix64's output function as a float in [0, 1)."""
    word = (luck + (number + 1) * 0x9E3779B97F4A7C15) % WORD
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 % WORD
    word = (word ^ word >> 27) * 0x94D049BB133111EB % WORD
    return ((word ^ word >> 31) >> 11) / 2**53


class SlowSimulation:
    """The outcomes of a decision, trial by trial."""

    def __init__(self, state: State, table: Table, chances: Chances, words: Sequence[int]) -> None:
        self.state = state
        self.table = table
        self.chances = chances
        self.generator = Generator(words)
        assert state.actor is not None
        self.seat = state.actor

    def trials(self, count: int) -> Iterator[tuple[float, ...]]:
        for _ in range(count):
            cards = self._cards()
            luck = self.generator.next_word()
            yield tuple(
                self._play(cards, luck, move)
                for move in self.state.choices
                if move.kind is not ActionKind.FOLD
            )

    def _cards(self) -> list[Card]:
        """All cards of a trial: hole cards seat by seat, then the board; who folded has none that matter."""
        players = self.state.rules.players
        own = self.state.hole_cards(self.seat)
        assert own is not None
        known = [*own, *self.state.board]
        opponents = [seat for seat in self.state.live_seats if seat != self.seat]
        while True:
            drawn = []
            for seat in opponents:
                drawn.append((seat, cards_of(self._draw(seat))))
                used = [*known, *(card for _, hole in drawn for card in hole)]
                if len(set(used)) < len(used):
                    break
            else:
                break
        cards = [-1] * (2 * players)
        for seat, hole in [*drawn, (self.seat, own)]:
            cards[2 * seat : 2 * seat + 2] = hole
        board = list(self.state.board)
        while len(board) < 5:
            card = self.generator.below(52)
            if card not in used and card not in board:
                board.append(card)
        return cards + board

    def _draw(self, row: int) -> int:
        place = self.generator.below(HOLDINGS)
        kept = (self.generator.next_word() >> 11) / 2**53 < self.chances.kept[row, place]
        return place if kept else int(self.chances.alias[row, place])

    def _play(self, cards: list[Card], luck: int, first: Action) -> float:
        play = State(self.state.setup, cards)
        play.node = self.state.node
        paid = play.paid[self.seat]
        spoken: dict[tuple[int, int], int] = {(self.seat, play.round): 1}
        play.act(first)
        while (seat := play.actor) is not None:
            number = spoken.get((seat, play.round), 0)
            spoken[seat, play.round] = number + 1
            fold, call, _ = self._chances(play, luck)
            drawn = unit(luck, 256 * seat + 16 * play.round + number)
            if drawn < fold:
                play.act(FOLD)
            elif drawn < fold + call or play.raises >= MOST_RAISES:
                play.act(CALL)
            else:
                play.act(raise_to(play.legal_actions.raise_minimum))
        return float(play.payoffs[self.seat]) + paid

    def _chances(self, play: State, luck: int) -> tuple[float, float, float]:
        seat = play.actor
        assert seat is not None
        hole = play.hole_cards(seat)
        assert hole is not None
        table = self.table
        situation = np.empty(SITUATION_LENGTH)
        situation_of(play.setup.rules_vector, play.node.vector, situation)
        if play.round == 0:
            percentile = table.preflop[int(situation[GROUP]), holding(hole)]
            return triple_of(situation, percentile, 0.0, table.styles[seat])
        strength, potential = self._judged(hole, play.board, luck)
        if table.policy == PROB_TRIPLE:
            return triple_of(situation, strength, potential, table.styles[seat])
        bets = play.rules.bet_sizes
        later = sum(bets[play.round + 1 :]) / bets[play.round]
        return formula_triple_of(
            situation, later, strength ** situation[OPPONENTS], potential, table.thresholds[seat]
        )

    def _judged(self, hole: tuple[Card, ...], board: tuple[Card, ...], luck: int) -> tuple[float, float]:
        if len(board) == self.table.board_cards:
            return self.table.strengths[holding(hole)], self.table.potentials[holding(hole)]
        own = evaluate((*hole, *board))
        scores = []
        for other in self._others(luck):
            cards = cards_of(other)
            if not {*cards} & {*hole, *board}:
                value = evaluate((*cards, *board))
                scores.append((own > value) + (own >= value))
        strength = sum(scores) / (2 * len(scores)) if scores else 0.5
        if len(board) == 5:
            return strength, 0.0
        suit_ranks = np.empty(4, dtype=np.int64)
        sets = board_sets(np.array(board, dtype=np.int64), suit_ranks)
        return strength, crude_potential(max(hole), min(hole), *sets, suit_ranks)

    def _others(self, luck: int) -> list[int]:
        """The holdings that a trial compares with on boards to come."""
        stride = self.table.stride
        count = HOLDINGS // stride
        if self.table.policy == PROB_TRIPLE:
            offset = int(unit(luck, LUCK_OF_OTHERS) * HOLDINGS)
            return [(offset + place * stride) % HOLDINGS for place in range(count)]
        assert self.table.policy == FORMULA
        others = []
        for place in range(count):
            index = int(unit(luck, LUCK_OF_OTHERS + 2 * place) * HOLDINGS)
            if unit(luck, LUCK_OF_OTHERS + 2 * place + 1) >= self.chances.kept[MEAN_ROW, index]:
                index = int(self.chances.alias[MEAN_ROW, index])
            others.append(index)
        return others
