"""What weights are tried for: to imitate better, or to win more. Both are losses, which an evolution makes small.

- `Imitation`: the log-loss of decisions that were watched (`imitation`). What the weights of one stage do does not
  depend on those of another, so every stage evolves by itself.
- `Play`: what CASPER loses per hand at a table, over deals that are the same for all weights, with CASPER in every
  seat. All stages evolve together.

A loss is asked for twice: on the decisions, or deals, by which weights are chosen, and on others that are held out.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Protocol, TypeAlias

from railbird.agent import fingerprint, make_agent
from railbird.agents.casper.attributes import STAGES
from railbird.agents.casper.cases import SYSTEM, TABLE, similarity
from railbird.arena.play.match import Partial
from railbird.arena.play.plan import Duplicate, Entrant, MatchPlan, PlanError, entrants_of
from railbird.arena.results.rates import Rate
from railbird.arena.run.experiment import Progress, run_matches
from railbird.arena.run.workers import run_jobs
from railbird.cbr.case_base import CaseBase
from railbird.cbr.packs.files import PackError, read_pack
from railbird.cbr.weights import format_weights
from railbird.learning.evolve.trials import Trial
from railbird.learning.imitation import ImitationError, Split, Targets, predict, split
from railbird.notation.game_names import find_game
from railbird.places import write_whole

Take: TypeAlias = Callable[[int, float], None]
"""Takes the number of a trial and its loss."""
CANDIDATE = "candidate"
"""The label of whoever plays with the weights that are tried."""


class Objective(Protocol):
    """What weights are tried for."""

    @property
    def unit(self) -> str:
        """Of its losses."""
        ...

    def blocks(self) -> tuple[tuple[str, ...], ...]:
        """Which stages evolve, and which of them together."""
        ...

    def identity(self) -> Mapping[str, Any]:
        """Plain data: all that losses depend on besides the weights."""
        ...

    def run(self, trials: Sequence[Trial], workers: str, take: Take) -> None:
        """Make the trials, in any order."""
        ...


def digest_of(pack: Path) -> str:
    """The SHA-256 of a pack's file."""
    try:
        return sha256(pack.read_bytes()).hexdigest()
    except OSError as error:
        raise PackError(f"{pack}: cannot be read: {error.strerror}") from None


def split_pack(pack: Path) -> Split:
    """A pack of CASPER's cases, taken apart by hands."""
    found = read_pack(pack)
    found.require(SYSTEM, TABLE.schemas, str(pack))
    try:
        return split(found)
    except ImitationError as error:
        raise ImitationError(f"{pack}: {error}") from None


@dataclass(frozen=True, slots=True)
class Imitation:
    """To tell what the watched players did."""

    pack: Path
    targets: int
    """So many decisions of every stage are predicted at most, evenly spread."""
    digest: str
    """Of the pack: workers on other machines must have the same."""

    @property
    def unit(self) -> str:
        """Of surprise."""
        return "log-loss in nats"

    @classmethod
    def of(cls, pack: Path, targets: int) -> "Imitation":
        """On the pack as it is now."""
        return cls(pack.absolute(), targets, digest_of(pack))

    def blocks(self) -> tuple[tuple[str, ...], ...]:
        """Every stage that has cases, and decisions on both sides, by itself."""
        found = tuple((stage,) for stage in STAGES if _material(self, stage).is_enough)
        if not found:
            raise ImitationError(f"{self.pack}: has too few hands to choose weights by")
        return found

    def identity(self) -> Mapping[str, Any]:
        """The pack and how many decisions are predicted."""
        return {"objective": "imitation", "pack": self.digest, "targets": self.targets}

    def run(self, trials: Sequence[Trial], workers: str, take: Take) -> None:
        """Predict with the weights of every trial."""
        jobs = [ImitationTrial(self, trial) for trial in trials]
        with closing(run_jobs(jobs, workers)) as finished:
            for number, loss in finished:
                take(number, loss)


@dataclass(frozen=True, slots=True)
class ImitationTrial:
    """A trial that a worker can make."""

    objective: Imitation
    trial: Trial

    def __str__(self) -> str:
        return f"the trial of weights for the {' and '.join(self.trial.weights)}"

    def play(self, tell: Callable[[Partial], None] | None = None) -> float:  # noqa: ARG002
        """The mean of the stages' log-losses."""
        losses = []
        for stage, weights in self.trial.weights.items():
            material = _material(self.objective, stage)
            targets = material.held_out if self.trial.held_out else material.tuning
            losses.append(predict(material.cases, targets, similarity(stage, weights)).log_loss)
        return sum(losses) / len(losses)


