"""Hands as rows of BayCaRP's network: a code for the state of each variable, −1 where it is not known.

Learning uses finished hands (`Coder.rows`, or `rows_of_hands` for many of them), each with the players' styles as known
*before* it. In play, an `Observation` gives the evidence about every opponent still in the hand (`Coder.evidence`). A
row describes one player in a hand as in figure 6.1: rounds that the player did not reach are unknown, and so are hands
that were not shown. A player who is all-in reaches later rounds without an action.

Codes that depend on the betting alone are computed once per betting situation, those that depend on the board alone
once per board.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache, partial
from typing import Protocol
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from railbird.bayes.structure import UNKNOWN
from railbird.cards import Card
from railbird.engine.betting_tree import BettingNode
from railbird.engine.record import HandRecord
from railbird.engine.rules import GameRules
from railbird.engine.setup import Setup
from railbird.engine.state import State
from railbird.features.action_kinds import NOTHING, NamedAction, actions_so_far
from railbird.features.playing_style import PlayingStyle, StyleBook
from railbird.features.positions import positions
from railbird.hands.boards import (
    board_change,
    board_state,
    flush_board,
    flush_change,
    straight_board,
    straight_change,
)
from railbird.hands.draws import simple_draw
from railbird.hands.groups import hand_group
from railbird.hands.types import hand_type
from railbird.observation import Observation
from railbird.opponents.network.nodes import (
    ACTIONS,
    AGGRESSIONS,
    BOARDS,
    FLUSHES,
    HAND_GROUP,
    HAND_TYPES,
    PARTIAL_HANDS,
    POT_ODDS_NODES,
    PUBLISHED,
    SPLIT_CALLS,
    STRAIGHTS,
    Variant,
    action_states,
    structure,
)

Codes = NDArray[np.int16]

MOST_SITUATIONS = 1 << 13
"""Maximum number of betting situations cached by a coder, about 6 MB; each is freed with its betting tree."""
MOST_BOARDS = 4096
_ROUNDS_OF_BOARD = {0: 1, 3: 2, 4: 3, 5: 4}


class RowError(ValueError):
    """A hand that cannot be turned into rows."""


class Who(Enum):
    """The players for whom a finished hand gives rows."""

    SHOWDOWN = "showdown"
    """Players at a showdown whose cards are known, as in the thesis (§6.1.1)."""
    FLOP = "flop"
    """Players who saw the flop, whether or not their cards are known."""
    EVERYBODY = "everybody"
    """All players dealt in."""


class Styles(Protocol):
    """Playing styles by label: a `StyleBook`."""

    def style(self, label: str) -> PlayingStyle:
        """A player's style."""


@dataclass(frozen=True, slots=True, eq=False)
class SeatRows:
    """A row of codes for each of some seats."""

    seats: tuple[int, ...]
    codes: Codes
    """A line for each seat, a column for each variable of the structure."""


