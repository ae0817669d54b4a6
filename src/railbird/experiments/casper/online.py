"""CASPER that retains its own play against a new kind of opponents (casper-2008 §VIII, figs. 5 and 6).

Learners start with the pack of casper02, as the paper's did, or with an empty case base. Each plays among people for
play money until it has retained a given number of cases. For every learner that starts with the pack, a control without
retaining plays the same deals. Hands of one learner are not independent of each other: the unit of an interval is a
learner.
"""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import astuple
from functools import partial
from math import hypot, inf, sqrt
from operator import attrgetter, gt
from statistics import fmean, stdev

from railbird.agent import Agent, MatchStart, fingerprint, make_agent
from railbird.agents.casper.online import NO_PACK
from railbird.arena.results.rates import Estimate, Rate
from railbird.engine.games import named_game
from railbird.experiments.casper.measured import Block, MeasuredCasper, MeasuredHand, MeasuredLearner
from railbird.experiments.casper.people import PEOPLE
from railbird.experiments.frame import Experiment, Finding, Laboratory
from railbird.experiments.played_hands import labels_of, played_by
from railbird.experiments.published import NORMAL_QUANTILE
from railbird.explanation.formats import format_signed
from railbird.rng import Stream

GAME = "limit-9max:cap=5"
OPPONENTS = (PEOPLE["play money"],) * 8
PACK = "casper02"
BLOCKS = 5
_MEASURES: Mapping[str, Callable[[Block], float]] = {
    "share of decisions with a case above the threshold": attrgetter("hit_rate"),
    "mean similarity of retrieved cases": attrgetter("similarity"),
}
"""What figure 6 may show."""
_CASES = 10_000
_QUICK_CASES = 100
_LEARNERS = 50
"""About 51,000 hands in each block: the rate of a block is known to about 0.11 sb/h, that over the control to 0.05."""
_BEGINNERS = 5
"""Learners that start without cases: their losses are large, so a few are enough."""
_GAIN = 0.15
"""The gain of profit in figure 5, of a single learner: its interval is estimated from how much ours differ."""


def play_until(agent: MeasuredCasper, stream: Stream, enough: Callable[[int], bool]) -> None:
    """Let an agent play among people until `enough` accepts the number of hands."""
    rules = named_game(GAME)
    agents: list[Agent] = [agent, *map(make_agent, OPPONENTS)]
    labels = labels_of(["casper", *OPPONENTS])
    for place, player in enumerate(agents):
        player.begin_match(MatchStart(rules, labels[place], labels, stream.child("agent", place)))
    for hand in played_by(GAME, agents, labels, sys.maxsize, stream):
        if enough(hand.number + 1):
            return


def learn(pack: str, cases: int, stream: Stream) -> list[MeasuredHand]:
    """The hands of a learner until it has retained `cases` cases."""
    agent = MeasuredLearner(pack=pack)
    play_until(agent, stream, lambda _: agent.memory_.cases >= cases)
    return agent.played_


def play_beside(pack: str, number: int, stream: Stream) -> list[MeasuredHand]:
    """`number` hands of a control with the same pack and deals that retains nothing."""
    agent = MeasuredCasper(pack=pack)
    play_until(agent, stream, lambda played: played >= number)
    return agent.played_


def cuts(played: Sequence[MeasuredHand], blocks: int = BLOCKS) -> list[int]:
    """The ends of blocks with about equal numbers of retained cases, as numbers of hands."""
    total = sum(hand.decisions for hand in played)
    ends: list[int] = []
    cases = 0
    for number, hand in enumerate(played, start=1):
        cases += hand.decisions
        if cases * blocks >= total * (len(ends) + 1) and len(ends) < blocks - 1:
            ends.append(number)
    return [*ends, len(played)]


def blocks_of(played: Sequence[MeasuredHand], ends: Sequence[int]) -> list[Block]:
    """Hands in blocks with these ends."""
    return [Block.of(played[start:end]) for start, end in zip([0, *ends], ends, strict=False)]


def rate(means: Sequence[float], number: int) -> Rate:
    """The mean over learners, in small bets per hand, with its interval."""
    error = stdev(means) / sqrt(len(means)) if len(means) > 1 else inf
    estimate = Estimate(fmean(means), error, len(means), len(means) - 1, number)
    return Rate("sb/h", estimate.mean, *estimate.interval, number)


