"""How well cases tell what the watched players do: decisions of some hands, predicted from the cases of others.

A decision is predicted as CASPER would make it: the votes of the retrieved cases are the chances of the actions. Two
things are asked of a prediction:

- is the likeliest action what was done? Ties go to the action that stands first in the schema
- how surprising is what was done? The log-loss, −ln of its chance, in nats; 0 is a prophet. So that no chance is zero,
  one more case votes: it is shared out as all cases of the stage are, with or without a bet to call

Two predictions that look at no case are the measure of it: what was mostly done at this stage (`majority`), and what
was mostly done there with or without a bet to call (`usual`). Their chances have one more case, too, shared out evenly.

`split` takes a pack apart by hands, always in the same way: the decisions of one hand stand on one side, whoever made
them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b
from math import fsum, log

import numpy as np
import polars as pl
from numpy.typing import NDArray

from railbird.agents.casper.agent import ELSE_NEAREST, THRESHOLD
from railbird.cbr.case_base import CaseBase
from railbird.cbr.cycle.retrieve import AtLeastElseNearest, Policy, Search
from railbird.cbr.cycle.reuse import count_votes
from railbird.cbr.packs.files import Pack
from railbird.cbr.similarity import Similarity
from railbird.cbr.target import Target
from railbird.spec import unknown

BET = "bets to call"
"""The attribute that says whether there is a bet to call."""
CASPERS_POLICY: Policy = AtLeastElseNearest(THRESHOLD, ELSE_NEAREST)
PARTS = 10
"""Hands fall into so many parts: one is for tuning, one is held out, and all others are cases."""
_TUNING, _HELD_OUT = 8, 9
_DIGITS = 12
"""Losses are rounded to so many, so that it cannot matter which machine took the logarithms."""


class ImitationError(ValueError):
    """Packs of which one cannot predict the other."""


@dataclass(frozen=True, slots=True)
class Split:
    """A pack taken apart by hands."""

    cases: Pack
    """What is retrieved."""
    tuning: Pack
    """What weights are chosen by."""
    held_out: Pack
    """What nothing is chosen by."""


def split(pack: Pack) -> Split:
    """The pack in three; which hand goes where depends on its id and its source alone."""
    parts = {base: _parts(pack, base) for base in pack.bases}
    return Split(
        _select(pack, {base: found < _TUNING for base, found in parts.items()}),
        _select(pack, {base: found == _TUNING for base, found in parts.items()}),
        _select(pack, {base: found == _HELD_OUT for base, found in parts.items()}),
    )


def _parts(pack: Pack, base: str) -> NDArray[np.int64]:
    """By case the part of its hand."""
    riders = pack.riders.get(base, {})
    if "hand" not in riders:
        raise ImitationError(f"the cases of {base} do not say from which hands they are")
    if not pack.bases[base].is_single:
        raise ImitationError(f"the cases of {base} are merged, so they are not those of single hands")
    hands, of_case = list(riders["hand"]), len(pack.bases[base])
    sources = list(riders["source"]) if "source" in riders else [""] * of_case
    known: dict[tuple[str, str], int] = {}
    found = np.empty(of_case, dtype=np.int64)
    for row, key in enumerate(zip(sources, hands, strict=True)):
        part = known.get(key)
        if part is None:
            digest = blake2b("\n".join(key).encode(), digest_size=8, person=b"railbird split").digest()
            part = known[key] = int.from_bytes(digest, "little") % PARTS
        found[row] = part
    return found


def _select(pack: Pack, chosen: Mapping[str, NDArray[np.bool_]]) -> Pack:
    return Pack(
        pack.system,
        {name: base.select(chosen[name]) for name, base in pack.bases.items()},
        {
            name: {rider: pl.Series(rider, column, pl.String).filter(pl.Series(chosen[name]))
                   for rider, column in columns.items()}
            for name, columns in pack.riders.items()
        },
        pack.recipe,
    )  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Predictions:
    """Decision by decision."""

    rows: NDArray[np.int64]
    """Which cases of the other case base they are."""
    chances: NDArray[np.float64]
    """Of what was done, never zero."""
    right: NDArray[np.bool_]
    """Whether it was the likeliest action."""
    met: NDArray[np.bool_]
    """Whether there were cases that are similar enough."""

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def log_loss(self) -> float:
        """The mean of −ln of the chances."""
        return _log_loss(self.chances)


@dataclass(frozen=True, slots=True)
class Targets:
    """Decisions to predict, with everything that does not depend on the similarity."""

    rows: NDArray[np.int64]
    problems: tuple[Target, ...]
    done: NDArray[np.int64]
    """The place of what was done among the solutions."""
    facing_bet: NDArray[np.int64]
    """1 with a bet to call, else 0."""

    @classmethod
    def of(cls, base: CaseBase, most: int | None = None) -> "Targets":
        """All decisions of a case base, or so many of them, evenly spread."""
        if not base.is_single:
            raise ImitationError("merged cases do not say which decisions belong to one hand")
        rows = np.arange(len(base))
        if most is not None and most < len(rows):
            rows = np.arange(most) * len(rows) // most
        return cls(
            rows,
            tuple(base.target(row) for row in rows.tolist()),
            base.counts[rows].argmax(axis=1),
            _facing_bet(base)[rows],
        )

    def __len__(self) -> int:
        return len(self.rows)


def predict(
    cases: CaseBase, targets: Targets, similarity: Similarity, policy: Policy = CASPERS_POLICY
) -> Predictions:
    """Predict decisions from cases that they are not among."""
    share = usual_chances(cases)
    count = len(targets)
    chances, right, met = np.empty(count), np.empty(count, np.bool_), np.zeros(count, np.bool_)
    for place, (target, done, facing) in enumerate(
        zip(targets.problems, targets.done.tolist(), targets.facing_bet.tolist(), strict=True)
    ):
        votes = np.zeros(len(cases.schema.solutions))
        if len(cases):
            found = policy(Search(cases, similarity, target))
            votes, met[place] = count_votes(cases, found).counts, found.met
        chances[place] = (votes[done] + share[facing, done]) / (votes.sum() + 1.0)
        right[place] = (votes if votes.any() else share[facing]).argmax() == done
    return Predictions(targets.rows, chances, right, met)


def usual_chances(cases: CaseBase) -> NDArray[np.float64]:
    """The chances of the solutions without (row 0) and with (row 1) a bet to call."""
    facing = _facing_bet(cases)
    return np.stack([_shares(cases.counts[facing == side].sum(axis=0)) for side in (0, 1)])


def _facing_bet(base: CaseBase) -> NDArray[np.int64]:
    return (base.values[:, base.schema.place(BET)] > 0).astype(np.int64)


def _shares(counts: NDArray[np.int64]) -> NDArray[np.float64]:
    shares: NDArray[np.float64] = (counts + 1.0 / len(counts)) / (counts.sum() + 1.0)
    return shares


def _log_loss(chances: NDArray[np.float64]) -> float:
    return round(-fsum(map(log, chances.tolist())) / len(chances), _DIGITS)


@dataclass(frozen=True, slots=True)
class Baseline:
    """A prediction that looks at no case."""

    right: float
    log_loss: float

    @classmethod
    def of(cls, chances: NDArray[np.float64], targets: Targets) -> "Baseline":
        """Of chances, one row for each decision."""
        each = np.arange(len(targets))
        return cls(
            float((chances.argmax(axis=1) == targets.done).mean()), _log_loss(chances[each, targets.done])
        )


@dataclass(frozen=True, slots=True)
class Agreement:
    """How well the decisions of one stage are predicted."""

    cases: int
    """From how many cases."""
    count: int
    """How many decisions were predicted."""
    right: float
    """The share in which the likeliest action was done."""
    log_loss: float
    majority: Baseline
    """What was mostly done at this stage."""
    usual: Baseline
    """What was mostly done with, and without, a bet to call."""
    missed: float
    """The share for which no case was similar enough."""


def agreement(
    cases: Pack,
    held_out: Pack,
    similarities: Mapping[str, Similarity],
    policy: Policy = CASPERS_POLICY,
    most: int | None = None,
) -> dict[str, Agreement]:
    """By stage how well the cases of one pack predict the decisions of another, or `most` of them, evenly spread.

    Stages of which nothing was held out are left out. No decision may be in both packs: see `split`.
    """
    found = {}
    for stage, similarity in similarities.items():
        for pack in (cases, held_out):
            if stage not in pack.bases:
                raise ImitationError(str(unknown("base", stage, pack.bases)))
        base, targets = cases.bases[stage], Targets.of(held_out.bases[stage], most)
        if len(targets):
            found[stage] = _agreement(base, targets, predict(base, targets, similarity, policy))
    return found


def _agreement(base: CaseBase, targets: Targets, predictions: Predictions) -> Agreement:
    stage_chances = np.tile(_shares(base.counts.sum(axis=0)), (len(targets), 1))
    return Agreement(
        cases=len(base),
        count=len(targets),
        right=float(predictions.right.mean()),
        log_loss=predictions.log_loss,
        majority=Baseline.of(stage_chances, targets),
        usual=Baseline.of(usual_chances(base)[targets.facing_bet], targets),
        missed=float(1.0 - predictions.met.mean()),
    )
