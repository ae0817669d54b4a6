"""A card abstraction that needs no tables of strength: situations fall into buckets by their numbers."""

from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from railbird.equities.table_files import Progress
from railbird.hands.holdings import CLASS_OF_HOLDING
from railbird.hands.isomorphism import SITUATIONS
from railbird.hands.sartre_categories import INDEX_OF_CODE
from railbird.kernels.solve.buckets import GROUPS, Buckets
from railbird.kernels.strength.tables import RIVER_SCORES
from railbird.strategies.card_abstraction import CATEGORIES, CardAbstraction


class MadeUpBuckets(CardAbstraction):
    """Buckets without a meaning, for tests of what does not depend on it."""

    def tables(self, progress: Progress | None = None) -> Buckets:
        _, flop, turn, _ = self.buckets
        return _tables(flop, turn, self.counts[2])._replace(
            per_texture=self.counts[2] if self.counts_textures else 0,
            categories=INDEX_OF_CODE.copy() if self.kind == CATEGORIES else np.empty(0, dtype=np.int16),
        )

    def stored_situation_table(self, board_cards: int) -> NDArray[np.uint16]:
        tables = self.tables()
        return tables.flop if board_cards == 3 else tables.turn

    def score_table(self, progress: Progress | None = None) -> NDArray[np.uint16]:
        return self.tables().river


@cache
def _tables(flop: int, turn: int, river: int) -> Buckets:
    return Buckets(
        CLASS_OF_HOLDING.astype(np.uint16),
        (np.arange(SITUATIONS[3]) // 7 % flop).astype(np.uint16),
        (np.arange(SITUATIONS[4]) // 7 % turn).astype(np.uint16),
        (np.arange(RIVER_SCORES) * river // RIVER_SCORES).astype(np.uint16),
        np.empty((GROUPS + 1, 0), dtype=np.float32),
        np.zeros(len(CLASS_OF_HOLDING), dtype=np.int64),
        0,
        np.empty(0, dtype=np.int16),
    )


def use_made_up_buckets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give all card abstractions made-up buckets."""
    for name in ("tables", "stored_situation_table", "score_table"):
        monkeypatch.setattr(CardAbstraction, name, getattr(MadeUpBuckets, name))


COARSE = MadeUpBuckets("percentiles", (20, 15, 10))
