"""STATE lines into records, fast: betting, cards, pots and payoffs of a line in one compiled call.

`LineReplayer` gives the same record as `notation.acpc.state.parse_state_line`, or none if a line is unusual or wrong:
hidden cards, a showdown at which losers may muck, anything that the rules refuse. The plain reader then decides, and
gives the reason.
"""

from bisect import bisect_left
from functools import lru_cache

import numpy as np

from railbird.cards import Card
from railbird.engine.actions import ActionKind
from railbird.engine.events import Act, Award, DealBoard, DealHole, Event, Return, Reveal
from railbird.engine.record import HandRecord
from railbird.engine.rules import Betting, Mucking
from railbird.engine.setup import Setup
from railbird.engine.state import whole_or_fraction
from railbird.hands.evaluator import tables
from railbird.kernels.play import log_lines
from railbird.kernels.play.log_lines import ACT_LENGTH, ACTS, AWARD_LENGTH, CARDS, PAYOFFS, replay_line
from railbird.kernels.rules.pots import PARTS
from railbird.notation.acpc.state import format_chips

_KINDS = tuple(ActionKind)

_OFTEN = 1 << 14
"""Size of the caches for frequent events, which are immutable and can be shared."""


@lru_cache(maxsize=_OFTEN)
def _usual_act(seat: int, kind: int, paid: int, to: int) -> Act:
    return Act(seat, _KINDS[kind], paid, to)


@lru_cache(maxsize=_OFTEN)
def _deal_hole(seat: int, cards: tuple[Card, ...]) -> DealHole:
    return DealHole(seat, cards)


@lru_cache(maxsize=_OFTEN)
def _deal_card(number: int, card: Card) -> DealBoard:
    return DealBoard(number, (card,))


@lru_cache(maxsize=_OFTEN)
def _reveal(seat: int, cards: tuple[Card, ...]) -> Reveal:
    return Reveal(seat, cards)


@lru_cache(maxsize=_OFTEN)
def _usual_award(seat: int, pot: int, parts: int) -> Award:
    return Award(seat, pot, whole_or_fraction(parts))


@lru_cache(maxsize=_OFTEN)
def _in_turn(first: int, players: int, folded: int) -> tuple[int, ...]:
    around = [*range(first, players), *range(first)]
    return tuple([seat for seat in around if not folded >> seat & 1])


def _chips_text(parts: int) -> str:
    return format_chips(whole_or_fraction(parts))


class LineReplayer:
    """Reads the lines of hands with the same setup."""

    def __init__(self, setup: Setup) -> None:
        rules = setup.rules
        self._setup = setup
        self._is_plain = rules.mucking is Mucking.SHOW_ALL and not rules.board_cards[0]
        self._boards = np.array(rules.board_cards, dtype=np.int64)
        self._deck = sum(1 << card for card in rules.deck)
        self._hand = np.zeros(log_lines.HAND_LENGTH, dtype=np.int64)
        self._seats = range(rules.players)
        self._hole_places = range(CARDS, CARDS + rules.players * rules.hole_cards, rules.hole_cards)
        self._payoff_places = slice(PAYOFFS, PAYOFFS + rules.players)
        self._has_usual_amounts = rules.betting is Betting.LIMIT

    def read(
        self, hand_id: str, betting: str, cards: str, payoffs: str, players: tuple[str, ...]
    ) -> HandRecord | None:
        """The record of a line's fields, None if the plain reader must decide."""
        setup, hand = self._setup, self._hand
        if len(players) != len(self._seats):
            return None
        text = f"{betting}:{cards}"
        if not (self._is_plain and text.isascii()):
            return None
        letters = np.frombuffer(text.encode(), dtype=np.uint8)
        if not replay_line(
            setup.rules_vector, setup.opening, self._boards, self._deck, letters, tables(), hand
        ):
            return None
        data = hand[: hand[log_lines.LENGTH]].tolist()
        won = [
            _chips_text(parts) if parts % PARTS else str(parts // PARTS)
            for parts in data[self._payoff_places]
        ]
        if "|".join(won) != payoffs:
            return None
        return HandRecord(hand_id, setup, players, tuple(self._events(data)))

    def _events(self, data: list[int]) -> list[Event]:
        """The same events as `engine.history.events_of`."""
        setup, seats = self._setup, self._seats
        size, board_cards = setup.rules.hole_cards, setup.rules.board_cards
        holes = [tuple(data[start : start + size]) for start in self._hole_places]
        awards = ACTS + ACT_LENGTH * data[log_lines.ACTIONS]
        seat_of, kind_of, paid, to, round_of = [
            data[start:awards:ACT_LENGTH] for start in range(ACTS, ACTS + ACT_LENGTH)
        ]
        if self._has_usual_amounts:
            acts = list(map(_usual_act, seat_of, kind_of, paid, to))
        else:
            acts = list(map(Act, seat_of, map(_KINDS.__getitem__, kind_of), paid, to))
        events: list[Event] = [*setup.posts, *map(_deal_hole, seats, holes)]
        board, done = CARDS + len(holes) * size, 0
        for number in range(1, data[log_lines.LAST_ROUND] + 1):
            until = bisect_left(round_of, number, done)
            events += acts[done:until]
            done = until
            end = board + board_cards[number]
            if end == board + 1:
                events.append(_deal_card(number, data[board]))
            elif end > board:
                events.append(DealBoard(number, tuple(data[board:end])))
            board = end
        events += acts[done:]
        if data[log_lines.UNCALLED]:
            events.append(Return(data[log_lines.UNCALLED_SEAT], data[log_lines.UNCALLED]))
        if data[log_lines.IS_SHOWDOWN]:
            events += [_reveal(seat, holes[seat]) for seat in self._showing(data)]
        if len(data) == awards + AWARD_LENGTH:
            events.append(_usual_award(*data[awards:]))
        else:
            events += map(_usual_award, *[data[start::AWARD_LENGTH] for start in range(awards, awards + 3)])
        return events

    def _showing(self, data: list[int]) -> tuple[int, ...]:
        """The order in which hands are shown: the last to bet or raise first, otherwise the first to act."""
        first = data[log_lines.LAST_AGGRESSOR]
        if first < 0:
            number = data[log_lines.BET_ROUND]
            first = self._setup.rules.first_seats[number] if number else self._setup.first
        return _in_turn(first, len(self._seats), data[log_lines.ALL_FOLDED])
