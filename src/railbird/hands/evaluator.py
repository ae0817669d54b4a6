"""The value of five, six or seven cards: higher is better, and equal values are exactly the ties.

Values are dense, from 1 (7-5-4-3-2 offsuit) to 7462 (a royal flush): one for each class of hands that tie, and the
same for five, six and seven cards.

>>> from railbird.cards import parse_cards
>>> evaluate(parse_cards("Ah Kh Qh Jh Th 2c 2d"))
7462
>>> evaluate(parse_cards("Ks Kd 4h 4c As")) > evaluate(parse_cards("Ks Kd 4h 4c Qs"))
True
>>> board = PartialHand.of(parse_cards("Ks 4h 4c 7d 2s"))
>>> [(board + PartialHand.of(parse_cards(hole))).value() for hole in ("Kd As", "Kh Qs", "Ac Qc")]
[4775, 4774, 1937]
"""

import warnings
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from railbird.cards import DECK_SIZE, Card, CardError, format_card, parse_cards, require_distinct
from railbird.kernels.hands.all_holdings import values_on_boards
from railbird.kernels.hands.evaluation import (
    CARD_KEYS,
    CARD_MASKS,
    EMPTY_KEY,
    batch_values,
    cards_value,
    first_repetition,
    hand_value,
    seven_card_values,
)
from railbird.kernels.hands.evaluation_tables import TABLES_CHECKSUM, TABLES_SIZE, build_tables
from railbird.kernels.hands.holdings import HOLDINGS
from railbird.places import cache_folder, write_whole

_EMPTY_KEY = int(EMPTY_KEY)
_CARD_KEYS: tuple[int, ...] = tuple(CARD_KEYS.tolist())
_CARD_MASKS: tuple[int, ...] = tuple(CARD_MASKS.tolist())


class HandError(ValueError):
    """Cards that do not make a hand, or an array that does not contain hands."""


@cache
def tables() -> NDArray[np.uint16]:
    """The lookup array of the kernels, read-only.

    It is read from the cache folder. If the file is missing, truncated or altered, the array is rebuilt, which takes
    about 0.4 s, and cached again.
    """
    path = tables_file()
    array = _read_tables(path)
    if array is None:
        array = build_tables()
        content = array.astype("<u2").tobytes()
        assert zlib.crc32(content) == TABLES_CHECKSUM
        try:
            write_whole(path, lambda file: file.write(content))
        except OSError as error:
            warnings.warn(f"the evaluator's tables cannot be cached: {error}", stacklevel=2)
    array.flags.writeable = False
    return array


def tables_file() -> Path:
    """The path of the cached tables; the checksum in the name changes with their content."""
    return cache_folder() / f"evaluator-{TABLES_CHECKSUM:08x}.bin"


def evaluate(cards: Sequence[Card] | str) -> int:
    """The value of the best five of five, six or seven different cards, given as cards or as text.

    >>> evaluate("AhKhQhJhTh")
    7462
    >>> evaluate("As Ad 7c 7h 2s") < evaluate("As Ad Ac 7h 2s")
    True
    """
    if isinstance(cards, str):
        cards = parse_cards(cards)
    _require_hand_size(len(cards))
    require_distinct(cards)
    return int(cards_value(np.array(cards, dtype=np.uint8), len(cards), tables()))


def best_five(cards: Sequence[Card]) -> tuple[Card, ...]:
    """The five of five, six or seven cards that make the best hand, in their order; of equal ones the first.

    >>> from railbird.cards import format_cards
    >>> format_cards(best_five(parse_cards("Ks 2d Kh 4h 4c As 7d")))
    'KsKh4h4cAs'
    """
    best = evaluate(cards)
    return next(five for five in combinations(cards, 5) if evaluate(five) == best)


def evaluate_batch(hands: NDArray[np.uint8], *, check_distinct: bool = True) -> NDArray[np.uint16]:
    """The values of N hands at once, from an array of type uint8 and shape (N, 5), (N, 6) or (N, 7).

    The type, the shape and the range of every number are always checked. Rows are also checked for duplicate cards,
    which takes almost half of the time; callers that dealt the rows from a deck can turn this off.
    """
    hands = _rows_of("hands", hands, (5, 6, 7))
    values = np.empty(len(hands), dtype=np.uint16)
    if hands.shape[1] < 7:
        _require_cards(hands)
        batch_values(hands, tables(), values)
    elif not seven_card_values(hands, tables(), values):
        raise _not_a_card(hands)
    if check_distinct:
        _require_distinct_rows(hands)
    return values


