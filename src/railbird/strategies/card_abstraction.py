"""Holdings put into buckets on every street: which situations a strategy treats alike.

Before the flop every class of holdings is a bucket of its own. There are four kinds of abstractions: `percentiles`
divides the deals evenly, by E[HS²] on flop and turn and by hand strength on the river; `clusters` puts situations
together that have similar chances against groups of the opponent's holdings (`strategies.clusters`). The other two
have buckets for each of the nine board textures, as SARTRE does: `textures` divides E[HS²] from 0 to 1 evenly, and
`categories` takes the 284 expert categories of hands (`hands.sartre_categories`). An abstraction is named by its kind
and, if it is not of categories, its numbers of buckets on flop, turn and river, for each texture where they count:

>>> CardAbstraction.parse("percentiles:200").buckets
(169, 200, 200, 200)
>>> str(CardAbstraction.parse("clusters:2000/1000/500"))
'clusters:2000/1000/500'
>>> CardAbstraction.parse("textures:50").buckets
(169, 450, 450, 450)
>>> CardAbstraction.parse("categories").buckets
(169, 2556, 2556, 2556)

Buckets of flop and turn are tables over situations up to suits, made once and kept in the cache folder.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from railbird.cards import Card
from railbird.equities.buckets import Buckets, percentile_buckets
from railbird.equities.strength import board_strengths, hand_strength, strength
from railbird.equities.table_files import Progress, read_array, write_array
from railbird.equities.tables import StrengthMeasure, table
from railbird.hands.boards import Texture, texture
from railbird.hands.evaluator import tables as evaluator_tables
from railbird.hands.holdings import CLASS_OF_HOLDING, CLASSES, HOLDINGS, holding
from railbird.hands.isomorphism import BOARDS, SITUATIONS, situation_index
from railbird.hands.isomorphism import board as canonical_board
from railbird.hands.sartre_categories import (
    EXPERT_CATEGORIES,
    INDEX_OF_CODE,
    expert_categories,
    expert_category,
)
from railbird.kernels.hands.isomorphism import situations_of_board
from railbird.kernels.solve import boards
from railbird.kernels.solve import buckets as kernels
from railbird.kernels.strength.tables import RIVER_SCORES
from railbird.places import cache_folder
from railbird.strategies import clusters
from railbird.strategies.portable_clusters import PortableClusters

CLUSTERS, TEXTURES, CATEGORIES = "clusters", "textures", "categories"
_NAME = re.compile(r"(?P<kind>percentiles|clusters|textures):(?P<counts>\d+(?:/\d+/\d+)?)")
MOST_BUCKETS = 1 << 14


class CardAbstractionError(ValueError):
    """Something that is not a card abstraction."""


@dataclass(frozen=True, slots=True)
class CardAbstraction:
    """A way to put holdings into buckets."""

    kind: str
    counts: tuple[int, int, int]
    """The numbers of buckets on flop, turn and river, for each texture where they count."""

    @classmethod
    def parse(cls, text: str) -> "CardAbstraction":
        """The abstraction of a name."""
        if text == CATEGORIES:
            return cls.by_category()
        found = _NAME.fullmatch(text)
        if not found:
            raise CardAbstractionError(
                f"{text!r} is not a card abstraction: write percentiles:200, or clusters:2000/1000/500 for flop, "
                "turn and river"
            )
        numbers = [int(number) for number in found["counts"].split("/")]
        flop, turn, river = numbers * 3 if len(numbers) == 1 else numbers
        for count in (flop, turn, river):
            every = count * len(Texture) if found["kind"] == TEXTURES else count
            if not 1 <= every <= MOST_BUCKETS:
                raise CardAbstractionError(f"a street has 1 to {MOST_BUCKETS:,} buckets, not {every:,}")
        return cls(found["kind"], (flop, turn, river))

    @classmethod
    def by_category(cls) -> Self:
        """The expert categories on every street."""
        return cls(CATEGORIES, (len(EXPERT_CATEGORIES),) * 3)

    def __str__(self) -> str:
        if self.kind == CATEGORIES:
            return CATEGORIES
        counts = self.counts[:1] if len(set(self.counts)) == 1 else self.counts
        return f"{self.kind}:{'/'.join(map(str, counts))}"

    @property
    def buckets(self) -> tuple[int, int, int, int]:
        """The numbers of buckets by street."""
        flop, turn, river = self.counts
        textures = len(Texture) if self.counts_textures else 1
        return (CLASSES, textures * flop, textures * turn, textures * river)

    @property
    def counts_textures(self) -> bool:
        """Whether every board texture has buckets of its own."""
        return self.kind in (TEXTURES, CATEGORIES)

    def tables(self, progress: Progress | None = None) -> kernels.Buckets:
        """The buckets as compiled code reads them; what is not there yet is made."""
        made = kernels.Buckets(
            CLASS_OF_HOLDING.astype(np.uint16),
            self.situation_table(3, progress),
            self.situation_table(4, progress),
            np.empty(0, dtype=np.uint16),
            np.empty((kernels.GROUPS + 1, 0), dtype=np.float32),
            np.zeros(HOLDINGS, dtype=np.int64),
            self.counts[2] if self.counts_textures else 0,
            np.empty(0, dtype=np.int16),
        )
        if self.kind == CLUSTERS:
            return made._replace(centroids=clusters.centroids(5, self.counts[2]), groups=clusters.groups())
        if self.kind == CATEGORIES:
            return made._replace(
                categories=INDEX_OF_CODE.copy()
            )  # writable like the empty one: the same type
        return made._replace(river=self.score_table(progress))

    def before(self, board: Sequence[Card]) -> int:
        """The number of buckets before those of a board's texture; 0 if textures do not count."""
        return self.counts[len(board) - 3] * texture(board) if self.counts_textures else 0

    def boundaries(self, board_cards: int, progress: Progress | None = None) -> Buckets:
        """The buckets of E[HS²] on flop and turn."""
        count = self.counts[board_cards - 3]
        if self.kind == TEXTURES:
            return Buckets.uniform(count)
        return percentile_buckets(count, board_cards, StrengthMeasure.EXPECTED_HS_SQUARED, progress)

    def situation_table(self, board_cards: int, progress: Progress | None = None) -> NDArray[np.uint16]:
        """The bucket of every situation of a flop or turn; made if it is not in the cache folder."""
        count = self.counts[board_cards - 3]
        if self.kind == CLUSTERS:
            return clusters.cluster_table(board_cards, count, progress)
        found = self.stored_situation_table(board_cards)
        if found is None:
            if self.kind == CATEGORIES:
                made = of_situations(board_cards, expert_categories)
            else:
                buckets = self.boundaries(board_cards, progress)
                values = table(board_cards, progress)[:, StrengthMeasure.EXPECTED_HS_SQUARED]
                made = np.searchsorted(buckets.boundaries, values, side="right").astype(np.uint16)
            if self.counts_textures:
                made += np.uint16(count) * of_situations(board_cards, texture)
            write_array(self._situations_file(board_cards), made)
            found = self.stored_situation_table(board_cards)
            assert found is not None
        return found

    def stored_situation_table(self, board_cards: int) -> NDArray[np.uint16] | None:
        """The bucket of every situation of a flop or turn if it is in the cache folder, memory-mapped."""
        count = self.counts[board_cards - 3]
        if self.kind == CLUSTERS:
            return clusters.stored_cluster_table(board_cards, count)
        if count == 1 and not self.counts_textures:
            return np.zeros(SITUATIONS[board_cards], dtype=np.uint16)
        return read_array(self._situations_file(board_cards), (SITUATIONS[board_cards],), np.uint16)

    def _situations_file(self, board_cards: int) -> Path:
        kind = self.kind if self.counts_textures else "situations"
        return cache_folder() / "buckets-1" / f"{board_cards}-cards-{kind}-{self.counts[board_cards - 3]}.npy"

    def score_table(self, progress: Progress | None = None) -> NDArray[np.uint16]:
        """The bucket of every score on the river, those of other textures not counted."""
        strengths = np.arange(RIVER_SCORES) / (RIVER_SCORES - 1)
        if self.kind == TEXTURES:
            return Buckets.uniform(self.counts[2]).bucket_all(strengths * strengths).astype(np.uint16)
        buckets = percentile_buckets(self.counts[2], 5, StrengthMeasure.HS, progress)
        return buckets.bucket_all(strengths).astype(np.uint16)

    def on_board(self, board: Sequence[Card], street: int) -> NDArray[np.int64]:
        """The bucket of every holding on a street of a board; −1 where the open cards block it."""
        return BucketFinder(self).on_board(board[: (0, 3, 4, 5)[street]])