def _online(laboratory: Laboratory) -> Iterator[Finding]:
    yield from _learners(laboratory, PACK)
    yield from _learners(laboratory, NO_PACK)


def _learners(laboratory: Laboratory, pack: str) -> Iterator[Finding]:
    cases = laboratory.sized(_CASES, _QUICK_CASES)
    learners = laboratory.sized(_BEGINNERS if pack == NO_PACK else _LEARNERS, 2)
    own: list[list[Block]] = []
    beside: list[list[Block]] = []
    start = "starts without cases" if pack == NO_PACK else f"starts with the cases of {PACK}"
    known = fingerprint(f"casper-online:pack={pack}", trusted=True)
    for number in range(learners):
        stream = laboratory.stream("casper-online", number)
        what = f"learner {number} {start} {known}"
        played = _noted(laboratory, what, partial(learn, pack, cases, stream))
        ends = cuts(played)
        own.append(blocks_of(played, ends))
        if pack != NO_PACK:
            still = _noted(laboratory, f"beside {what}", partial(play_beside, pack, len(played), stream))
            beside.append(blocks_of(still, ends))
        if laboratory.progress is not None:
            laboratory.progress(number + 1, learners)
    for place in range(BLOCKS):
        parts = [learner[place] for learner in own]
        what = f"{start}, cases {place * cases // BLOCKS + 1:,} to {(place + 1) * cases // BLOCKS:,}"
        won = rate([part.won for part in parts], sum(part.hands for part in parts))
        alone = f" (without retaining {_found([learner[place] for learner in beside])})" if beside else ""
        yield Finding(what, f"{_found(parts)}{alone}; {won}")
    for measure, of_block in _MEASURES.items():
        first, last = ([of_block(learner[place]) for learner in own] for place in (0, -1))
        yield Finding(
            f"{start}: {measure}, from the first block to the last",
            f"{fmean(first):.3f} → {fmean(last):.3f}",
            "0.5 → 0.7 (fig. 6)",
            "rises for every learner",
            all(map(gt, last, first)),
        )
    number = sum(learner[0].hands + learner[-1].hands for learner in own)
    gains = [learner[-1].won - learner[0].won for learner in own]
    gain = rate(gains, number)
    half = NORMAL_QUANTILE * stdev(gains)
    yield Finding(
        f"{start}: profit of the last block over the first",
        str(gain),
        f"{format_signed(_GAIN, 2)} sb/h (fig. 5; about ± {half:.2f}, one learner)",
        "an interval that is not below zero",
        gain.high >= 0,
        abs(gain.mean - _GAIN) <= hypot(half, (gain.high - gain.low) / 2),
    )
    if beside:
        pairs = [(_won(learner), _won(other)) for learner, other in zip(own, beside, strict=True)]
        every = sum(block.hands for learner in own for block in learner)
        difference = rate([mine - others for mine, others in pairs], every)
        yield Finding(
            "profit over a player that retains nothing, on the same deals",
            str(difference),
            "",
            "an interval that is not below zero",
            difference.high >= 0,
        )


def _found(parts: Sequence[Block]) -> str:
    hits, similarity = fmean(part.hit_rate for part in parts), fmean(part.similarity for part in parts)
    return f"hit rate {hits:.3f}, similarity {similarity:.3f}"


def _noted(laboratory: Laboratory, what: str, play: Callable[[], list[MeasuredHand]]) -> list[MeasuredHand]:
    """Hands from the journal, or played."""
    found = laboratory.noted(what, lambda: list(map(list, map(astuple, play()))))
    return [MeasuredHand(*hand) for hand in found]


def _won(blocks: Sequence[Block]) -> float:
    return sum(block.won * block.hands for block in blocks) / sum(block.hands for block in blocks)


EXPERIMENTS = (
    Experiment(
        name="casper-online",
        paper="casper-2008 §VIII, figs. 5 and 6",
        claim="As CASPER retains its own play against a new kind of opponents, the average similarity of the cases "
        "that it retrieves rises, and so does its profit.",
        setup="Nine-handed limit: 50 CASPERs with the pack of casper02, and five with none, each among eight people "
        "for play money until it has retained 10,000 cases; blocks have equally many cases, an interval is over "
        "learners.",
        run=_online,
    ),
)
