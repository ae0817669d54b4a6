"""Random numbers inside compiled code: xoshiro256** (Blackman and Vigna), unbiased ranges, shuffles.

A generator is an array of four 64-bit words, which `rng.Stream.words()` provides.
"""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from railbird.kernels.compiler import njit

Words: TypeAlias = tuple[np.uint64, np.uint64, np.uint64, np.uint64]

_LOW_HALF = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)


@njit(forceinline=True, borrows=True)
def _rotate_left(word: np.uint64, count: int) -> np.uint64:
    return (word << np.uint64(count)) | (word >> np.uint64(64 - count))


@njit(inline="always")
def load(words: NDArray[np.uint64]) -> Words:
    """The generator as four numbers, which a loop can keep in registers; an array would go through memory."""
    return words[0], words[1], words[2], words[3]


@njit(forceinline=True, borrows=True)
def store(state: Words, words: NDArray[np.uint64]) -> None:
    """Put a loaded generator back."""
    words[0], words[1], words[2], words[3] = state


@njit(forceinline=True, borrows=True)
def next_of(state: Words) -> tuple[np.uint64, Words]:
    """The next 64 random bits of a loaded generator, and the generator after them."""
    first, second, third, fourth = state
    result = _rotate_left(second * np.uint64(5), 7) * np.uint64(9)
    shifted = second << np.uint64(17)
    third ^= first
    fourth ^= second
    second ^= third
    first ^= fourth
    third ^= shifted
    fourth = _rotate_left(fourth, 45)
    return result, (first, second, third, fourth)


@njit(forceinline=True, borrows=True)
def below_of(state: Words, bound: int) -> tuple[int, Words]:
    """A number 0 … bound − 1, all exactly equally likely (Lemire's method), for bounds up to 2³²."""
    size = np.uint64(bound)
    word, state = next_of(state)
    product = (word >> _HALF) * size
    if (product & _LOW_HALF) < size:
        # Only the lowest 2³² mod bound remainders would favour some numbers: draw those again.
        unfair = (np.uint64(1 << 32) - size) % size
        while (product & _LOW_HALF) < unfair:
            word, state = next_of(state)
            product = (word >> _HALF) * size
    return np.int64(product >> _HALF), state  # type: ignore[return-value]


@njit(inline="always")
def next_word(words: NDArray[np.uint64]) -> np.uint64:
    """The next 64 random bits."""
    word, state = next_of(load(words))
    store(state, words)
    return word


@njit(inline="always")
def below(words: NDArray[np.uint64], bound: int) -> int:
    """A number 0 … bound − 1, all exactly equally likely, for bounds up to 2³²."""
    number, state = below_of(load(words), bound)
    store(state, words)
    return number


@njit(inline="always")
def unit_interval(words: NDArray[np.uint64]) -> float:
    """A float in [0, 1) with 53 random bits."""
    return np.float64(next_word(words) >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@njit(cache=True)
def shuffle_first(words: NDArray[np.uint64], deck: NDArray[np.int64], count: int) -> None:
    """Bring `count` random cards of the deck to its front, in random order (Fisher and Yates)."""
    store(draw_cards(load(words), deck, count), words)


@njit(forceinline=True, borrows=True)
def draw_cards(state: Words, deck: NDArray[np.int64], count: int) -> Words:
    """`shuffle_first` for compiled loops with a loaded generator; returns the generator after it."""
    size = len(deck)
    for place in range(count):
        number, state = below_of(state, size - place)
        other = place + number
        card = deck[other]
        deck[other] = deck[place]
        deck[place] = card
    return state
