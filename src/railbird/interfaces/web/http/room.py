"""Room for a number of things at a time, shared fairly: no address takes all of it, and everybody has a turn."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TypeVar

_Thing = TypeVar("_Thing")


class Crowded(Exception):
    """There is no room at the moment, in all or for one address."""


class Room:
    """Room for `most` at a time, of whom `most_of_one` may come from one address."""

    def __init__(self, most: int, most_of_one: int) -> None:
        self._most, self._most_of_one = most, most_of_one
        self._taken: Counter[str] = Counter()

    @contextmanager
    def taken(self, address: str) -> Iterator[None]:
        """Take a place until the end of the block; `Crowded` where there is none."""
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
    """Things that wait, in the order of their turns: everybody's first one, then everybody's second one, and so on.

    Who never had a turn, or had it longest ago, comes first; then whose thing waits longest.

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
