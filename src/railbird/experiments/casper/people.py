"""What CASPER wins from people at tables of two to nine players, and how similar its cases are there.

casper-2008 played people for play money and for real money (figs. 3 and 4), and found the retrieved cases 90 % similar
among bots and 50 % among people for real money (§VIII). The people here are the populations of the agent `people`.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple
from functools import partial
from typing import Any

from railbird.agent import MatchStart, fingerprint, make_agent
from railbird.arena.results.rates import Estimate, Rate
from railbird.engine.games import named_game
from railbird.experiments.casper.measured import Block, MeasuredCasper, MeasuredHand
from railbird.experiments.casper.sizes import BOTS, SIZES, game_of
from railbird.experiments.frame import Experiment, Finding, Laboratory, pooled
from railbird.experiments.played_hands import labels_of, played_by
from railbird.experiments.published import Portion, PublishedRate
from railbird.explanation.formats import format_percent
from railbird.notation.game_names import find_game
from railbird.rng import Stream

PEOPLE = {"play money": "people:kind=play-money", "real money": "people:kind=real-money"}
TABLES: Mapping[str, tuple[Sequence[str], Sequence[int]]] = {
    "bots at full tables": (BOTS, (9,)),
    "bots": (BOTS, SIZES),
    **{f"people for {money}": ((agent,) * 8, SIZES) for money, agent in PEOPLE.items()},
}
"""The other players, and the sizes of the tables."""
SIMILARITY = {"bots at full tables": "90 %", "people for real money": "50 %"}
"""casper-2008 §VIII; its bots sat at full tables only."""
PUBLISHED: Mapping[str, Mapping[str, PublishedRate]] = {
    "play money": {
        "casper02": PublishedRate(0.29),
        "casper-general": PublishedRate(0.22),
        "random": PublishedRate(-3.08, 30),
    },
    "real money": {"casper02": PublishedRate(-0.07, 2_900)},
}
"""casper-2008 §VII. The number of hands for real money follows from the loss, about $50 at $0.25 a small bet."""
_HANDS = {"casper02": 7_200, "casper-general": 7_200, "random": 720}
"""Number of hands at a table of each size."""
_MATCHES = 10


def _similarity(laboratory: Laboratory) -> Iterator[Finding]:
    count, hit_rates = laboratory.sized(3_200, 40), {}
    for table, (others, sizes) in TABLES.items():
        played: list[MeasuredHand] = []
        for players in sizes:
            found = laboratory.noted(
                f"similarity of casper02 {fingerprint('casper02', trusted=True)} among {table}, {players} players",
                partial(_measured, others[: players - 1], count // len(sizes), laboratory.seed),
            )
            played += [MeasuredHand(*hand) for hand in found]
        block = Block.of(played)
        hit_rates[table] = block.hit_rate
        hits = Portion(block.hit_rate, sum(hand.decisions for hand in played))
        asked = "" if table.startswith("bots") else "fewer hits than among bots at full tables"
        yield Finding(
            f"casper02 among {table}{', two to nine players' if len(sizes) > 1 else ''}",
            f"mean similarity of the retrieved cases {format_percent(block.similarity)}, a case above the threshold in "
            f"{hits} of the decisions ({block.hands:,} hands)",
            SIMILARITY.get(table, ""),
            asked,
            hit_rates[table] < hit_rates["bots at full tables"] if asked else None,
        )


def _measured(others: Sequence[str], count: int, seed: str) -> list[list[Any]]:
    """The hands of casper02 at a table, as plain data."""
    game, labels = game_of(len(others) + 1), labels_of(("casper02", *others))
    root = Stream.from_seed(f"similarity {len(labels)} {seed}")
    casper = MeasuredCasper()
    agents = [casper, *map(make_agent, others)]
    for place, agent in enumerate(agents):
        agent.begin_match(MatchStart(named_game(game), labels[place], labels, root.child("agent", place)))
    for _ in played_by(game, agents, labels, count, root):
        pass
    return [list(astuple(hand)) for hand in casper.played_]


def _people(laboratory: Laboratory) -> Iterator[Finding]:
    rates: dict[tuple[str, str], Rate] = {}
    for money, people in PEOPLE.items():
        for agent, published in PUBLISHED[money].items():
            estimates = [_estimate(laboratory, money, people, agent, players) for players in SIZES]
            if agent == "casper02":
                for players, estimate in zip(SIZES, estimates, strict=True):
                    rate = Rate.of(find_game(game_of(players)), estimate)
                    yield Finding(f"{agent} for {money}, {players} players", str(rate))
            rate = rates[money, agent] = Rate.of(find_game(game_of(9)), Estimate.pooled(estimates))
            asked, holds = _asked(money, agent, rates)
            deviation = laboratory.deviation(f"casper {money}", game_of(6), [agent, *(people,) * 5])
            what = f"{agent} for {money}, two to nine players"
            yield published.finding(what, rate, deviation, asked=asked, holds=holds)


def _estimate(laboratory: Laboratory, money: str, people: str, agent: str, players: int) -> Estimate:
    """What an agent wins from people at a table; the same deals for all agents."""
    matches = laboratory.sized(_MATCHES, 2)
    results = laboratory.matches(
        f"casper {money} {players}",
        game_of(players),
        [agent, *(people,) * (players - 1)],
        deals=laboratory.sized(_HANDS[agent] // players, 2),
        matches=matches,
    )
    return Estimate.of(pooled(results), [1, *[0] * (players - 1)])


def _asked(money: str, agent: str, rates: Mapping[tuple[str, str], Rate]) -> tuple[str, bool | None]:
    rate = rates[money, agent]
    if agent == "random":
        return "an interval below zero", rate.high < 0
    if money == "play money":
        return "an interval above zero", rate.low > 0
    other = rates["play money", agent]
    return "an interval below that for play money", rate.high < other.low


EXPERIMENTS = (
    Experiment(
        name="casper-similarity",
        paper="casper-2008 §VIII",
        claim="The cases that CASPER retrieves are less similar among people than among bots.",
        setup="Limit with a cap of five bets, 3,200 hands among each kind of opponents.",
        run=_similarity,
    ),
    Experiment(
        name="casper-people",
        paper="casper-2008 §VII, figs. 3 and 4",
        claim="CASPER wins from people who play for play money, hand-picked weights more than evolved ones, and loses "
        "slowly to people who play for real money.",
        setup="Limit with a cap of five bets, two to nine players, one CASPER among people; every deal is played in "
        "all rotations.",
        run=_people,
    ),
)
