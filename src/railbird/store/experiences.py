"""Learners' experiences in the tables: one transaction per hand, with all cases retained from it.

After `retain` has returned, the hand is stored durably; if the process is killed before that, nothing of it is stored.
Several learners may share a name: each adds its hands, and reads those of the others the next time it starts.

>>> import tempfile
>>> from railbird.store.store import open_store
>>> call = LivedCase("preflop", {"hand strength": 0.5}, "call", -1.0, similarity=0.93)
>>> with tempfile.TemporaryDirectory() as folder, open_store(f"{folder}/lived.db") as store:
...     lived = StoredExperience(store, "ann", "casper")
...     lived.retain(LivedHand(-1.0, (call,))), lived.retain(LivedHand(0.5))
...     lived.series()
(1, 2)
[LivedPoint(hand=1, cases=1, similarity=0.93, won=-1.0), LivedPoint(hand=2, cases=1, similarity=None, won=0.5)]
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from sqlalchemy import Connection, RowMapping, func, insert, select

from railbird.plain_data import read_json
from railbird.store.addresses import StoreError
from railbird.store.lived import LivedCase, LivedHand
from railbird.store.store import Store
from railbird.store.tables import EXPERIENCES, LIVED_CASES, LIVED_HANDS

_CHUNK = 1000
"""Number of hands read at a time."""


@dataclass(frozen=True, slots=True)
class LivedPoint:
    """A learner's progress after one hand (casper-2008, figs. 5 and 6)."""

    hand: int
    cases: int
    """The number of cases retained so far, including those of this hand."""
    similarity: float | None
    """The mean similarity of the cases retrieved in this hand; None if there were none."""
    won: float


class StoredExperience:
    """The hands stored under one name; there may be none yet."""

    def __init__(self, store: Store, name: str, system: str) -> None:
        if not name:
            raise StoreError("an experience must have a name")
        self.store = store
        self.name = name
        self.system = system
        self._number()  # refuses an experience of another system

    def retain(self, hand: LivedHand) -> int:
        """Add a hand in one transaction; returns its number once it is stored durably."""
        with self.store._writing() as connection:
            experience = self._number_in(connection) or self._begin(connection)
            asked = select(func.max(LIVED_HANDS.c.number)).where(LIVED_HANDS.c.experience == experience)
            number: int = (connection.scalar(asked) or 0) + 1
            connection.execute(
                insert(LIVED_HANDS).values(
                    experience=experience,
                    number=number,
                    cases=len(hand.cases),
                    similarity=hand.similarity,
                    won=hand.won,
                )
            )
            if hand.cases:
                rows = [
                    {"experience": experience, "hand": number, "number": place, **_row(case)}
                    for place, case in enumerate(hand.cases)
                ]
                connection.execute(insert(LIVED_CASES), rows)
        return number

    def hands(self) -> Iterator[LivedHand]:
        """All hands in the order in which they were retained; hands added meanwhile may be included."""
        return (hand for _, hand in self.numbered_hands())

    def numbered_hands(self) -> Iterator[tuple[int, LivedHand]]:
        """All hands with their numbers."""
        experience = self._number()
        after = 0
        while experience is not None:
            with self.store._reading() as connection:
                numbers, hands = self._chunk(connection, experience, after)
            if not hands:
                return
            yield from zip(numbers, hands, strict=True)
            after = numbers[-1]

    def series(self) -> list[LivedPoint]:
        """Hand by hand, the number of cases, the similarity of retrieved cases, and the winnings."""
        experience = self._number()
        asked = (
            select(LIVED_HANDS.c.number, LIVED_HANDS.c.cases, LIVED_HANDS.c.similarity, LIVED_HANDS.c.won)
            .where(LIVED_HANDS.c.experience == experience)
            .order_by(LIVED_HANDS.c.number)
        )
        points: list[LivedPoint] = []
        total = 0
        with self.store._reading() as connection:
            for number, cases, similarity, won in connection.execute(asked):
                total += cases
                points.append(LivedPoint(number, total, similarity, won))
        return points

    def _number(self) -> int | None:
        with self.store._reading() as connection:
            return self._number_in(connection)

    def _number_in(self, connection: Connection) -> int | None:
        asked = select(EXPERIENCES.c.id, EXPERIENCES.c.system).where(EXPERIENCES.c.name == self.name)
        found = connection.execute(asked).one_or_none()
        if found is None:
            return None
        number, system = found
        if system != self.system:
            raise StoreError(
                f"{self.store.address}: the experience {self.name!r} belongs to {system}, not to {self.system}"
            )
        return int(number)

    def _begin(self, connection: Connection) -> int:
        number: int = (connection.scalar(select(func.max(EXPERIENCES.c.id))) or 0) + 1
        connection.execute(insert(EXPERIENCES).values(id=number, name=self.name, system=self.system))
        return number

    def _chunk(
        self, connection: Connection, experience: int, after: int
    ) -> tuple[Sequence[int], list[LivedHand]]:
        hands = connection.execute(
            select(LIVED_HANDS.c.number, LIVED_HANDS.c.cases, LIVED_HANDS.c.won)
            .where(LIVED_HANDS.c.experience == experience, LIVED_HANDS.c.number > after)
            .order_by(LIVED_HANDS.c.number)
            .limit(_CHUNK)
        ).all()
        numbers = [number for number, _, _ in hands]
        if not numbers:
            return numbers, []
        rows = connection.execute(
            select(LIVED_CASES)
            .where(LIVED_CASES.c.experience == experience)
            .where(LIVED_CASES.c.hand.between(numbers[0], numbers[-1]))
            .order_by(LIVED_CASES.c.hand, LIVED_CASES.c.number)
        ).mappings()
        cases = {hand: list(found) for hand, found in groupby(rows, key=lambda row: row["hand"])}
        return numbers, [
            self._hand(number, count, won, cases.get(number, [])) for number, count, won in hands
        ]

    def _hand(self, number: int, count: int, won: float, rows: Sequence[RowMapping]) -> LivedHand:
        where = f"{self.store.address}: hand {number} of the experience {self.name!r}"
        if len(rows) != count:
            raise StoreError(f"{where} is damaged: it has {len(rows)} cases instead of {count}")
        try:
            return LivedHand(won, tuple(map(_case, rows)))
        except (ValueError, OverflowError) as error:
            raise StoreError(f"{where} is damaged: {error}") from None


def experience_names(store: Store) -> dict[str, int]:
    """Every experience of a store with the number of its hands, in alphabetical order."""
    asked = (
        select(EXPERIENCES.c.name, func.count(LIVED_HANDS.c.number))
        .join(LIVED_HANDS, LIVED_HANDS.c.experience == EXPERIENCES.c.id, isouter=True)
        .group_by(EXPERIENCES.c.name)
    )
    with store._reading() as connection:
        return {name: int(count) for name, count in sorted(map(tuple, connection.execute(asked)))}


def _row(case: LivedCase) -> dict[str, Any]:
    return {
        "base": case.base,
        "description": json.dumps(dict(case.description)),
        "solution": case.solution,
        "outcome": case.outcome,
        "similarity": case.similarity,
        "riders": json.dumps(dict(case.riders)),
    }


def _case(row: RowMapping) -> LivedCase:
    texts = {name: read_json(row[name]) for name in ("description", "riders")}
    return LivedCase.of({**row, **texts})
