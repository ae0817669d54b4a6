"""Tables 2 and 3 of sartre-2012: single and vector solutions, and the three policies of re-use."""

from collections.abc import Iterator
from functools import partial
from itertools import combinations

import numpy as np

from railbird.agents.sartre.cases import STAGES
from railbird.agents.sartre.systems import USUAL
from railbird.cbr.case_base import CaseBase
from railbird.cbr.packs.files import Pack
from railbird.cbr.packs.merging import merged
from railbird.experiments.frame import Experiment, Finding, Laboratory
from railbird.experiments.sartre.expert import EXPERT, GAME, HANDS, watched

PUBLISHED_SIZES = {
    "preflop": (201_335, 857),
    "flop": (300_577, 6_743),
    "turn": (281_529, 35_464),
    "river": (216_597, 52_088),
    "all": (1_000_038, 95_152),
}
"""The numbers of single and vector cases in table 2."""
POLICIES = ("max-frequency", "probabilistic", "best-outcome")
PUBLISHED_RATES = {
    ("max-frequency", "probabilistic"): "+0.011 ± 0.005 sb/h",
    ("max-frequency", "best-outcome"): "+0.076 ± 0.008 sb/h",
    ("probabilistic", "best-outcome"): "+0.036 ± 0.009 sb/h",
}
MATCHES, DEALS = 40, 3000
"""Number of matches between two policies, and of duplicate deals in each: 240,000 hands."""
HALF_WIDTH = 0.015
"""The intervals asked for, in sb/h on either side."""


def _solutions(laboratory: Laboratory) -> Iterator[Finding]:
    with laboratory.workshop("sartre") as folder:
        make = partial(watched, laboratory, folder)
        single, vector = make("sartre:solutions=single"), make("sartre")
    sizes = {stage: (len(single.bases[stage]), len(vector.bases[stage])) for stage in STAGES}
    sizes["all"] = (len(single), len(vector))
    for stage, (singles, vectors) in sizes.items():
        published = "{:,} single, {:,} vector".format(*PUBLISHED_SIZES[stage])
        yield Finding(stage, f"{singles:,} single, {vectors:,} vector", published)
    yield Finding(
        "both have the same strategy in every situation",
        "yes" if _are_equal(single, vector) else "no",
        asked="yes",
        holds=_are_equal(single, vector),
    )


def _are_equal(single: Pack, vector: Pack) -> bool:
    """Whether the equal situations of single cases hold together what each vector case holds."""

    def same(one: CaseBase, other: CaseBase) -> bool:
        return (
            np.array_equal(one.values, other.values)
            and np.array_equal(one.counts, other.counts)
            and np.array_equal(one.known, other.known)
            and bool(np.allclose(one.sums, other.sums))
        )

    return all(same(merged(single.bases[stage]), vector.bases[stage]) for stage in STAGES)


def _policies(laboratory: Laboratory) -> Iterator[Finding]:
    matches, deals = laboratory.sized(MATCHES, 2), laboratory.sized(DEALS, 10)
    averages: dict[str, list[float]] = {policy: [] for policy in POLICIES}
    for one, other in combinations(POLICIES, 2):
        rate = laboratory.rate(
            f"sartre {one} {other}",
            GAME,
            [f"sartre:reuse={one}", f"sartre:reuse={other}"],
            deals=matches * deals,
            matches=matches,
        )
        averages[one].append(rate.mean)
        averages[other].append(-rate.mean)
        half = (rate.high - rate.low) / 2
        yield Finding(
            f"{one} against {other}",
            str(rate),
            PUBLISHED_RATES[one, other],
            asked=f"half-width below {HALF_WIDTH}",
            holds=half < HALF_WIDTH,
        )
    order = sorted(POLICIES, key=lambda policy: -sum(averages[policy]))
    yield Finding("order by mean rate", " > ".join(order), " > ".join(POLICIES))


EXPERIMENTS = (
    Experiment(
        name="sartre-solutions",
        paper="sartre-2012, table 2",
        claim="Vector solutions need a tenth of the cases, without any loss of information.",
        setup=f"{HANDS:,} hands of {EXPERT} against itself, both players watched, hands described by {USUAL}.",
        run=_solutions,
    ),
    Experiment(
        name="sartre-policies",
        paper="sartre-2012, table 3",
        claim="Max-frequency beats probabilistic play, and both beat best-outcome.",
        setup=f"The shipped pack, {MATCHES} matches of {DEALS:,} duplicate deals between each pair of policies.",
        run=_policies,
    ),
)
