"""The true best response to a table strategy, flop by flop, with the flops spread over workers."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from railbird.arena.play.match import Partial
from railbird.cards import Card, format_cards
from railbird.learning.kept_jobs import run_kept
from railbird.strategies.best_response import Exploitability, FlopValues, Responder
from railbird.strategies.files import StrategyFileError, read_numbers, write_numbers
from railbird.strategies.table_strategy import TableStrategy

FlopListener: TypeAlias = Callable[[int, int, Callable[[], Exploitability]], object]
"""Receives the numbers of finished and of all flops, and can ask for the estimate so far."""
FLOP_SEED = 7
"""Seed of the sampled flops unless another one is given."""
_KIND = "response"


@dataclass(frozen=True, slots=True, eq=False)
class FlopJob:
    """The best response below one flop, as work for workers."""

    strategy: TableStrategy
    flop: tuple[Card, ...]
    weight: int

    def __str__(self) -> str:
        return f"the best response on {format_cards(self.flop)}"

    def play(self, tell: Callable[[Partial], None] | None = None) -> FlopValues:  # noqa: ARG002
        """Find it in this process."""
        return _responder_to(self.strategy).respond_to_flop(self.flop, self.weight)

    def kept(self, folder: Path) -> FlopValues | None:
        """What an earlier run found below the flop."""
        path = self._file(folder)
        if not path.exists():
            return None
        header, numbers = read_numbers(path, _KIND, self._header)
        shape = _responder_to(self.strategy).shape
        size = int(np.prod(shape))
        if header["strategy"] != self.strategy.digest or len(numbers) != 8 * (size + shape[-1]):
            raise StrategyFileError(f"{path} belongs to another strategy")
        sums, held = np.split(numbers.view(np.float64), [size])
        return FlopValues(self.flop, self.weight, sums.reshape(shape), held.astype(np.int64))

    def keep(self, folder: Path, outcome: FlopValues) -> None:
        """Write what was found below the flop."""
        numbers = [outcome.sums, outcome.holdings.astype(np.float64)]
        write_numbers(self._file(folder), _KIND, self._header, numbers)

    def _file(self, folder: Path) -> Path:
        return folder / f"{'-'.join(map(str, self.flop))}.response"

    @property
    def _header(self) -> dict[str, Any]:
        return {**asdict(self.strategy.recipe), "strategy": self.strategy.digest}


def exploit_table(
    strategy: TableStrategy,
    flops: Sequence[tuple[Sequence[Card], int]],
    *,
    workers: str = "1",
    folder: Path | None = None,
    listener: FlopListener | None = None,
) -> Exploitability:
    """What a true best response wins against a table strategy, from flops with their weights.

    With a folder, what is found below a flop is kept there, and a stopped run resumes. The result does not depend on
    workers and stops.
    """
    responder = _responder_to(strategy)
    jobs = [FlopJob(strategy, tuple(flop), weight) for flop, weight in flops]

    def tell(known: list[FlopValues]) -> None:
        if listener is not None:
            listener(len(known), len(jobs), partial(responder.combine, known))

    return responder.combine(run_kept(jobs, workers=workers, folder=folder, listener=tell))


def _responder_to(strategy: TableStrategy) -> Responder:
    """The responder to a strategy; the latest one is kept, because a worker answers the same strategy on many flops."""
    if strategy.digest not in _latest:
        _latest.clear()
        _latest[strategy.digest] = Responder(strategy)
    return _latest[strategy.digest]


_latest: dict[str, Responder] = {}
