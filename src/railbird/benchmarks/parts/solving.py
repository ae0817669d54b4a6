"""Speed of solving, best responses and self-play: against OpenSpiel on Leduc poker, and against bounds in hold'em.

The peer is OpenSpiel's compiled CFR+; both sides walk the whole game in every iteration. The figures of heads-up limit
hold'em have no peer. An iteration of the solver is one board, both seats and all holdings. The solver and the best
response are measured in processor time on one thread. The flop of the best response has three suits and three ranks,
the kind with the most turns and rivers that differ in more than the names of suits. Tables of E[HS²] are built on all
processors and measured in elapsed time. Self-play of a strategy includes statistics and the log; its peer is the same
strategy from two files, whose players are asked for every action.
"""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

from railbird.arena.play.match import play_seating
from railbird.arena.play.plan import MatchPlan, entrants_of
from railbird.benchmarks.measuring import Figure, Work, bounded, compare_rates, if_installed
from railbird.cards import parse_cards
from railbird.engine.games import named_game
from railbird.equities.tables import STRENGTH_TABLES, StrengthTable
from railbird.learning.solvers import ExactSolver, SeatSolvers
from railbird.strategies.best_response import Responder
from railbird.strategies.card_abstraction import CardAbstraction
from railbird.strategies.table_strategy import TableStrategy

CARDS = "percentiles:200"
ITERATIONS = 150
TURNS = 3
FLOP = "2c 7d Kh"


def figures() -> Iterator[Figure]:
    """Iterations in Leduc poker and in hold'em, tables of E[HS²], a best response below one flop, and self-play."""
    yield compare_rates(
        "CFR+, Leduc poker", _leduc(40), "OpenSpiel", _open_spiel_leduc(5), unit="iterations/s"
    )
    yield bounded("tables of E[HS²], all flops and turns, elapsed", [table_seconds()], 60.0, "s")
    solver = SeatSolvers(named_game("limit-2p"), CardAbstraction.parse(CARDS), seed=1)
    rates = [iterations_per_second(solver, ITERATIONS // TURNS) for _ in range(TURNS)]
    yield bounded(f"solver of heads-up limit, {CARDS}", rates, 30.0, "iterations/s")
    strategy = solver.strategy()
    yield from _self_play_figures(strategy)
    responder = Responder(strategy)
    start = process_time()
    responder.respond_to_flop(parse_cards(FLOP))
    seconds = process_time() - start
    yield bounded(f"best response on {FLOP}", [seconds], 45.0, "s")


def iterations_per_second(solver: SeatSolvers, iterations: int) -> float:
    """The number of iterations in a second of processor time; the first one only warms up."""
    solver.iterate()
    start = process_time()
    for _ in range(iterations):
        solver.iterate()
    return iterations / (process_time() - start)


def _self_play_figures(strategy: TableStrategy) -> Iterator[Figure]:
    with TemporaryDirectory() as folder:
        one, other = Path(folder) / "one.strategy", Path(folder) / "other.strategy"
        strategy.write(one)
        strategy.write(other)
        together, asked = _self_play(one, one, 40_000), _self_play(one, other, 4_000)
        yield compare_rates(
            "self-play of a strategy, log included",
            together,
            "asked one by one",
            asked,
            unit="hands/s",
            required=4.0,
            turns=3,
        )
        rates = [_hands_per_second(together) for _ in range(TURNS)]
        yield bounded("self-play of a strategy, log included", rates, 20_000.0, "hands/s")


def _hands_per_second(play: Work) -> float:
    start = process_time()
    return play() / (process_time() - start)


def _self_play(one: Path, other: Path, hands: int) -> Work:
    seats = [f"equilibrium:strategy={file}" for file in (one, other)]
    plan = MatchPlan("limit-2p", entrants_of(seats, trusted=True), hands, "bench")

    def work() -> int:
        return len(play_seating(plan, 0, keep_log=True).payoffs)

    return work


def table_seconds() -> float:
    """How long it takes to build the tables of flop and turn; those in the cache folder are not touched."""
    with TemporaryDirectory() as folder:
        start = perf_counter()
        for table in STRENGTH_TABLES.values():
            _TableElsewhere(**asdict(table), folder=Path(folder)).read_or_build()
        return perf_counter() - start


@dataclass(frozen=True, slots=True)
class _TableElsewhere(StrengthTable):
    """A table that is kept in a folder of its own."""

    folder: Path

    @property
    def file(self) -> Path:
        return self.folder / f"{self.street}.npy"


def _leduc(iterations: int) -> Work:
    solver = ExactSolver(named_game("leduc-2p"), seed=0)

    def work() -> int:
        for _ in range(iterations):
            solver.iterate()
        return iterations

    return work


@if_installed
def _open_spiel_leduc(iterations: int) -> Work:
    import pyspiel

    solver = pyspiel.CFRPlusSolver(pyspiel.load_game("leduc_poker"))

    def work() -> int:
        for _ in range(iterations):
            solver.evaluate_and_update_policy()
        return iterations

    return work
