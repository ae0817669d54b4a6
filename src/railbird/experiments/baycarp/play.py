"""baycarp-2011 §7.3: what BayCaRP wins, as published and improved, at a table like the thesis's."""

from collections.abc import Iterator, Mapping

from railbird.arena.results.rates import Rate
from railbird.experiments.frame import Experiment, Finding, Laboratory
from railbird.experiments.opponent_tables import THESIS_TABLE
from railbird.experiments.published import PublishedRate, difference_finding

GAME = "limit-9max"
PUBLISHED1, PUBLISHED2 = (f"baycarp{number}:version=published,retain=yes" for number in (1, 2))
IMPROVED1, IMPROVED2, IMPROVED3 = (f"baycarp{number}:retain=yes" for number in (1, 2, 3))
CASPER = "casper02"
DEALS, BATCH = 100, 10
"""Deals per match, and matches between checks of the interval's width."""
HALF_WIDTHS: Mapping[str, float] = {
    PUBLISHED1: 0.03,
    PUBLISHED2: 0.03,
    IMPROVED1: 0.03,
    IMPROVED2: 0.02,
    IMPROVED3: 0.03,
    CASPER: 0.02,
}
"""Required half-widths of the intervals, in sb/h; the improved baycarp2 and casper02 are close to each other."""
MOST_HANDS = 200_000
OUTCOMES, MAJORITY = PublishedRate(-0.026, 4_501), PublishedRate(0.056, 4_506)
"""The win rates of BayCaRP1 and BayCaRP2 in the thesis."""
PRINTED: Mapping[str, PublishedRate] = {
    PUBLISHED1: OUTCOMES,
    PUBLISHED2: MAJORITY,
    IMPROVED1: OUTCOMES,
    IMPROVED2: MAJORITY,
}
COMPARED = (
    (PUBLISHED2, PUBLISHED1),
    (IMPROVED2, IMPROVED1),
    (IMPROVED3, IMPROVED1),
    (IMPROVED1, PUBLISHED1),
    (IMPROVED2, PUBLISHED2),
    (IMPROVED2, CASPER),
)
"""Pairs of agents, of which the first should win more."""


def _play(laboratory: Laboratory) -> Iterator[Finding]:
    matches: dict[str, int] = {}
    for agent in HALF_WIDTHS:
        rate, matches[agent] = _until_narrow(laboratory, agent)
        wins = agent == IMPROVED2
        asked = "an interval above zero" if wins else ""
        holds = rate.low > 0 if wins else None
        if agent not in PRINTED:
            yield Finding(agent, str(rate), asked=asked, holds=holds)
            continue
        deviation = laboratory.deviation("baycarp", GAME, [agent, *THESIS_TABLE])
        yield PRINTED[agent].finding(agent, rate, deviation, asked=asked, holds=holds)
    yield difference_finding("baycarp2 over baycarp1, in the thesis itself", MAJORITY, OUTCOMES, deviation)
    for agent, instead in COMPARED:
        common = min(matches[agent], matches[instead])
        difference = laboratory.difference(
            "baycarp",
            GAME,
            [agent, *THESIS_TABLE],
            instead,
            deals=common * _deals(laboratory),
            matches=common,
        )
        yield Finding(
            f"{agent} over {instead} on the same deals",
            str(difference),
            "",
            "an interval above zero",
            difference.low > 0,
        )


def _deals(laboratory: Laboratory) -> int:
    return laboratory.sized(DEALS, 2)


def _until_narrow(laboratory: Laboratory, agent: str) -> tuple[Rate, int]:
    """The rate of an agent once its interval is narrow enough or enough hands are played, and the number of matches."""
    batch, deals = laboratory.sized(BATCH, 2), _deals(laboratory)
    matches = batch
    while True:
        rate = laboratory.rate(
            "baycarp", GAME, [agent, *THESIS_TABLE], deals=matches * deals, matches=matches
        )
        narrow = (rate.high - rate.low) / 2 <= HALF_WIDTHS[agent]
        if laboratory.quick or narrow or rate.hands >= MOST_HANDS:
            return rate, matches
        matches += batch


EXPERIMENTS = (
    Experiment(
        name="baycarp-play",
        paper="baycarp-2011 §7.3",
        claim="BayCaRP2 wins at a table of Pokibots and Simbots, BayCaRP1 loses a little, CASPER does worse.",
        setup="Nine-handed limit as in figure 7.9, five Pokibots and three Simbots that choose their hands as often as "
        "the thesis's; BayCaRP as published (network from showdowns, cases of all players) and improved, retaining its "
        "own decisions within a match. Duplicate deals in all rotations, until an interval is ± 0.03 sb/h (casper02 "
        "and the improved baycarp2: ± 0.02) or 200,000 hands are played; bb/h of the thesis are sb/h here.",
        run=_play,
    ),
)
