"""`train_network`: a Bayesian network that reads opponents, learnt from files of hands."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from railbird.bayes.network import Network
from railbird.bayes.xdsl.files import write_xdsl
from railbird.frames import data_frame
from railbird.learning.networks import BACKING, PSEUDO_COUNT, Trainer, Training, TrainingError
from railbird.learning.reading import read_into
from railbird.notation.files import STANDARD_INPUT
from railbird.notation.refusals import Refused, refused_beside
from railbird.notation.sources import Listen, Names, Sources
from railbird.opponents.network.group_files import group_path, write_groups
from railbird.opponents.network.groups import PlayerGroup
from railbird.opponents.network.nodes import Variant
from railbird.opponents.network.rows import Who
from railbird.places import require_output
from railbird.spec import unknown

if TYPE_CHECKING:
    import polars as pl

_VARIANTS = tuple(name.replace("_", "-") for name in Variant.__slots__)


@dataclass(frozen=True, slots=True)
class TrainedNetwork:
    """The result of training."""

    network: Network
    groups: tuple[PlayerGroup, ...]
    """Groups of players by their styles, each with its own network."""
    outputs: tuple[Path, ...]
    """The files: the network, then those of the groups."""
    trainer: Trainer
    """The learner with its counts."""
    recipe: dict[str, Any]
    refused: Refused
    """Hands that could not be read."""

    def to_json(self) -> dict[str, Any]:
        """The origin of the network, as plain data."""
        return self.recipe

    def to_frame(self) -> "pl.DataFrame":
        """The training rows, with the state of each node; null if unknown."""
        variables = self.network.structure.variables
        rows = [
            [
                variable.states[code] if code >= 0 else None
                for variable, code in zip(variables, row, strict=True)
            ]
            for row in self.trainer.rows().tolist()
        ]
        return data_frame(rows, [variable.name for variable in variables])


def train_network(
    logs: Names,
    *,
    output: Path | str | None = None,
    variant: str = "",
    who: str = Who.SHOWDOWN.value,
    expectation: bool = False,
    pseudo_count: float = PSEUDO_COUNT,
    backing: float = BACKING,
    groups: int = 0,
    digits: int | None = None,
    from_format: str | None = None,
    game: str | None = None,
    encoding: str = "auto",
    force: bool = False,
    progress: Listen | None = None,
) -> TrainedNetwork:
    """Learn a Bayesian network that reads opponents: what players hold, given their actions.

    >>> import railbird, tempfile
    >>> log = f"{tempfile.mkdtemp()}/hands.log"
    >>> results = railbird.match(["rulebot", "always-call"], hands=50, seed=1, log=log)
    >>> trained = train_network(log, who="flop")
    >>> trained.to_json()["hands"], trained.to_frame().shape
    (50, (100, 14))

    Args:
        logs: Files or folders of hands, in the order in which they were played.
        output: The network to write, an `.xdsl` file. Hands that cannot be read go to a file beside it, `.bad`.
        variant: Additions, separated by commas: partial, split-call, pot-odds, aggression, folds.
        who: The players to learn from: `"showdown"`, `"flop"` or `"everybody"`.
        expectation: Whether unknown hands are estimated (expectation maximisation) instead of left out.
        pseudo_count: Prior count of each entry of a table.
        backing: Weight, in rows, of the table without the action, on which hands fall back.
        groups: Number of groups of players by style, each with its own network.
        digits: Number of significant digits of written probabilities, at least 5; all by default.
        from_format: The format of the logs; recognised by default.
        game: The game of ACPC logs that do not name it.
        encoding: The encoding of the logs.
        force: Whether existing files are overwritten.
        progress: Called with the number of bytes read and the total number.

    """
    training = Training(variant_named(variant), who_named(who), expectation, pseudo_count, backing)
    trainer, sources = Trainer(training), Sources.named(logs, from_format, game, encoding)
    if STANDARD_INPUT in sources.files():
        raise TrainingError("the standard input cannot be used: a network stores the hash of every source")
    outputs = () if output is None else _outputs(Path(output), groups)
    for path in outputs:
        require_output(path, force=force)
    bad = None if output is None else refused_beside(output)
    read = read_into(lambda record, _: trainer.add(record), sources, progress, ValueError, bad)
    network = trainer.network()
    of_groups = trainer.groups(groups, network) if groups else ()
    recipe = trainer.recipe(
        {"name": file.name, "sha256": file.digest, "hands": file.hands, "bad": file.bad}
        for file in read.files
    )
    if outputs:
        write_xdsl(outputs[0], network, recipe, digits)
        write_groups(outputs[0], of_groups, recipe, digits)
    return TrainedNetwork(network, of_groups, outputs, trainer, recipe, read.refused)


def _outputs(path: Path, groups: int) -> tuple[Path, ...]:
    return path, *(group_path(path, number + 1) for number in range(groups))


def variant_named(text: str) -> Variant:
    """The variant with these additions, separated by commas."""
    chosen = [name.strip() for name in text.split(",") if name.strip()]
    for name in chosen:
        if name not in _VARIANTS:
            raise unknown("addition to the network", name, _VARIANTS)
    return Variant(**{name.replace("-", "_"): True for name in chosen})


def who_named(text: str) -> Who:
    """The players whose rows are used."""
    try:
        return Who(text)
    except ValueError:
        raise unknown("group of players to learn from", text, [each.value for each in Who]) from None
