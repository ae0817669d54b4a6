"""Figure 2 of sartre-2012: three ways to describe hand strength, with parts of the case base, against the expert."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np

from railbird.agents.sartre.cases import STAGES
from railbird.arena.results.figures import MeasuredLine, measured_lines, save
from railbird.cbr.packs.files import Pack, write_pack
from railbird.experiments.frame import Experiment, Finding, Laboratory
from railbird.experiments.sartre.expert import EXPERT, GAME, HANDS, watched

WAYS: Mapping[str, tuple[str, str]] = {
    "ehs2-20": ("E[HS²], 20 buckets", ""),
    "ehs-20": ("E[HS], 20 buckets", ""),
    "categories": ("categories, all-or-nothing", ",similarity=all-or-nothing,retrieval=equal"),
}
"""The ways to describe hands, with what the lines are called and how the agent searches."""
SHARES = tuple(range(10, 101, 10))
"""The parts of the case base, in per cent."""
MATCHES, DEALS = 3, 3000
"""As in the paper: every point is three matches of 3,000 duplicate deals."""


def _figure(laboratory: Laboratory) -> Iterator[Finding]:
    matches, deals = laboratory.sized(MATCHES, 2), laboratory.sized(DEALS, 5)
    shares = (50, 100) if laboratory.quick else SHARES
    lines = []
    with laboratory.workshop("sartre-representations") as folder:
        for way, (label, options) in WAYS.items():
            pack = watched(laboratory, folder, f"sartre:strength={way}")
            points = []
            for share in shares:
                path = _part(laboratory, pack, share, folder / f"{way}-{share}.parquet")
                agents = [f"sartre:pack={path},reuse=max-frequency{options}", EXPERT]
                rate = laboratory.rate(
                    "sartre representations", GAME, agents, deals=matches * deals, matches=matches
                )
                points.append((share, rate.mean, rate.low, rate.high))
                yield Finding(f"{label}, {share} % of the cases", str(rate))
            lines.append((label, points))
        figure = measured_lines(
            [MeasuredLine(label, points) for label, points in lines],
            "% of the case base",
            f"won against {EXPERT}, in sb/h",
            logarithmic=False,
        )
        save(figure, folder / "sartre-representations.svg")
    ends = {label: points[-1] for label, points in lines}
    order = sorted(ends, key=lambda label: -ends[label][1])
    published = "E[HS²] > categories > E[HS] with all cases; categories fall off with few"
    yield Finding("order with all cases", " > ".join(order), published)


def _part(laboratory: Laboratory, pack: Pack, share: int, path: Path) -> Path:
    """A pack with a part of the cases of every stage, chosen by chance; a greater part includes a smaller one."""
    bases = {}
    for stage in STAGES:
        base = pack.bases[stage]
        order = laboratory.stream("part", stage).generator().permutation(len(base))
        bases[stage] = base.select(np.sort(order[: len(base) * share // 100]))
    write_pack(Pack(pack.system, bases, recipe={"share": share}), path)
    return path


EXPERIMENTS = (
    Experiment(
        name="sartre-representations",
        paper="sartre-2012, figure 2",
        claim="E[HS²] describes hands best; categories need more cases, because they do not generalise.",
        setup=f"{HANDS:,} watched hands of {EXPERT}; {SHARES[0]} to {SHARES[-1]} % of the cases; {MATCHES} matches of "
        f"{DEALS:,} duplicate deals against {EXPERT} at each point.",
        run=_figure,
    ),
)
