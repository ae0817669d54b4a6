"""Networks with names of all kinds, and the published one without its extension."""

from functools import cache

import numpy as np
from hypothesis import strategies as st

from bayes_networks import PARENTS, SIZES, random_network, variable
from railbird.bayes.network import Network
from railbird.bayes.structure import Structure, Variable

NAMES = st.from_regex(r"[A-Za-zéλ][A-Za-z0-9_é]{0,12}", fullmatch=True)


@st.composite
def networks(draw: st.DrawFn, most: int = 6) -> Network:
    """Small networks of which the variables stand in any order."""
    names = draw(st.lists(NAMES, min_size=1, max_size=most, unique=True))
    variables = [
        Variable(name, tuple(draw(st.lists(NAMES, min_size=2, max_size=4, unique=True)))) for name in names
    ]
    parents = {
        name: tuple(draw(st.lists(st.sampled_from(names[:place]), max_size=3, unique=True)))
        for place, name in enumerate(names)
        if place
    }
    structure = Structure(tuple(draw(st.permutations(variables))), parents)
    seed, zeros = draw(st.integers(0, 2**32)), draw(st.sampled_from((0.0, 0.3)))
    return random_network(structure, np.random.default_rng(seed), zeros)


@cache
def opponent_network() -> Network:
    """The network of baycarp-2011 §5.3.2, as large as it is there, with random tables."""
    names = [name for name in SIZES if not name.startswith(("Partial", "Flush", "Straight"))]
    parents = {name: tuple(each for each in PARENTS.get(name, ()) if each in names) for name in names}
    structure = Structure(tuple(variable(name, SIZES[name]) for name in names), parents)
    return random_network(structure, np.random.default_rng(7))
