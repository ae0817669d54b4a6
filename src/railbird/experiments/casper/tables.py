"""casper-2007 §7, casper-2008 §VII: what CASPER wins at the two tables, and how often it finds no similar case."""

from collections.abc import Iterator, Mapping
from functools import partial

from railbird.agent import fingerprint
from railbird.agents.casper.agent import Casper
from railbird.arena.results.rates import Rate
from railbird.experiments.frame import Experiment, Finding, Laboratory
from railbird.experiments.played_hands import labels_of, played_by, seated
from railbird.experiments.published import Occurrences, PublishedRate, difference_finding
from railbird.rng import Stream

GAME = "limit-9max:cap=5"
ADAPTIVE = (
    "pokibot",
    *(
        f"pokibot:profile={name}"
        for name in ("tight-passive", "tight-aggressive", "loose-passive", "loose-aggressive")
    ),
    *["simbot:trials=100"] * 2,
    "simbot:trials=100,policy=formula",
)
"""Different versions of Pokibot and Simbot (casper-2007 §7)."""
STRONGEST = (*["pokibot"] * 4, *["simbot:trials=100"] * 4)
"""The same without the versions that lose."""
LOOSE = ("jagbot", "jagbot:profile=loose", "jagbot:profile=maniac", *["jagbot"] * 5)
TABLES: Mapping[str, tuple[str, ...]] = {"adaptive": ADAPTIVE, "loose": LOOSE}
MATCHES = {"random": 1, "casper01": 10, "casper02": 24, "casper-general": 10, "casper-general-play": 10}
"""The number of matches of each agent at a table."""
DEALS = 150
"""Number of deals in a match."""

PUBLISHED: Mapping[str, Mapping[str, PublishedRate]] = {
    "adaptive": {
        "random": PublishedRate(-1.67, 6_000),
        "casper01": PublishedRate(-0.009, 20_000),
        "casper02": PublishedRate(0.004, 20_000),
    },
    "loose": {
        "random": PublishedRate(-1.49, 7_000),
        "casper01": PublishedRate(-0.09, 20_000),
        "casper02": PublishedRate(0.03, 20_000),
    },
}
"""The rates of casper-2007 §7 with the numbers of hands, all of which are approximate."""
MISSED: Mapping[str, Mapping[str, Occurrences]] = {
    "adaptive": {"casper01": Occurrences(86, 10_000), "casper02": Occurrences(38, 10_000)},
    "loose": {"casper01": Occurrences(222, 10_000), "casper02": Occurrences(45, 10_000)},
}
"""Situations before the flop in which no case was similar enough."""


def _tables(laboratory: Laboratory) -> Iterator[Finding]:
    yield from _rates(laboratory)
    yield from _differences(laboratory)
    deals = laboratory.sized(DEALS, 2)
    strongest = laboratory.rate(
        "casper strongest",
        GAME,
        ["casper02", *STRONGEST],
        deals=laboratory.sized(10, 2) * deals,
        matches=laboratory.sized(10, 2),
    )
    yield Finding("casper02 among four balanced Pokibots and four Simbots", str(strongest))


def _rates(laboratory: Laboratory) -> Iterator[Finding]:
    for table, others in TABLES.items():
        for agent in MATCHES:
            matches = laboratory.sized(MATCHES[agent], 2)
            deals = matches * laboratory.sized(DEALS, 2)
            rate = laboratory.rate(f"casper {table}", GAME, [agent, *others], deals=deals, matches=matches)
            asked, holds = _asked(table, agent, rate)
            what, published = f"{agent} at the {table} table", PUBLISHED[table].get(agent)
            if published is None:
                yield Finding(what, str(rate), asked=asked, holds=holds)
            else:
                deviation = laboratory.deviation(f"casper {table}", GAME, [agent, *others])
                yield published.finding(what, rate, deviation, asked=asked, holds=holds)
        yield difference_finding(
            f"casper02 over casper01 at the {table} table, in the paper itself",
            PUBLISHED[table]["casper02"],
            PUBLISHED[table]["casper01"],
            deviation,
        )


def _asked(table: str, agent: str, rate: Rate) -> tuple[str, bool | None]:
    if agent == "random":
        return "an interval below −0.5 sb/h", rate.high < -0.5
    if agent != "casper02":
        return "", None
    if table == "adaptive":
        return "above −0.10, half-width 0.05", rate.low > -0.10 and (rate.high - rate.low) / 2 <= 0.05
    return "an interval above zero", rate.low > 0


def _differences(laboratory: Laboratory) -> Iterator[Finding]:
    """Differences between the matches of `_rates`, deal by deal."""
    for table, others in TABLES.items():
        for agent, published in (
            ("casper01", ""),
            ("casper-general", "0.29 against 0.22 sb/h among people (numbers of hands not printed)"),
            ("casper-general-play", ""),
        ):
            matches = laboratory.sized(MATCHES[agent], 2)
            deals = matches * laboratory.sized(DEALS, 2)
            difference = laboratory.difference(
                f"casper {table}", GAME, ["casper02", *others], agent, deals=deals, matches=matches
            )
            yield Finding(f"casper02 over {agent} at the {table} table", str(difference), published)


def _misses(laboratory: Laboratory) -> Iterator[Finding]:
    """How often no case before the flop was similar enough, per 10,000 hands as in the paper."""
    count = laboratory.sized(2000, 20)
    for table, others in TABLES.items():
        missed = {}
        for name, published in MISSED[table].items():
            found = laboratory.noted(
                f"misses of {name} {fingerprint(name, trusted=True)} at the {table} table",
                partial(_missed_preflop, name, others, count, laboratory.seed),
            )
            missed[name] = found
            asks = name == "casper02"
            yield Occurrences(found, count).finding(
                f"{name} at the {table} table: misses before the flop in {published.hands:,} hands",
                published,
                asked="fewer than casper01" if asks else "",
                holds=missed["casper02"] < missed["casper01"] if asks else None,
            )


def _missed_preflop(name: str, others: tuple[str, ...], count: int, seed: str) -> int:
    seats, root = (name, *others), Stream.from_seed(f"misses {seed}")
    agents = seated(GAME, seats, f"misses {seed}")
    for _ in played_by(GAME, agents, labels_of(seats), count, root):
        pass
    casper = agents[0]
    assert isinstance(casper, Casper)
    return casper.misses_["preflop"]


EXPERIMENTS = (
    Experiment(
        name="casper-tables",
        paper="casper-2007 §7, casper-2008 §VII",
        claim="CASPER roughly breaks even among Pokibots and Simbots, and wins among Jagbots with enough cases; "
        "weights found by evolution win a little less than hand-picked ones.",
        setup="Nine-handed $10/$20 limit, duplicate deals in all nine rotations, one CASPER among eight others. "
        "Differences are between matches of 150 deals, which are the same for all.",
        run=_tables,
    ),
    Experiment(
        name="casper-misses",
        paper="casper-2007 §7",
        claim="With more cases there are fewer situations without a similar one.",
        setup="Nine-handed limit: how often a CASPER finds nothing above the threshold before the flop.",
        run=_misses,
    ),
)
