"""PokerKit as referee: the same hands, compared after every action and at the end."""

from importlib.metadata import version
from random import Random

import pytest

from pokerkit_referee import compare_hand
from resuming import digest_of_rules, hands_to_go

CHUNKS = 50
HANDS_A_CHUNK = 10_000
VERSION = digest_of_rules("pokerkit", version("pokerkit"))


@pytest.mark.parametrize("chunk", range(8))
def test_random_hands_go_as_pokerkit_says(chunk: int) -> None:
    for hand in range(100):
        compare_hand(Random(f"pokerkit check {chunk} {hand}"))


@pytest.mark.soak
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_half_a_million_random_hands_go_as_pokerkit_says(chunk: int) -> None:
    for hand in hands_to_go("pokerkit", VERSION, chunk, HANDS_A_CHUNK):
        compare_hand(Random(f"pokerkit soak {chunk} {hand}"))
