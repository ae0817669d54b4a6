"""Measuring how strong the agents are: tournaments in every game, whose results are shipped with the package.

1. The field of a game is all agents that play it with some skill. Its members meet at all tables that they can form if
   these are few, otherwise at tables drawn so that everyone plays equally often. All of their winnings count.
2. Every other agent (`OUTSIDE`) sits down with members of the field, drawn in the same way. Only its own winnings
   count.
3. All deals are duplicate: at every table every deal is played in all seatings.

What the numbers mean, and how they become stars, is told in `interfaces.ratings`.
"""

import json
import shlex
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import combinations
from math import comb
from pathlib import Path
from typing import Any

from railbird import __version__
from railbird.agent import agent_names
from railbird.arena.play.match import MatchResult
from railbird.arena.play.plan import Duplicate, MatchPlan, entrants_of
from railbird.arena.results.rates import Estimate, Rate
from railbird.arena.run.experiment import Progress, run_matches
from railbird.arena.run.journal import Journal, journal_beside
from railbird.arena.run.kept_journals import kept_journal
from railbird.engine.games import named_game
from railbird.interfaces.company import VARIANTS, suits
from railbird.interfaces.ratings import SCHEMA
from railbird.places import require_output, write_whole
from railbird.rng import Stream

OUTSIDE = ("always-call", "always-fold", "always-raise", "casey", "random", "people")
"""Agents outside of the field: they do not look at their cards, start without knowledge and play at random, or are
somebody else in every match."""
SEED = "1"
_DIGITS = 4
_QUICK = 20
"""How many times fewer deals a quick run plays."""
_SHARE = 10
"""An agent outside of the field plays at this share of the number of tables."""


@dataclass(frozen=True, slots=True)
class RatedGame:
    """A game and the size of its tournament."""

    game: str
    tables: int
    """Maximum number of tables of the field."""
    deals: int
    """Number of deals at a table."""


GAMES = (
    RatedGame("limit-2p", 200, 200),
    RatedGame("nolimit-2p", 200, 4_000),
    RatedGame("limit-3p", 120, 40),
    RatedGame("limit-6max", 70, 40),
)


def measure_ratings(
    output: Path | None = None,
    *,
    seed: str = SEED,
    quick: bool = False,
    workers: str = "1",
    force: bool = False,
    progress: Callable[[str, int, int], None] | None = None,
    resume: bool = False,
) -> dict[str, Any]:
    """Play all tournaments; returns the ratings as plain data, and writes them to a file.

    Next to the file is a journal: an interrupted measurement resumes. An existing file without a journal is overwritten
    only with `force`. Without a file, `resume` keeps a journal in the user's data folder until the measurement is
    finished.
    """
    if output is not None:
        require_output(output, force=force or journal_beside(output).exists())
    with ExitStack() as opened:
        journal: Journal | None = None
        common = {"experiment": "ratings", "seed": seed, "version": __version__}
        if output is not None:
            journal = opened.enter_context(Journal(journal_beside(output), common))
        elif resume:
            journal = opened.enter_context(kept_journal("rate", common))
        games = {rated.game: _measure(rated, seed, quick, workers, journal, progress) for rated in GAMES}
    found = {
        "schema": SCHEMA,
        "command": shlex.join(["railbird", "rate", *(["--quick"] if quick else []), "--seed", seed]),
        "seed": seed,
        "version": __version__,
        "games": games,
    }
    if output is not None:
        text = json.dumps(found, indent=1) + "\n"
        write_whole(output, lambda file: file.write(text.encode()))
    return found


def _measure(
    rated: RatedGame,
    seed: str,
    quick: bool,
    workers: str,
    journal: Journal | None,
    progress: Callable[[str, int, int], None] | None,
) -> dict[str, Any]:
    rules = named_game(rated.game)
    agents = [agent for agent in (*agent_names(), *VARIANTS) if suits(agent, rules)]
    field = [agent for agent in agents if agent not in OUTSIDE]
    outside = [agent for agent in OUTSIDE if agent in agents]
    players = rules.players
    stream = Stream.from_seed(seed).child("tables", rated.game)
    tables: list[tuple[str, ...]] = list(_tables(field, players, rated.tables, stream.child("field")))
    counted = [frozenset(table) for table in tables]
    for agent in outside:
        company = _tables(field, players - 1, rated.tables // _SHARE, stream.child(agent))
        tables += [(agent, *others) for others in company]
    counted += [frozenset((table[0],)) for table in tables[len(counted) :]]
    plans = [
        MatchPlan(
            game=rated.game,
            entrants=entrants_of(table, trusted=True),
            hands=max(2, rated.deals // (_QUICK if quick else 1)),
            seed=seed,
            name=("rating", rated.game, number),
            duplicate=Duplicate.usual(players),
        )
        for number, table in enumerate(tables)
    ]

    def listen(report: Progress) -> None:
        if progress is not None:
            progress(rated.game, report.hands, report.all_hands)

    results = run_matches(plans, workers, journal, listen)
    for result in results:
        if result.faults:
            raise ValueError(f"{rated.game}: {result.faults[0]}")
    rates = {
        agent: Rate.of(
            rules,
            Estimate.pooled(
                [
                    _estimate(result, agent)
                    for result, names in zip(results, counted, strict=True)
                    if agent in names
                ]
            ),
        )
        for agent in agents
    }
    return {
        "unit": rules.unit,
        "tables": len(tables),
        "deals": plans[0].hands,
        "field": field,
        "agents": {
            agent: {
                "mean": round(rate.mean, _DIGITS),
                "low": round(rate.low, _DIGITS),
                "high": round(rate.high, _DIGITS),
                "hands": rate.hands,
            }
            for agent, rate in sorted(rates.items(), key=lambda each: -each[1].mean)
        },
    }


def _estimate(result: MatchResult, agent: str) -> Estimate:
    """What an agent won in a match."""
    return Estimate.of(result.tally, [int(entrant.agent == agent) for entrant in result.plan.entrants])


def _tables(field: Sequence[str], players: int, most: int, stream: Stream) -> Iterator[tuple[str, ...]]:
    """All tables of this size if there are at most `most`, otherwise that many at which everyone sits equally often."""
    if comb(len(field), players) <= most:
        yield from combinations(field, players)
        return
    generator = stream.generator()
    waiting: list[str] = []
    for _ in range(most):
        if len(waiting) < players:
            order = [field[place] for place in generator.permutation(len(field))]
            # Those who still wait sit down first, next to others.
            waiting += sorted(order, key=waiting.__contains__)
        yield tuple(waiting[:players])
        del waiting[:players]
