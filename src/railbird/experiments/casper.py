"""casper-2007 and casper-2008: what CASPER wins at the two tables, and how well it agrees with those it watched."""

from collections.abc import Iterator

from railbird.agents.casper import Casper, pack_path
from railbird.casper_cases import similarity
from railbird.cbr.packs import Pack, read_pack
from railbird.engine.record import HandRecord
from railbird.experiments.experiment import Experiment, Finding, Laboratory
from railbird.experiments.played_hands import hands
from railbird.features.casper import STAGES
from railbird.learning.imitation import agreement
from railbird.learning.systems import system_named
from railbird.learning.watching import Watcher

GAME = "limit-9max"
ADAPTIVE = (*["pokibot"] * 4, *["simbot:trials=100"] * 4)
LOOSE = ("jagbot", "jagbot:profile=loose", "jagbot:profile=maniac", *["jagbot"] * 5)
TEACHERS = ("pokibot",) * 9
"""The table whose hands the pack that comes with the package was watched from."""

PUBLISHED = {
    "adaptive": {"random": "-1.67 sb/h", "casper": "-0.009 sb/h from 7,000 hands, +0.004 from 13,000"},
    "loose": {"random": "-1.49 sb/h", "casper": "-0.09 sb/h from 7,000 hands, +0.03 from 13,000"},
}


def _tables(laboratory: Laboratory) -> Iterator[Finding]:
    for table, others in (("adaptive", ADAPTIVE), ("loose", LOOSE)):
        for agent in ("random", "casper"):
            deals = 150 if agent == "random" else 2000
            rate = laboratory.rate(
                f"casper {table}",
                GAME,
                [agent, *others],
                deals=laboratory.sized(deals, 5),
                matches=laboratory.sized(3 if agent == "random" else 10, 1),
            )
            is_random = agent == "random"
            yield Finding(
                f"{agent} at the {table} table",
                str(rate),
                PUBLISHED[table][agent],
                "an interval below −0.5 sb/h" if is_random else "",
                rate.high < -0.5 if is_random else None,
            )


def watched_table(agents: tuple[str, ...], count: int, seed: str) -> Pack:
    """A pack of the decisions of everybody at a table, over so many hands."""
    watcher = Watcher(system_named("casper"))
    for hand in hands(GAME, agents, count, seed):
        record = HandRecord.of(hand.state, hand.labels, f"{seed}-{hand.number}")
        watcher.add(record, "experiment")
    return watcher.pack({})


def _agreement(laboratory: Laboratory) -> Iterator[Finding]:
    held_out = watched_table(TEACHERS, laboratory.sized(1000, 20), f"held out {laboratory.seed}")
    similarities = {stage: similarity(stage) for stage in STAGES}
    found = agreement(
        read_pack(pack_path(Casper().pack)), held_out, similarities, most=laboratory.sized(3000, 100)
    )
    for stage, each in found.items():
        yield Finding(
            f"{stage}: {each.count:,} decisions from {each.cases:,} cases",
            f"{each.right:.1%} right, log-loss {each.log_loss:.3f}, {each.missed:.1%} below the threshold; what is "
            f"usual: {each.usual.right:.1%}, {each.usual.log_loss:.3f}",
            "",
            "better than what is usual with, and without, a bet to call",
            each.right > each.usual.right and each.log_loss < each.usual.log_loss,
        )


EXPERIMENTS = (
    Experiment(
        name="casper-agreement",
        paper="casper-2007 §6",
        claim="CASPER decides as those did whom it watched.",
        setup="Decisions of nine Pokibots in hands that nobody watched, predicted from the pack that comes with the "
        "package.",
        run=_agreement,
    ),
    Experiment(
        name="casper-tables",
        paper="casper-2007 §7, casper-2008 §VII",
        claim="Among Pokibots and Simbots CASPER about breaks even, among Jagbots it wins with enough cases.",
        setup="Nine-handed $10/$20 limit, duplicate deals in all nine rotations, one CASPER among eight others.",
        run=_tables,
    ),
)
