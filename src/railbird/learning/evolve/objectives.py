"""The objectives of an evolution: to imitate better, or to win more; both are losses to be minimised.

- `Imitation`: the log-loss of watched decisions (`imitation`). The weights of one stage do not affect another, so every
  stage evolves separately.
- `Play`: the losses per hand at a table, over deals that are the same for all weights, with the agent in every seat.
  All stages evolve together.

A loss is measured twice: on the decisions or deals by which weights are chosen, and on held-out ones.
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
from railbird.arena.play.match import Partial
from railbird.arena.play.plan import Duplicate, Entrant, MatchPlan, PlanError, entrants_of
from railbird.arena.results.rates import Rate
from railbird.arena.run.experiment import Progress, run_matches
from railbird.arena.run.workers import run_jobs
from railbird.cbr.case_base import CaseBase
from railbird.cbr.packs.files import PackError, read_pack
from railbird.cbr.weights import format_weights
from railbird.learning.evolve.trials import Trial
from railbird.learning.evolve.weighted import weighted_system
from railbird.learning.imitation import ImitationError, Split, Targets, predict, split
from railbird.notation.game_names import find_game
from railbird.places import without_passwords, write_whole

Take: TypeAlias = Callable[[int, float], None]
"""Takes the number of a trial and its loss."""
CANDIDATE = "candidate"
"""The label of the player with the weights being tried."""


class Objective(Protocol):
    """The objective of an evolution."""

    @property
    def unit(self) -> str:
        """The unit of its losses."""
        ...

    def blocks(self) -> tuple[tuple[str, ...], ...]:
        """The stages that evolve, grouped into those that evolve together."""
        ...

    def identity(self) -> Mapping[str, Any]:
        """Everything that the losses depend on besides the weights, as plain data."""
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


def split_pack(pack: Path, system: str) -> Split:
    """A pack of a system's cases, split by hands."""
    found = read_pack(pack)
    weighted_system(system).require_pack(found, str(pack))
    try:
        return split(found)
    except ImitationError as error:
        raise ImitationError(f"{pack}: {error}") from None


@dataclass(frozen=True, slots=True)
class Imitation:
    """To predict the decisions of the watched players."""

    pack: Path
    targets: int
    """Maximum number of decisions predicted in each stage, evenly spread."""
    digest: str
    """The digest of the pack: workers on other machines must have the same pack."""
    system: str

    @property
    def unit(self) -> str:
        """The unit of the log-loss."""
        return "log-loss in nats"

    @classmethod
    def of(cls, pack: Path, targets: int, system: str) -> "Imitation":
        """The objective for the present content of the pack."""
        return cls(pack.absolute(), targets, digest_of(pack), system)

    def blocks(self) -> tuple[tuple[str, ...], ...]:
        """Every stage with cases, tuning decisions and held-out decisions, each on its own."""
        found = tuple((stage,) for stage in STAGES if _material(self, stage).is_enough)
        if not found:
            raise ImitationError(f"{self.pack}: has too few hands to choose weights")
        return found

    def identity(self) -> Mapping[str, Any]:
        """The pack and the number of predicted decisions."""
        return {"objective": "imitation", "pack": self.digest, "targets": self.targets}

    def run(self, trials: Sequence[Trial], workers: str, take: Take) -> None:
        """Predict with the weights of every trial."""
        jobs = [ImitationTrial(self, trial) for trial in trials]
        with closing(run_jobs(jobs, workers)) as finished:
            for number, loss in finished:
                take(number, loss)


@dataclass(frozen=True, slots=True)
class ImitationTrial:
    """A trial as a job for a worker."""

    objective: Imitation
    trial: Trial

    def __str__(self) -> str:
        return f"the trial of weights for the {' and '.join(self.trial.weights)}"

    def play(self, tell: Callable[[Partial], None] | None = None) -> float:  # noqa: ARG002
        """The mean of the stages' log-losses."""
        losses, system = [], weighted_system(self.objective.system)
        for stage, weights in self.trial.weights.items():
            material = _material(self.objective, stage)
            targets = material.held_out if self.trial.held_out else material.tuning
            similarity, policy = system.table.similarity(stage, weights), system.retrieval(stage)
            losses.append(predict(material.cases, targets, similarity, policy).log_loss)
        return sum(losses) / len(losses)


@dataclass(frozen=True, slots=True)
class _Material:
    """The data shared by all trials of one stage."""

    cases: CaseBase
    tuning: Targets
    held_out: Targets

    @property
    def is_enough(self) -> bool:
        return bool(len(self.cases) and len(self.tuning) and len(self.held_out))


@lru_cache(maxsize=len(STAGES))
def _material(objective: Imitation, stage: str) -> _Material:
    parts = _split_of(objective.pack, objective.digest, objective.system)
    cases = parts.cases.bases[stage]
    if len(cases):
        # The tree is laid out for the hand-picked weights, regardless of which are tried first.
        cases.index(cases.measure(weighted_system(objective.system).table.similarity(stage)))
    tuning, held_out = (
        Targets.of(pack.bases[stage], objective.targets) for pack in (parts.tuning, parts.held_out)
    )
    return _Material(cases, tuning, held_out)


@lru_cache(maxsize=1)
def _split_of(pack: Path, digest: str, system: str) -> Split:
    if digest_of(pack) != digest:
        raise PackError(f"{pack}: differs from the pack with which the evolution began")
    return split_pack(pack, system)


@dataclass(frozen=True, slots=True)
class Play:
    """To win at a table."""

    agent: str
    """The agent that plays with the weights; it must have the parameters pack and weights."""
    pack: Path
    game: str
    table: tuple[str, ...]
    """The other players."""
    deals: int
    """The number of deals; each is played once per seat."""
    seed: str
    folder: Path
    """The folder of weights being tried."""

    @property
    def unit(self) -> str:
        """The unit of losses per hand."""
        return f"lost {find_game(self.game).unit}"

    def verify(self) -> None:
        """Refuse a table at which the game cannot be played."""
        rules = find_game(self.game)
        if len(self.table) + 1 != rules.players:
            raise PlanError(
                f"{self.game} has {rules.players} seats: besides the agent whose weights are tried, "
                f"{rules.players - 1} other players are needed, but {len(self.table)} were given"
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
            [entrant.label, without_passwords(entrant.agent), entrant.files]
            for entrant in entrants_of(self.table, trusted=True)
        ]
        return {
            "objective": "play",
            "agent": without_passwords(self.agent),
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
