"""The losses of the numbers in which many problems differ, as straight lines over the distance in equal marks.

The loss of a linear similarity is a straight line, up to its maximum. That of exponential decay bends downwards, so it
is never below the least of a few chords, and above it by a known *gap* at most. Numbers matter up to the distance at
which they alone lose the budget of the threshold: lines need not be right beyond it.

Everything is rounded to whole units, as many of the loss of 1 as the marks are fine enough for. Every number can be
counted up to four units too low (two marks, and the offset, slope and product of a line are rounded) and one too high.
"""

from dataclasses import dataclass
from math import expm1, floor, inf, isfinite, log, log1p

import numpy as np
from numpy.typing import NDArray

from railbird.kernels.cases.similarity import DECAY, LINEAR, WEIGHT
from railbird.kernels.cases.tallies import LAST_MARK, LINE_OFFSET, LINE_SLOPE, Ramps

_SAFETY = 1e-9
"""More than the rounding errors of double precision."""
_MOST_UNITS = 60_000.0
"""Maximum number of units of the budget."""
_TOO_LOW, _TOO_HIGH = 4, 1
"""By how many units a number can be counted too low or too high."""
_ROUNDED = 2
"""Units for what else is rounded: the loss by the attributes that all problems share, and the limits."""
_SLOPES = 65_536.0
_MOST_CHORDS = 16
_FINEST = 1e-300
"""Minimum step between marks, and minimum loss for it."""
_GAP = 0.003
"""Maximum share of the budget that chords may miss, unless they would be too many."""
_FAIR = 7 / 8
"""Minimum share of the possible loss at which cases are certain: with less, too many would be measured."""

_Line = tuple[float, float]
"""The loss at no distance, and the loss for a distance of 1."""


@dataclass(frozen=True, slots=True)
class _Ramp:
    """One number: its scale, and its loss."""

    attribute: int
    origin: float
    step: float
    reach: float
    """The greatest distance that matters."""
    lines: tuple[_Line, ...]
    gap: float


def ramps_of(
    threshold: float,
    targets: NDArray[np.float64],
    measure: NDArray[np.float64],
    ends: NDArray[np.float64],
) -> Ramps | None:
    """The losses of all numbers that differ between targets; None if lines would not be good enough, or for equality.

    `ends` are the least and the greatest value of every attribute in the cases.
    """
    budget = 1.0 - threshold + _SAFETY
    ramps = []
    for attribute in np.flatnonzero((targets != targets[0]).any(axis=0)).tolist():
        least, greatest = targets[:, attribute].min(), targets[:, attribute].max()
        kind, *parameters = measure[attribute].tolist()
        if kind not in (LINEAR, DECAY):
            return None
        weight, rate, span = parameters
        share = weight / float(measure[:, WEIGHT].sum())
        if share == 0.0 or rate == 0.0:
            continue
        reach = _distance(kind, share, rate / span, budget)
        low = min(least, max(ends[0, attribute], least - reach))
        high = max(greatest, min(ends[1, attribute], greatest + reach))
        ramp = _ramp(attribute, float(low), float(high - low), kind, (share, rate / span, reach), budget)
        if ramp is None:
            return None
        ramps.append(ramp)
    return _rounded(sorted(ramps, key=lambda ramp: ramp.reach / ramp.step), threshold) if ramps else None


def _distance(kind: float, share: float, rate: float, lost: float) -> float:
    """The distance at which a number loses so much, and a little more; infinite if it never does."""
    if lost >= share:
        return inf
    lost = lost / share
    return (lost if kind == LINEAR else -log1p(-lost)) / rate * (1.0 + _SAFETY)


def _ramp(
    attribute: int, low: float, width: float, kind: float, loss: tuple[float, float, float], budget: float
) -> _Ramp | None:
    share, rate, reach = loss
    step = width / (LAST_MARK - 1)
    if not (isfinite(width) and isfinite(share * rate) and min(step, share * rate * step) > _FINEST):
        return None
    if kind == LINEAR:
        is_capped = reach == inf and share * rate * width > share
        lines: tuple[_Line, ...] = (
            ((0.0, share * rate), (share, 0.0)) if is_capped else ((0.0, share * rate),)
        )
        return _Ramp(attribute, low, step, reach, lines, 0.0)
    chords = 1
    while True:
        lines, gap = _chords(share, rate, min(reach, width), chords)
        if gap <= _GAP * budget or chords == _MOST_CHORDS:
            return _Ramp(attribute, low, step, reach, lines, gap)
        chords *= 2


def _chords(share: float, rate: float, reach: float, count: int) -> tuple[tuple[_Line, ...], float]:
    """Chords below exponential decay up to a distance, each for the same part of the loss, and the greatest gap."""
    whole = -share * expm1(-rate * reach)
    lines, gap = [], 0.0
    start, lost = 0.0, 0.0
    for chord in range(1, count + 1):
        more = whole * chord / count
        end = reach if chord == count else -log1p(-more / share) / rate
        slope = (more - lost) / (end - start)
        offset = lost - slope * start
        # Where the curve is as steep as the chord.
        bent = share - slope / rate - (offset + slope * log(share * rate / slope) / rate)
        lines.append((offset, slope))
        gap = max(gap, bent)
        start, lost = end, more
    return tuple(lines), gap + _SAFETY


def _rounded(ramps: list[_Ramp], threshold: float) -> Ramps | None:
    budget = 1.0 - threshold
    steepest = max(slope * ramp.step for ramp in ramps for _, slope in ramp.lines)
    units = min(_MOST_UNITS / (budget + _SAFETY), LAST_MARK / _SLOPES / steepest)
    possible = floor((budget + _SAFETY) * units) + len(ramps) * _TOO_HIGH + _ROUNDED
    missed = sum(ramp.gap for ramp in ramps) + _SAFETY
    certain = floor((budget - missed) * units) - len(ramps) * _TOO_LOW - _ROUNDED
    if certain < _FAIR * possible:
        return None
    scales = np.array([(ramp.attribute, ramp.origin, 1.0 / ramp.step) for ramp in ramps]).T.copy()
    most = max(len(ramp.lines) for ramp in ramps)
    lines: NDArray[np.uint16] = np.empty((2, len(ramps), most), dtype=np.uint16)
    for column, ramp in enumerate(ramps):
        for place in range(most):
            offset, slope = ramp.lines[min(place, len(ramp.lines) - 1)]
            lines[LINE_OFFSET, column, place] = floor(offset * units)
            lines[LINE_SLOPE, column, place] = floor(slope * ramp.step * units * _SLOPES)
    return scales, lines, units, possible, certain
