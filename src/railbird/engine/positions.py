"""What players call the positions of a hand: BTN, SB, BB, UTG, …, counted from the button.

    players   positions, from the left of the button
    2         BB  BTN/SB
    3         SB  BB  BTN
    4         SB  BB  CO  BTN
    5         SB  BB  HJ  CO  BTN
    6         SB  BB  UTG  HJ  CO  BTN
    7         SB  BB  UTG  LJ  HJ  CO  BTN
    9         SB  BB  UTG  UTG+1  UTG+2  LJ  HJ  CO  BTN

>>> from railbird.engine.games import named_game
>>> position_names(named_game("limit-6max").blinds)
('SB', 'BB', 'UTG', 'HJ', 'CO', 'BTN')
"""

from collections.abc import Sequence

_BUTTON = "BTN"
_LATE = ("LJ", "HJ", "CO")
"""The last positions before the button."""
_FIRST_IS_UTG = 3
"""From this number of positions between blinds and button the first one is under the gun."""


def position_names(blinds: Sequence[int], *, dead_button: bool = False) -> tuple[str, ...]:
    """The name of every position, from the blinds that they owe; a dead button is at a seat that is not dealt in."""
    big = max(blinds)
    names = ["" if min(blinds) == big or not blind else "BB" if blind == big else "SB" for blind in blinds]
    if not dead_button:
        names[-1] = f"{_BUTTON}/{names[-1]}" if names[-1] else _BUTTON
    between = [position for position, name in enumerate(names) if not name]
    for position, name in zip(between, _between(len(between)), strict=True):
        names[position] = name
    return tuple(names)


def _between(count: int) -> tuple[str, ...]:
    late = _LATE[-min(count, len(_LATE)) :] if count else ()
    if count < _FIRST_IS_UTG:
        return late
    early = max(1, count - len(_LATE))
    return (*("UTG" if not number else f"UTG+{number}" for number in range(early)), *late[early - count :])