class BucketFinder:
    """Finds the buckets of an abstraction in play: in tables where they are in the cache folder, without where not.

    Tables are opened once. Those of percentiles are built only by `build`: without them, the strength of a holding is
    computed and compared with the boundaries. Clusters are found with what a strategy file carries; where it carries
    nothing, their tables are built at their first use. Categories are found without tables.
    """

    def __init__(self, cards: CardAbstraction, carried: PortableClusters | None = None) -> None:
        self.cards, self.carried = cards, carried

    def bucket(self, hole: Sequence[Card], board: Sequence[Card]) -> int:
        """The bucket of two hole cards on a board of 0, 3, 4 or 5 cards."""
        if not board:
            return int(CLASS_OF_HOLDING[holding(hole)])
        if self.cards.kind == CATEGORIES:
            return self.cards.before(board) + expert_category(hole, board).index
        if len(board) == 5:
            if self.cards.kind == CLUSTERS:
                return self._clusters.bucket(hole, board)
            score = round(hand_strength(hole, board) * (RIVER_SCORES - 1))
            return self.cards.before(board) + int(self._by_score[score])
        found = self._tables[len(board)]
        if found is not None:
            return int(found[situation_index(hole, board)])
        if self.cards.kind == CLUSTERS:
            return self._clusters.bucket(hole, board)
        bucket = self._boundaries[len(board)].bucket(strength(hole, board).expected_hs_squared)
        return self.cards.before(board) + bucket

    def on_board(self, board: Sequence[Card]) -> NDArray[np.int64]:
        """The bucket of every holding on a board of 0, 3, 4 or 5 cards; −1 where the board blocks it."""
        if not board:
            return CLASS_OF_HOLDING.astype(np.int64)
        if self.cards.kind == CATEGORIES:
            categories = expert_categories(board).astype(np.int64)
            return np.where(categories < 0, -1, self.cards.before(board) + categories)
        if len(board) == 5:
            return self._on_river(board)
        found = self._tables[len(board)]
        if found is None and self.cards.kind == CLUSTERS:
            return self._clusters.on_board(board)
        if found is None:
            computed = self._boundaries[len(board)].bucket_all(board_strengths(board).expected_hs_squared)
            return np.where(computed < 0, -1, self.cards.before(board) + computed)
        buckets = np.empty(HOLDINGS, dtype=np.int64)
        kernels.buckets_of_board(np.array(board, dtype=np.uint8), found, buckets)
        return buckets

    def build(self, progress: Progress | None = None) -> None:
        """Build the tables that are not in the cache folder."""
        if self.cards.kind == CATEGORIES:
            return
        made = {board_cards: self.cards.situation_table(board_cards, progress) for board_cards in (3, 4)}
        if self.cards.kind == CLUSTERS:
            self._tables = self._open_tables()
        else:
            self._tables, self._by_score = {**made}, self.cards.score_table(progress)

    def tables(self) -> kernels.Buckets | None:
        """The tables that decide a bucket by situation or score, if they are in the cache folder."""
        if self.cards.kind == CLUSTERS or self.cards.counts_textures:
            return None
        flop, turn = self._tables[3], self._tables[4]
        if flop is None or turn is None:
            return None
        return self.cards.tables()

    def _on_river(self, board: Sequence[Card]) -> NDArray[np.int64]:
        if self.cards.kind == CLUSTERS:
            return self._clusters.on_board(board)
        ordered = boards.empty_board()
        boards.order_holdings(
            np.array(board, dtype=np.uint8), evaluator_tables(), boards.board_room(), ordered
        )
        found = np.full(HOLDINGS, -1, dtype=np.int64)
        found[ordered.holdings] = self.cards.before(board) + self._by_score[ordered.scores].astype(np.int64)
        return found

    @cached_property
    def _tables(self) -> dict[int, NDArray[np.uint16] | None]:
        return self._open_tables()

    def _open_tables(self) -> dict[int, NDArray[np.uint16] | None]:
        """The buckets of the situations of flop and turn, by the number of board cards."""
        if self.carried is not None:
            # Tables made with other centroids, by other versions of libraries, would have other buckets.
            turn = clusters.stored_cluster_table(4, self.cards.counts[1])
            is_same = turn is not None and np.array_equal(
                clusters.centroids(4, self.cards.counts[1]), self.carried.turn
            )
            return {3: self.carried.flop, 4: turn if is_same else None}
        if self.cards.kind == CLUSTERS:
            return {board_cards: self.cards.situation_table(board_cards) for board_cards in (3, 4)}
        return {board_cards: self.cards.stored_situation_table(board_cards) for board_cards in (3, 4)}

    @cached_property
    def _boundaries(self) -> dict[int, Buckets]:
        return {board_cards: self.cards.boundaries(board_cards) for board_cards in (3, 4)}

    @cached_property
    def _by_score(self) -> NDArray[np.uint16]:
        return self.cards.score_table()

    @cached_property
    def _clusters(self) -> PortableClusters:
        if self.carried is not None:
            return self.carried
        return PortableClusters.of_table(self.cards.situation_table(3), self.cards.counts)


def of_situations(
    board_cards: int, of_board: Callable[[Sequence[Card]], NDArray[np.int16] | int]
) -> NDArray[np.uint16]:
    """What a board has, or each of its holdings, for every situation of a flop or turn."""
    found = np.empty(SITUATIONS[board_cards], dtype=np.uint16)
    situations = np.empty(HOLDINGS, dtype=np.int64)
    for number in range(BOARDS[board_cards]):
        cards = canonical_board(number, board_cards)
        situations_of_board(np.array(cards, dtype=np.uint8), situations)
        live = situations >= 0
        found[situations[live]] = np.broadcast_to(of_board(cards), HOLDINGS)[live]
    return found
