"""What `railbird evolve` does: an evolution with a bar, the weights with their recipe, a table and a figure."""

import shlex
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from railbird import __version__
from railbird.agents.casper.attributes import STAGES
from railbird.agents.casper.cases import SYSTEM, similarity
from railbird.arena.results.figures import FigureError, save
from railbird.arena.run.journal import journal_beside
from railbird.arena.run.workers import check_workers
from railbird.cbr.weights import format_weights
from railbird.cli.views.archive import print_table
from railbird.cli.views.progress import bar, tell_of_compiling
from railbird.learning.evolve.convergence import convergence
from railbird.learning.evolve.evolution import EvolutionError, Lineage, evolve, found_weights
from railbird.learning.evolve.objectives import Imitation, Objective, Play, digest_of, split_pack
from railbird.learning.evolve.trials import TrialJournal, Weights
from railbird.learning.imitation import Agreement, agreement
from railbird.places import write_whole
from railbird.spec import split_specs, unknown

OBJECTIVES = ("imitation", "play")
_TRIED = ".tried"
_GAME, _DEALS, _AGENT, _TARGETS = "limit-9max", 100, "casper", 1000


@dataclass(frozen=True, slots=True)
class Order:
    """What `railbird evolve` was asked to do; what was not said is None."""

    system: str
    pack: Path
    output: Path
    objective: str
    table: str | None
    game: str | None
    deals: int | None
    agent: str | None
    targets: int | None
    generations: int
    population: int | None
    seed: str
    workers: str
    figure: Path | None
    force: bool

    @property
    def tried(self) -> Path:
        """The folder of weights that are being tried."""
        return self.output.with_name(self.output.name + _TRIED)

    def chosen_objective(self) -> Objective:
        """What the weights are for; options of the other objective are refused."""
        if self.objective == "imitation":
            self._refuse(table=self.table, game=self.game, deals=self.deals, agent=self.agent)
            return Imitation.of(self.pack, self.targets or _TARGETS)
        self._refuse(targets=self.targets)
        if self.table is None:
            raise EvolutionError("to evolve by play, --table names the other players")
        play = Play(
            agent=self.agent or _AGENT,
            pack=self.pack,
            game=self.game or _GAME,
            table=tuple(split_specs(self.table)),
            deals=self.deals or _DEALS,
            seed=self.seed,
            folder=self.tried,
        )
        play.verify()
        return play

    def _refuse(self, **options: object) -> None:
        for name, value in options.items():
            if value is not None:
                raise EvolutionError(f"--{name} does not belong to the objective {self.objective}")

    def verify(self) -> None:
        """Refuse what can be known to go wrong before anything is tried."""
        if self.system != SYSTEM:
            raise unknown("system whose weights evolve", self.system, [SYSTEM])
        if self.objective not in OBJECTIVES:
            raise unknown("objective", self.objective, OBJECTIVES)
        check_workers(self.workers)
        if self.output.suffix != ".toml":
            raise EvolutionError(f"{self.output}: weights are kept in a .toml file")
        if self.figure is not None and self.figure.suffix not in (".png", ".svg"):
            raise FigureError(f"{self.figure} is neither .png nor .svg, the two kinds of figures")
        for path in (self.output, self.figure):
            if path is not None and path.is_dir():
                raise EvolutionError(f"{path}: is a folder, but a file is to be written")
            if path is not None and not path.parent.is_dir():
                raise EvolutionError(f"{path.parent} is not a folder to write {path.name} into")
        if self.output.exists() and not self.force and not journal_beside(self.output).exists():
            raise EvolutionError(f"{self.output}: exists already: --force writes over it")


def run(order: Order) -> None:
    """Let weights evolve, write them and say what came of it."""
    order.verify()
    objective = order.chosen_objective()
    # A pack that cannot be used is told before a journal is begun.
    parts, _ = split_pack(order.pack), objective.blocks()
    evolution = {
        "system": order.system,
        "seed": order.seed,
        "population": order.population,
        "version": __version__,
        **objective.identity(),
    }
    tell_of_compiling()
    with (
        TrialJournal(journal_beside(order.output), evolution) as journal,
        bar(f"evolving by {order.objective}") as progress,
    ):
        lineages = evolve(
            objective,
            journal,
            generations=order.generations,
            population=order.population,
            seed=order.seed,
            workers=order.workers,
            progress=progress,
        )
    weights = found_weights(lineages)
    both = [
        agreement(parts.cases, parts.held_out, {stage: similarity(stage, of.get(stage)) for stage in STAGES})
        for of in ({}, weights)
    ]
    text = _recipe(order, objective, lineages) + format_weights(weights)
    write_whole(order.output, lambda file: file.write(text.encode()))
    shutil.rmtree(order.tried, ignore_errors=True)
    if order.figure is not None:
        save(convergence(lineages, objective.unit), order.figure)
    console = Console(highlight=False, soft_wrap=True)
    _show_lineages(objective, lineages, console)
    _show_agreement(both[0], both[1], console)
    console.print(f"\n{_written(weights)} written to {order.output}", markup=False)


def _recipe(order: Order, objective: Objective, lineages: Sequence[Lineage]) -> str:
    """How the weights were found, as comments."""
    command = [word for word in sys.argv[1:] if word != "--force"]
    lines = [
        f"Weights of {order.system}, found by evolution with railbird {__version__}:",
        shlex.join(["railbird", *command]),
        f"{order.pack.name} has the SHA-256 {digest_of(order.pack)}",
    ]
    for lineage in lineages:
        start, found = lineage.start, lineage.found
        lines.append(
            f"{', '.join(lineage.stages)}: {objective.unit} {found.loss:.4f} in generation {found.number} of "
            f"{lineage.generations[-1].number}, held out {found.held_out:.4f}; "
            f"hand-picked {start.loss:.4f}, held out {start.held_out:.4f}"
        )
    return "".join(f"# {line}\n" for line in lines) + "\n"


def _table(*headings: str) -> Table:
    table = Table(headings[0], box=None, padding=(0, 2, 0, 0))
    for heading in headings[1:]:
        table.add_column(heading, justify="right")
    return table


def _show_lineages(objective: Objective, lineages: Sequence[Lineage], console: Console) -> None:
    table = _table(objective.unit, "hand-picked", "found", "generation", "held out: hand-picked", "found")
    for lineage in lineages:
        start, found = lineage.start, lineage.found
        table.add_row(
            ", ".join(lineage.stages),
            f"{start.loss:.4f}",
            f"{found.loss:.4f}",
            f"{found.number} of {lineage.generations[-1].number}",
            f"{start.held_out:.4f}",
            f"{found.held_out:.4f}",
        )
    print_table(table, console)


def _show_agreement(
    hand_picked: Mapping[str, Agreement], found: Mapping[str, Agreement], console: Console
) -> None:
    """Both weights on all decisions that were held out, beside what is usual."""
    console.print("\nEvery decision that was held out: likeliest action right, log-loss, none similar enough")
    table = _table("", "decisions", "usual", "", "hand-picked", "", "", "found", "", "")
    for stage, first in hand_picked.items():
        usual = f"{first.usual.right:.1%}", f"{first.usual.log_loss:.4f}"
        both = [
            (f"{each.right:.1%}", f"{each.log_loss:.4f}", f"{each.missed:.1%}")
            for each in (first, found[stage])
        ]
        table.add_row(stage, f"{first.count:,}", *usual, *both[0], *both[1])
    print_table(table, console)


def _written(weights: Weights) -> str:
    count = sum(map(len, weights.values()))
    return f"{count} weights of {', '.join(weights)}"
