"""What the papers claim, how it is set up here, and what was measured: a folder for each paper.

- `frame`: an experiment, its findings, and the laboratory that plays its matches
- `running`: running an experiment, and its findings in a file
- `played_hands`: hands between agents with everything that happened, for what matches do not count
- `loki/`: what simulation wins over the formula; what the family knows of its opponents, how it plays
- `casey/`: the learning curve of CASEY, which starts with nothing
- `casper/`: CASPER at two tables, whether it decides as those whom it watched, and one that retains
- `baycarp/`: how well the network reads opponents, what BayCaRP wins, networks for players and groups, structures
"""

from importlib import import_module

from railbird.experiments.frame import Experiment
from railbird.spec import unknown

MODULES = (
    "loki.simulation",
    "loki.opponents",
    "casey.learning_curve",
    "casper.tables",
    "casper.online",
    "baycarp.results",
    "baycarp.players",
    "baycarp.structure",
)


def experiments() -> dict[str, Experiment]:
    """Every experiment by name, in the order of the papers."""
    found: dict[str, Experiment] = {}
    for module in MODULES:
        for experiment in import_module(f"railbird.experiments.{module}").EXPERIMENTS:
            found[experiment.name] = experiment
    return found


def experiment_named(name: str) -> Experiment:
    """The experiment of a name."""
    found = experiments()
    if name not in found:
        raise unknown("experiment", name, found)
    return found[name]
