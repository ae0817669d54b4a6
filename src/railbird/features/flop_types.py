"""The types of hands at the flop: kept until there are thousands, then evaluated together and counted.

>>> from railbird.cards import parse_cards
>>> class Player:
...     def __init__(self) -> None:
...         self.type_hands, self.type_nets = no_types()
>>> ann, flops = Player(), FlopTypes()
>>> flops.add(ann, bytes(parse_cards("AhAd 7c7s2d")), 30)
>>> flops.count()
>>> ann.type_hands[HandType.TWO_PAIR], ann.type_nets[HandType.TWO_PAIR]
(1, 30)
"""

from collections.abc import Sequence
from typing import Generic, Protocol, TypeVar

import numpy as np

from railbird.engine.events import Chips
from railbird.features.player_counts import CountedHand
from railbird.hands.evaluator import evaluate_batch
from railbird.hands.types import TYPE_OF_VALUE, HandType

_CARDS = 5
_AT_ONCE = 1 << 14


class CountsTypes(Protocol):
    """Whoever hands are counted for."""

    type_hands: list[int]
    """Hands by their type at the flop, where the hole cards are known."""
    type_nets: list[Chips]
    """What these hands won."""


def no_types() -> tuple[list[int], list[Chips]]:
    """The hands by type, and what they won, before the first."""
    return [0] * len(HandType), [0] * len(HandType)


_Player = TypeVar("_Player", bound=CountsTypes)


class FlopTypes(Generic[_Player]):
    """Takes hands at the flop; `count` adds those that were not counted yet to their players' types."""

    def __init__(self) -> None:
        self._cards = bytearray()
        self._winnings: list[tuple[_Player, Chips]] = []
        """The player of each five cards, and what the hand won."""

    def add(self, player: _Player, cards: bytes, chips: Chips) -> None:
        """Two hole cards and the flop, and what the player won with them."""
        self._cards += cards
        self._winnings.append((player, chips))
        if len(self._winnings) >= _AT_ONCE:
            self.count()

    def add_hand(self, players: Sequence[_Player], hand: CountedHand) -> None:
        """The known hole cards of all who saw the flop, seat by seat."""
        if not hand.at_flop or len(hand.flop) != 3:
            return
        for seat, hole in enumerate(hand.holes):
            if hand.at_flop >> seat & 1 and hole is not None and len(hole) == 2:
                self.add(players[seat], bytes(hole + hand.flop), hand.chips[seat])

    def count(self) -> None:
        """Evaluate the hands that were kept, and count them."""
        if not self._winnings:
            return
        # A copy, because a buffer that numpy views cannot be cleared.
        cards = np.frombuffer(bytes(self._cards), dtype=np.uint8).reshape(-1, _CARDS)
        types = TYPE_OF_VALUE[evaluate_batch(cards, check_distinct=False)].tolist()
        for (player, net), kind in zip(self._winnings, types, strict=True):
            player.type_hands[kind] += 1
            player.type_nets[kind] += net
        self._cards.clear()
        self._winnings.clear()
