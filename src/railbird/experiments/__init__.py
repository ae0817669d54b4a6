"""The papers' claims, how they are tested here, and what was measured: a folder for each paper.

- `frame`: an experiment, its findings, and the laboratory that plays its matches
- `published`: published win rates, and how uncertain they are themselves
- `running`: running an experiment, and its findings in a file
- `played_hands`: complete hands between agents, for measures that matches do not record
- `opponent_tables`: the tables of opponents that several experiments share
- `ratings`: how strong the agents are in every game
- `loki/`: the gain of simulation over the formula; the family's opponent models and playing styles
- `casey/`: the learning curve of CASEY, which starts with an empty case base
- `casper/`: CASPER at two tables, at tables of all sizes, its agreement with the players it watched, online learning
- `baycarp/`: how well the network reads opponents, what BayCaRP wins as published and improved, and what its parts
  contribute; the printed example; networks for players and groups, structures
- `sartre/`: single and vector solutions, policies of re-use, ways to describe hands, and strategy switching
- `solving/`: how exploitable solved strategies are
"""

from importlib import import_module

from railbird.experiments.frame import Experiment
from railbird.spec import unknown

MODULES = (
    "loki.simulation",
    "loki.opponents",
    "casey.learning_curve",
    "casper.agreement",
    "casper.tables",
    "casper.sizes",
    "casper.people",
    "casper.online",
    "baycarp.results",
    "baycarp.example",
    "baycarp.play",
    "baycarp.sessions",
    "baycarp.ablation",
    "baycarp.players",
    "baycarp.structure",
    "sartre.solutions",
    "sartre.representations",
    "sartre.switching",
    "sartre.tournaments",
    "solving.curves",
)


def experiments() -> dict[str, Experiment]:
    """Every experiment by name, in the order of the papers."""
    found: dict[str, Experiment] = {}
    for module in MODULES:
        for experiment in import_module(f"railbird.experiments.{module}").EXPERIMENTS:
            found[experiment.name] = experiment
    return found


def experiment_named(name: str) -> Experiment:
    """The experiment with a name."""
    found = experiments()
    if name not in found:
        raise unknown("experiment", name, found)
    return found[name]
