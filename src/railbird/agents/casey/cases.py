"""CASEY's cases: two schemas, similarities as one table, strategies as solutions, and the search for the best.

    attribute           range         metric              weight: preflop  postflop
    hand strength       0 … 1         linear, span 1                   40        40
    relative position   0 … 1         linear, span 1                   10         5
    bets to call        0 …           linear, span 2                   40        40
    opponents           1 … 9         linear, span 9                   10        15
    potential           0 … 1         linear, span 1                    –        20
    stage               flop … river  all or nothing                    –        60

At CASEY's threshold of 0.9, cases of another stage, or with a whole bet more or less to call, are never similar. The
thesis prints no metrics and no weights.

A solution is what was done in a stage: the action, and the follow-up if there was one. A *plan*, which the papers call
a strategy, always has both.
"""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from railbird.agents.casey.attributes import STAGES, Outcome
from railbird.cbr.case_base import CaseBase
from railbird.cbr.cycle.episode import Episode, Retrieved, Strategy
from railbird.cbr.cycle.plans import plan_name, plan_solutions, steps_of
from railbird.cbr.cycle.retrieve import AtLeast, Nearest, Policy, Search
from railbird.cbr.cycle.reuse import ReuseError, count_votes
from railbird.cbr.schema import Number, Symbol
from railbird.cbr.similarity import AllOrNothing, Linear
from railbird.cbr.staged import Row, StagedTable
from railbird.cbr.target import Target
from railbird.engine.actions import ActionKind, LegalActions
from railbird.plain_data import read_json


class CaseyError(ValueError):
    """An invalid parameter of CASEY, or an experience that is not a CASEY case."""


@dataclass(frozen=True)
class Plan:
    """An action for the first decision of a stage, and what to do at every further one; after a fold there is none."""

    first: ActionKind
    follow_up: ActionKind = ActionKind.FOLD

    @cached_property
    def begun(self) -> str:
        """The solution while no follow-up was needed."""
        return self.first.name.lower()

    @cached_property
    def solution(self) -> str:
        """The solution when the follow-up was needed."""
        if self.first is ActionKind.FOLD:
            return self.begun
        return plan_name(self.begun, self.follow_up.name.lower())


PLANS = (
    Plan(ActionKind.FOLD),
    *(Plan(first, then) for first in (ActionKind.CALL, ActionKind.RAISE) for then in ActionKind),
)
_KINDS = tuple(kind.name.lower() for kind in ActionKind)
SOLUTIONS = plan_solutions(_KINDS, _KINDS, last=(PLANS[0].begun,))
TABLE = StagedTable(
    ("preflop", "postflop"),
    (
        Row(Number("hand strength", low=0, high=1), Linear(1.0), (40, 40)),
        Row(Number("relative position", low=0, high=1), Linear(1.0), (10, 5)),
        Row(Number("bets to call", low=0), Linear(2.0), (40, 40)),
        Row(Number("opponents", whole=True, low=1), Linear(9.0), (10, 15)),
        Row(Number("potential", low=0, high=1), Linear(1.0), (None, 20)),
        Row(Symbol("stage", STAGES[1:]), AllOrNothing(), (None, 60)),
    ),
    SOLUTIONS,
)
"""The table above; a case base for each of its two stages."""
schema, similarity = TABLE.schema, TABLE.similarity


def plans_for(legal: LegalActions) -> tuple[Plan, ...]:
    """The plans that are possible."""
    return tuple(
        plan
        for plan in PLANS
        if (plan.first is ActionKind.CALL)
        or (plan.first is ActionKind.FOLD and legal.fold)
        or (plan.first is ActionKind.RAISE and legal.can_raise)
    )


@dataclass(frozen=True, slots=True)
class NearestAbove(Policy):
    """Retrieves the most similar cases above a threshold, up to a maximum number."""

    most: int
    threshold: float

    def __post_init__(self) -> None:
        Nearest(self.most)  # refuses an invalid number of cases
        AtLeast(self.threshold)  # refuses an invalid similarity

    def __call__(self, search: Search) -> Retrieved:
        """The cases, most similar first."""
        found = search.nearest(self.most)
        count = int(np.searchsorted(-found.similarities, -self.threshold, side="right"))
        return replace(found, rows=found.rows[:count], similarities=found.similarities[:count])


