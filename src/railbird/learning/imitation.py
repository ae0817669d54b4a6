"""How well cases predict the decisions of watched players: decisions of some hands, predicted from cases of others.

A decision is predicted as CASPER would make it: the votes of the retrieved cases give the probabilities of the actions.
A prediction has two measures:

- accuracy: whether the most probable action was the actual one; ties go to the first action in the schema
- log-loss: −ln of the probability of the actual action, in nats; 0 is a perfect prediction. So that no probability is
  zero, one additional case votes, distributed like all cases of the stage with or without a bet to call

Two predictions without retrieval serve as baselines: the most frequent action of the stage (`majority`), and the most
frequent action there with or without a bet to call (`usual`). Their probabilities also include one additional case,
distributed evenly.

`split` divides a pack by hands, always in the same way: all decisions of a hand are in the same part.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from itertools import compress
from math import fsum, log, sqrt

import numpy as np
from numpy.typing import NDArray

from railbird.agents.casper.agent import ELSE_NEAREST, THRESHOLD
from railbird.arena.results.student import quantile
from railbird.cbr.case_base import CaseBase
from railbird.cbr.cycle.retrieve import AtLeastElseNearest, Policy, Search
from railbird.cbr.cycle.reuse import count_votes
from railbird.cbr.packs.files import Pack
from railbird.cbr.similarity import Similarity
from railbird.cbr.target import Target
from railbird.spec import unknown

BET = "bets to call"
"""The attribute that shows whether there is a bet to call."""
CASPERS_POLICY: Policy = AtLeastElseNearest(THRESHOLD, ELSE_NEAREST)
PARTS = 10
"""Number of parts into which hands are divided: one for tuning, one held out, and all others as cases."""
_TUNING, _HELD_OUT = 8, 9
_DIGITS = 12
"""Digits to which figures are rounded, so that they do not depend on the machine's logarithms."""


class ImitationError(ValueError):
    """Packs that cannot be used to predict each other."""


@dataclass(frozen=True, slots=True)
class Split:
    """A pack split by hands."""

    cases: Pack
    """The cases for retrieval."""
    tuning: Pack
    """The decisions by which weights are chosen."""
    held_out: Pack
    """Decisions by which nothing is chosen."""


def split(pack: Pack) -> Split:
    """Split a pack in three; the part of a hand depends only on its id and its source."""
    parts = {base: _parts(pack, base) for base in pack.bases}
    return Split(
        _select(pack, {base: found < _TUNING for base, found in parts.items()}),
        _select(pack, {base: found == _TUNING for base, found in parts.items()}),
        _select(pack, {base: found == _HELD_OUT for base, found in parts.items()}),
    )


def _parts(pack: Pack, base: str) -> NDArray[np.int64]:
    """The part of each case's hand."""
    riders = pack.riders.get(base, {})
    if "hand" not in riders:
        raise ImitationError(f"the cases of {base} do not state from which hands they are")
    if not pack.bases[base].is_single:
        raise ImitationError(f"the cases of {base} are merged, so they do not belong to single hands")
    hands, of_case = list(riders["hand"]), len(pack.bases[base])
    sources = list(riders["source"]) if "source" in riders else [""] * of_case
    known: dict[tuple[str, str], int] = {}
    found = np.empty(of_case, dtype=np.int64)
    for row, key in enumerate(zip(sources, hands, strict=True)):
        part = known.get(key)
        if part is None:
            part = known[key] = part_of(*key)
        found[row] = part
    return found


def part_of(source: str, hand: str, parts: int = PARTS) -> int:
    """The part of a hand, given by its file and its id."""
    digest = blake2b(f"{source}\n{hand}".encode(), digest_size=8, person=b"railbird split").digest()
    return int.from_bytes(digest, "little") % parts


def _select(pack: Pack, chosen: Mapping[str, NDArray[np.bool_]]) -> Pack:
    return Pack(
        pack.system,
        {name: base.select(chosen[name]) for name, base in pack.bases.items()},
        {
            name: {rider: list(compress(column, chosen[name])) for rider, column in columns.items()}
            for name, columns in pack.riders.items()
        },
        pack.recipe,
    )


@dataclass(frozen=True, slots=True, eq=False)
class Predictions:
    """Decision by decision."""

    rows: NDArray[np.int64]
    """The numbers of their cases in the other case base."""
    chances: NDArray[np.float64]
    """The probability of the actual action, never zero."""
    right: NDArray[np.bool_]
    """Whether the actual action was the most probable one."""
    met: NDArray[np.bool_]
    """Whether there were cases above the threshold."""

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def log_loss(self) -> float:
        """The mean of −ln of the probabilities."""
        return _log_loss(self.chances)


