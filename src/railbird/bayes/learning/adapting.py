"""Individual networks that start from a shared average network and adapt to their own rows.

>>> from railbird.bayes.network import Network
>>> from railbird.bayes.structure import Structure, Variable
>>> rain, wet = Variable("Rain", ("no", "yes")), Variable("Wet", ("no", "yes"))
>>> network = Network(
...     Structure((rain, wet), {"Wet": ("Rain",)}),
...     {"Rain": np.array([0.8, 0.2]), "Wet": np.array([[0.9, 0.1], [0.2, 0.8]])},
... )
>>> here = Adapter(Average(network, 4.0)).start()
>>> here.learn(network.structure.codes({"Rain": "yes", "Wet": "yes"}))
>>> here.network().tables["Wet"].round(2).tolist()
[[0.9, 0.1], [0.16, 0.84]]

The tables are those that counting with the prior `Average` gives (`counts`). An individual network stores only the
table rows that differ from the average network, as places and numbers that a `Forward` takes on for a query
(`Forward.exchange`).

A row may have unknown states. It is counted for a variable if the variable and all its parents are known. With
`Adapter.estimates`, unknown states are estimated as well, by one expectation step as in `expectation` under the current
tables. If these make every state of the unknown variables impossible, nothing is estimated.
"""

from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from railbird.bayes.elimination import plan
from railbird.bayes.learning.counts import Average
from railbird.bayes.network import Network
from railbird.bayes.programs import MOST_PROGRAMS, Numbers, Program, TableLayout, compile_plan
from railbird.bayes.rows import Codes, checked_rows
from railbird.bayes.structure import Structure
from railbird.kernels.bayes.expectation import expected_counts

Places = NDArray[np.int64]
_FIRST_ROOM = 256


class Adapter:
    """What all individual networks share: the average network, its weight, and how rows are learnt from."""

    def __init__(self, average: Average, *, estimates: bool = False) -> None:
        self.average = average
        self.estimates = estimates
        """Whether unknown states are estimated; otherwise tables that involve them are not updated."""
        self.layout = TableLayout(average.network.structure)
        self.tables: Numbers = self.layout.flat(average.network.tables)
        """The average network as the flat array of `TableLayout`."""
        self.pseudo_counts: Numbers = average.strength * self.tables
        """The pseudo-counts of the average network."""
        self._values = self.tables.copy()
        self._expected = np.zeros(self.layout.total)
        self._program = lru_cache(maxsize=MOST_PROGRAMS)(self._program_of)

    @property
    def structure(self) -> Structure:
        """Variables and arcs."""
        return self.layout.structure

    def start(self) -> "Adapted":
        """A new individual network, without observations."""
        return Adapted(self)

    def expected(self, places: Places, numbers: Numbers, codes: Codes) -> tuple[Places, Numbers]:
        """The table entries that involve a row's unknown states, with their probabilities under the given numbers."""
        program = self._program((codes >= 0).tobytes())
        if program is None:
            return np.empty(0, dtype=np.int64), np.empty(0)
        missing = self.layout.total + program.work - len(self._values)
        if missing > 0:
            self._values = np.concatenate([self._values, np.zeros(missing)])
        values = self._values[: self.layout.total + program.work]
        values[places] = numbers
        expected_counts(program.ints, self.layout.ints, codes[np.newaxis], np.ones(1), values, self._expected)
        values[places] = self.tables[places]
        used = np.flatnonzero(self._expected)
        shares = self._expected[used]
        self._expected[used] = 0.0
        return used, shares

    def _program_of(self, pattern: bytes) -> Program | None:
        """The program that computes expectations for a pattern of known variables; None if nothing can be learnt."""
        known = frozenset(place for place, byte in enumerate(pattern) if byte)
        found = plan(self.structure, known, ())
        if not found.steps:
            return None
        return compile_plan(self.layout, replace(found, constants=()), (), known)


