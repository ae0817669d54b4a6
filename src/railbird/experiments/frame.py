"""The frame of an experiment: a claim, a set-up, and findings, each beside what was published.

An experiment asks its `Laboratory` for matches. What a laboratory has finished is in its journal, so an experiment that
was stopped goes on where it was, and its findings depend on the seed alone, except where a finding says that it is a
duration.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import add
from typing import TypeAlias, TypeVar, cast

from railbird.arena.play.match import MatchResult
from railbird.arena.play.plan import Duplicate, MatchPlan, entrants_of
from railbird.arena.results.rates import Rate
from railbird.arena.results.tally import Tally
from railbird.arena.run.experiment import Progress, run_matches
from railbird.arena.run.journal import Journal
from railbird.notation.game_names import find_game
from railbird.rng import Stream

Note = TypeVar("Note")


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was measured."""

    what: str
    measured: str
    published: str = ""
    """What the paper says, where it says something."""
    asked: str = ""
    """What must hold here, where something must."""
    holds: bool | None = None
    """Whether it does."""


@dataclass(frozen=True, slots=True)
class Laboratory:
    """Where an experiment is run: its seed, its size, and who does the work."""

    seed: str = "1"
    quick: bool = False
    """Far fewer hands: to see that an experiment runs, not what it finds."""
    workers: str = "1"
    journal: Journal | None = None
    progress: Callable[[int, int], None] | None = field(default=None, compare=False)

    def sized(self, full: int, quick: int) -> int:
        """A number of hands, deals or decisions."""
        return quick if self.quick else full

    def stream(self, *names: str | int) -> Stream:
        """Randomness for what is no match."""
        return Stream.from_seed(self.seed).child("experiment", *names)

    def matches(
        self, name: str, game: str, agents: Sequence[str], *, deals: int, matches: int
    ) -> list[MatchResult]:
        """Matches over duplicate deals in which everybody has every seat.

        Players know each other for one match only; the same name and seed give the same deals to other agents.
        """
        plans = [
            MatchPlan(
                game=game,
                entrants=entrants_of(agents, trusted=True),
                hands=max(1, deals // matches),
                seed=self.seed,
                name=("experiment", name, number),
                duplicate=Duplicate.ROTATIONS,
            )
            for number in range(matches)
        ]
        results = run_matches(plans, self.workers, self.journal, self._listen)
        for result in results:
            if result.faults:
                raise ValueError(f"{name}: {result.faults[0]}")
        return list(results)

    def rate(
        self, name: str, game: str, agents: Sequence[str], *, deals: int, matches: int, place: int = 0
    ) -> Rate:
        """What the agent at one place of a table wins in such matches."""
        results = self.matches(name, game, agents, deals=deals, matches=matches)
        tally: Tally = reduce(add, (result.tally for result in results))
        weights = [int(seat == place) for seat in range(len(agents))]
        return Rate.from_tally(find_game(game), tally, weights)

    def difference(
        self, name: str, game: str, agents: Sequence[str], instead: str, *, deals: int, matches: int
    ) -> Rate:
        """What the first agent of a table wins more than another one in its place, on the same deals.

        The unit of the interval is a match, since only its sums are kept.
        """
        first, second = (
            self.matches(name, game, [agent, *agents[1:]], deals=deals, matches=matches)
            for agent in (agents[0], instead)
        )
        tally = Tally.of(
            [
                (one.tally.totals[0] - other.tally.totals[0],)
                for one, other in zip(first, second, strict=True)
            ],
            first[0].tally.hands,
        )
        return Rate.from_tally(find_game(game), tally, [1])

    def noted(self, name: str, make: Callable[[], Note]) -> Note:
        """Plain data that took long to make, from the journal if it is there.

        The name says everything that the data depends on beside the seed and the size.
        """
        if self.journal is None:
            return make()
        found = self.journal.note(name)
        if found is None:
            found = make()
            self.journal.add_note(name, found)
        return cast(Note, found)

    def _listen(self, progress: Progress) -> None:
        if self.progress is not None:
            self.progress(progress.hands, progress.all_hands)


Run: TypeAlias = Callable[[Laboratory], Iterator[Finding]]


@dataclass(frozen=True, slots=True)
class Experiment:
    """A claim of a paper and how to see whether it holds here."""

    name: str
    paper: str
    claim: str
    setup: str
    run: Run
