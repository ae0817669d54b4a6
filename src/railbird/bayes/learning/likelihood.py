"""The likelihood of rows under a network, unknown states summed out: a measure of fit."""

import numpy as np
from numpy.typing import NDArray

from railbird.bayes.network import Network
from railbird.bayes.programs import Numbers, TableLayout, remembered_programs
from railbird.bayes.rows import by_pattern, checked_rows, checked_weights
from railbird.kernels.bayes.forward import log_likelihoods_of_rows


def log_likelihoods(network: Network, rows: NDArray[np.integer]) -> Numbers:
    """The natural logarithm of the probability of every row of codes, -inf if it is impossible."""
    layout = TableLayout(network.structure)
    checked = checked_rows(network.structure, rows)
    program_of = remembered_programs(layout, ())
    tables = layout.flat(network.tables)
    found = np.empty(len(checked))
    for pattern, numbers in by_pattern(checked):
        program = program_of(pattern)
        values = np.concatenate([tables, np.zeros(program.work)])
        log_likelihoods_of_rows(program.ints, layout.ints, checked, numbers, values, found)
    return found


def log_likelihood(
    network: Network, rows: NDArray[np.integer], weights: NDArray[np.float64] | None = None
) -> float:
    """The logarithm of the probability of all rows together."""
    found = log_likelihoods(network, rows)
    if weights is None:
        return float(found.sum())
    checked = checked_weights(weights, len(found))
    seen = checked > 0.0
    return float(found[seen] @ checked[seen])