@dataclass(frozen=True, slots=True)
class _Material:
    """What trials of one stage have in common."""

    cases: CaseBase
    tuning: Targets
    held_out: Targets

    @property
    def is_enough(self) -> bool:
        return bool(len(self.cases) and len(self.tuning) and len(self.held_out))


@lru_cache(maxsize=len(STAGES))
def _material(objective: Imitation, stage: str) -> _Material:
    parts = _split_of(objective.pack, objective.digest)
    cases = parts.cases.bases[stage]
    if len(cases):
        # The tree is laid out for the weights that everything begins with, whichever are tried first.
        cases.index(cases.measure(similarity(stage)))
    tuning, held_out = (
        Targets.of(pack.bases[stage], objective.targets) for pack in (parts.tuning, parts.held_out)
    )
    return _Material(cases, tuning, held_out)


@lru_cache(maxsize=1)
def _split_of(pack: Path, digest: str) -> Split:
    if digest_of(pack) != digest:
        raise PackError(f"{pack}: is another pack than the evolution began with")
    return split_pack(pack)


@dataclass(frozen=True, slots=True)
class Play:
    """To win at a table."""

    agent: str
    """Who plays with the weights: an agent with the parameters pack and weights."""
    pack: Path
    game: str
    table: tuple[str, ...]
    """The other players."""
    deals: int
    """Each is played as often as there are seats."""
    seed: str
    folder: Path
    """Where weights are kept while they are tried."""

    @property
    def unit(self) -> str:
        """Of what is lost per hand."""
        return f"lost {find_game(self.game).unit}"

    def verify(self) -> None:
        """Refuse a table at which this cannot be played."""
        rules = find_game(self.game)
        if len(self.table) + 1 != rules.players:
            raise PlanError(
                f"{self.game} has {rules.players} seats: with the one whose weights are tried, "
                f"{rules.players - 1} others play, but {len(self.table)} were named"
            )
        for path in (self.pack, self.folder):
            if "," in str(path.absolute()):
                raise PlanError(f"{path.absolute()}: a path with a comma cannot be a parameter of an agent")
        for agent in (self._agent(None), *self.table):
            make_agent(agent).verify_game(rules)

    def blocks(self) -> tuple[tuple[str, ...], ...]:
        """All stages together."""
        return (STAGES,)

    def identity(self) -> Mapping[str, Any]:
        """The table and its deals."""
        players = [
            [entrant.label, entrant.agent, entrant.files] for entrant in entrants_of(self.table, trusted=True)
        ]
        return {
            "objective": "play",
            "agent": self.agent,
            "agent's files": fingerprint(self.agent, trusted=True),
            "pack": digest_of(self.pack),
            "game": self.game,
            "table": players,
            "deals": self.deals,
        }

    def run(self, trials: Sequence[Trial], workers: str, take: Take) -> None:
        """Play with the weights of every trial."""
        plans = {self._plan(trial): number for number, trial in enumerate(trials)}
        rules = find_game(self.game)

        def listen(progress: Progress) -> None:
            result = progress.latest
            if result is None:
                return
            if result.faults:
                raise PlanError(f"weights cannot be tried at this table: {result.faults[0]}")
            rate = Rate.from_tally(rules, result.tally, [1, *[0] * len(self.table)])
            take(plans[result.plan], -rate.mean)

        run_matches(list(plans), workers, progress=listen)

    def _plan(self, trial: Trial) -> MatchPlan:
        text = format_weights(trial.weights)
        weights = self.folder / f"{sha256(text.encode()).hexdigest()[:16]}.toml"
        write_whole(weights, lambda file: file.write(text.encode()))
        agent = self._agent(weights)
        return MatchPlan(
            game=self.game,
            entrants=(
                Entrant(CANDIDATE, agent, fingerprint(agent, trusted=True)),
                *entrants_of(self.table, trusted=True),
            ),
            hands=self.deals,
            seed=self.seed,
            name=("evolve", "held out" if trial.held_out else "tuning"),
            duplicate=Duplicate.ROTATIONS,
        )

    def _agent(self, weights: Path | None) -> str:
        path, is_file, name = self.agent.rpartition(".py:")
        parameters = f"pack={self.pack.absolute()}"
        if weights is not None:
            parameters += f",weights={weights.absolute()}"
        return f"{path}{is_file}{name}{',' if ':' in name else ':'}{parameters}"
