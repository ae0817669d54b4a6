"""Speed of computing beliefs about one opponent, and of learning its network.

The network is BayCaRP's (baycarp-2011, appendix D), as published and as shipped with the package, with partial hands
and split calls; its tables are random. On each stage everything is known except the opponent's cards and later stages,
and the hand type and the hand group are queried. Our time is that of a call from Python, one opponent after the other;
the peer is pyAgrum's lazy propagation, with the same targets and its plan kept between queries. The sides take turns,
and their answers are compared in advance.

Learning counts 100,000 complete rows; pyAgrum reads the same rows from a file, which is not timed, and learns the same
tables.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from railbird.bayes.agrum import pyagrum_module, to_agrum
from railbird.bayes.forward import Forward
from railbird.bayes.learning.counts import Uniform, count
from railbird.bayes.learning.expectation import learn
from railbird.bayes.network import Network
from railbird.bayes.structure import UNKNOWN, Structure
from railbird.benchmarks.measuring import Figure, bounded, compared, if_installed
from railbird.opponents.network.nodes import HAND_GROUP, HAND_TYPES, Variant, hand_nodes, structure
from railbird.rng import Stream

QUESTIONS = 200
ROWS = 100_000
_SEED = "bench inference"
_LATER = {"flop": ("Turn", "River", "Final"), "turn": ("River", "Final"), "river": ()}
"""Suffixes of the nodes that are not known yet."""

Codes: TypeAlias = NDArray[np.int16]
Question: TypeAlias = Callable[[Codes], object]


def figures() -> Iterator[Figure]:
    """Beliefs on every stage, and learning from complete rows and from rows with unknown hands."""
    for name, variant in (("built", Variant()), ("shipped", Variant(partial=True, split_call=True))):
        yield from _beliefs(name, variant)
    yield from _learning()


def _beliefs(name: str, variant: Variant) -> Iterator[Figure]:
    network = _random_network(structure(variant))
    for stage, hand_type in zip(_LATER, HAND_TYPES, strict=True):
        questions = _questions(variant, stage)
        forward = Forward(network, [hand_type, HAND_GROUP])
        theirs = if_installed(_Agrum)(network, [hand_type, HAND_GROUP], questions[0])
        if theirs is not None:
            for codes in questions[:10]:
                np.testing.assert_allclose(forward(codes), theirs(codes), rtol=0.0, atol=1e-12)
        label = f"beliefs, {name}, {stage}"
        ours_µs, theirs_µs = _medians(forward, theirs, questions)
        yield compared(label, ours_µs, "pyAgrum, lazy propagation", theirs_µs or None, "µs", 20.0)
        yield bounded(label, ours_µs, 20.0, "µs")


def _random_network(shape: Structure) -> Network:
    generator = Stream.from_seed(_SEED).child("tables").generator()
    tables = {
        variable.name: generator.dirichlet(np.ones(len(variable)), shape.shape(variable.name)[:-1])
        for variable in shape.variables
    }
    return Network(shape, tables)


def _rows(shape: Structure, rows: int, name: str) -> Codes:
    """Rows with random states."""
    sizes = [len(variable) for variable in shape.variables]
    generator = Stream.from_seed(_SEED).child(name).generator()
    return generator.integers(0, sizes, (rows, len(sizes))).astype(np.int16)


def _questions(variant: Variant, stage: str) -> Codes:
    """The evidence about opponents on a stage: everything but their cards and later stages."""
    shape = structure(variant)
    rows = _rows(shape, QUESTIONS, stage)
    for name, place in shape.places.items():
        if name in hand_nodes(variant) or name.endswith(_LATER[stage]):
            rows[:, place] = UNKNOWN
    return rows


class _Agrum:
    """The same queries to pyAgrum, always with the same variables, so that it does not have to plan again."""

    def __init__(self, network: Network, targets: Sequence[str], first: Codes) -> None:
        self._made = to_agrum(network)
        self._engine = pyagrum_module().LazyPropagation(self._made)
        self._engine.setTargets(set(targets))
        self._targets = targets
        self._known: list[int] = np.flatnonzero(first != UNKNOWN).tolist()
        """Node ids equal the indices of our variables, because they were added in that order."""
        for node in self._known:
            self._engine.addEvidence(node, int(first[node]))

    def __call__(self, codes: Codes) -> NDArray[np.float64]:
        states = codes.tolist()
        for node in self._known:
            self._engine.chgEvidence(node, states[node])
        self._engine.makeInference()
        return np.concatenate([self._engine.posterior(target).toarray() for target in self._targets])


def _medians(
    ours: Question, theirs: Question | None, questions: Codes, turns: int = 3
) -> tuple[list[float], list[float]]:
    """The median time of a query in µs in each turn, on both sides; the first turn is a warm-up."""
    times: tuple[list[float], list[float]] = ([], [])
    for turn in range(turns + 1):
        for side, ask in zip(times, (ours, theirs), strict=True):
            if ask is None:
                continue
            durations = []
            for codes in questions:
                start = process_time()
                ask(codes)
                durations.append(process_time() - start)
            if turn:
                side.append(median(durations) * 1e6)
    return times


def _learning() -> Iterator[Figure]:
    shape = structure(Variant(partial=True))
    rows = _rows(shape, ROWS, "rows")
    ours = _seconds(lambda: count(shape, rows, prior=Uniform(1.0)))
    theirs = _agrum_learning(shape, rows)
    name = f"training, {ROWS:,} rows"
    yield compared(name, ours, "pyAgrum", theirs, "s")
    yield bounded(name, ours, 2.0, "s")
    hidden = rows.copy()
    for node in (*HAND_TYPES[:-1], "PartialHandFlop", "PartialHandTurn"):
        hidden[:, shape.places[node]] = UNKNOWN
    start = _random_network(shape)
    durations = []
    for iterations in (1, 2):
        begin = process_time()
        learn(shape, hidden, start=start, tolerance=0.0, most_iterations=iterations)
        durations.append(process_time() - begin)
    yield bounded(f"EM iteration, {ROWS:,} rows, four nodes hidden", [durations[1] - durations[0]], 10.0, "s")


@if_installed
def _agrum_learning(shape: Structure, rows: Codes) -> list[float]:
    """The seconds that pyAgrum takes to learn from the same rows."""
    template = to_agrum(_random_network(shape))
    with TemporaryDirectory() as folder:
        file = Path(folder) / "rows.csv"
        states = np.column_stack(
            [np.array(variable.states)[rows[:, place]] for place, variable in enumerate(shape.variables)]
        )
        np.savetxt(file, states, fmt="%s", delimiter=",", header=",".join(shape.places), comments="")
        learner = pyagrum_module().BNLearner(str(file), template)
        learner.useSmoothingPrior(1.0)
        return _seconds(lambda: learner.learnParameters(template.dag()))


def _seconds(work: Callable[[], object]) -> list[float]:
    """The durations of three runs."""
    durations = []
    for _ in range(3):
        start = process_time()
        work()
        durations.append(process_time() - start)
    return durations
