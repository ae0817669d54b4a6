"""CASPER's cases: the schema and the similarity of every stage, as one table (casper-2007 §5 and §6).

    attribute                 range      metric           weight: preflop  flop  turn  river
    number of players         2 … 10     linear, span 8                 5     5     5      5
    relative position         0 … 1      linear, span 1                10     5    10      5
    players in current hand   0 … 9      linear, span 9                10     5     5      5
    players yet to act        0 … 9      linear, span 9                 5     5     5      5
    bets committed            0 … 5      decay, k = 4                   5    20    10     10
    bets to call              0 … 5      decay, k = 2                  10    20    10     10
    pot odds                  0 … 0.5    linear, span 0.5               5     5     5     40
    hand strength             0 … 1      linear, span 1                50    80    80     80
    positive potential        0 … 0.4    linear, span 0.4               –    80    80      –
    negative potential        0 … 0.3    linear, span 0.3               –    80    80      –
    small bets in pot         0 … 300    linear, span 300               –     5     5      5
    previous round bets       0 … 5      linear, span 5                 –     5     5      5

Ranges are those of casper-2007, table 1, and give the spans of equation 1. A value may be outside a range that the
table prints with a tilde or that assumes a cap of five bets; differences beyond the span have similarity 0. Equation 2
uses differences in bets without scaling. The papers on CASPER print neither k nor individual weights: both come from
baycarp-2011 (§5.4.3 and fig. 5.8), which took CASPER's best weights for the attributes that both systems have; the last
two rows, which it does not have, get CASPER's default of 5. `docs/casper.md` explains why k is applied to bets and not
to fractions of the range.

The table is the same however many cards the potentials look ahead on the flop, but their values differ: the name of the
system in a pack says which they are (`system_name`), and an agent measures as its pack does.
"""

from railbird.agents.casper.attributes import STAGES
from railbird.cbr.packs.files import Pack, PackError
from railbird.cbr.schema import Number
from railbird.cbr.similarity import Decay, Linear
from railbird.cbr.staged import Row, StagedTable
from railbird.spec import Spec, parse_spec, unknown

SYSTEM = "casper"
"""The name of the system; in packs it has a parameter (`system_name`)."""
LOOK_AHEADS = ("1", "2")
_PARAMETER, _BEFORE = "look-ahead", "2"
SOLUTIONS = ("fold", "call", "raise")
"""The solutions of cases: a check is a call, a bet is a raise."""
TABLE = StagedTable(
    STAGES,
    (
        Row(Number("number of players", whole=True, low=2, high=10), Linear(8.0), (5, 5, 5, 5)),
        Row(Number("relative position", low=0, high=1), Linear(1.0), (10, 5, 10, 5)),
        Row(Number("players in current hand", whole=True, low=0, high=9), Linear(9.0), (10, 5, 5, 5)),
        Row(Number("players yet to act", whole=True, low=0, high=9), Linear(9.0), (5, 5, 5, 5)),
        Row(Number("bets committed", low=0), Decay(4.0), (5, 20, 10, 10)),
        Row(Number("bets to call", low=0), Decay(2.0), (10, 20, 10, 10)),
        Row(Number("pot odds", low=0, high=1), Linear(0.5), (5, 5, 5, 40)),
        Row(Number("hand strength", low=0, high=1), Linear(1.0), (50, 80, 80, 80)),
        Row(Number("positive potential", low=0, high=1), Linear(0.4), (None, 80, 80, None)),
        Row(Number("negative potential", low=0, high=1), Linear(0.3), (None, 80, 80, None)),
        Row(Number("small bets in pot", low=0), Linear(300.0), (None, 5, 5, 5)),
        Row(Number("previous round bets", whole=True, low=0), Linear(5.0), (None, 5, 5, 5)),
    ),
    SOLUTIONS,
)
"""The table above, with the hand-picked weights."""
schema, similarity = TABLE.schema, TABLE.similarity


def system_name(look_ahead: int) -> str:
    """The name of the system in packs, such as `casper:look-ahead=1`: cases of different look-aheads never mix."""
    return f"{SYSTEM}:{_PARAMETER}={look_ahead}"


def look_ahead_of(spec: Spec, default: int) -> int:
    """How many cards the potentials look ahead on the flop, by the parameters of the system."""
    for name in spec.parameters:
        if name != _PARAMETER:
            raise unknown(f"parameter of {SYSTEM}", name, [_PARAMETER])
    found = spec.parameters.get(_PARAMETER, str(default))
    if found not in LOOK_AHEADS:
        raise unknown(_PARAMETER, found, LOOK_AHEADS)
    return int(found)


def require_pack(pack: Pack, name: str) -> int:
    """Refuse a pack of another system or schema; how many cards its potentials look ahead on the flop.

    Packs made before there was a choice do not say so, and look two cards ahead.
    """
    spec = parse_spec(pack.system)
    if spec.name != SYSTEM:
        raise PackError(f"{name}: holds cases of {pack.system}, not of {SYSTEM}")
    pack.require(pack.system, TABLE.schemas, name)
    return look_ahead_of(spec, int(_BEFORE))
