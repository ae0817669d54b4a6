"""Asking for equities with hands and ranges as text: `equity`."""

import re
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from math import inf
from typing import TYPE_CHECKING, Any, TypeAlias

from railbird.cards import Card, format_cards, parse_cards
from railbird.equities.matchups import matchups
from railbird.equities.ranges import Range
from railbird.equities.reading import HandReading, read_hand
from railbird.equities.showdown import SAMPLES, EquityResult, PlayerEquity
from railbird.equities.showdown import equity as equity_of
from railbird.frames import data_frame

if TYPE_CHECKING:
    import polars as pl

SCHEMA = "railbird.equity/1"
_TWO_CARDS = re.compile(r"\s*[2-9TJQKA][cdhs]\s*[2-9TJQKA][cdhs]\s*")

Hand: TypeAlias = str | Range | Sequence[Card]
"""Two cards or a range, as text or not."""


@dataclass(frozen=True, slots=True)
class Equities:
    """How hands and ranges fare against each other."""

    hands: tuple[str, ...]
    board: str
    result: EquityResult
    _players: tuple[Range | tuple[Card, ...], ...]

    @property
    def players(self) -> tuple[PlayerEquity, ...]:
        """How each hand fares, in the order of the hands."""
        return self.result.players

    def __float__(self) -> float:
        """The equity of the first hand."""
        return self.players[0].equity

    def reading(self) -> HandReading | None:
        """What there is to say about the first hand on this board; None of a range.

        A hand's strength is against the range it meets; with several opponents, against a random holding.
        """
        first, *others = self._players
        if isinstance(first, Range):
            return None
        met = others[0] if len(others) == 1 and isinstance(others[0], Range) else None
        return read_hand(first, parse_cards(self.board), met)

    def to_json(self) -> dict[str, Any]:
        """Everything as plain data, as `railbird equity --json` prints it."""
        reading = self.reading()
        return {
            "schema": SCHEMA,
            "board": self.board,
            "exact": self.result.exact,
            "deals": self.result.deals,
            "players": [
                {"hand": hand} | asdict(player) for hand, player in zip(self.hands, self.players, strict=True)
            ],
            "reading": None if reading is None else reading.to_json(),
        }

    def to_frame(self) -> "pl.DataFrame":
        """A row for each hand."""
        return data_frame(
            [{"hand": hand, **asdict(player)} for hand, player in zip(self.hands, self.players, strict=True)]
        )


def equity(
    *hands: Hand,
    vs: Hand | Sequence[Hand] = (),
    board: str | Sequence[Card] = "",
    dead: str | Sequence[Card] = "",
    exact: bool = False,
    samples: int = SAMPLES,
    seed: int | str = 0,
    progress: Callable[[int, int], None] | None = None,
) -> Equities:
    """How hands and ranges fare against each other at the showdown; a single one against a random hand.

    >>> result = equity("AhKs", vs="TT+", board="QhJh2c")
    >>> f"{result.players[0].equity:.4f}", result.result.exact
    ('0.2494', True)
    >>> result.to_frame()["hand"].to_list()
    ['AhKs', 'TT+']

    Args:
        hands: Two cards each, such as `"AhKs"`, or ranges, such as `"QQ+, AKs"` or `"random"`.
        vs: One more opponent, or a list of them.
        board: The open board: 0, 3, 4 or 5 cards.
        dead: Cards that are out of play.
        exact: Never sample, however long it takes.
        samples: Number of deals to draw where the answer is not exact.
        seed: Draws the same deals again.
        progress: Is told how far the table of match-ups is that exact answers before the flop need.

    """
    texts = [*map(_text, hands), *map(_text, _opponents(vs))]
    if len(texts) == 1:
        texts.append("random")
    players = tuple(map(parse_hand, texts))
    cards, gone = _cards(board), _cards(dead)
    if exact and len(players) == 2 and not cards:
        matchups(progress)
    result = equity_of(players, cards, gone, exact_within=inf if exact else 1.0, samples=samples, seed=seed)
    return Equities(tuple(texts), board if isinstance(board, str) else format_cards(board), result, players)


def parse_hand(text: str) -> Range | tuple[Card, ...]:
    """Two cards such as AhKs, or a range in the notation of `equities.range_notation`."""
    return parse_cards(text) if _TWO_CARDS.fullmatch(text) else Range.parse(text)


def _opponents(vs: Hand | Sequence[Hand]) -> list[Hand]:
    if isinstance(vs, str | Range) or (vs and isinstance(vs[0], int)):
        return [vs]  # type: ignore[list-item]
    return list(vs)  # type: ignore[arg-type]


def _text(hand: Hand) -> str:
    if isinstance(hand, str):
        return hand
    return str(hand) if isinstance(hand, Range) else format_cards(hand)


def _cards(cards: str | Sequence[Card]) -> tuple[Card, ...]:
    return parse_cards(cards) if isinstance(cards, str) else tuple(cards)
