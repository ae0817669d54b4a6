"""The framework of experiments: a claim, a set-up, and findings, each compared with the published result.

An experiment plays its matches through a `Laboratory`. Finished matches are stored in a journal, so that an interrupted
experiment resumes. Its findings depend on the seed alone, except for durations. Rates are adjusted for the luck of the
board, which has no bias and needs a quarter of the hands (`arena.luck.board`).
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import reduce
from math import sqrt
from operator import add
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeAlias, TypeVar, cast

from railbird.agent import make_agent
from railbird.agents.provenance import provenance
from railbird.arena.play.match import MatchResult
from railbird.arena.play.plan import Duplicate, MatchPlan, entrants_of
from railbird.arena.results.rates import Rate
from railbird.arena.results.tally import Tally
from railbird.arena.run.experiment import Progress, run_matches
from railbird.arena.run.journal import Journal
from railbird.notation.game_names import find_game
from railbird.rng import Stream

Note = TypeVar("Note")
DEVIATION_HANDS = 1000
"""Number of hands from which the standard deviation of a hand is estimated, to a few percent."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One measured result."""

    what: str
    measured: str
    published: str = ""
    """The published result, if there is one."""
    asked: str = ""
    """The condition that must hold, if there is one."""
    holds: bool | None = None
    """Whether it does."""
    agrees: bool | None = None
    """Whether it agrees with the published result, given the uncertainty of both; None if that is unknown."""


@dataclass(frozen=True, slots=True)
class Laboratory:
    """The environment of an experiment: its seed, its size, its workers and its journal."""

    seed: str = "1"
    quick: bool = False
    """Whether to play far fewer hands, to check that an experiment runs."""
    workers: str = "1"
    journal: Journal | None = None
    progress: Callable[[int, int], None] | None = field(default=None, compare=False)
    folder: Path | None = None
    """The folder of the findings."""
    provenance: dict[str, str] = field(default_factory=dict, compare=False)
    """Where the knowledge of the agents that played so far comes from; empty for those that learnt nothing."""

    def sized(self, full: int, quick: int) -> int:
        """A number of hands, deals or decisions."""
        return quick if self.quick else full

    def stream(self, *names: str | int) -> Stream:
        """A random stream for anything but matches."""
        return Stream.from_seed(self.seed).child("experiment", *names)

    def matches(
        self,
        name: str,
        game: str,
        agents: Sequence[str],
        *,
        deals: int,
        matches: int,
        duplicate: Duplicate = Duplicate.ROTATIONS,
    ) -> list[MatchResult]:
        """Matches over duplicate deals in which every player takes every seat.

        Opponent models last for one match only; the same name and seed give other agents the same deals.
        """
        self.note_provenance(agents)
        plans = [
            MatchPlan(
                game=game,
                entrants=entrants_of(agents, trusted=True),
                hands=max(1, deals // matches),
                seed=self.seed,
                name=("experiment", name, number),
                duplicate=duplicate,
                without_luck=True,
            )
            for number in range(matches)
        ]
        results = run_matches(plans, self.workers, self.journal, self._listen)
        for result in results:
            if result.faults:
                raise ValueError(f"{name}: {result.faults[0]}")
        return list(results)

    def note_provenance(self, agents: Sequence[str]) -> None:
        """Note where the knowledge of agents comes from, as long as their files are there."""
        for agent in agents:
            if agent not in self.provenance:
                self.provenance[agent] = provenance(agent) if make_agent(agent).files() else ""

    def rate(
        self, name: str, game: str, agents: Sequence[str], *, deals: int, matches: int, place: int = 0
    ) -> Rate:
        """The win rate of the agent at one place of a table in such matches."""
        results = self.matches(name, game, agents, deals=deals, matches=matches)
        weights = [int(seat == place) for seat in range(len(agents))]
        return Rate.from_tally(find_game(game), pooled(results), weights)

    def deviation(self, name: str, game: str, agents: Sequence[str]) -> float:
        """The standard deviation of what the first agent of a table wins in a hand, in the unit of the game."""
        hands, rules = self.sized(DEVIATION_HANDS, 20), find_game(game)
        (result,) = self.matches(
            f"{name} deviation", game, agents, deals=hands, matches=1, duplicate=Duplicate.NONE
        )
        weights = [1, *[0] * (len(agents) - 1)]
        return result.tally.standard_error(weights) * sqrt(result.tally.hands) / rules.unit_chips

    def difference(
        self, name: str, game: str, agents: Sequence[str], instead: str, *, deals: int, matches: int
    ) -> Rate:
        """The win rate of the first agent of a table over another agent in its place, on the same deals.

        The unit of the interval is a match, because only its sums are stored.
        """
        first, second = (
            self.matches(name, game, [agent, *agents[1:]], deals=deals, matches=matches)
            for agent in (agents[0], instead)
        )
        tally = Tally.of(
            [
                (pooled([one]).totals[0] - pooled([other]).totals[0],)
                for one, other in zip(first, second, strict=True)
            ],
            first[0].tally.hands,
        )
        return Rate.from_tally(find_game(game), tally, [1])

    @contextmanager
    def workshop(self, name: str) -> Iterator[Path]:
        """A folder for large files: below the folder of the findings, or a temporary one."""
        if self.folder is None:
            with TemporaryDirectory() as temporary:
                yield Path(temporary)
        else:
            made = self.folder / name
            made.mkdir(parents=True, exist_ok=True)
            yield made

    def noted(self, name: str, make: Callable[[], Note]) -> Note:
        """Plain data that is expensive to compute, from the journal if it is there.

        The name must identify everything that the data depends on besides the seed and the size.
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


def pooled(results: Sequence[MatchResult]) -> Tally:
    """The tally of several matches without the luck of the board."""
    return reduce(add, (result.without_luck for result in results if result.without_luck is not None))


Run: TypeAlias = Callable[[Laboratory], Iterator[Finding]]


@dataclass(frozen=True, slots=True)
class Experiment:
    """A claim of a paper and how it is tested."""

    name: str
    paper: str
    claim: str
    setup: str
    run: Run
