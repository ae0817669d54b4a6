"""loki-1999: the gain of simulation over the formula, the number of trials, and the cost of a trial.

Also the results that casper-2007 and baycarp-2011 report for Pokibot, Simbot, Jagbot and a random player.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from time import process_time

import numpy as np
from numpy.typing import NDArray

from railbird.agent import Agent, Decision, HandResult, MatchStart, make_agent
from railbird.agents.loki.simbot import Simbot
from railbird.arena.results.rates import Rate
from railbird.experiments.frame import Experiment, Finding, Laboratory
from railbird.experiments.opponent_tables import THESIS_TABLE
from railbird.experiments.played_hands import played_by
from railbird.experiments.published import PublishedRate
from railbird.explanation.formats import format_percent, format_signed
from railbird.notation.game_names import find_game
from railbird.observation import Observation
from railbird.sampling.selective import (
    BATCH,
    LEAST_TRIALS,
    ApartByDeviations,
    ApartByErrors,
    Estimates,
    NeverObvious,
    Obvious,
    search,
)

TEN_HANDED = "limit-10max"
NINE_HANDED = "limit-9max"
MOST_TRIALS = 500
"""Number of trials in loki-1999."""


def _gains(laboratory: Laboratory) -> Iterator[Finding]:
    """One simulation player among nine formula players; a tenth formula player would win nothing on average."""
    published = {"formula": 0.1075, "triple": 0.088}
    for policy, gain in published.items():
        for simbot in (f"simbot:policy={policy}", f"simbot:policy={policy},obvious=deviations"):
            rate = laboratory.rate(
                f"simulation {policy}",
                TEN_HANDED,
                [simbot, *["pokibot"] * 9],
                deals=laboratory.sized(1500, 20),
                matches=laboratory.sized(10, 1),
            )
            yield Finding(
                f"{simbot} among nine pokibots",
                str(rate),
                f"{format_signed(gain, 4)} sb/h (number of hands not printed)",
                "an interval above zero",
                rate.low > 0,
            )


class _Collector(Agent):
    """Delegates to an agent, and collects its decisions with its beliefs at the time."""

    def __init__(self, agent: Simbot, most: int) -> None:
        self.agent = agent
        self.most = most
        self.met: list[tuple[Observation, dict[int, NDArray[np.float64]]]] = []

    def begin_match(self, match: MatchStart) -> None:
        self.agent.begin_match(match)

    def act(self, observation: Observation) -> Decision:
        if len(self.met) < self.most:
            seats = (seat for seat in observation.live_seats if seat != observation.seat)
            self.met.append(
                (observation, {seat: self.agent.beliefs_.of(observation, seat) for seat in seats})
            )
        return self.agent.act(observation)

    def end_hand(self, result: HandResult) -> None:
        self.agent.end_hand(result)


def _decisions(laboratory: Laboratory, count: int) -> _Collector:
    """`count` decisions of a Simbot among nine Pokibots, hand after hand."""
    rules = find_game(TEN_HANDED)
    stream = laboratory.stream("decisions")
    collector = _Collector(Simbot(trials=100), count)
    agents: list[Agent] = [collector, *(make_agent("pokibot") for _ in range(rules.players - 1))]
    labels = tuple(f"player {place}" for place in range(rules.players))
    for label, agent in zip(labels, agents, strict=True):
        agent.begin_match(MatchStart(rules, label, labels, stream.child("agent", label)))
    for _ in played_by(TEN_HANDED, agents, labels, 100 * count, stream):
        if laboratory.progress is not None:
            laboratory.progress(min(len(collector.met), count), count)
        if len(collector.met) == count:
            break
    return collector


def _trials(laboratory: Laboratory) -> Iterator[Finding]:
    """The same decisions with 100, 500 and 2,000 trials, each with independent randomness."""
    collector = _decisions(laboratory, laboratory.sized(2000, 40))
    numbers = (100, MOST_TRIALS, 2000)
    means: dict[int, list[NDArray[np.float64]]] = {number: [] for number in numbers}
    best: dict[int, list[int]] = {number: [] for number in numbers}
    afterwards = 0
    rules: dict[str, Obvious] = {
        "the sum of standard deviations": ApartByDeviations(),
        "four errors of the paired difference": ApartByErrors(),
    }
    stopped: dict[str, list[int]] = {rule: [] for rule in rules}
    for place, (observation, believed) in enumerate(collector.met):
        for number in numbers:
            collector.agent.words_ = laboratory.stream("trials", place, number).words()
            hands = collector.agent.simulated_hands(observation, believed)
            estimates = Estimates.none(len(hands.moves)).with_trials(hands(number))
            means[number].append(estimates.means)
            best[number].append(estimates.best)
            if number == MOST_TRIALS:
                afterwards += ApartByDeviations()(estimates)
        for rule, obvious in rules.items():
            collector.agent.words_ = laboratory.stream("early", place).words()
            hands = collector.agent.simulated_hands(observation, believed)
            found = search(hands.moves, hands, most_trials=MOST_TRIALS, obvious=obvious)
            stopped[rule].append(found.estimates.trials)
    count = len(collector.met)

    def difference(fewer: int, more: int) -> tuple[float, float]:
        pairs = zip(means[fewer], means[more], strict=True)
        size = float(np.mean(np.concatenate([np.abs(a - b) for a, b in pairs])))
        changed = float(np.mean(np.array(best[fewer]) != np.array(best[more])))
        return size, changed

    late, late_changed = difference(500, 2000)
    early, early_changed = difference(100, 500)
    yield Finding("decisions", f"{count:,}")
    yield Finding(
        "mean absolute difference of EV, 500 against 2,000 trials",
        f"${late:.2f}, another best action in {format_percent(late_changed)}",
        "small, rarely significant",
        "below half of that from 100 to 500",
        late < early / 2,
    )
    yield Finding(
        "mean absolute difference of EV, 100 against 500 trials",
        f"${early:.2f}, another best action in {format_percent(early_changed)}",
        "much more significant",
    )
    yield Finding(
        f"obvious by the sum of standard deviations, judged once after {MOST_TRIALS} trials",
        f"{format_percent(afterwards / count)}",
        "fewer than 5 %",
        "fewer than 5 %",
        afterwards / count < 0.05,
    )
    for rule, numbers_played in stopped.items():
        early_stops = float(np.mean(np.array(numbers_played) < MOST_TRIALS))
        printed = isinstance(rules[rule], ApartByDeviations)
        yield Finding(
            f"obvious by {rule}, judged every {BATCH} trials from {LEAST_TRIALS} on",
            f"{format_percent(early_stops)}, {np.mean(numbers_played):.0f} trials on average",
            "fewer than 5 %" if printed else "",
            "fewer than 5 %" if printed else "",
            early_stops < 0.05 if printed else None,
        )


@dataclass(frozen=True, slots=True)
class _Searcher:
    """A kind of simulation, with a number of trials such that all kinds take the same time."""

    what: str
    agent: str
    trials: int

    @property
    def spec(self) -> str:
        return f"{self.agent},trials={self.trials},obvious=never"


SEARCHERS = (
    _Searcher("cheap: ProbTriple, strengths against 26 holdings", "simbot:policy=triple,stride=50", 400),
    _Searcher("middle: ProbTriple, strengths against 132 holdings", "simbot:policy=triple,stride=10", 300),
    _Searcher("careful: the formula, strengths against 132 holdings", "simbot:policy=formula,stride=10", 230),
    _Searcher("exact: ProbTriple, strengths against all holdings", "simbot:policy=triple,stride=1", 97),
)


def _cost(laboratory: Laboratory) -> Iterator[Finding]:
    """At equal time, many cheap trials against few careful ones."""
    decisions = _decisions(laboratory, laboratory.sized(300, 20))
    for searcher in SEARCHERS:
        seconds = _seconds(searcher, decisions)
        yield Finding(
            f"{searcher.what}: time of a decision (differs from run to run)",
            f"{1e3 * seconds:.2f} ms for {searcher.trials} trials, {1e6 * seconds / searcher.trials:.1f} µs each",
        )
    for searcher in SEARCHERS:
        rate = laboratory.rate(
            "cost per trial",
            TEN_HANDED,
            [searcher.spec, *["pokibot"] * 9],
            deals=laboratory.sized(500, 10),
            matches=laboratory.sized(10, 1),
        )
        yield Finding(f"{searcher.what}: {searcher.trials} trials among nine pokibots", str(rate))


def _seconds(searcher: _Searcher, decisions: _Collector) -> float:
    """The mean processor time of a decision."""
    agent = make_agent(searcher.spec)
    assert isinstance(agent, Simbot)
    agent.book_, agent.beliefs_ = decisions.agent.book_, decisions.agent.beliefs_
    agent.words_ = decisions.agent.words_.copy()
    spent = 0.0
    for observation, believed in decisions.met:
        start = process_time()
        hands = agent.simulated_hands(observation, believed)
        search(hands.moves, hands, most_trials=searcher.trials, obvious=NeverObvious(), batch=searcher.trials)
        spent += process_time() - start
    return spent / len(decisions.met)


def _table(
    laboratory: Laboratory, name: str, agents: Sequence[str], *, deals: tuple[int, int], matches: int
) -> Rate:
    return laboratory.rate(
        name,
        NINE_HANDED,
        agents,
        deals=laboratory.sized(*deals),
        matches=laboratory.sized(matches, 1),
    )


def _random_player(laboratory: Laboratory) -> Iterator[Finding]:
    adaptive, loose = PublishedRate(-1.67, 6_000), PublishedRate(-1.49, 7_000)
    tables = (
        ("four pokibots and four simbots", [*["pokibot"] * 4, *["simbot:trials=100"] * 4], adaptive),
        ("the players of the thesis", THESIS_TABLE, adaptive),
        ("eight jagbots", ["jagbot"] * 8, loose),
    )
    lost: list[float] = []
    for what, others, published in tables:
        agents = ["random", *others]
        rate = _table(laboratory, f"random {what}", agents, deals=(600, 5), matches=3)
        deviation = laboratory.deviation(f"random {what}", NINE_HANDED, agents)
        asked, holds = "an interval below −0.5 sb/h", rate.high < -0.5
        if published is loose:
            asked, holds = (
                f"{asked}, and less lost than at the other tables",
                holds and -rate.mean < min(lost),
            )
        yield published.finding(f"random among {what}", rate, deviation, asked=asked, holds=holds)
        lost.append(-rate.mean)


def _loose_table(laboratory: Laboratory) -> Iterator[Finding]:
    for other in ("jagbot", "rulebot"):
        for agent in ("pokibot", "simbot"):
            rate = _table(laboratory, f"among {other}s", [agent, *[other] * 8], deals=(300, 5), matches=3)
            yield Finding(
                f"{agent} among eight {other}s", str(rate), "", "an interval above zero", rate.low > 0
            )


EXPERIMENTS = (
    Experiment(
        name="loki-simulation",
        paper="loki-1999, Results",
        claim="Simulation wins $1,075 more per 1,000 hands of $10/$20 than the formula that it simulates with, "
        "and $880 with ProbTriple.",
        setup="Ten-handed limit, duplicate deals in all ten rotations: a Simbot among nine Pokibots, which stops "
        "early by its own rule or by the printed one.",
        run=_gains,
    ),
    Experiment(
        name="loki-trials",
        paper="loki-1999, Results",
        claim="After 500 trials expected values are stable, after 100 they are not; fewer than 5 % of actions "
        "are obvious.",
        setup="Decisions of a Simbot among nine Pokibots, simulated again with 100, 500 and 2,000 trials, and with "
        "both rules for stopping early.",
        run=_trials,
    ),
    Experiment(
        name="loki-cost",
        paper="loki-1999, A Framework for Non-Deterministic Game-Playing Programs",
        claim="Finding the right balance between the cost of a trial and the number of trials is an open problem.",
        setup="Four kinds of simulation, with numbers of trials such that decisions take about the same time, each "
        "among nine Pokibots on the same deals.",
        run=_cost,
    ),
    Experiment(
        name="random-player",
        paper="casper-2007 §7",
        claim="A random player loses 1.67 small bets a hand to Pokibots and Simbots, and 1.49 to Jagbots.",
        setup="Nine-handed limit, duplicate deals in all nine rotations.",
        run=_random_player,
    ),
    Experiment(
        name="loose-table",
        paper="casper-2007 §7, baycarp-2011 §3.3",
        claim="Pokibot and Simbot beat loose players and players who follow simple rules.",
        setup="Nine-handed limit, duplicate deals in all nine rotations: one of them among eight of the others.",
        run=_loose_table,
    ),
)
