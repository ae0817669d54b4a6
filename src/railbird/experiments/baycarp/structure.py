"""baycarp-2011 §5.3.2: the hand-drawn structure compared with structures learnt from the same hands.

Structures are learnt from rows of showdowns, the only complete ones, and arcs must not go back in time. Then the tables
of all structures are counted from all players who saw the flop, and each is tested on its purpose: predicting what
players hold from what they did. The structure that explains all nodes best need not predict hands best, because most
nodes are always known when a hand is queried; so both are measured.
"""

from collections.abc import Iterator, Mapping

import numpy as np

from railbird.bayes.learning.counts import Uniform, count
from railbird.bayes.learning.structures import (
    Constraints,
    HillClimbing,
    Miic,
    Search,
    StructureScore,
    Tabu,
    compare,
    learn_structure,
)
from railbird.bayes.structure import UNKNOWN, Structure
from railbird.experiments.baycarp.results import STAGES, played_records, rows_to_test
from railbird.experiments.frame import Experiment, Finding, Laboratory
from railbird.learning.networks import PSEUDO_COUNT
from railbird.opponents.network.nodes import ACTIONS, BOARDS, HAND_GROUP, HAND_TYPES, PUBLISHED, structure
from railbird.opponents.network.quality import predictions
from railbird.opponents.network.rows import Codes, Who, rows_of_hands

TIERS = (
    ("VPIP", "PFR", "Position"),
    (ACTIONS[0], HAND_GROUP),
    *(tuple(nodes) for nodes in zip(ACTIONS[1:], BOARDS, HAND_TYPES, strict=True)),
)
"""Nodes in temporal order; no node depends on one of a later tier."""
SEARCHES: Mapping[str, Search] = {
    "hill climbing, BIC": HillClimbing(StructureScore.BIC),
    "hill climbing, BDeu": HillClimbing(StructureScore.BDEU),
    "tabu, BIC": Tabu(StructureScore.BIC),
    "MIIC": Miic(),
}
AS_PUBLISHED = "as published"
NO_ARCS = "no arcs"


def complete(rows: Codes) -> Codes:
    """The rows without unknown states."""
    found: Codes = rows[(rows != UNKNOWN).all(axis=1)]
    return found


def found_structures(rows: Codes) -> dict[str, Structure]:
    """The published structure, one without arcs, and those that every search finds in complete rows."""
    published = structure(PUBLISHED)
    found = {AS_PUBLISHED: published, NO_ARCS: Structure(published.variables)}
    for name, search in SEARCHES.items():
        found[name] = learn_structure(
            published.variables, rows, search=search, constraints=Constraints(tiers=TIERS)
        )
    return found


def _structures(laboratory: Laboratory) -> Iterator[Finding]:
    learnt, tested = laboratory.sized(5000, 120), laboratory.sized(1000, 40)
    records = played_records(laboratory, learnt + tested)
    shown, everybody = (rows_of_hands(records[:learnt], PUBLISHED, who) for who in (Who.SHOWDOWN, Who.FLOP))
    tests = rows_to_test(records, learnt, PUBLISHED)
    rows = complete(shown)
    structures = found_structures(rows)
    prior = Uniform(PSEUDO_COUNT)
    fits = {each.name: each for each in compare(structures, rows, complete(tests[Who.SHOWDOWN]), prior)}
    losses: dict[str, list[float]] = {}
    for name, each in structures.items():
        network = count(each, everybody, prior=prior)
        told = [
            predictions(network, tests[Who.SHOWDOWN if stage == 3 else Who.FLOP], stage) for stage in range(4)
        ]
        losses[name] = [predicted.log_loss for predicted in told]
        tops = ", ".join(f"{100 * predicted.top(1):.0f} %" for predicted in told)
        yield Finding(
            f"log-loss of hand group and hand types: {name}",
            f"{' / '.join(f'{loss:.3f}' for loss in losses[name])} (the most probable one is right: {tops}); "
            f"{sum(map(len, each.parents.values()))} arcs, {fits[name].parameters:,} free probabilities, "
            f"{fits[name].held_out:.2f} nats for a whole row",
        )
    best_found = np.min([losses[name] for name in SEARCHES], axis=0)
    for stage, (by_hand, by_search) in enumerate(zip(losses[AS_PUBLISHED], best_found, strict=True)):
        yield Finding(
            f"{STAGES[stage]}: log-loss of the published structure and of the best that was found",
            f"{by_hand:.3f} and {by_search:.3f}",
        )


EXPERIMENTS = (
    Experiment(
        name="baycarp-structure",
        paper="baycarp-2011 §5.3.2",
        claim="The structure is drawn by hand, with reasons; it is not compared with structures learnt from data.",
        setup="Nine-handed limit, Pokibots of five profiles and Simbots: structures from the showdowns of 5,000 hands, "
        "tables from everybody on the flop, 1,000 hands to test on.",
        run=_structures,
    ),
)