@dataclass(frozen=True, slots=True)
class Targets:
    """Decisions to predict, with all data that do not depend on the similarity."""

    rows: NDArray[np.int64]
    problems: tuple[Target, ...]
    done: NDArray[np.int64]
    """The place of the actual action among the solutions."""
    facing_bet: NDArray[np.int64]
    """1 with a bet to call, else 0."""

    @classmethod
    def of(cls, base: CaseBase, most: int | None = None) -> "Targets":
        """All decisions of a case base, or `most` of them, evenly spread."""
        if not base.is_single:
            raise ImitationError("merged cases do not state which decisions belong to one hand")
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
    cases: CaseBase,
    targets: Targets,
    similarity: Similarity,
    policy: Policy = CASPERS_POLICY,
    usual: NDArray[np.float64] | None = None,
) -> Predictions:
    """Predict decisions from cases that do not include them.

    `usual` are the usual chances, for cases that do not state whether there was a bet to call.
    """
    share = usual_chances(cases) if usual is None else usual
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
    """The probabilities of the solutions without (row 0) and with (row 1) a bet to call."""
    facing = _facing_bet(cases)
    return np.stack([shares(cases.counts[facing == side].sum(axis=0)) for side in (0, 1)])


def _facing_bet(base: CaseBase) -> NDArray[np.int64]:
    return (base.values[:, base.schema.place(BET)] > 0).astype(np.int64)


def shares(counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """The probabilities of solutions by their frequencies, with one additional case, distributed evenly."""
    found: NDArray[np.float64] = (counts + 1.0 / len(counts)) / (counts.sum() + 1.0)
    return found


def _log_loss(chances: NDArray[np.float64]) -> float:
    return round(-fsum(map(log, chances.tolist())) / len(chances), _DIGITS)


@dataclass(frozen=True, slots=True)
class MeanByHand:
    """A mean over decisions, and half the width of its 95 % interval; None if there are fewer than two hands."""

    mean: float
    within: float | None

    @classmethod
    def of(cls, values: NDArray[np.float64], hands: NDArray[np.int64]) -> "MeanByHand":
        """The mean of values whose independent units are hands."""
        mean = float(values.mean())
        _, unit = np.unique(hands, return_inverse=True)
        sums = np.bincount(unit, values - mean)
        count = len(sums)
        if count < 2:
            return cls(round(mean, _DIGITS), None)
        error = sqrt(count / (count - 1) * float((sums**2).sum())) / len(values)
        return cls(round(mean, _DIGITS), round(quantile(0.95, count - 1) * error, _DIGITS))


@dataclass(frozen=True, slots=True)
class Baseline:
    """A prediction without retrieval."""

    right: float
    log_loss: float

    @classmethod
    def of(cls, chances: NDArray[np.float64], targets: Targets) -> "Baseline":
        """The baseline of probabilities, one row for each decision."""
        each = np.arange(len(targets))
        return cls(
            float((chances.argmax(axis=1) == targets.done).mean()), _log_loss(chances[each, targets.done])
        )


@dataclass(frozen=True, slots=True)
class Agreement:
    """How well the decisions of one stage are predicted."""

    cases: int
    """Number of cases for retrieval."""
    count: int
    """Number of predicted decisions."""
    right: float
    """The share in which the most probable action was the actual one."""
    log_loss: float
    majority: Baseline
    """The most frequent action of this stage."""
    usual: Baseline
    """The most frequent action with, and without, a bet to call."""
    missed: float
    """The share for which no case was similar enough."""


def agreement(
    cases: Pack,
    held_out: Pack,
    similarities: Mapping[str, Similarity],
    retrieval: Callable[[str], Policy] = lambda _stage: CASPERS_POLICY,
    most: int | None = None,
) -> dict[str, Agreement]:
    """How well the cases of one pack predict the decisions of another, or `most` of them, evenly spread; by stage.

    Stages without held-out decisions are omitted. No decision may be in both packs: see `split`.
    """
    found = {}
    for stage, similarity in similarities.items():
        for pack in (cases, held_out):
            if stage not in pack.bases:
                raise ImitationError(str(unknown("base", stage, pack.bases)))
        base, targets = cases.bases[stage], Targets.of(held_out.bases[stage], most)
        if len(targets):
            found[stage] = _agreement(base, targets, predict(base, targets, similarity, retrieval(stage)))
    return found


def _agreement(base: CaseBase, targets: Targets, predictions: Predictions) -> Agreement:
    stage_chances = np.tile(shares(base.counts.sum(axis=0)), (len(targets), 1))
    return Agreement(
        cases=len(base),
        count=len(targets),
        right=float(predictions.right.mean()),
        log_loss=predictions.log_loss,
        majority=Baseline.of(stage_chances, targets),
        usual=Baseline.of(usual_chances(base)[targets.facing_bet], targets),
        missed=float(1.0 - predictions.met.mean()),
    )
