"""The lookup array of the hand evaluator: how it is laid out and how it is built.

Flushes aside, a hand is worth what its ranks are worth, and there are only 6,175 ways to choose the ranks of
five cards, 18,395 of six and 49,205 of seven. Every rank has a number of 29 bits, its rank key, such that the
sum of a hand's rank keys finds the hand's value by displacement hashing (Tarjan and Yao, "Storing a sparse
table", Communications of the ACM 22, 1979):

1. The bits of the sum above the sixteenth choose a bucket, and the bucket holds a displacement.
2. The low bits of the sum, moved on by the displacement, are the slot of the value, wrapping at the end.
3. Displacements are chosen so that no two hands share a slot: the fullest buckets come first, and each takes
   the smallest displacement that moves all its hands to free slots.

Values are dense, from 1 for the worst hand (7-5-4-3-2 in several suits) to 7462 for a royal flush.

Everything lies in one array of 16-bit numbers (250 kB): for seven, six and five cards the displacements and
then the values, and at the end the values of flushes by the 13-bit mask of the flush suit's ranks. Building
takes about 0.4 s on one core, the first time as much as later: it is numpy and compiles nothing.
"""

from collections import Counter
from dataclasses import dataclass
from functools import cache
from itertools import combinations, combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

RANKS = 13
BEST_VALUE = 7462
RANK_KEY_BITS = 29
BUCKET_SHIFT = 16


@dataclass(frozen=True, slots=True)
class Region:
    """The part of the array for hands of one number of cards: displacements, then values."""

    cards: int
    start: int
    buckets: int
    slots: int

    @property
    def values(self) -> int:
        """Where the values begin."""
        return self.start + self.buckets

    @property
    def end(self) -> int:
        """Where the next part begins."""
        return self.values + self.slots


SEVEN = Region(cards=7, start=0, buckets=4096, slots=65536)
SIX = Region(cards=6, start=SEVEN.end, buckets=4096, slots=32768)
FIVE = Region(cards=5, start=SIX.end, buckets=2048, slots=8192)
FLUSH_VALUES = FIVE.end
TABLES_SIZE = FLUSH_VALUES + (1 << RANKS)
TABLES_CHECKSUM = 0x3B625904
"""CRC-32 of the array as little-endian bytes: the same everywhere, for nothing in building it is random."""

# Deuce first; what `find_rank_keys(seed=1)` returns.
RANK_KEYS = (
    103948646, 268266436, 490385901, 104728814, 521792399, 75405060, 382061261,
    326508660, 468170638, 137190246, 145912233, 104738871, 357002184,
)  # fmt: skip


class DisplacementError(Exception):
    """These rank keys will not do: two hands of one bucket coincide, or a bucket fits nowhere."""


@cache
def five_card_strengths() -> tuple[tuple[int, ...], ...]:
    """Every five-card hand that differs from others in play, worst first: the one of value v stands at v - 1.

    Each is its category 0..8 (high card … straight flush) and then the ranks that decide between hands of
    that category, the most important first.
    """
    plain = {_strength(hand, flush=False) for hand in map(tuple, _rank_multisets(5).tolist())}
    flushes = {_strength(hand, flush=True) for hand in combinations(range(RANKS), 5)}
    return tuple(sorted(plain | flushes))


def build_tables(rank_keys: tuple[int, ...] = RANK_KEYS) -> NDArray[np.uint16]:
    """Build the whole array.

    Only hands of exactly five cards are ranked by the rules of poker. The best five of six cards are the best
    of what remains when one card is left out, and so again from six cards to seven.
    """
    keys = np.array(rank_keys, dtype=np.int64)
    value_of = {strength: value for value, strength in enumerate(five_card_strengths(), start=1)}
    tables = np.zeros(TABLES_SIZE, dtype=np.uint16)

    ranks = _rank_multisets(5)
    values = np.array([value_of[_strength(tuple(hand), flush=False)] for hand in ranks.tolist()], np.uint16)
    _fill(tables, FIVE, keys[ranks].sum(axis=1), values)
    for region, smaller in ((SIX, FIVE), (SEVEN, SIX)):
        ranks = _rank_multisets(region.cards)
        sums = keys[ranks].sum(axis=1)
        values = np.zeros(len(ranks), dtype=np.uint16)
        for left_out in range(region.cards):
            np.maximum(values, _look_up(tables, smaller, sums - keys[ranks[:, left_out]]), out=values)
        _fill(tables, region, sums, values)

    by_mask = tables[FLUSH_VALUES:]
    for mask in range(1 << RANKS):
        held = [rank for rank in range(RANKS) if mask >> rank & 1]
        if len(held) == 5:
            by_mask[mask] = value_of[_strength(tuple(held), flush=True)]
        elif len(held) > 5:
            by_mask[mask] = max(by_mask[mask & ~(1 << rank)] for rank in held)
    return tables


