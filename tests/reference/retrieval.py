"""Retrieval by looking at every case, in plain Python: no columns, no bins, no tree."""

from collections.abc import Sequence

from railbird.cbr.case_base import Case
from railbird.cbr.cycle.retrieve import AtLeast, AtLeastElseNearest, Nearest, Unit
from railbird.cbr.similarity import Similarity
from railbird.cbr.target import Target

Ranked = list[tuple[float, Case]]


def rank(cases: Sequence[Case], similarity: Similarity, target: Target) -> Ranked:
    """All cases with their similarities, most similar first, of equally similar ones the earlier first."""
    weights = similarity.weights()
    total = 0.0
    for weight in weights.values():
        total += weight
    measured = []
    for case in cases:
        found = 0.0
        for name, local in similarity.locals_of(target.description, case.description, target.own).items():
            found += weights[name] * local
        measured.append((found / total, case))
    return sorted(measured, key=lambda pair: (-pair[0], pair[1].number))


def retrieve(ranked: Ranked, policy: AtLeast | Nearest | AtLeastElseNearest) -> list[tuple[float, int]]:
    """Similarities and numbers of the cases that a policy takes of all ranked ones."""
    if isinstance(policy, AtLeast):
        return _numbers([pair for pair in ranked if pair[0] >= policy.threshold])
    if isinstance(policy, AtLeastElseNearest):
        above = retrieve(ranked, AtLeast(policy.threshold))
        return above or retrieve(ranked, Nearest(policy.k, policy.unit))
    if policy.unit is Unit.CASES:
        return _numbers(ranked[: policy.k])
    found: Ranked = []
    reached = 0
    for situation in _situations(ranked):
        if reached >= policy.k:
            break
        found += situation
        reached += 1 if policy.unit is Unit.SITUATIONS else sum(_decisions(case) for _, case in situation)
    return _numbers(found)


def tally(ranked: Ranked, threshold: float) -> tuple[list[int], int]:
    """How often every solution was chosen in the cases of all ranked ones above a threshold, and how many these are."""
    above = [case for similarity, case in ranked if similarity >= threshold]
    solutions = ranked[0][1].counts if ranked else ()
    return [sum(case.counts[solution] for case in above) for solution in solutions], len(above)


def _situations(ranked: Ranked) -> list[Ranked]:
    """The cases by description: most similar first, of equally similar descriptions the one that came earlier."""
    groups: dict[tuple[object, ...], Ranked] = {}
    for pair in ranked:
        groups.setdefault(tuple(pair[1].description.values()), []).append(pair)
    return sorted(groups.values(), key=lambda group: (-group[0][0], group[0][1].number))


def _decisions(case: Case) -> int:
    return sum(case.counts.values())


def _numbers(pairs: Ranked) -> list[tuple[float, int]]:
    return [(similarity, case.number) for similarity, case in pairs]
