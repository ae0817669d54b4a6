"""Solutions of two steps: what to do first, and what to do if the problem recurs (baycarp-2011 §4.3.2).

A plan is named after both steps, such as `check then raise`. If the second step was never needed, the first alone is
the solution of the case: such a case counts for every plan that begins with it.

`Planned` chooses backwards with any policy: first the second step for every first step, among the cases that reached
it; then the first step, combined with its second. So a majority is a majority of first steps, regardless of the number
of plans for each; a sum of outcomes is that of the cases that followed the plan or never needed the second step.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from railbird.cbr.case_base import CaseBase
from railbird.cbr.cycle.episode import Episode, Strategy
from railbird.cbr.cycle.reuse import ReuseError, VotePolicy, Votes, count_votes

THEN = " then "


def plan_name(first: str, second: str | None = None) -> str:
    """The solution of a plan, or of its first step alone."""
    return first if second is None else f"{first}{THEN}{second}"


def steps_of(solution: str) -> tuple[str, str | None]:
    """The first step of a solution, and the second if there is one."""
    first, then, second = solution.partition(THEN)
    return first, second if then else None


def plan_solutions(
    firsts: Sequence[str], seconds: Sequence[str], last: Collection[str] = ()
) -> tuple[str, ...]:
    """Every solution: each first step alone and, unless it is final, with each second step."""

    def of(first: str) -> Iterator[str]:
        yield first
        if first not in last:
            yield from (plan_name(first, second) for second in seconds)

    return tuple(solution for first in firsts for solution in of(first))


@dataclass(frozen=True, slots=True)
class TwoSteps:
    """What to do first, and for every first step what to do if the problem recurs."""

    first: Strategy
    second: Mapping[str, Strategy]
    """By first step; without those for which no case has a second step."""


@dataclass(frozen=True, slots=True)
class Planned:
    """A policy over plans that begin with one of the first steps that are possible in this problem."""

    policy: VotePolicy
    firsts: Sequence[str]
    seconds: Sequence[str]
    possible: frozenset[str]

    def __call__(self, base: CaseBase, episode: Episode) -> TwoSteps | None:
        """The plan; None if the cases give none."""
        if episode.retrieved is None:
            raise ReuseError("there are no retrieved cases to reuse: call retrieve first")
        votes = count_votes(base, episode.retrieved, self.policy.weighted)
        told = np.vstack([votes.counts, votes.known, votes.sums])
        places = base.schema.solution_places
        together = np.zeros((3, len(self.firsts)))
        second: dict[str, Strategy] = {}
        for place, first in enumerate(self.firsts):
            if first not in self.possible:
                continue
            together[:, place] = told[:, places[first]]
            names = [plan_name(first, each) for each in self.seconds]
            if names[0] not in places:
                continue
            after = told[:, [places[name] for name in names]]
            chosen = self.policy.strategy(tuple(self.seconds), Votes(*after))
            together[0, place] += after[0].sum()
            if chosen is not None:
                second[first] = chosen
                together[1:, place] += after[1:] @ np.array(chosen.probabilities)
        best = self.policy.strategy(tuple(self.firsts), Votes(*together))
        return None if best is None else TwoSteps(best, second)
