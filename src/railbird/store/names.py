"""Errors for unknown player names, with the nearest known names."""

from collections.abc import Iterable
from difflib import get_close_matches

_SHOWN = 5


class UnknownPlayer(ValueError):
    """A player who is not in any of the hands."""


def unknown_player(name: str, known: Iterable[str], where: str) -> UnknownPlayer:
    """The error for an unknown name; the first known names are listed if none is similar.

    >>> print(unknown_player("deepstack", ["DeepStack", "qin.youwei.1"], "hands.log"))
    hands.log: no player is called 'deepstack'; the nearest names are DeepStack
    """
    names = list(known)
    by_folded: dict[str, str] = {}
    for other in names:
        by_folded.setdefault(other.casefold(), other)
    near = [by_folded[found] for found in get_close_matches(name.casefold(), by_folded, n=_SHOWN, cutoff=0.5)]
    if near:
        hint = f"the nearest names are {', '.join(near)}"
    elif names:
        hint = f"there are {', '.join(names[:_SHOWN])}{' and others' if len(names) > _SHOWN else ''}"
    else:
        hint = "it has no hands"
    return UnknownPlayer(f"{where}: no player is called {name!r}; {hint}")