@dataclass(frozen=True, slots=True)
class MostSuccessful:
    """The plan with the largest sum of earnings; equally successful ones are equally probable.

    A case without a follow-up counts for every plan with the same first action. Folding always has earnings of 0; a
    plan whose first action was never tried is excluded.
    """

    plans: tuple[Plan, ...]

    def __call__(self, base: CaseBase, episode: Episode) -> Episode:
        """The episode with its strategy; without one if no case was retrieved."""
        if episode.retrieved is None:
            raise ReuseError("there are no retrieved cases to reuse: call retrieve first")
        if not len(episode.retrieved):
            return episode
        votes = count_votes(base, episode.retrieved)
        sums = dict(zip(SOLUTIONS, votes.sums.tolist(), strict=True))
        tried = {
            steps_of(solution)[0]
            for solution, count in zip(SOLUTIONS, votes.counts.tolist(), strict=True)
            if count
        }
        earned: dict[str, float] = {}
        for plan in self.plans:
            if plan.first is ActionKind.FOLD:
                earned[plan.solution] = 0.0
            elif plan.begun in tried:
                earned[plan.solution] = sums[plan.begun] + sums[plan.solution]
        if not earned:
            return episode
        most = max(earned.values())
        best = [name for name, value in earned.items() if value == most]
        return replace(
            episode,
            strategy=Strategy(
                SOLUTIONS,
                tuple(1.0 / len(best) if name in best else 0.0 for name in SOLUTIONS),
                tuple(votes.counts.tolist()),
                tuple(earned.get(name) for name in SOLUTIONS),
            ),
        )


@dataclass(frozen=True, slots=True)
class AsPlayed:
    """What was done becomes the solution: if no follow-up was needed, the first action alone."""

    followed_up: Collection[Target]

    def __call__(self, base: CaseBase, episode: Episode) -> Episode:  # noqa: ARG002
        """The episode with what was done in it."""
        if episode.target in self.followed_up or episode.solution is None:
            return episode
        return replace(episode, solution=steps_of(episode.solution)[0])


@dataclass(slots=True)
class Experience:
    """A case base with the full outcome of every case."""

    name: str
    cases: CaseBase = field(init=False)
    outcomes: list[Outcome] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.cases = CaseBase(schema(self.name))

    def written(self, case: int) -> str:
        """A case as a line of JSON."""
        found, outcome = self.cases.case(case), self.outcomes[case]
        (solution,) = (name for name, count in found.counts.items() if count)
        return json.dumps(
            {
                "base": self.name,
                "situation": found.description,
                "did": solution,
                "earned": found.sums[solution],
                "stages": outcome.stages,
                "net": outcome.net,
            }
        )

    def add(self, line: Mapping[str, Any]) -> None:
        """Add a case from a line of JSON."""
        outcome = Outcome(tuple(map(float, line["stages"])), float(line["net"]))
        if len(outcome.stages) != len(STAGES):
            raise CaseyError(f"an outcome has {len(STAGES)} stages, not {len(outcome.stages)}")
        self.cases.add(line["situation"], line["did"], float(line["earned"]))
        self.outcomes.append(outcome)


def experiences(texts: Sequence[str] = ()) -> dict[str, Experience]:
    """Both case bases, with the cases of earlier experience."""
    found = {name: Experience(name) for name in TABLE.stages}
    add_experiences(found, texts)
    return found


def add_experiences(found: Mapping[str, Experience], texts: Sequence[str]) -> None:
    """Add cases to both case bases."""
    for number, text in enumerate(texts, start=1):
        try:
            line = read_json(text)
            found[line["base"]].add(line)
        except (KeyError, TypeError, AttributeError, ValueError, OverflowError) as error:
            raise CaseyError(f"experience {number} is not a CASEY case: {error}") from None
