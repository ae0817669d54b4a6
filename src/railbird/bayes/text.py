"""A network as text: the parents of every variable, and the probabilities of its states as bars.

>>> from railbird.bayes.structure import Structure, Variable
>>> structure = Structure((Variable("Rain", ("no", "yes")), Variable("Wet", ("no", "yes"))), {"Wet": ("Rain",)})
>>> print(network_text(structure, {"Rain": [0.75, 0.25], "Wet": [0, 1]}, {"Wet": "yes"}, width=48))
Rain: 2 states, 2 probabilities
  no   75.0% ███████▌      yes  25.0% ██▌
<BLANKLINE>
Wet: 2 states, 4 probabilities, given Rain
  known: yes (of no, yes)
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from math import prod
from textwrap import fill

import numpy as np
from numpy.typing import NDArray

from railbird.bayes.structure import Structure

_EIGHTHS = " ▏▎▍▌▋▊▉█"
_BESIDE_NAME = 8
"""The width of the text after a state's name, such as `  31.2% `."""
_SHORTEST_BAR = 6
_LONGEST_BAR = 20


def network_text(
    structure: Structure,
    posteriors: Mapping[str, Sequence[float] | NDArray[np.float64]],
    evidence: Mapping[str, str],
    nodes: Iterable[str] | None = None,
    *,
    width: int = 80,
) -> str:
    """All variables or some, each with its size, its parents and a bar for every state."""
    parts = []
    for name in structure.order if nodes is None else nodes:
        lines = [fill(_heading(structure, name), width, subsequent_indent="    ")]
        states = structure.variable(name).states
        if name in evidence:
            known = f"known: {evidence[name]} (of {', '.join(states)})"
            lines.append(fill(known, width, initial_indent="  ", subsequent_indent="    "))
        else:
            shares = [float(share) for share in posteriors[name]]
            lines += _in_columns(list(zip(states, shares, strict=True)), width)
        parts.append("\n".join(lines))
    return "\n\n".join(parts)


def percent(share: float) -> str:
    """A probability as a percentage; 0% and 100% are shown only if exact.

    >>> percent(0.3149), percent(1.0), percent(0.0001), percent(0.9999)
    ('31.5%', '100%', '<0.1%', '>99.9%')
    """
    if 0.0 < share < 0.0005:
        return "<0.1%"
    if share >= 0.9995:
        return "100%" if share >= 1 - 1e-12 else ">99.9%"
    return f"{100 * share:.1f}%"


def _heading(structure: Structure, name: str) -> str:
    size = f"{len(structure.variable(name))} states, {prod(structure.shape(name)):,} probabilities"
    parents = structure.parents[name]
    return f"{name}: {size}, given {', '.join(parents)}" if parents else f"{name}: {size}"


def _in_columns(rows: Sequence[tuple[str, float]], width: int) -> Iterable[str]:
    """Two columns if names are short enough, otherwise one; names are truncated as a last resort."""
    longest = max(len(state) for state, _ in rows)
    count = 2 if (width - 2) // 2 >= 2 + longest + _BESIDE_NAME + _SHORTEST_BAR else 1
    cell = (width - 2) // count
    longest = min(longest, cell - 2 - _BESIDE_NAME - _SHORTEST_BAR)
    bar = min(_LONGEST_BAR, cell - 2 - longest - _BESIDE_NAME)
    cells = [
        f"{_cut(state, longest):{longest}} {percent(share):>6} {_bar(share, bar):{bar}}"
        for state, share in rows
    ]
    height = -(-len(cells) // count)
    for line in zip_longest(*(cells[first : first + height] for first in range(0, len(cells), height))):
        yield "  " + "    ".join(each or "" for each in line).rstrip()


def _cut(name: str, most: int) -> str:
    return name if len(name) <= most else f"{name[: most - 1]}…"


def _bar(share: float, length: int) -> str:
    eighths = round(8 * length * min(max(share, 0.0), 1.0))
    whole, part = divmod(eighths, 8)
    return "█" * whole + (_EIGHTHS[part] if part else "")
