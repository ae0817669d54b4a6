"""Explanations of every kind, at random."""

import numpy as np
from hypothesis import strategies as st

from railbird.explanation import Bar, Bars, Belief, Cell, Explanation, Fact, RangeGrid, Section, TableSection
from railbird.hands.holdings import CLASSES

texts = st.text(max_size=12)
numbers = st.floats(-1e6, 1e6)
cells: st.SearchStrategy[Cell] = st.one_of(texts, st.integers(-(2**50), 2**50), numbers)
bars = st.builds(
    Bars,
    texts,
    st.lists(st.builds(Bar, texts, numbers, st.none() | st.floats(0, 100)), max_size=4).map(tuple),
    texts,
)
grids = st.builds(
    RangeGrid,
    texts,
    st.integers(0, 99).map(lambda seed: tuple(np.random.default_rng(seed).random(CLASSES).tolist())),
)
tables = st.integers(0, 3).flatmap(
    lambda width: st.builds(
        TableSection,
        texts,
        st.lists(texts, min_size=width, max_size=width).map(tuple),
        st.lists(st.lists(cells, min_size=width, max_size=width).map(tuple), max_size=3).map(tuple),
    )
)
sections: st.SearchStrategy[Section] = st.one_of(
    bars, tables, grids, st.builds(Belief, texts, grids, st.lists(bars, max_size=2).map(tuple))
)
explanations = st.builds(
    Explanation,
    texts,
    st.dictionaries(texts, cells, max_size=3).map(lambda facts: tuple(Fact(*each) for each in facts.items())),
    st.lists(sections, max_size=3).map(tuple),
)
