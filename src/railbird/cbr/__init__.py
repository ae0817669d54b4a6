"""Case-based reasoning, independent of poker: a new problem is solved like similar ones.

A *case* is a description (attributes and values), a solution (one of a few) and its outcome. The modules, in the order
in which a case passes them:

- `schema`: the attributes of a description, and the possible solutions
- `similarity`: how similar two values, and two descriptions, are
- `staged`: schemas and similarities that change from stage to stage, as one table
- `weights`: files of weights that replace those of such a table
- `measure`: a similarity in the form that compiled searches use
- `target`: the description of the problem to be solved
- `case_base`: cases in columns
- `columns`: a case base as named arrays and back
- `cycle/`: retrieve, reuse, revise, retain; each takes a case base and an episode and returns the episode one step
  further
- `explain`: which cases led to a decision, and how similar each attribute was
- `packs/`: case bases in one Parquet file

Public names are imported on first use:

>>> from railbird.cbr import CaseBase, Number, Schema
>>> base = CaseBase(Schema((Number("age", low=0),), ("rest", "pills")))
>>> number = base.add({"age": 40}, "rest", 1.0)
>>> len(base)
1
"""

from typing import TYPE_CHECKING

from railbird.lazy import lazy_names

__all__ = [
    "AllOrNothing",
    "AsObserved",
    "AtLeast",
    "AtLeastElseNearest",
    "BestOutcome",
    "BestSumOfOutcomes",
    "ByProbability",
    "Case",
    "CaseBase",
    "Cycle",
    "Decay",
    "Episode",
    "Judged",
    "Linear",
    "Matrix",
    "MaxFrequency",
    "Nearest",
    "Number",
    "Pack",
    "Probabilistic",
    "Repaired",
    "RetainAlways",
    "RetainMerged",
    "RetainUnknown",
    "Retrieve",
    "Schema",
    "Similarity",
    "Strategy",
    "Symbol",
    "Target",
    "read_pack",
    "write_pack",
]

if TYPE_CHECKING:
    from railbird.cbr.case_base import Case, CaseBase
    from railbird.cbr.cycle.episode import Episode, Strategy
    from railbird.cbr.cycle.reasoner import Cycle
    from railbird.cbr.cycle.retain import RetainAlways, RetainMerged, RetainUnknown
    from railbird.cbr.cycle.retrieve import AtLeast, AtLeastElseNearest, Nearest, Retrieve
    from railbird.cbr.cycle.reuse import BestOutcome, BestSumOfOutcomes, MaxFrequency, Probabilistic
    from railbird.cbr.cycle.revise import AsObserved, Judged, Repaired
    from railbird.cbr.packs.files import Pack, read_pack, write_pack
    from railbird.cbr.schema import Number, Schema, Symbol
    from railbird.cbr.similarity import AllOrNothing, ByProbability, Decay, Linear, Matrix, Similarity
    from railbird.cbr.target import Target
else:
    __getattr__, __dir__ = lazy_names(
        __name__,
        {
            "case_base": ["Case", "CaseBase"],
            "cycle.episode": ["Episode", "Strategy"],
            "cycle.reasoner": ["Cycle"],
            "cycle.retain": ["RetainAlways", "RetainMerged", "RetainUnknown"],
            "cycle.retrieve": ["AtLeast", "AtLeastElseNearest", "Nearest", "Retrieve"],
            "cycle.reuse": ["BestOutcome", "BestSumOfOutcomes", "MaxFrequency", "Probabilistic"],
            "cycle.revise": ["AsObserved", "Judged", "Repaired"],
            "packs.files": ["Pack", "read_pack", "write_pack"],
            "schema": ["Number", "Schema", "Symbol"],
            "similarity": ["AllOrNothing", "ByProbability", "Decay", "Linear", "Matrix", "Similarity"],
            "target": ["Target"],
        },
    )
