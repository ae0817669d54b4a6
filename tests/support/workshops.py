"""A table of attributes outside poker, for cases in two stages."""

from railbird.cbr.schema import Number, Symbol
from railbird.cbr.similarity import AllOrNothing, Linear
from railbird.cbr.staged import Row, StagedTable

WORKSHOP = StagedTable(
    ("quote", "repair"),
    (
        Row(Symbol("noise"), AllOrNothing(), (10, 30)),
        Row(Number("age", whole=True, low=0), Linear(20.0), (0, 5)),
        Row(Number("wear", low=0, high=1), Linear(1.0), (None, 15)),
    ),
    ("oil", "replace"),
)