def find_rank_keys(seed: int) -> tuple[int, ...]:
    """Draw rank keys until displacements exist for five, six and seven cards.

    Seed 1 succeeds at the 116th draw, after about ten seconds.
    """
    generator = np.random.default_rng(seed)
    hands = {region: _rank_multisets(region.cards) for region in (FIVE, SIX, SEVEN)}
    while True:
        keys = generator.integers(0, 1 << RANK_KEY_BITS, RANKS)
        try:
            for region, ranks in hands.items():
                _displacements(region, keys[ranks].sum(axis=1))
        except DisplacementError:
            continue
        return tuple(keys.tolist())


def _strength(ranks: tuple[int, ...], *, flush: bool) -> tuple[int, ...]:
    multiplicity = Counter(ranks)
    deciding = tuple(sorted(multiplicity, key=lambda rank: (multiplicity[rank], rank), reverse=True))
    shape = tuple(sorted(multiplicity.values(), reverse=True))
    if shape == (1, 1, 1, 1, 1):
        wheel = deciding == (12, 3, 2, 1, 0)
        if wheel or deciding[0] - deciding[4] == 4:
            return (8 if flush else 4, 3 if wheel else deciding[0])
        return (5 if flush else 0, *deciding)
    category = {(2, 1, 1, 1): 1, (2, 2, 1): 2, (3, 1, 1): 3, (3, 2): 6, (4, 1): 7}[shape]
    return (category, *deciding)


def _rank_multisets(cards: int) -> NDArray[np.int64]:
    """Every way to choose the ranks of so many cards, each rank at most four times, ascending in a row."""
    ranks = np.array(list(combinations_with_replacement(range(RANKS), cards)), dtype=np.int64)
    # A row ascends, so five equal ranks stand side by side and the first of them equals the fifth.
    five_of_a_kind = (ranks[:, :-4] == ranks[:, 4:]).any(axis=1)
    multisets: NDArray[np.int64] = ranks[~five_of_a_kind]
    return multisets


def _bucket_and_slot(region: Region, sums: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    return (sums >> BUCKET_SHIFT) & (region.buckets - 1), sums & (region.slots - 1)


def _look_up(tables: NDArray[np.uint16], region: Region, sums: NDArray[np.int64]) -> NDArray[np.uint16]:
    bucket, slot = _bucket_and_slot(region, sums)
    displaced = (slot + tables[region.start + bucket]) % region.slots
    values: NDArray[np.uint16] = tables[region.values + displaced]
    return values


def _fill(
    tables: NDArray[np.uint16], region: Region, sums: NDArray[np.int64], values: NDArray[np.uint16]
) -> None:
    bucket, slot = _bucket_and_slot(region, sums)
    displacements = _displacements(region, sums)
    tables[region.start : region.values] = displacements
    tables[region.values + (slot + displacements[bucket]) % region.slots] = values


def _displacements(region: Region, sums: NDArray[np.int64]) -> NDArray[np.uint16]:
    """One displacement per bucket, so that every hand has a slot of its own."""
    bucket, slot = _bucket_and_slot(region, sums)
    if len(np.unique(bucket * region.slots + slot)) < len(sums):
        raise DisplacementError
    slots_by_bucket = slot[np.argsort(bucket, kind="stable")]
    sizes = np.bincount(bucket, minlength=region.buckets)
    ends = np.cumsum(sizes)
    displacements = np.zeros(region.buckets, dtype=np.uint16)
    # Kept twice, one copy after the other, so that slots moved past the end need no wrapping:
    # taken[slot + displacement] == taken[(slot + displacement) % region.slots].
    taken = np.zeros(2 * region.slots, dtype=np.bool_)
    for fullest in np.argsort(-sizes, kind="stable"):
        own = slots_by_bucket[ends[fullest] - sizes[fullest] : ends[fullest]]
        blocked = np.zeros(region.slots, dtype=np.bool_)
        for first in own.tolist():
            blocked |= taken[first : first + region.slots]
        displacement = blocked.argmin()
        if blocked[displacement]:
            raise DisplacementError
        displacements[fullest] = displacement
        moved = (own + displacement) % region.slots
        taken[moved] = True
        taken[moved + region.slots] = True
    return displacements
