"""SARTRE's cases: the attributes of every stage and how they are compared (sartre-2012, tables 1 and 4).

    attribute           values                                   compared by
    hole cards          the rank 1 … 169, before the flop        equation 2
    hand strength       50 buckets of E[HS²], after the flop     equation 2
    betting sequence    `rc-c`, `crrc-crrc-cc-`, `r` …           stepped levels (`sequences`)
    board texture       nine classes, after the flop             the matrix of figure 3

Every attribute counts the same: the similarity of two situations is the mean (equation 1). With `all-or-nothing`,
values are equal or have nothing in common, as in SARTRE's first version.
"""

from enum import Enum
from functools import cache

from railbird.agents.sartre.hand_strength import BEFORE_FLOP, HandStrength
from railbird.agents.sartre.sequences import SequenceWords, SteppedSimilarity
from railbird.cbr.schema import Symbol, Titles
from railbird.cbr.similarity import AllOrNothing, Linear, Local, Matrix, SymbolSimilarity
from railbird.cbr.staged import Row, StagedTable
from railbird.engine.rules import ROUND_NAMES
from railbird.hands.boards import TEXTURE_TITLES, Texture
from railbird.hands.holdings import CLASSES

STAGES: tuple[str, ...] = ROUND_NAMES
SOLUTIONS = ("fold", "call", "raise")
"""The solutions of cases in limit games: a check is a call, a bet is a raise."""
SEQUENCE, TEXTURE = "betting sequence", "board texture"
RATE = 2.0
"""The k of equation 2, which the paper does not print.

It has the lowest log-loss on held-out decisions of an equilibrium player among 0.5, 1, 2, 5, 10, 20 and 50, with all
cases and with a tenth of them. Values from 0.5 to 5 differ by less than the interval (docs/packs.md).
"""

BOARD_TEXTURES = Matrix(
    tuple(texture.label for texture in Texture),
    (
        (1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
        (0.0, 1.0, 0.8, 0.7, 0.0, 0.0, 0.0, 0.0, 0.0),
        (0.0, 0.8, 1.0, 0.7, 0.0, 0.0, 0.0, 0.0, 0.0),
        (0.0, 0.7, 0.7, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0),
        (0.0, 0.0, 0.0, 0.0, 1.0, 0.8, 0.7, 0.0, 0.6),
        (0.0, 0.0, 0.0, 0.0, 0.8, 1.0, 0.7, 0.0, 0.5),
        (0.0, 0.0, 0.0, 0.0, 0.7, 0.7, 1.0, 0.8, 0.8),
        (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.8, 1.0, 0.8),
        (0.0, 0.0, 0.0, 0.0, 0.6, 0.5, 0.8, 0.8, 1.0),
    ),
)
"""How similar board textures are (figure 3)."""


class Grading(Enum):
    """How values are compared."""

    GRADED = "graded"
    """Each attribute by its own metric."""
    ALL_OR_NOTHING = "all-or-nothing"
    """Equal or not."""


@cache
def limit_table(
    strength: HandStrength,
    players: int,
    comparison: Grading = Grading.GRADED,
    rate: float = RATE,
    sequences: SymbolSimilarity | None = None,
) -> StagedTable:
    """The cases of limit hold'em with two or three players; `sequences` compares sequences in another way."""
    compared = sequences or SteppedSimilarity(players)
    return StagedTable(
        STAGES,
        (
            Row(BEFORE_FLOP, _metric(comparison, Linear(float(CLASSES), rate)), (1, None, None, None)),
            Row(strength.attribute, _metric(comparison, strength.metric(rate)), (None, 1, 1, 1)),
            Row(Symbol(SEQUENCE, words=SequenceWords(players)), _metric(comparison, compared), (1, 1, 1, 1)),
            Row(
                Symbol(TEXTURE, BOARD_TEXTURES.symbols, Titles(TEXTURE_TITLES)),
                _metric(comparison, BOARD_TEXTURES),
                (None, 1, 1, 1),
            ),
        ),
        SOLUTIONS,
    )


def _metric(comparison: Grading, graded: Local) -> Local:
    return graded if comparison is Grading.GRADED else AllOrNothing()
