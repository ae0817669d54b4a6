"""Bayesian networks over named states, with no poker in them.

- `structure`: variables and their dependencies
- `network`: a structure with a table of probabilities for every variable
- `elimination`: the order in which variables are summed out
- `inference`: exact posteriors with numpy
- `forward`, `programs`, `loops`: the same, compiled, for many queries per second
- `rows`: many observations as codes
- `learning/`: tables and structures from rows
- `agrum`: conversion from and to pyAgrum
- `xdsl/`: network files in GeNIe's format
- `picture`, `text`, `layout`: networks drawn with the probabilities of their states

Public names are imported when they are first used:

>>> from railbird.bayes import Structure, Variable
>>> Structure([Variable("Rain", ("no", "yes"))], {}).order
('Rain',)
"""

from typing import TYPE_CHECKING

from railbird.lazy import lazy_names

__all__ = [
    "Average",
    "Forward",
    "Network",
    "NetworkError",
    "Structure",
    "Uniform",
    "Variable",
    "count",
    "learn",
    "learn_structure",
    "posterior",
    "read_xdsl",
    "write_xdsl",
]

if TYPE_CHECKING:
    from railbird.bayes.forward import Forward
    from railbird.bayes.inference import posterior
    from railbird.bayes.learning.counts import Average, Uniform, count
    from railbird.bayes.learning.expectation import learn
    from railbird.bayes.learning.structures import learn_structure
    from railbird.bayes.network import Network
    from railbird.bayes.structure import NetworkError, Structure, Variable
    from railbird.bayes.xdsl.files import read_xdsl, write_xdsl
else:
    __getattr__, __dir__ = lazy_names(
        __name__,
        {
            "forward": ["Forward"],
            "inference": ["posterior"],
            "learning.counts": ["Average", "Uniform", "count"],
            "learning.expectation": ["learn"],
            "learning.structures": ["learn_structure"],
            "network": ["Network"],
            "structure": ["NetworkError", "Structure", "Variable"],
            "xdsl.files": ["read_xdsl", "write_xdsl"],
        },
    )
