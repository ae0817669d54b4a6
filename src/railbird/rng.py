"""Named seed streams: one root seed determines a whole experiment, and every random source in it has a name below.

A stream is 256 bits of BLAKE2b, keyed by its parent; a child depends on its parent and its own name only, never on
what was drawn elsewhere. Results therefore do not depend on the number of workers or on their order.

>>> experiment = Stream.from_seed(7)
>>> deck = experiment.child("match", 3).child("hand", 17).child("deck")
>>> deck == Stream.from_seed(7).child("match", 3, "hand", 17, "deck")
True

Live play with people takes its root from the operating system (`Stream.live()`). A deck is shuffled by xoshiro256**
started from the stream's 256 bits: more than the 225.6 bits of the 52! decks, so every deck can come up.
"""

import os
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

KEY_BYTES = 32


@dataclass(frozen=True, slots=True)
class Stream:
    """A node in the tree of random streams, and the source of everything drawn there."""

    key: bytes

    @classmethod
    def from_seed(cls, seed: int | str) -> "Stream":
        """The root stream of a seed; the number 7 and the text "7" are the same seed."""
        return cls(blake2b(str(seed).encode(), digest_size=KEY_BYTES, person=b"railbird seed").digest())

    @classmethod
    def live(cls) -> "Stream":
        """An unrepeatable root, from the operating system's entropy."""
        return cls(os.urandom(KEY_BYTES))

    def child(self, *names: str | int) -> "Stream":
        """The stream with a name below this one; several names descend several levels."""
        key = self.key
        for name in names:
            # The message includes the type, so that hand 1 and a label "1" are different names.
            message = b"i%d" % name if isinstance(name, int) else b"s" + name.encode()
            key = blake2b(message, digest_size=KEY_BYTES, key=key).digest()
        return Stream(key)

    def words_below(self, numbers: Iterable[int]) -> NDArray[np.uint64]:
        """The words of the children with these numbers, a row for each."""
        parent = blake2b(digest_size=KEY_BYTES, key=self.key)
        keys = []
        for number in numbers:
            child = parent.copy()
            child.update(b"i%d" % number)
            keys.append(child.digest())
        return np.frombuffer(b"".join(keys), dtype="<u8").astype(np.uint64).reshape(-1, 4)

    def words(self) -> NDArray[np.uint64]:
        """A fresh state for the generators in `kernels.random`: four 64-bit words."""
        return np.frombuffer(self.key, dtype="<u8").astype(np.uint64)

    def generator(self) -> np.random.Generator:
        """A numpy generator for everything that is drawn outside compiled code."""
        return np.random.Generator(np.random.PCG64(int.from_bytes(self.key, "little")))
