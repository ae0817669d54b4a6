"""CASPER's memory while it learns: the cases that were watched, and behind them those that it lived through.

The pack of a file is shared by all agents of a process, so a memory copies its case bases before it adds to them. One
base that grows is searched in less time than two side by side, and of 100,000 cases a copy takes 11 ms and its search
tree 100 ms.
"""

from collections.abc import Sequence
from typing import overload

import numpy as np

from railbird.cbr.cycle.episode import Retrieved
from railbird.cbr.packs.files import Pack
from railbird.cbr.packs.table import RiderColumn
from railbird.cbr.schema import SchemaError
from railbird.spec import SpecError, unknown
from railbird.store.lived import LivedCase, LivedHand

RIDERS = ("hand", "player", "cards", "board")
"""What rides along with a case that was lived through."""


class LivedCaseError(ValueError):
    """A case that was lived through by another system, or under another schema."""


class Memory:
    """A pack that grows by what is lived through."""

    def __init__(self, watched: Pack) -> None:
        self.watched = {stage: len(base) for stage, base in watched.bases.items()}
        """By stage how many cases were watched; later ones are its own."""
        self.hands = 0
        """How many hands it lived through."""
        self._columns = {
            stage: {
                name: GrowingColumn(watched.riders.get(stage, {}).get(name, [""] * count))
                for name in dict.fromkeys((*watched.riders.get(stage, {}), *RIDERS))
            }
            for stage, count in self.watched.items()
        }
        self.pack = Pack(
            watched.system,
            {stage: base.select(np.arange(len(base))) for stage, base in watched.bases.items()},
            self._columns,
            watched.recipe,
        )

    @property
    def cases(self) -> int:
        """How many cases it lived through."""
        return len(self.pack) - sum(self.watched.values())

    def own_among(self, stage: str, retrieved: Retrieved) -> int:
        """How many of the retrieved cases it lived through."""
        return int((retrieved.rows >= self.watched[stage]).sum())

    def add(self, hand: LivedHand) -> None:
        """Take in a hand, with all its cases or, if one of them is none of CASPER's, not at all."""
        for case in hand.cases:
            self._require(case)
        self.hands += 1
        for case in hand.cases:
            self.pack.bases[case.base].add(case.description, case.solution, case.outcome)
            for name, column in self._columns[case.base].items():
                column.append(case.riders.get(name, ""))

    def _require(self, case: LivedCase) -> None:
        bases = self.pack.bases
        try:
            if case.base not in bases:
                raise unknown("stage", case.base, bases)
            bases[case.base].schema.require(case.description)
            bases[case.base].schema.solution_place(case.solution)
        except (SchemaError, SpecError) as error:
            raise LivedCaseError(
                f"hand {self.hands + 1} that was lived through has a case that is none of CASPER's: {error}"
            ) from None


class GrowingColumn(Sequence[str]):
    """The riders of watched cases, and behind them those of later ones."""

    def __init__(self, watched: RiderColumn) -> None:
        self._watched = watched
        self._later: list[str] = []

    def __len__(self) -> int:
        return len(self._watched) + len(self._later)

    @overload
    def __getitem__(self, place: int) -> str: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[str]: ...

    def __getitem__(self, place: int | slice) -> str | Sequence[str]:
        if isinstance(place, slice):
            return [self[each] for each in range(*place.indices(len(self)))]
        count = len(self._watched)
        if 0 <= place < count:
            return str(self._watched[place])
        return self._later[place - count if place >= 0 else place]

    def append(self, text: str) -> None:
        """Add the rider of the next case."""
        self._later.append(text)
