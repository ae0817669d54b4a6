"""Case bases and packs joined: the cases of the second after those of the first, and so on."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from railbird.cbr.case_base import CaseBase, CaseBaseError
from railbird.cbr.packs.contents import RiderColumn
from railbird.cbr.packs.files import Pack, PackError


def joined(bases: Sequence[CaseBase]) -> CaseBase:
    """One case base of all cases; the bases have one schema."""
    schema = bases[0].schema
    if any(base.schema != schema for base in bases):
        raise CaseBaseError("case bases of different schemas cannot be joined")
    words: dict[str, dict[str, int]] = {}
    for base in bases:
        for name, symbols in base.vocabularies().items():
            places = words.setdefault(name, {})
            for symbol in symbols:
                places.setdefault(symbol, len(places))
    values = np.concatenate([base.values for base in bases])
    first = 0
    for base in bases:
        part = values[first : first + len(base)]
        for name, symbols in base.vocabularies().items():
            codes = np.array([words[name][symbol] for symbol in symbols], dtype=np.float64)
            place = schema.places[name]
            part[:, place] = codes[part[:, place].astype(np.int64)]
        first += len(base)
    return CaseBase.of_arrays(
        schema,
        values,
        np.concatenate([base.counts for base in bases]),
        np.concatenate([base.known for base in bases]),
        np.concatenate([base.sums for base in bases]),
        {name: list(places) for name, places in words.items()},
    )


def joined_packs(packs: Mapping[str, Pack], recipe: Mapping[str, Any]) -> Pack:
    """One pack of all cases, base by base; the packs, by their names for messages, have one system and one schema.

    A rider that only some packs have is an empty string in the others.
    """
    (first, pattern), *others = packs.items()
    schemas = {name: base.schema for name, base in pattern.bases.items()}
    for other, pack in others:
        pack.require(pattern.system, {name: schemas[name] for name in pack.bases if name in schemas}, other)
        if pack.bases.keys() != pattern.bases.keys():
            raise PackError(
                f"{other}: has the bases {', '.join(pack.bases)}, but {first} has {', '.join(pattern.bases)}"
            )
    every = tuple(packs.values())
    return Pack(
        pattern.system,
        {name: joined([pack.bases[name] for pack in every]) for name in pattern.bases},
        {name: _joined_riders(every, name) for name in pattern.bases},
        recipe,
    )


def _joined_riders(packs: Sequence[Pack], base: str) -> dict[str, RiderColumn]:
    columns: dict[str, RiderColumn] = {}
    for name in dict.fromkeys(name for pack in packs for name in pack.riders.get(base, {})):
        columns[name] = [
            text
            for pack in packs
            for text in pack.riders.get(base, {}).get(name, [""] * len(pack.bases[base]))
        ]
    return columns
