"""baycarp-2011 §8.2.3: is the combination of network and cases better than either of them?

All agents learn from the same hands of the same teachers, have the same attributes and the same reuse policy, and take
the same seat at the same table on the same deals. They differ in one thing each; CBR-BN-2 also has the networks of
groups.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from railbird.arena.results.rates import Rate
from railbird.engine.record import HandRecord
from railbird.experiments.baycarp.results import CALIBRATED, played_records
from railbird.experiments.frame import Experiment, Finding, Laboratory
from railbird.experiments.opponent_tables import THESIS_TABLE
from railbird.learning.packs import watch
from railbird.learning.training import train_network
from railbird.notation.records import format_record
from railbird.opponents.network.beliefs import READINGS

GAME = "limit-9max"
LEARNT = 5_000
"""Number of hands from which everything is learnt."""
GROUPS = 4
"""Number of groups of players."""
HALF_WIDTH = 0.03
"""Required half-width of the interval of a difference, in sb/h."""
DEALS, BATCH, MOST_MATCHES = 100, 20, 200
"""Deals per match, matches between looks, and the maximum number of matches."""
JOINED, CASES, NETWORK = "joined as in the thesis", "cases without the network", "network without cases"


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What was learnt: a network, and packs by the way in which they read ranges."""

    network: Path
    packs: dict[str, Path]

    def agents(self) -> dict[str, str]:
        """The agents that are compared, by what they are; the first is the one that the others differ from."""

        def agent(pack: str = "groups", **parameters: str) -> str:
            told = {"pack": self.packs[pack], "network": self.network, **parameters}
            return f"baycarp2:{','.join(f'{name}={value}' for name, value in told.items())}"

        return {
            JOINED: agent(),
            CASES: agent("all", join="cases"),
            NETWORK: agent(join="network"),
            "BN-CBR-1": agent(join="bn-cbr-1"),
            "CBR-BN-1, network of similar cases": agent(join="cbr-bn-1"),
            "CBR-BN-1, votes adapted by a network": agent(join="cbr-bn-1-adapt"),
            "CBR-BN-1, cases fill in unknown nodes": agent(join="cbr-bn-1-fill"),
            # Nobody shows the 30 hands of a new network within a match, so its cases are the groups' networks.
            "CBR-BN-2, networks of groups": agent(join="cbr-bn-2", players="groups"),
            "strategies for a betting round": agent(solutions="strategies"),
            "a network that adapts to each player": agent(players="adapting"),
            "a network for each group of players": agent(players="groups"),
            "ranges by mass (§8.1.1)": agent("mass"),
            "ranges refined by hand types (§8.1.3)": agent("types"),
            "its own decisions retained": agent(retain="yes"),
        }


def learnt_in(folder: Path, records: list[HandRecord]) -> Knowledge:
    """A network, groups of players, and a pack for every way to read ranges, all from the same hands."""
    log, network = folder / "hands.jsonl", folder / "network.xdsl"
    log.write_text("".join(map(format_record, records)))
    train_network(log, output=network, variant="partial,split-call", who="flop", groups=GROUPS, force=True)
    teachers = [label for label in records[0].players if "simbot" in label]
    packs = {}
    for ranges in READINGS:
        packs[ranges] = folder / f"{ranges}.parquet"
        watch(
            log,
            teachers,
            system=f"baycarp:ranges={ranges}",
            output=packs[ranges],
            network=str(network),
            force=True,
        )
    return Knowledge(network, packs)


def _ablation(laboratory: Laboratory) -> Iterator[Finding]:
    with laboratory.workshop("baycarp-ablation") as folder:
        records = played_records(laboratory, laboratory.sized(LEARNT, 30), CALIBRATED)
        agents = learnt_in(folder, records).agents()
        joined = agents.pop(JOINED)
        most = 0
        for name, agent in agents.items():
            difference, matches = _until_narrow(laboratory, joined, agent)
            most = max(most, matches)
            asked = "an interval above zero" if name == CASES else ""
            yield Finding(f"{name}: won", str(_rate(laboratory, agent, matches)))
            yield Finding(
                f"{JOINED} over {name}, on the same deals",
                str(difference),
                "better than either alone" if name in (CASES, NETWORK) else "",
                asked,
                difference.low > 0 if asked else None,
            )
        yield Finding(f"{JOINED}: won", str(_rate(laboratory, joined, most)))


def _rate(laboratory: Laboratory, agent: str, matches: int) -> Rate:
    deals = matches * _deals(laboratory)
    return laboratory.rate("baycarp", GAME, [agent, *THESIS_TABLE], deals=deals, matches=matches)


def _until_narrow(laboratory: Laboratory, agent: str, instead: str) -> tuple[Rate, int]:
    """The difference of two agents once its interval is narrow enough or enough is played, and the matches played."""
    matches = laboratory.sized(BATCH, 2)
    while True:
        deals = matches * _deals(laboratory)
        table = [agent, *THESIS_TABLE]
        found = laboratory.difference("baycarp", GAME, table, instead, deals=deals, matches=matches)
        narrow = (found.high - found.low) / 2 <= HALF_WIDTH
        if laboratory.quick or narrow or matches >= MOST_MATCHES:
            return found, matches
        matches += BATCH


def _deals(laboratory: Laboratory) -> int:
    return laboratory.sized(DEALS, 1)


EXPERIMENTS = (
    Experiment(
        name="baycarp-ablation",
        paper="baycarp-2011 §8.2.2, §8.2.3",
        claim="The combination of a network and cases performs better than either could on its own.",
        setup="Nine-handed limit with the opponents of baycarp-play. Network, groups and cases of Simbots are "
        "learnt from the same 5,000 hands; every agent votes like baycarp2 and differs from the thesis's join in "
        "one thing, CBR-BN-2 also in having the networks of groups. Duplicate deals in all rotations, the same for "
        "all; each difference until its interval is "
        "± 0.03 sb/h, looked at every 18,000 hands, or 180,000 hands are played.",
        run=_ablation,
    ),
)
