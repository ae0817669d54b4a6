"""The first filter of a search, one case after the other, in plain Python."""

from collections.abc import Sequence


def lost_on_stairs(steps: Sequence[int], stairs: Sequence[Sequence[int]]) -> int:
    """The units that a case loses: of every column the distance times the slope, but no more than the maximum."""
    lost = 0
    for step, wanted, slope, maximum in zip(steps, *stairs, strict=True):
        lost += min(maximum, abs(step - wanted) * slope // 65_536)
    return lost


def within(cases: Sequence[Sequence[int]], stairs: Sequence[Sequence[int]], limit: int) -> list[int]:
    """Which cases lose no more than the limit."""
    return [place for place, steps in enumerate(cases) if lost_on_stairs(steps, stairs) <= limit]
