"""What `railbird train-network` does: hands into a network."""

from dataclasses import dataclass
from pathlib import Path

from railbird.bayes.xdsl.files import write_xdsl
from railbird.cli.tasks.importing import Refused
from railbird.cli.tasks.sources import Sources
from railbird.cli.views.progress import byte_bar
from railbird.engine.actions import ActionError
from railbird.learning.networks import Trainer, Training, TrainingError
from railbird.learning.recipes import WatchedFile
from railbird.notation.files import STANDARD_INPUT
from railbird.notation.formats import format_named
from railbird.notation.game_names import find_game
from railbird.notation.reading import BadHand
from railbird.opponents.network.group_files import group_path, write_groups
from railbird.opponents.network.nodes import Variant
from railbird.opponents.network.rows import Who
from railbird.spec import unknown

_VARIANTS = tuple(name.replace("_", "-") for name in Variant.__slots__)


@dataclass(frozen=True, slots=True)
class Order:
    """What `railbird train-network` was asked to do."""

    logs: tuple[str, ...]
    output: Path
    variant: str
    who: str
    expectation: bool
    pseudo_count: float
    backing: float
    groups: int
    from_format: str | None
    game: str | None
    encoding: str
    force: bool

    def training(self) -> Training:
        """How the network is learnt."""
        return Training(
            variant_named(self.variant),
            who_named(self.who),
            self.expectation,
            self.pseudo_count,
            self.backing,
        )

    def sources(self) -> Sources:
        """What is read."""
        return Sources(
            self.logs,
            None if self.from_format is None else format_named(self.from_format),
            None if self.game is None else find_game(self.game),
            self.encoding,
        )


def variant_named(text: str) -> Variant:
    """The variant with these additions, named with commas between."""
    chosen = [name.strip() for name in text.split(",") if name.strip()]
    for name in chosen:
        if name not in _VARIANTS:
            raise unknown("addition to the network", name, _VARIANTS)
    return Variant(**{name.replace("-", "_"): True for name in chosen})


def who_named(text: str) -> Who:
    """Whose rows are learnt from."""
    try:
        return Who(text)
    except ValueError:
        raise unknown("group of players to learn from", text, [each.value for each in Who]) from None


def run(order: Order) -> None:
    """Learn from the hands of all files, write the network and say what came of it."""
    trainer, sources = Trainer(order.training()), order.sources()
    files, _ = sources.files()
    if STANDARD_INPUT in files:
        raise TrainingError(
            "the standard input cannot be learnt from: a network keeps the hash of every source"
        )
    outputs = [order.output, *(group_path(order.output, number + 1) for number in range(order.groups))]
    for output in outputs:
        if output.exists() and not order.force:
            raise TrainingError(f"{output}: exists already: --force writes over it")
    watched = {str(Path(file)): WatchedFile.of(Path(file)) for file in files}
    refused = Refused()
    with byte_bar("learning") as listen:
        for found in sources.hands(listen):
            file = watched[found.source]
            reason = found.reading.reason if isinstance(found.reading, BadHand) else None
            if not isinstance(found.reading, BadHand):
                try:
                    trainer.add(found.reading)
                except (ActionError, ValueError) as error:
                    reason = str(error)
            if reason is None:
                file.hands += 1
            else:
                file.bad += 1
                refused.note(f"{found.source}, line {found.line}", reason)
    network = trainer.network()
    groups = trainer.groups(order.groups, network) if order.groups else ()
    told = [
        {"name": file.name, "sha256": file.digest, "hands": file.hands, "bad": file.bad}
        for file in watched.values()
    ]
    recipe = trainer.recipe(told)
    write_xdsl(order.output, network, recipe)
    write_groups(order.output, groups, recipe)
    rows = len(trainer.rows())
    print(f"{trainer.hands:,} hands, {rows:,} rows of players learnt from ({order.who})")
    if trainer.other_games:
        print(f"{trainer.other_games:,} hands of other games left out")
    numbers = sum(table.size for table in network.tables.values())
    print(f"{order.output}: {len(network.structure.variables)} nodes, {numbers:,} probabilities")
    for output, group in zip(outputs[1:], groups, strict=True):
        print(
            f"{output}: {group.players:,} players with VPIP {group.centre.vpip:.0f} %, PFR {group.centre.pfr:.0f} %, "
            f"aggression {group.centre.aggression:.0f} %, {group.rows:,} rows"
        )
    refused.tell("could not be read")
