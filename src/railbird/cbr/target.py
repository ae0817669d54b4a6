"""A problem to be solved."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from railbird.cbr.schema import Number, Schema, Value
from railbird.cbr.similarity import Local, SimilarityError
from railbird.spec import unknown


@dataclass(frozen=True, slots=True, eq=False)
class Target:
    """The checked description of a problem, and similarities specific to this problem.

    These are for symbols whose comparison depends on the problem, for example on the present probability of each symbol
    (baycarp-2011 §5.4.3).
    """

    schema: Schema
    description: Mapping[str, Value]
    own: Mapping[str, Local] = field(default_factory=dict)
    numbers: NDArray[np.float64] = field(init=False, repr=False)
    """The values in the order of the schema; 0 for symbols, which are compared by name."""

    def __post_init__(self) -> None:
        self.schema.require(self.description)
        for name in self.own:
            place = self.schema.places.get(name)
            if place is None:
                raise SimilarityError(str(unknown("attribute", name, self.schema.names)))
            if isinstance(self.schema.attributes[place], Number):
                raise SimilarityError(
                    f"{name} is a number: a target can have its own similarities for symbols only"
                )
        values = (self.description[name] for name in self.schema.names)
        numbers = np.array([0.0 if isinstance(value, str) else value for value in values], dtype=np.float64)
        object.__setattr__(self, "numbers", numbers)
