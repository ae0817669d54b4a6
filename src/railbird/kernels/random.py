"""Random numbers inside compiled code: xoshiro256** (Blackman and Vigna), unbiased ranges, shuffles.

A generator is an array of four 64-bit words, which `rng.Stream.words()` provides.
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

_LOW_HALF = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)


@njit(inline="always")
def _rotate_left(word: np.uint64, count: int) -> np.uint64:
    return (word << np.uint64(count)) | (word >> np.uint64(64 - count))


@njit(inline="always")
def next_word(words: NDArray[np.uint64]) -> np.uint64:
    """The next 64 random bits."""
    result = _rotate_left(words[1] * np.uint64(5), 7) * np.uint64(9)
    shifted = words[1] << np.uint64(17)
    words[2] ^= words[0]
    words[3] ^= words[1]
    words[1] ^= words[2]
    words[0] ^= words[3]
    words[2] ^= shifted
    words[3] = _rotate_left(words[3], 45)
    return result


@njit(inline="always")
def below(words: NDArray[np.uint64], bound: int) -> int:
    """A number 0 … bound − 1, each exactly as likely (Lemire's method), for bounds up to 2³²."""
    size = np.uint64(bound)
    product = (next_word(words) >> _HALF) * size
    if (product & _LOW_HALF) < size:
        # Only the lowest 2³² mod bound remainders would favour some numbers: draw those again.
        unfair = (np.uint64(1 << 32) - size) % size
        while (product & _LOW_HALF) < unfair:
            product = (next_word(words) >> _HALF) * size
    return np.int64(product >> _HALF)  # type: ignore[return-value]


@njit(inline="always")
def unit_interval(words: NDArray[np.uint64]) -> float:
    """A float in [0, 1) with 53 random bits."""
    return np.float64(next_word(words) >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@njit(cache=True)
def shuffle_first(words: NDArray[np.uint64], deck: NDArray[np.int64], count: int) -> None:
    """Bring `count` random cards of the deck to its front, in random order (Fisher and Yates)."""
    draw_cards(words, deck, count)


@njit(inline="always")
def draw_cards(words: NDArray[np.uint64], deck: NDArray[np.int64], count: int) -> None:
    """`shuffle_first` for compiled loops, written into the caller."""
    size = len(deck)
    for place in range(count):
        other = place + below(words, size - place)
        card = deck[other]
        deck[other] = deck[place]
        deck[place] = card
