"""Packs of cases as plain data: content, filtered cases, and the neighbours of a case.

There is no poker in this module: attributes come from the schema of a pack, and similarities from the systems that made
it (`learning.systems.similarity_of`). Symbols that an agent compares by their probability in the current situation are
compared by name here, because there is no current situation.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from railbird.cbr.case_base import CaseBase
from railbird.cbr.cycle.retrieve import AtLeastElseNearest, Nearest, Search
from railbird.cbr.cycle.reuse import Votes, count_votes
from railbird.cbr.packs.bounds import LEAST
from railbird.cbr.packs.files import Pack, PackError, read_pack
from railbird.cbr.schema import Number, Schema, SchemaError
from railbird.cbr.similarity import Similarity, SimilarityError
from railbird.interfaces.web.explore.knowledge import PACKS, Item, Shelf, item
from railbird.learning.systems import similarity_of
from railbird.spec import SpecError, unknown

Filters = Mapping[str, Sequence[float | str | None]]
"""By attribute, the lowest and the highest value of a number, None for no bound, or the accepted symbols."""

_MOST_PACKS = 3
_MOST_SYMBOLS = 200
_TOLD = ("made by", "version", "players", "outcome", "options", "network")
"""The disclosed fields of a recipe; the names of watched files are not among them."""
_NOT_TOLD = ("source",)
"""Riders that contain such file names."""


@dataclass(frozen=True)
class Base:
    """A case base of a pack, and how its cases are compared."""

    pack: Pack
    name: str
    searching: Lock
    """Searches of one base share memory."""

    @property
    def cases(self) -> CaseBase:
        """The cases of the base."""
        return self.pack.bases[self.name]

    @property
    def schema(self) -> Schema:
        """The attributes, with their values in words if the system that made the pack is known."""
        return self.cases.schema if self.similarity is None else self.similarity.schema

    @cached_property
    def similarity(self) -> Similarity | None:
        """The similarity measure; None if it is not known."""
        try:
            known = similarity_of(self.pack.system, self.name)
        except SpecError:
            return None
        schema = self.cases.schema
        # The solutions do not matter for the similarity of two situations.
        if known.schema.attributes != schema.attributes:
            return None
        return Similarity(replace(known.schema, solutions=schema.solutions), known.parts)


class ExploredPack:
    """A pack open for exploration."""

    def __init__(self, path: Path) -> None:
        self.pack = read_pack(path, most=LEAST)
        self.bases = {name: Base(self.pack, name, Lock()) for name in self.pack.bases}

    def base(self, name: str) -> Base:
        """A case base of the pack."""
        if name not in self.bases:
            raise PackError(str(unknown("base", name, self.bases)))
        return self.bases[name]


_SHELF = Shelf(ExploredPack, _MOST_PACKS)


def explored(pack: str) -> ExploredPack:
    """A pack by its id."""
    return _SHELF.get(item(PACKS, pack))


# Content of a pack


def overview(found: Item, explored: ExploredPack) -> dict[str, Any]:
    """The origin of the cases, and for every base its attributes with their values."""
    pack = explored.pack
    recipe = {key: pack.recipe[key] for key in _TOLD if pack.recipe.get(key)}
    hands = pack.recipe.get("hands")
    if isinstance(hands, Mapping) and hands.get("read"):
        recipe["hands"] = hands["read"]
    return {
        "id": found.id,
        "title": found.title,
        "comes_along": found.comes_along,
        "system": pack.system,
        "recipe": recipe,
        "bases": [_base_overview(base) for base in explored.bases.values()],
    }


def _base_overview(base: Base) -> dict[str, Any]:
    cases = base.cases
    weights = {} if base.similarity is None else base.similarity.weights()
    return {
        "name": base.name,
        "cases": len(cases),
        "votes": _votes_of(cases, cases.counts, cases.known, cases.sums),
        "attributes": [
            {**_attribute(cases, base.schema, place), "weight": weights.get(name)}
            for place, name in enumerate(cases.schema.names)
        ],
        "riders": [name for name in base.pack.riders.get(base.name, {}) if name not in _NOT_TOLD],
        "comparable": base.similarity is not None,
    }


def _attribute(cases: CaseBase, schema: Schema, place: int) -> dict[str, Any]:
    attribute = cases.schema.attributes[place]
    column = cases.values[:, place]
    if isinstance(attribute, Number):
        low, high = (float(column.min()), float(column.max())) if len(column) else (None, None)
        return {"name": attribute.name, "kind": "number", "whole": attribute.whole, "low": low, "high": high}
    words = cases.vocabulary(attribute.name)
    counts = np.bincount(column.astype(np.int64), minlength=len(words)).tolist()
    there = sorted(((word, count) for word, count in zip(words, counts, strict=True) if count), key=_rarity)
    values = [
        {"value": word, "title": schema.told(attribute.name, word), "cases": count}
        for word, count in there[:_MOST_SYMBOLS]
    ]
    return {"name": attribute.name, "kind": "symbol", "values": values}


def _rarity(counted: tuple[str, int]) -> tuple[int, str]:
    return -counted[1], counted[0]


# Cases by filters


def page(base: Base, filters: Filters, solutions: Sequence[str], first: int, count: int) -> dict[str, Any]:
    """A page of the cases that pass, by number, with the votes of all of them."""
    cases = base.cases
    passed = np.flatnonzero(passing(cases, filters, solutions))
    return {
        "count": len(passed),
        "first": first,
        "cases": [_case(base, number) for number in passed[first : first + count].tolist()],
        "votes": _votes_of(cases, cases.counts[passed], cases.known[passed], cases.sums[passed]),
    }


def passing(cases: CaseBase, filters: Filters, solutions: Sequence[str]) -> NDArray[np.bool_]:
    """Which cases match the filters and have at least one of the given solutions."""
    mask = np.ones(len(cases), dtype=np.bool_)
    for name, wanted in filters.items():
        place = cases.schema.place(name)
        column = cases.values[:, place]
        if isinstance(cases.schema.attributes[place], Number):
            low, high = _bounds(name, wanted)
            mask &= (column >= low) & (column <= high)
        else:
            mask &= np.isin(column, _codes(name, wanted, cases.vocabulary(name)))
    if solutions:
        places = [cases.schema.solution_place(solution) for solution in solutions]
        mask &= (cases.counts[:, places] > 0).any(axis=1)
    return mask


def _bounds(name: str, wanted: Sequence[float | str | None]) -> tuple[float, float]:
    if len(wanted) != 2 or any(isinstance(bound, str) for bound in wanted):
        raise SchemaError(f"{name} is a number: its filter must be the lowest and the highest value, or null")
    low, high = wanted
    return -np.inf if low is None else float(low), np.inf if high is None else float(high)


def _codes(name: str, wanted: Sequence[float | str | None], words: Sequence[str]) -> list[int]:
    for word in wanted:
        if not isinstance(word, str) or word not in words:
            raise SchemaError(str(unknown(f"value of {name}", str(word), words)))
    return [words.index(str(word)) for word in wanted]


# A case and its neighbours


def neighbours(base: Base, number: int, k: int, least: float | None) -> dict[str, Any]:
    """A case, the k most similar others, and their votes.

    With a threshold, all cases of at least that similarity count, and the first k are listed; if there are none, the k
    most similar count.
    """
    cases, similarity = base.cases, base.similarity
    own = _case(base, number)
    if similarity is None:
        raise SimilarityError(f"the similarity of {base.pack.system}'s cases in {base.name} is not known")
    policy = Nearest(k) if least is None else AtLeastElseNearest(least, k)
    target = cases.target(number)
    with base.searching:
        retrieved = policy(Search(cases, similarity, target, without=number))
    shown = zip(retrieved.rows[:k].tolist(), retrieved.similarities[:k].tolist(), strict=True)
    return {
        "case": own,
        "weights": similarity.weights(),
        "found": len(retrieved),
        "met": retrieved.met,
        "votes": _votes(cases, count_votes(cases, retrieved)),
        "neighbours": [
            {
                **_case(base, row),
                "similarity": how_similar,
                "similarities": similarity.locals_of(target.description, cases.description(row)),
            }
            for row, how_similar in shown
        ],
    }


def _case(base: Base, number: int) -> dict[str, Any]:
    case = base.cases.case(number)
    taken = {
        solution: {"count": count, "known": case.known[solution], "sum": case.sums[solution]}
        for solution, count in case.counts.items()
        if count
    }
    riders = base.pack.rider(base.name, number)
    told = {name: text for name, text in riders.items() if name not in _NOT_TOLD}
    description = {name: base.schema.told(name, value) for name, value in case.description.items()}
    return {"number": number, "description": description, "taken": taken, "riders": told}


def _votes_of(
    cases: CaseBase, counts: NDArray[np.int64], known: NDArray[np.int64], sums: NDArray[np.float64]
) -> list[dict[str, Any]]:
    return _votes(cases, Votes(counts.sum(axis=0) * 1.0, known.sum(axis=0) * 1.0, sums.sum(axis=0)))


def _votes(cases: CaseBase, votes: Votes) -> list[dict[str, Any]]:
    """By solution, the number of decisions and their mean outcome if it is known."""
    rows = zip(
        cases.schema.solutions, votes.counts.tolist(), votes.known.tolist(), votes.sums.tolist(), strict=True
    )
    return [
        {"solution": solution, "count": int(count), "mean": total / known if known else None}
        for solution, count, known, total in rows
    ]
