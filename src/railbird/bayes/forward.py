"""Fast repeated queries of one network: exact, compiled, with tables that can be updated.

>>> from railbird.bayes.structure import Structure, Variable
>>> rain, wet = Variable("Rain", ("no", "yes")), Variable("Wet", ("no", "yes"))
>>> network = Network(
...     Structure((rain, wet), {"Wet": ("Rain",)}),
...     {"Rain": np.array([0.8, 0.2]), "Wet": np.array([[0.9, 0.1], [0.2, 0.8]])},
... )
>>> forward = Forward(network, ["Rain"])
>>> forward(network.structure.codes({"Wet": "yes"})).round(3).tolist()
[0.333, 0.667]
>>> forward.update("Rain", (), [0.5, 0.5])
>>> forward(network.structure.codes({"Wet": "yes"})).round(3).tolist()
[0.111, 0.889]

A plan (`elimination`) is made once for every pattern of known variables, so a call costs a look-up and the
multiplications that the pattern needs. Several threads may query at once, but not during an update.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from railbird.bayes.inference import impossible
from railbird.bayes.network import SUM_TOLERANCE, Network
from railbird.bayes.programs import Numbers, Program, TableLayout, remembered_programs
from railbird.bayes.rows import Codes, by_pattern, checked_rows, no_code
from railbird.bayes.structure import NetworkError, Structure
from railbird.kernels.bayes.forward import FOUND, IMPOSSIBLE, posteriors, posteriors_of_rows

_INT16 = np.dtype(np.int16)


class Forward:
    """Posteriors of some targets. A call returns one array; `parts` has the slice of each target's states in it."""

    def __init__(self, network: Network, targets: Sequence[str]) -> None:
        structure = network.structure
        self.targets = tuple(targets)
        places = tuple(structure.place(name) for name in self.targets)
        if not places or len(set(places)) < len(places):
            raise NetworkError(f"one or more distinct targets expected, found {self.targets}")
        self._layout = TableLayout(structure)
        ends = np.cumsum([self._layout.sizes[place] for place in places]).tolist()
        self.parts: Mapping[str, slice] = {
            name: slice(end - self._layout.sizes[place], end)
            for name, place, end in zip(self.targets, places, ends, strict=True)
        }
        """The slice of each target's states in the result of a call."""
        self._width: int = ends[-1]
        self._sizes = np.array(self._layout.sizes, dtype=np.int16)
        self._layout_ints = self._layout.ints
        self._program = remembered_programs(self._layout, places)
        self._values = self._layout.flat(network.tables)

    @property
    def structure(self) -> Structure:
        """Variables and arcs."""
        return self._layout.structure

    def __call__(self, codes: Codes) -> Numbers:
        """The posteriors of all targets, given one code for each variable, `UNKNOWN` (-1) if it is not known."""
        if codes.dtype != _INT16 or codes.shape != self._sizes.shape:
            raise NetworkError(
                f"{len(self._sizes)} codes of type int16 expected, found {codes.dtype} of shape {codes.shape}"
            )
        codes = np.ascontiguousarray(codes)
        program = self._program((codes >= 0).tobytes())
        found = np.empty(self._width)
        end = posteriors(program.ints, self._layout_ints, codes, self._room_for(program), found)
        if end == FOUND:
            return found
        if end == IMPOSSIBLE:
            raise impossible(self.structure, codes)
        raise no_code(self.structure, end, int(codes[end]))

    def rows(self, rows: NDArray[np.integer]) -> Numbers:
        """The posteriors for many rows of codes: one row each, with the targets side by side."""
        checked = checked_rows(self.structure, rows)
        found = np.empty((len(checked), self._width))
        for pattern, numbers in by_pattern(checked):
            program = self._program(pattern)
            values = self._room_for(program)
            wrong = posteriors_of_rows(program.ints, self._layout_ints, checked, numbers, values, found)
            if wrong >= 0:
                raise impossible(self.structure, checked[wrong], f"row {wrong}: ")
        return found

    def update(self, name: str, place: tuple[int, ...], row: ArrayLike) -> None:
        """Change one row of a table: the probabilities of a variable's states for one code of every parent."""
        start, size = self._layout.checked_place(name, place)
        probabilities = np.asarray(row, dtype=np.float64)
        if probabilities.shape != (size,) or not (probabilities >= 0.0).all():
            raise NetworkError(f"{name}: {size} probabilities expected, found {probabilities.tolist()}")
        total = probabilities.sum()
        if not abs(total - 1.0) <= SUM_TOLERANCE:
            raise NetworkError(f"{name}: probabilities sum to {total:g} instead of 1")
        self._values[start : start + size] = probabilities

    def exchange(self, places: NDArray[np.int64], numbers: Numbers) -> Numbers:
        """Replace the numbers at places in the flat array of `TableLayout`, and return the previous ones.

        Nothing is checked: the caller must supply valid tables, such as those of `adapting`.
        """
        before = self._values[places]
        self._values[places] = numbers
        return before

    def copy(self) -> "Forward":
        """A copy with its own tables; plans are shared."""
        twin = object.__new__(Forward)
        twin.__dict__.update(self.__dict__)
        twin._values = self._values.copy()
        return twin

    def network(self) -> Network:
        """The network with its tables as they are now."""
        return Network(self.structure, self._layout.tables(self._values[: self._layout.total]))

    def _room_for(self, program: Program) -> Numbers:
        """The tables followed by enough working space, in one array that no other thread replaces meanwhile."""
        values = self._values
        missing = self._layout.total + program.work - len(values)
        if missing > 0:
            values = self._values = np.concatenate([values, np.zeros(missing)])
        return values
