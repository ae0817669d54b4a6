"""What the papers claim, how it is set up here, and what was measured: one module for each paper.

- `experiment`: the frame: an experiment, its findings, and the laboratory that plays its matches
- `report`: findings as a table and as JSON
- `loki`: loki-1999, and what the later papers say of its family; `opponents`: what it knows of others, how it plays
- `casey`: the learning curve of CASEY, which starts with nothing
- `casper`: CASPER at two tables, and whether it decides as those whom it watched; `casper_online`: one that retains
- `baycarp`: how well BayCaRP's network reads opponents, and what BayCaRP wins
- `baycarp_players`: whether networks of their own for players, or for groups of players, read them better
- `baycarp_structure`: the network's structure beside structures that are found in hands
"""

from importlib import import_module

from railbird.experiments.experiment import Experiment
from railbird.spec import unknown

MODULES = (
    "loki",
    "opponents",
    "casey",
    "casper",
    "casper_online",
    "baycarp",
    "baycarp_players",
    "baycarp_structure",
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
