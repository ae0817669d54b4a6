"""Exploitability of heads-up limit hold'em, against the number of iterations and against the number of buckets.

Every strategy is measured on the same flops and hands as all others: by a true best response, and by a local best
response, which shows only part of what can be won. Strategies, checkpoints and the figure are written next to the
findings. A checkpoint is deleted when no later strategy continues from it: with 2,000 buckets it is very large.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from railbird.arena.results.figures import MeasuredLine, measured_lines, save
from railbird.experiments.frame import Experiment, Finding, Laboratory
from railbird.learning.exploit import UNIT, ExploitProgress, exploit
from railbird.learning.solve import checkpoint_beside, solve
from railbird.strategies.best_response import IntervalEstimate

if TYPE_CHECKING:
    from matplotlib.figure import Figure

GAME = "limit-2p"
KIND = "percentiles"
FLOPS, HANDS = 8, 20_000
ITERATIONS = tuple(250 << doubling for doubling in range(6))
"""The numbers of iterations, all with the same buckets: 250 to 8,000."""
ITERATED_BUCKETS = 200
BUCKETS = (50, 100, 200, 500, 1000, 2000)
"""The numbers of buckets on each street, all with the same iterations."""
BUCKET_ITERATIONS = 4000
_QUICK_ITERATIONS, _QUICK_BUCKETS = (8, 16), (5, 20)


@dataclass(frozen=True, slots=True)
class Exploited:
    """How exploitable a strategy is."""

    best: IntervalEstimate
    """What a true best response wins."""
    own_preflop: IntervalEstimate
    """What it wins if it keeps the strategy's own play before the flop."""
    local: IntervalEstimate
    """What a local best response wins."""

    def __str__(self) -> str:
        best, own, local = (
            f"{each.mean:.0f} ({each.low:.0f} to {each.high:.0f})"
            for each in (self.best, self.own_preflop, self.local)
        )
        return f"best response {best}, with its own preflop play {own}, local best response {local} {UNIT}"


@dataclass(frozen=True, slots=True)
class Curve:
    """Strategies in the order of one number."""

    name: str
    against: str
    """What the number counts: `iterations` or `buckets`."""
    strategies: Sequence[tuple[int, int]]
    """The buckets and iterations of every strategy."""

    def findings(self, laboratory: Laboratory) -> Iterator[Finding]:
        """Measure every strategy, and draw the curve."""
        measured: list[Exploited] = []
        with laboratory.workshop(self.name) as folder:
            for place, (buckets, iterations) in enumerate(self.strategies):
                what = f"{KIND}:{buckets} after {iterations:,} iterations"
                make = partial(self._measure, laboratory, folder, place)
                noted = laboratory.noted(f"{GAME}, {what}", make)
                found = Exploited(**{name: IntervalEstimate(**figures) for name, figures in noted.items()})
                if (buckets,) != tuple(following for following, _ in self.strategies[place + 1 : place + 2]):
                    checkpoint_beside(_file(folder, buckets)).unlink(missing_ok=True)
                if not measured:
                    yield Finding(what, str(found))
                else:
                    asked = f"own preflop play not significantly above that of fewer {self.against}"
                    holds = found.own_preflop.low <= measured[-1].own_preflop.high
                    yield Finding(what, str(found), asked=asked, holds=holds)
                measured.append(found)
            save(self._figure(measured), folder / f"{self.name}.svg")

    def _measure(self, laboratory: Laboratory, folder: Path, place: int) -> dict[str, dict[str, float]]:
        """Solve and measure one strategy, as plain data."""
        buckets, iterations = self.strategies[place]
        path = _file(folder, buckets)
        seed = int(laboratory.stream("solving").generator().integers(1 << 31))
        threads = int(laboratory.workers) if laboratory.workers.isdigit() else None
        solve(
            GAME,
            path,
            iterations=iterations,
            cards=f"{KIND}:{buckets}",
            seed=seed,
            threads=threads,
            force=True,
        )
        flops, hands = laboratory.sized(FLOPS, 1), laboratory.sized(HANDS, 8)

        def tell(progress: ExploitProgress) -> None:
            if laboratory.progress is not None:
                laboratory.progress(place * flops + progress.done, len(self.strategies) * flops)

        best = exploit(
            str(path), method="best-response", flops=flops, workers=laboratory.workers, listener=tell
        )
        local = exploit(str(path), method="lbr", hands=hands, workers=laboratory.workers)
        assert best.own_preflop is not None
        return asdict(Exploited(best.rate, best.own_preflop, local.rate))

    def _figure(self, measured: Sequence[Exploited]) -> "Figure":
        """The three figures of every strategy as lines."""
        column = ("buckets", "iterations").index(self.against)
        numbers = [strategy[column] for strategy in self.strategies]
        lines = []
        for label, name in (
            ("best response", "best"),
            ("with its own preflop play", "own_preflop"),
            ("local best response", "local"),
        ):
            estimates: list[IntervalEstimate] = [getattr(found, name) for found in measured]
            points = [
                (number, each.mean, each.low, each.high)
                for number, each in zip(numbers, estimates, strict=True)
            ]
            lines.append(MeasuredLine(label, points))
        return measured_lines(lines, self.against, f"won against the strategy, in {UNIT}")


def _file(folder: Path, buckets: int) -> Path:
    return folder / f"{KIND}-{buckets}.strategy"


def _against_iterations(laboratory: Laboratory) -> Iterator[Finding]:
    buckets = laboratory.sized(ITERATED_BUCKETS, _QUICK_BUCKETS[0])
    iterations = _QUICK_ITERATIONS if laboratory.quick else ITERATIONS
    strategies = [(buckets, each) for each in iterations]
    return Curve("solving-iterations", "iterations", strategies).findings(laboratory)


def _against_buckets(laboratory: Laboratory) -> Iterator[Finding]:
    iterations = laboratory.sized(BUCKET_ITERATIONS, _QUICK_ITERATIONS[0])
    buckets = _QUICK_BUCKETS if laboratory.quick else BUCKETS
    strategies = [(each, iterations) for each in buckets]
    return Curve("solving-buckets", "buckets", strategies).findings(laboratory)


_PAPERS = "Johanson and others 2011, Lisý and Bowling 2017"
_SETUP = (
    f"Heads-up limit hold'em; a true best response on {FLOPS} fixed flops, also with the strategy's own preflop play, "
    f"and a local best response in {HANDS:,} fixed hands; "
)

EXPERIMENTS = (
    Experiment(
        name="solving-iterations",
        paper=_PAPERS,
        claim="More iterations make a strategy less exploitable, until the abstraction is the limit; a local best "
        "response shows only part of what can be won.",
        setup=f"{_SETUP}{KIND}:{ITERATED_BUCKETS} after {ITERATIONS[0]:,} to {ITERATIONS[-1]:,} iterations.",
        run=_against_iterations,
    ),
    Experiment(
        name="solving-buckets",
        paper=_PAPERS,
        claim="More buckets make a strategy less exploitable.",
        setup=f"{_SETUP}{KIND}:{BUCKETS[0]} to {KIND}:{BUCKETS[-1]} after {BUCKET_ITERATIONS:,} iterations.",
        run=_against_buckets,
    ),
)
