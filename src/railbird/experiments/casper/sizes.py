"""How often CASPER finds a similar case at tables of two to nine players."""

from collections.abc import Iterator
from functools import partial

from railbird.agent import fingerprint
from railbird.agents.casper.agent import Casper
from railbird.agents.casper.attributes import STAGES
from railbird.experiments.frame import Experiment, Finding, Laboratory
from railbird.experiments.played_hands import labels_of, played_by, seated
from railbird.experiments.published import Portion
from railbird.explanation.formats import format_percent
from railbird.rng import Stream

SIZES = tuple(range(2, 10))
BOTS = ("simbot:trials=100", "pokibot", "simbot:trials=100,policy=formula", "pokibot") * 2
"""The other players: the first ones at a smaller table."""
MOST_MISSES = 0.1
"""Share of decisions before the flop without a similar case that casper02 must not reach at any size."""


def game_of(players: int) -> str:
    """Limit hold'em with CASPER's cap of five bets (casper-2007 §3)."""
    return f"limit-{players}{'p' if players < 4 else 'max'}:cap=5"


def _misses(laboratory: Laboratory) -> Iterator[Finding]:
    count = laboratory.sized(500, 5)
    for agent in ("casper01", "casper02"):
        for players in SIZES:
            what = f"{agent} at a table of {players}"
            decisions, misses = laboratory.noted(
                f"misses of {agent} {fingerprint(agent, trusted=True)} at a table of {players}",
                partial(_missed, agent, players, count, laboratory.seed),
            )
            shares = {
                stage: Portion(misses[stage] / decisions[stage], decisions[stage])
                for stage in STAGES
                if decisions[stage]
            }
            yield Finding(
                f"{what}: decisions without a similar case",
                f"{', '.join(f'{stage} {share}' for stage, share in shares.items())} ({count:,} hands)",
                "",
                f"below {format_percent(MOST_MISSES)} before the flop" if agent == "casper02" else "",
                shares["preflop"].share < MOST_MISSES if agent == "casper02" else None,
            )


def _missed(agent: str, players: int, count: int, seed: str) -> list[dict[str, int]]:
    """By stage, the number of decisions, and of those without a case above the threshold."""
    seats, root = (agent, *BOTS[: players - 1]), f"misses {players} {seed}"
    seated_agents = seated(game_of(players), seats, root)
    for _ in played_by(game_of(players), seated_agents, labels_of(seats), count, Stream.from_seed(root)):
        pass
    casper = seated_agents[0]
    assert isinstance(casper, Casper)
    return [dict(casper.decisions_), dict(casper.misses_)]


EXPERIMENTS = (
    Experiment(
        name="casper-sizes",
        paper="casper-2007 §8, casper-2008 §VII",
        claim="CASPER finds similar cases at tables of all sizes.",
        setup="Limit with a cap of five bets: 500 hands among Pokibots and Simbots at every size from two to nine.",
        run=_misses,
    ),
)
