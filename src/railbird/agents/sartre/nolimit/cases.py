"""SartreNL's cases: the attributes of every stage and how they are compared (sartre-2012, table 10 and §6.3.4).

    attribute           values                                   compared by
    hole cards          the rank 1 … 169, before the flop        equation 2
    hand strength       50 buckets of E[HS²], after the flop     equation 2
    betting sequence    `pd-cqc-c`, `cc-` …                      equation 7 (`sequences`)
    stack commitment    1 … 4                                    equation 8, e^−|difference|
    board texture       nine classes, after the flop             the matrix of figure 3

The similarity of two situations is the mean. The solutions are the letters of the action abstraction.
"""

from functools import cache

from railbird.agents.sartre.cases import BOARD_TEXTURES, SEQUENCE, STAGES, TEXTURE
from railbird.agents.sartre.hand_strength import BEFORE_FLOP
from railbird.agents.sartre.nolimit.sequences import ALPHA, BetSimilarity
from railbird.agents.sartre.sequences import SequenceWords
from railbird.agents.sartre.systems import USUAL
from railbird.cbr.schema import Number, OutOf, Symbol, Titles
from railbird.cbr.similarity import Decay, Linear
from railbird.cbr.staged import Row, StagedTable
from railbird.hands.boards import TEXTURE_TITLES
from railbird.hands.holdings import CLASSES
from railbird.strategies.actions import ActionAbstraction

COMMITMENT = "stack commitment"
RATE = 2.0
"""The k of equation 2: of 1, 2, 4 and 8 the one with the lowest held-out loss for DeepStack (docs/sartre.md)."""
GRANULARITY = 4
"""The number of categories of stack commitment, N."""


@cache
def nolimit_table(actions: ActionAbstraction, alpha: float = ALPHA, rate: float = RATE) -> StagedTable:
    """The cases of heads-up no-limit hold'em."""
    return StagedTable(
        STAGES,
        (
            Row(BEFORE_FLOP, Linear(float(CLASSES), rate), (1, None, None, None)),
            Row(USUAL.attribute, USUAL.metric(rate), (None, 1, 1, 1)),
            Row(Symbol(SEQUENCE, words=SequenceWords(2)), BetSimilarity(alpha), (1, 1, 1, 1)),
            Row(
                Number(COMMITMENT, whole=True, low=1, high=GRANULARITY, words=OutOf(GRANULARITY)),
                Decay(1.0),
                (1, 1, 1, 1),
            ),
            Row(
                Symbol(TEXTURE, BOARD_TEXTURES.symbols, Titles(TEXTURE_TITLES)),
                BOARD_TEXTURES,
                (None, 1, 1, 1),
            ),
        ),
        tuple(actions.letters),
    )


def stack_commitment(paid: int, stack: int) -> int:
    """The category of the chips that a player has put into the pot, of those it began the hand with.

    >>> [stack_commitment(paid, 100) for paid in (0, 24, 25, 50, 99, 100)]
    [1, 1, 2, 3, 4, 4]
    """
    return min(GRANULARITY, 1 + GRANULARITY * paid // stack)
