"""The memory of an agent that learns while it plays: watched cases, followed by the cases of its own play.

The pack of a file is shared by all agents of a process, so a memory copies its case bases before it adds to them.
Searching one growing base is faster than searching two; copying 100,000 cases takes 11 ms, building their search tree
100 ms.
"""

from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import overload

import numpy as np

from railbird.cbr.cycle.episode import Retrieved
from railbird.cbr.packs.contents import RiderColumn
from railbird.cbr.packs.files import Pack
from railbird.cbr.schema import SchemaError
from railbird.spec import SpecError, unknown
from railbird.store.lived import LivedCase, LivedError, LivedHand

RIDERS = ("hand", "player", "cards", "board")
"""The riders of a case of its own play."""


class LivedCaseError(ValueError):
    """A case of another system or of another schema."""


class Memory:
    """A pack that grows by the cases of its own play."""

    def __init__(
        self, watched: Pack, outcome_of: Callable[[LivedCase], float] = attrgetter("outcome")
    ) -> None:
        self._outcome_of = outcome_of
        self.watched = {stage: len(base) for stage, base in watched.bases.items()}
        """Number of watched cases by stage; later cases are its own."""
        self.hands = 0
        """Number of its own hands."""
        self._columns = {
            stage: {
                name: GrowingColumn(watched.riders.get(stage, {}).get(name, [""] * count))
                for name in dict.fromkeys((*watched.riders.get(stage, {}), *RIDERS))
            }
            for stage, count in self.watched.items()
        }
        self._bases = {stage: base.select(np.arange(len(base))) for stage, base in watched.bases.items()}
        self.pack = Pack(
            watched.system,
            self._bases,
            self._columns,
            watched.recipe,
        )

    @property
    def cases(self) -> int:
        """Number of its own cases."""
        return len(self.pack) - sum(self.watched.values())

    def who(self, stage: str, retrieved: Retrieved, experts: str) -> str:
        """The players who decided in the retrieved cases: the experts, the agent itself, or both."""
        own = int((retrieved.rows >= self.watched[stage]).sum())
        if own == 0:
            return experts
        return "it" if own == len(retrieved) else f"it and {experts}"

    def forget(self) -> None:
        """Forget its own play."""
        for stage, count in self.watched.items():
            self._bases[stage] = self._bases[stage].select(np.arange(count))
            for column in self._columns[stage].values():
                column.forget()
        self.hands = 0

    def add(self, hand: LivedHand) -> None:
        """Add a hand with all its cases, or none of them if one is not a case of the system."""
        for case in hand.cases:
            self._require(case)
        self.hands += 1
        for case in hand.cases:
            self.pack.bases[case.base].add(case.description, case.solution, self._outcome_of(case))
            for name, column in self._columns[case.base].items():
                column.append(case.riders.get(name, ""))

    def _require(self, case: LivedCase) -> None:
        bases = self.pack.bases
        try:
            if case.base not in bases:
                raise unknown("stage", case.base, bases)
            bases[case.base].schema.require(case.description)
            bases[case.base].schema.solution_place(case.solution)
            self._outcome_of(case)
        except (SchemaError, SpecError, LivedError) as error:
            raise LivedCaseError(
                f"hand {self.hands + 1} of its experience has a case that is not a case of {self.pack.system}: {error}"
            ) from None


class GrowingColumn(Sequence[str]):
    """The riders of watched cases, followed by those of later ones."""

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

    def forget(self) -> None:
        """Forget the riders of all later cases."""
        self._later.clear()

    def append(self, text: str) -> None:
        """Add the rider of the next case."""
        self._later.append(text)