def evaluate_holdings(boards: NDArray[np.uint8]) -> NDArray[np.uint16]:
    """The values of all 1,326 holdings on each of N boards, as an array of shape (N, 1326).

    Boards are an array of type uint8 and shape (N, 3), (N, 4) or (N, 5). Holdings have the numbers of `hands.holdings`;
    one that contains a card of the board has the value 0. A hand takes about a third of the time that it takes in
    `evaluate_batch`.

    >>> from railbird.hands.holdings import parse_holding
    >>> values = evaluate_holdings(np.array([parse_cards("Ks 4h 4c 7d 2s")], dtype=np.uint8))
    >>> [int(values[0, parse_holding(hole)]) for hole in ("Kd As", "Kh Qs", "Ac Qc", "Ac Ks")]
    [4775, 4774, 1937, 0]
    """
    boards = _rows_of("boards", boards, (3, 4, 5))
    _require_cards(boards)
    _require_distinct_rows(boards)
    values = np.empty((len(boards), HOLDINGS), dtype=np.uint16)
    values_on_boards(boards, tables(), values)
    return values


@dataclass(frozen=True, slots=True)
class PartialHand:
    """Some cards of a hand. Parts add: evaluate a board once, then add hole cards to it.

    Create a part with `PartialHand.of`. Parts with the same cards are equal, whatever the order of the cards.
    """

    key: int
    mask: int

    @classmethod
    def of(cls, cards: Sequence[Card]) -> "PartialHand":
        """The part with these cards, which must be distinct."""
        require_distinct(cards)
        key = _EMPTY_KEY + sum(_CARD_KEYS[card] for card in cards)
        return cls(key, sum(_CARD_MASKS[card] for card in cards))

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards, ascending."""
        return tuple(card for card, mask in enumerate(_CARD_MASKS) if self.mask & mask)

    def __add__(self, other: "PartialHand") -> "PartialHand":
        """Both parts' cards together."""
        if shared := self.mask & other.mask:
            card = _CARD_MASKS.index(shared & -shared)
            raise CardError(f"{format_card(card)} is in both parts of the hand")
        return PartialHand(self.key + other.key - _EMPTY_KEY, self.mask | other.mask)

    def value(self) -> int:
        """The value of the hand, once it has five, six or seven cards."""
        _require_hand_size(self.mask.bit_count())
        return int(hand_value(np.uint64(self.key), np.uint64(self.mask), tables()))


def _read_tables(path: Path) -> NDArray[np.uint16] | None:
    try:
        content = path.read_bytes()
    except OSError:
        return None
    if len(content) != 2 * TABLES_SIZE or zlib.crc32(content) != TABLES_CHECKSUM:
        return None
    return np.frombuffer(content, dtype="<u2").astype(np.uint16)


def _require_hand_size(count: int) -> None:
    if count not in (5, 6, 7):
        raise HandError(f"a hand of {count} cards cannot be evaluated: 5, 6 or 7 are needed")


def _rows_of(name: str, rows: NDArray[np.uint8], sizes: tuple[int, ...]) -> NDArray[np.uint8]:
    """An array whose rows have so many numbers, in the only layout that kernels are compiled for."""
    if rows.dtype != np.uint8:
        raise HandError(f"{name} are an array of type uint8, not {rows.dtype}")
    if rows.ndim != 2 or rows.shape[1] not in sizes:
        *shapes, last = (f"(N, {size})" for size in sizes)
        raise HandError(f"{name} are an array of shape {', '.join(shapes)} or {last}, not {rows.shape}")
    return np.require(rows, requirements=["C_CONTIGUOUS", "WRITEABLE"])


def _require_cards(rows: NDArray[np.uint8]) -> None:
    if rows.max(initial=0) >= DECK_SIZE:
        raise _not_a_card(rows)


def _not_a_card(rows: NDArray[np.uint8]) -> CardError:
    row = int((rows >= DECK_SIZE).any(axis=1).argmax())
    return CardError(f"{rows[row].max()} in row {row} is not a card: cards are 0..51")


def _require_distinct_rows(rows: NDArray[np.uint8]) -> None:
    row = first_repetition(rows)
    if row >= 0:
        cards = np.sort(rows[row])
        repeated = cards[:-1][cards[:-1] == cards[1:]][0]
        raise CardError(f"{format_card(int(repeated))} appears twice in row {row}")
