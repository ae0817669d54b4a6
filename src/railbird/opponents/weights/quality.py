"""How good beliefs about hidden cards were, once the true holdings are known.

Two measures, both relative to a uniform guess over all possible holdings:

- The log-likelihood of the true holding, in bits: the mean gain over the uniform guess.
- Calibration: the mass of the holdings believed to be more probable than the true one. If beliefs are calibrated, every
  tenth of that mass is hit equally often; with overconfident beliefs the truth is in the last tenths too often.

>>> quality = BeliefQuality()
>>> quality.add(np.full(4, 0.25), 2)
>>> quality.gain, quality.count
(0.0, 1)
"""

from dataclasses import dataclass, field
from math import log2

import numpy as np
from numpy.typing import NDArray

TENTHS = 10


@dataclass(slots=True, eq=False)
class BeliefQuality:
    """Beliefs compared with the truth, any number of times."""

    count: int = 0
    bits: float = 0.0
    """The sum of the gains over the uniform guess."""
    hits: NDArray[np.float64] = field(default_factory=lambda: np.zeros(TENTHS))
    """How often the truth was in each tenth of the mass, the most probable holdings first."""

    def add(self, probabilities: NDArray[np.float64], truth: int) -> None:
        """Compare probabilities of all holdings with the one that was held."""
        chance = float(probabilities[truth])
        if chance <= 0.0:
            raise ValueError(f"the true holding {truth} has probability 0")
        possible = int(np.count_nonzero(probabilities))
        self.count += 1
        self.bits += log2(chance * possible)
        above = float(probabilities[probabilities > chance].sum())
        tied = float(probabilities[probabilities == chance].sum())
        # The truth is one of several equally probable holdings: the hit is spread evenly over their mass.
        edges = np.arange(TENTHS + 1) / TENTHS
        covered = np.clip((edges - above) / tied, 0.0, 1.0)
        covered[0], covered[-1] = 0.0, 1.0
        self.hits += np.diff(covered)

    @property
    def gain(self) -> float:
        """The mean gain over the uniform guess, in bits per holding."""
        return self.bits / self.count if self.count else 0.0

    @property
    def miscalibration(self) -> float:
        """The share of hits in the wrong tenth: 0 is perfectly calibrated."""
        if not self.count:
            return 0.0
        return float(np.abs(self.hits / self.count - 1.0 / TENTHS).sum()) / 2.0
