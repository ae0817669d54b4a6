"""xoshiro256**, unbiased ranges and shuffles in plain Python ints, as Blackman, Vigna and Lemire describe them."""

from collections.abc import Sequence

from railbird.engine.actions import CALL, FOLD, Action, LegalActions, raise_to

WORD = 1 << 64
HALF = 1 << 32


def rotated_left(word: int, count: int) -> int:
    return (word << count) % WORD + (word >> 64 - count)


class Generator:
    """Four words of state, as in the reference implementation of xoshiro256**."""

    def __init__(self, words: Sequence[int]) -> None:
        self.words = [int(word) for word in words]

    def next_word(self) -> int:
        s0, s1, s2, s3 = self.words
        result = rotated_left(s1 * 5 % WORD, 7) * 9 % WORD
        s2, s3 = s2 ^ s0, s3 ^ s1
        self.words = [s0 ^ s3, s1 ^ s2, s2 ^ (s1 << 17) % WORD, rotated_left(s3, 45)]
        return result

    def below(self, bound: int) -> int:
        """A number 0 … bound − 1. Of the 2³² upper halves, those beyond a multiple of `bound` are drawn again."""
        while True:
            whole, remainder = divmod((self.next_word() // HALF) * bound, HALF)
            if remainder >= HALF % bound:
                return whole

    def draw_cards(self, deck: list[int], count: int) -> None:
        """Fisher and Yates from the front: each place gets one of the cards that are not placed yet."""
        for place in range(count):
            other = place + self.below(len(deck) - place)
            deck[place], deck[other] = deck[other], deck[place]

    def random_action(self, legal: LegalActions) -> Action:
        """One of the possible kinds with equal chances, and a raise evenly between its bounds."""
        kinds = ["fold"] * legal.fold + ["call"] + ["raise"] * legal.can_raise
        kind = kinds[self.below(len(kinds))]
        if kind == "raise":
            least, most = legal.raise_minimum, legal.raise_maximum
            # A raise with one possible amount costs no random number.
            return raise_to(least if least == most else least + self.below(most - least + 1))
        return FOLD if kind == "fold" else CALL
