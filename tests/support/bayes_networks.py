"""Networks for tests: random ones, and one of the size that opponents' cards need."""

from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from railbird.bayes.network import Network
from railbird.bayes.structure import UNKNOWN, Structure, Variable

Codes = NDArray[np.int16]

SIZES = {
    "PFR": 8,
    "VPIP": 8,
    "Position": 4,
    "Action": 5,
    "HandGroup": 10,
    "ActionFlop": 10,
    "ActionTurn": 10,
    "ActionRiver": 10,
    "Board": 12,
    "BoardChangeTurn": 10,
    "BoardChangeRiver": 10,
    "HandTypeFlop": 17,
    "HandTypeTurn": 17,
    "HandTypeFinal": 17,
    "FlushBoardFlop": 3,
    "StraightBoardFlop": 3,
    "FlushChangeTurn": 8,
    "StraightChangeTurn": 8,
    "PartialHandFlop": 6,
    "PartialHandTurn": 6,
}
PARENTS = {
    "HandGroup": ("PFR", "VPIP", "Position", "Action"),
    "ActionFlop": ("Action",),
    "ActionTurn": ("ActionFlop",),
    "ActionRiver": ("ActionTurn",),
    "HandTypeFlop": ("HandGroup", "ActionFlop", "Board"),
    "HandTypeTurn": ("HandTypeFlop", "PartialHandFlop", "ActionTurn", "BoardChangeTurn"),
    "HandTypeFinal": ("HandTypeTurn", "PartialHandTurn", "ActionRiver", "BoardChangeRiver"),
    "PartialHandFlop": ("FlushBoardFlop", "StraightBoardFlop", "ActionFlop"),
    "PartialHandTurn": ("PartialHandFlop", "ActionTurn", "FlushChangeTurn", "StraightChangeTurn"),
}
HIDDEN = tuple(name for name in SIZES if name.startswith(("Hand", "Partial")))
LATER = {
    "flop": (
        "ActionTurn",
        "ActionRiver",
        "BoardChangeTurn",
        "BoardChangeRiver",
        "FlushChangeTurn",
        "StraightChangeTurn",
    ),
    "turn": ("ActionRiver", "BoardChangeRiver"),
    "river": (),
}
"""What is not known yet on each street."""
HAND_TYPE = {"flop": "HandTypeFlop", "turn": "HandTypeTurn", "river": "HandTypeFinal"}


def variable(name: str, size: int) -> Variable:
    return Variable(name, tuple(f"{name}{code}" for code in range(size)))


def opponent_structure() -> Structure:
    """The published network with its extension for partial hands (baycarp-2011, figures 5.4 and 5.5)."""
    return Structure(tuple(variable(name, size) for name, size in SIZES.items()), PARENTS)


def random_network(structure: Structure, draw: np.random.Generator, zeros: float = 0.0) -> Network:
    """Random tables; so many of the entries are zero."""
    tables = {}
    for each in structure.variables:
        numbers = draw.gamma(0.7, size=structure.shape(each.name)) + 1e-9
        gone = draw.random(numbers.shape) < zeros
        gone[..., 0] &= ~gone.all(axis=-1)
        numbers[gone] = 0.0
        tables[each.name] = numbers / numbers.sum(axis=-1, keepdims=True)
    return Network(structure, tables)


def samples(network: Network, count: int, draw: np.random.Generator) -> Codes:
    """So many complete rows, as probable as the network holds them."""
    structure = network.structure
    rows = np.empty((count, len(structure.variables)), dtype=np.int16)
    for name in structure.order:
        parents = tuple(rows[:, structure.places[parent]] for parent in structure.parents[name])
        table = np.broadcast_to(network.tables[name][parents], (count, len(structure.variable(name))))
        above = table.cumsum(axis=1) > draw.random((count, 1))
        above[:, -1] |= ~above.any(axis=1)
        rows[:, structure.places[name]] = above.argmax(axis=1)
    return rows


def street_rows(street: str, count: int, draw: np.random.Generator) -> Codes:
    """What is known of opponents on a street: all but their cards and what comes later."""
    sizes = np.array(list(SIZES.values()))
    rows = draw.integers(0, sizes, (count, len(sizes))).astype(np.int16)
    for place, name in enumerate(SIZES):
        if name in HIDDEN or name in LATER[street]:
            rows[:, place] = UNKNOWN
    return rows


def random_rows(structure: Structure, count: int, draw: np.random.Generator) -> Codes:
    """Any states, any of them unknown: few in some rows, most in others."""
    sizes = np.array([len(each) for each in structure.variables])
    rows = draw.integers(0, sizes, (count, len(sizes))).astype(np.int16)
    rows[draw.random(rows.shape) < draw.random((count, 1))] = UNKNOWN
    return rows


def evidence_of(structure: Structure, codes: Codes) -> dict[str, str]:
    """Codes as names of states."""
    return {
        each.name: each.states[code]
        for each, code in zip(structure.variables, codes.tolist(), strict=True)
        if code != UNKNOWN
    }


@dataclass(frozen=True)
class World:
    """A small network and a source of more randomness."""

    network: Network
    draw: np.random.Generator

    def __repr__(self) -> str:
        tables = {name: table.tolist() for name, table in self.network.tables.items()}
        return f"World({self.network.structure}, {tables})"


@st.composite
def worlds(draw: st.DrawFn, most_variables: int = 6) -> World:
    """Small networks of any shape, with zeros in some tables; variables stand in any order."""
    count = draw(st.integers(1, most_variables))
    sizes = draw(st.lists(st.integers(2, 4), min_size=count, max_size=count))
    names = [f"V{place}" for place in range(count)]
    order = draw(st.permutations(names))
    parents = {
        name: tuple(draw(st.permutations([each for each in order[:place] if draw(st.booleans())]))[:3])
        for place, name in enumerate(order)
    }
    generator = np.random.default_rng(draw(st.integers(0, 2**32)))
    structure = Structure(
        tuple(variable(name, size) for name, size in zip(names, sizes, strict=True)), parents
    )
    return World(random_network(structure, generator, draw(st.sampled_from((0.0, 0.3, 0.7)))), generator)