class Coder:
    """Turns hands and observations into codes of the variables of a network's variant."""

    def __init__(self, variant: Variant = PUBLISHED) -> None:
        self.variant = variant
        self.structure = structure(variant)
        places = self.structure.places
        self._styles = 2 + (len(AGGRESSIONS) if variant.aggression else 0)
        self._position = places["Position"]
        self._actions = [places[name] for name in ACTIONS]
        self._odds = [places[name] for name in POT_ODDS_NODES] if variant.pot_odds else []
        self._action_codes = [_codes_of_actions(variant, number) for number in range(len(ACTIONS))]
        self._situations: WeakKeyDictionary[BettingNode, Codes] = WeakKeyDictionary()
        self._board = lru_cache(maxsize=MOST_BOARDS)(partial(_board_codes, variant))

    def evidence(self, observation: Observation, styles: Styles) -> SeatRows:
        """What an observer knows about every opponent who has not folded, except their hands."""
        seat, players = observation.seat, observation.players
        opponents = tuple([each for each in observation.live_seats if each != seat])
        betting = self._betting(observation.setup, observation.node)
        codes: Codes = np.maximum(betting.take(opponents, 0), self._board(observation.board))
        known = self._styles
        for row, opponent in zip(codes, opponents, strict=True):
            row[:known] = styles.style(players[opponent]).codes[:known]
        return SeatRows(opponents, codes)

    def rows(self, record: HandRecord, styles: Styles, who: Who = Who.SHOWDOWN) -> SeatRows:
        """The rows of a finished hand; the styles are those known before it."""
        _require_holdem(record.rules, f"hand {record.hand_id} is")
        state = record.state()
        if not state.is_over:
            raise RowError(f"hand {record.hand_id} is not over, but only finished hands have rows")
        board = _known_board(state)
        betting = self._betting(state.setup, state.node)
        folds = actions_so_far(state.setup, state.node).folds
        seats, codes = [], []
        for seat, label in enumerate(record.players):
            hole = state.hole_cards(seat)
            folded_in = folds[seat][0]
            rounds = _ROUNDS_OF_BOARD[len(board)] if folded_in == NOTHING else folded_in + 1
            if who is Who.SHOWDOWN and (folded_in != NOTHING or not state.is_showdown or hole is None):
                continue
            if who is Who.FLOP and rounds == 1:
                continue
            reached = board[: state.rules.board_size(rounds - 1)]
            row = np.maximum(betting[seat], self._board(reached))
            row[: self._styles] = styles.style(label).codes[: self._styles]
            if hole is not None:
                self._add_hand(row, hole, reached)
            seats.append(seat)
            codes.append(row)
        shape = (len(seats), len(self.structure.variables))
        return SeatRows(tuple(seats), np.array(codes, dtype=np.int16).reshape(shape))

    def _add_hand(self, row: Codes, hole: tuple[Card, ...], board: tuple[Card, ...]) -> None:
        places = self.structure.places
        row[places[HAND_GROUP]] = hand_group(hole) - 1
        for size in range(3, len(board) + 1):
            row[places[HAND_TYPES[size - 3]]] = hand_type(hole, board[:size])
            if self.variant.partial and size - 3 < len(PARTIAL_HANDS):
                row[places[PARTIAL_HANDS[size - 3]]] = simple_draw(hole, board[:size])

    def _betting(self, setup: Setup, node: BettingNode) -> Codes:
        """By seat, the codes from position and betting (read-only)."""
        found = self._situations.get(node)
        if found is None:
            if len(self._situations) >= MOST_SITUATIONS:
                self._situations.clear()
            found = self._situations[node] = self._betting_codes(setup, node)
            found.setflags(write=False)
        return found

    def _betting_codes(self, setup: Setup, node: BettingNode) -> Codes:
        _require_holdem(setup.rules, "the game is")
        seats = len(setup.stacks)
        codes = np.full((seats, len(self.structure.variables)), UNKNOWN, dtype=np.int16)
        codes[:, self._position] = positions(seats, setup.first)
        so_far = actions_so_far(setup, node)
        for number, named in enumerate(so_far.most_aggressive):
            # The last code stands for NOTHING, which is −1.
            codes[:, self._actions[number]] = [self._action_codes[number][action] for action in named]
            if self._odds:
                codes[:, self._odds[number]] = so_far.odds[number]
        if self.variant.folds:
            for seat, (number, odds) in enumerate(so_far.folds):
                if number != NOTHING:
                    codes[seat, self._actions[number]] = self._action_codes[number][NamedAction.FOLD]
                    if self._odds:
                        codes[seat, self._odds[number]] = odds
        return codes


def rows_of_hands(
    records: Iterable[HandRecord],
    variant: Variant = PUBLISHED,
    who: Who = Who.SHOWDOWN,
    book: StyleBook | None = None,
) -> Codes:
    """The rows of many hands in the order they were played; styles are counted along the way.

    A given book is continued and includes these hands afterwards.
    """
    coder = Coder(variant)
    followed = StyleBook() if book is None else book
    found = [np.empty((0, len(coder.structure.variables)), dtype=np.int16)]
    for record in records:
        found.append(coder.rows(record, followed, who).codes)
        followed.observe(record)
    return np.concatenate(found)


def _codes_of_actions(variant: Variant, number: int) -> tuple[int, ...]:
    """The state of a round's action node for every named action, then for `NOTHING`."""
    states = action_states(variant, number)
    merged = () if variant.split_call else SPLIT_CALLS
    named = [NamedAction.CALL if action in merged else action for action in NamedAction]
    return (*(states.index(action) if action in states else UNKNOWN for action in named), UNKNOWN)


def _board_codes(variant: Variant, board: tuple[Card, ...]) -> Codes:
    """The codes from the open board (read-only)."""
    of = structure(variant)
    codes = np.full(len(of.variables), UNKNOWN, dtype=np.int16)
    states: dict[str, int] = {}
    for stage, size in enumerate(range(3, len(board) + 1)):
        before, card, flop = board[: size - 1], board[size - 1], board[:3]
        states[BOARDS[stage]] = board_change(before, card) if stage else board_state(flop)
        if variant.partial:
            states[FLUSHES[stage]] = flush_change(before, card) if stage else flush_board(flop)
            states[STRAIGHTS[stage]] = straight_change(before, card) if stage else straight_board(flop)
    for name, state in states.items():
        codes[of.places[name]] = state
    codes.setflags(write=False)
    return codes


def _known_board(state: State) -> tuple[Card, ...]:
    """The known part of the board."""
    board = state.board
    return board[: board.index(UNKNOWN)] if UNKNOWN in board else board


def _require_holdem(rules: GameRules, subject: str) -> None:
    if not rules.is_holdem:
        raise RowError(f"{subject} {rules.name}, but the network is for hold'em with a full deck")