class Adapted:
    """An individual network, stored as its differences from the average network."""

    def __init__(self, adapter: Adapter) -> None:
        self._adapter = adapter
        self._starts: dict[int, int] = {}
        self._used = 0
        self._places = np.empty(_FIRST_ROOM, dtype=np.int64)
        self._counts = np.empty(_FIRST_ROOM)
        self._numbers = np.empty(_FIRST_ROOM)

    @property
    def places(self) -> Places:
        """The places of the numbers in the flat array of `TableLayout`."""
        return self._places[: self._used]

    @property
    def numbers(self) -> Numbers:
        """The numbers at these places: complete table rows that differ from the average network's."""
        return self._numbers[: self._used]

    def learn(self, codes: Codes) -> None:
        """Learn from one row of codes; a code that is neither a state nor unknown is refused."""
        [checked] = checked_rows(self._adapter.structure, np.asarray(codes)[np.newaxis])
        row, layout = checked.tolist(), self._adapter.layout
        # Expectations must be computed before the row changes any table.
        estimated = (
            self._adapter.expected(self.places, self.numbers, checked) if self._adapter.estimates else None
        )
        for variable, family in enumerate(layout.families):
            if min([row[each] for each in family]) >= 0:
                strides = layout.strides[variable]
                self._count(variable, sum([strides[each] * row[each] for each in family]))
        if estimated is not None:
            places, shares = estimated
            for variable, (first, last) in enumerate(
                pairwise(np.searchsorted(places, layout.offsets).tolist())
            ):
                if first < last:
                    self._count_shares(variable, places[first:last], shares[first:last])

    def network(self) -> Network:
        """The individual network in full."""
        tables = self._adapter.tables.copy()
        tables[self.places] = self.numbers
        return Network(self._adapter.structure, self._adapter.layout.tables(tables))

    def _count(self, variable: int, entry: int) -> None:
        """Count an entry of a table once, and update the probabilities of its row."""
        adapter = self._adapter
        size = adapter.layout.sizes[variable]
        code = entry % size
        start = adapter.layout.offsets[variable] + entry - code
        kept = self._row_at(start, size)
        counts = self._counts[kept : kept + size]
        counts[code] += 1.0
        seen = counts + adapter.pseudo_counts[start : start + size]
        self._numbers[kept : kept + size] = seen / seen.sum()

    def _count_shares(self, variable: int, places: Places, shares: Numbers) -> None:
        """Add to several entries of a table, in order, and update the probabilities of their rows."""
        adapter = self._adapter
        offset, size = adapter.layout.offsets[variable], adapter.layout.sizes[variable]
        rows, codes = np.divmod(places - offset, size)
        is_next = np.diff(rows, prepend=-1) > 0
        starts = offset + size * rows[is_next]
        kept = np.array([self._row_at(start, size) for start in starts.tolist()])
        self._counts[kept[is_next.cumsum() - 1] + codes] += shares
        along = np.arange(size)
        own = kept[:, np.newaxis] + along
        seen = self._counts[own] + adapter.pseudo_counts[starts[:, np.newaxis] + along]
        self._numbers[own] = seen / seen.sum(axis=1, keepdims=True)

    def _row_at(self, start: int, size: int) -> int:
        """The position of the stored row that begins at a place; a new one if it has not been stored yet."""
        kept = self._starts.get(start)
        if kept is None:
            kept = self._starts[start] = self._room_for(start, size)
        return kept

    def _room_for(self, start: int, size: int) -> int:
        """Store one more table row, without observations."""
        kept, self._used = self._used, self._used + size
        if self._used > len(self._places):
            for name in ("_places", "_counts", "_numbers"):
                short = getattr(self, name)
                more = np.empty(max(len(short), size), short.dtype)
                setattr(self, name, np.concatenate([short, more]))
        self._places[kept : self._used] = np.arange(start, start + size)
        self._counts[kept : self._used] = 0.0
        return kept
