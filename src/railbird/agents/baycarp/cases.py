"""BayCaRP's cases: the schema and the similarity of every stage, as one table (baycarp-2011 §5.4 and §6.2.1).

    attribute                 range      metric           weight: preflop  flop  turn  river
    number of players         2 … 10     linear, span 8                 5     5     5      5
    players in hand           0 … 9      linear, span 9                10     5     5      5
    players yet to act        0 … 9      linear, span 9                 5     5     5      5
    relative position         0 … 1      linear, span 1                10     5    10      5
    bets committed            0 … 5      decay, k = 4                   5    20    10     10
    bets to call              0 … 5      decay, k = 2                  10    20    10     10
    pot odds                  0 … 0.5    linear, span 0.5               5     5     5     40
    hand rank                 1 … 169    decay, k = 4                  50     –     –      –
    bets total                0 … 24     linear, span 24                –     5     5     15
    relative hand strength    0 … 1      decay, k = 3                   –    80    80     80
    opponent hand type 1      17 types   by probability                 –     5     5      5
    opponent hand type 2      17 types   by probability                 –     5     5      5
    opponent hand type 3      17 types   by probability                 –     5     5      5
    positive potential        0 … 1      decay, k = 2                   –    80    80      –
    negative potential        0 … 1      decay, k = 2                   –    80    80      –
    similar at least                                                  95 %  93 %  91 %   90 %

Weights are those of fig. 5.8, metrics and k those of §5.4.3, where a decay takes the difference as a fraction of the
range, and thresholds those of §6.2.1. Ranges are not printed: those of CASPER's attributes are from casper-2007, and 24
small bets are the most that a player can commit before the last bet when four bets are allowed in each round. Hand
types are compared by their present probabilities (table 5.4): a target includes that similarity (`target`).

A solution is one of the five actions of §5.4.1. Folding and checking are different actions, so cases without a bet to
call do not affect decisions with a bet to call: only possible actions have a vote. A strategy (§8.2.3) is such an
action followed by fold, call or raise when the action returns to the player in the same round.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from railbird.agents.baycarp.attributes import HAND_TYPES
from railbird.agents.casper.attributes import STAGES
from railbird.cbr.cycle.plans import plan_solutions
from railbird.cbr.schema import Number, Symbol, Titles, Value
from railbird.cbr.similarity import AllOrNothing, ByProbability, Decay, Linear
from railbird.cbr.staged import Row, StagedTable
from railbird.cbr.target import Target
from railbird.hands.types import HAND_TYPE_TITLES

SYSTEM = "baycarp"
"""The system name in packs of these cases."""
SOLUTIONS = ("fold", "check", "call", "bet", "raise")
FOLLOW_UPS = ("fold", "call", "raise")
STRATEGIES = plan_solutions(SOLUTIONS, FOLLOW_UPS, last=("fold",))
"""Solutions of a whole betting round, such as `check then raise`."""
THRESHOLDS: Mapping[str, float] = dict(zip(STAGES, (0.95, 0.93, 0.91, 0.90), strict=True))
"""Minimum similarity of a case, by stage."""
TABLE = StagedTable(
    STAGES,
    (
        Row(Number("number of players", whole=True, low=2, high=10), Linear(8.0), (5, 5, 5, 5)),
        Row(Number("players in hand", whole=True, low=0, high=9), Linear(9.0), (10, 5, 5, 5)),
        Row(Number("players yet to act", whole=True, low=0, high=9), Linear(9.0), (5, 5, 5, 5)),
        Row(Number("relative position", low=0, high=1), Linear(1.0), (10, 5, 10, 5)),
        Row(Number("bets committed", low=0), Decay(4.0, 5.0), (5, 20, 10, 10)),
        Row(Number("bets to call", low=0), Decay(2.0, 5.0), (10, 20, 10, 10)),
        Row(Number("pot odds", low=0, high=1), Linear(0.5), (5, 5, 5, 40)),
        Row(Number("hand rank", whole=True, low=1, high=169), Decay(4.0, 168.0), (50, None, None, None)),
        Row(Number("bets total", low=0), Linear(24.0), (None, 5, 5, 15)),
        Row(Number("relative hand strength", low=0, high=1), Decay(3.0), (None, 80, 80, 80)),
        *(
            Row(Symbol(name, words=Titles(HAND_TYPE_TITLES)), AllOrNothing(), (None, 5, 5, 5))
            for name in HAND_TYPES
        ),
        Row(Number("positive potential", low=0, high=1), Decay(2.0), (None, 80, 80, None)),
        Row(Number("negative potential", low=0, high=1), Decay(2.0), (None, 80, 80, None)),
    ),
    SOLUTIONS,
)
"""The table above, for single decisions."""
STRATEGY_TABLE = replace(TABLE, solutions=STRATEGIES)
"""The same table for whole betting rounds."""
schema, similarity = TABLE.schema, TABLE.similarity


def target(
    stage: str, description: Mapping[str, Value], hand_types: Sequence[tuple[str, float]] = ()
) -> Target:
    """A situation; after the flop with the opponents' most probable hand types and their probabilities."""
    if stage == "preflop":
        return Target(schema(stage), description)
    by_probability = ByProbability(tuple(hand_types))
    return Target(schema(stage), description, dict.fromkeys(HAND_TYPES, by_probability))
