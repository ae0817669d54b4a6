"""Tables 8, 13 and 16 of sartre-2012: a tournament of all agents in each of the three games."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from railbird.arena.results.standings import Crosstable, instant_runoff, total_bankroll
from railbird.arena.run.contest import tournament
from railbird.experiments.frame import Experiment, Finding, Laboratory


@dataclass(frozen=True, slots=True)
class Field:
    """The agents of a tournament, and how often they meet."""

    name: str
    table: str
    """The table of the paper in whose style the result is."""
    game: str
    agents: tuple[str, ...]
    deals: int
    """Number of duplicate deals at every table of agents."""


FIELDS = (
    Field(
        "sartre-tournament-limit",
        "table 8",
        "limit-2p",
        (
            "equilibrium",
            "sartre-2011",
            "sartre-2010",
            "sartre-2009",
            "baycarp2",
            "casper02",
            "pokibot",
            "simbot",
            "always-call",
            "always-raise",
        ),
        3000,
    ),
    Field(
        "sartre-tournament-nolimit",
        "table 13",
        "nolimit-2p",
        ("equilibrium", "sartre-nl", "sartre-nl-2010", "always-call", "always-raise", "random"),
        10_000,
    ),
    Field(
        "sartre-tournament-3p",
        "table 16",
        "limit-3p",
        ("equilibrium", "sartre-3p", "baycarp2", "casper02", "pokibot", "always-call"),
        500,
    ),
)


def _standings(field: Field, laboratory: Laboratory) -> Iterator[Finding]:
    results = tournament(
        field.agents,
        game=field.game,
        hands=laboratory.sized(field.deals, 2),
        seed=laboratory.seed,
        workers=laboratory.workers,
        journal=laboratory.journal,
    )
    labels = [entrant.label for entrant in results.entrants]
    played = [(match.plan.labels, match.tally) for match in results.matches]
    crosstable = Crosstable.of(results.rules, labels, played)
    for title, ranked in (
        ("total bankroll", total_bankroll(crosstable)),
        ("bankroll instant run-off", instant_runoff(crosstable)),
    ):
        for place, standing in enumerate(ranked, start=1):
            yield Finding(f"{title}, {place}", f"{standing.label}: {standing.rate}")


EXPERIMENTS = tuple(
    Experiment(
        name=field.name,
        paper=f"sartre-2012, {field.table}",
        claim="SARTRE is among the best in total bankroll and in the run-off.",
        setup=f"{field.game}: every table of {', '.join(field.agents)}, {field.deals:,} duplicate deals each.",
        run=partial(_standings, field),
    )
    for field in FIELDS
)
