"""A limited number of places, shared fairly: no address can take all of them, and addresses take turns."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TypeVar

_Thing = TypeVar("_Thing")


class Crowded(Exception):
    """There is no free place at the moment, in total or for one address."""


class Room:
    """`most` places, of which one address may take `most_of_one`."""

    def __init__(self, most: int, most_of_one: int) -> None:
        self._most, self._most_of_one = most, most_of_one
        self._taken: Counter[str] = Counter()

    @contextmanager
    def taken(self, address: str) -> Iterator[None]:
        """Take a place until the end of the block; raises `Crowded` if there is none."""
        if self._taken.total() >= self._most or self._taken[address] >= self._most_of_one:
            raise Crowded
        self._taken[address] += 1
        try:
            yield
        finally:
            self._taken[address] -= 1
            if not self._taken[address]:
                del self._taken[address]


def in_turn(
    waiting: Iterable[_Thing], who: Callable[[_Thing], str], last_turn: Mapping[str, float]
) -> list[_Thing]:
    """Waiting things in round-robin order: the first of each owner, then the second of each, and so on.

    Owners without a turn, or with the oldest turn, come first; then those whose thing has waited longest.

    >>> in_turn(["a1", "a2", "a3", "b1"], lambda thing: thing[0], {"a": 7.0})
    ['b1', 'a1', 'a2', 'a3']
    """
    rounds: Counter[str] = Counter()
    keys: list[tuple[int, float, int]] = []
    things = list(waiting)
    for place, thing in enumerate(things):
        whose = who(thing)
        keys.append((rounds[whose], last_turn.get(whose, float("-inf")), place))
        rounds[whose] += 1
    return [things[place] for *_, place in sorted(keys)]
