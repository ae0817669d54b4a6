"""CASPER's cases: the schema and the similarity of every stage, as one table (casper-2007 §5 and §6).

    attribute                 range      metric           weight: preflop  flop  turn  river
    number of players         2 … 10     linear, span 8                 5     5     5      5
    relative position         0 … 1      linear, span 1                10     5    10      5
    players in current hand   0 … 9      linear, span 9                10     5     5      5
    players yet to act        0 … 9      linear, span 9                 5     5     5      5
    bets committed            0 … 5      decay, k = 4                   5    20    10     10
    bets to call              0 … 5      decay, k = 2                  10    20    10     10
    pot odds                  0 … 0.5    linear, span 0.5               5     5     5     40
    hand strength             0 … 1      linear, span 1                50    80    80     80
    positive potential        0 … 0.4    linear, span 0.4               –    80    80      –
    negative potential        0 … 0.3    linear, span 0.3               –    80    80      –
    small bets in pot         0 … 300    linear, span 300               –     5     5      5
    previous round bets       0 … 5      linear, span 5                 –     5     5      5

Ranges are those of casper-2007, table 1, and give the spans of equation 1. A value may lie beyond a range that the
table prints with a tilde or that belongs to a cap of five bets; differences beyond the span have the similarity 0.
Equation 2 takes differences in bets as they are. The papers on CASPER print neither k nor single weights: both come
from baycarp-2011 (§5.4.3 and fig. 5.8), which took CASPER's best weights for the attributes that both have; the last
two rows, which it has not, get CASPER's default of 5. `docs/casper.md` says why k is applied to bets and not to parts
of the range.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from railbird.agents.casper.attributes import STAGES, names
from railbird.cbr.schema import Number, Schema
from railbird.cbr.similarity import Decay, Linear, Similarity
from railbird.places import read_up_to, write_whole
from railbird.spec import unknown

SOLUTIONS = ("fold", "call", "raise")
"""What a case may say: a check is a call, a bet is a raise."""
MOST_BYTES = 1024**2
"""Of a file of weights."""
MOST_WEIGHT = 100.0
"""Weights lie between 0 and this (casper-2007 §6)."""


class WeightsError(ValueError):
    """A file of weights that cannot be read, with the stage and the attribute that are wrong."""


@dataclass(frozen=True, slots=True)
class Row:
    """One attribute: what its values are, how two are compared, and its weight by stage, 0 where it is not used."""

    attribute: Number
    metric: Linear | Decay
    weights: tuple[float, float, float, float]


_ROWS = (
    Row(Number("number of players", whole=True, low=2, high=10), Linear(8.0), (5, 5, 5, 5)),
    Row(Number("relative position", low=0, high=1), Linear(1.0), (10, 5, 10, 5)),
    Row(Number("players in current hand", whole=True, low=0, high=9), Linear(9.0), (10, 5, 5, 5)),
    Row(Number("players yet to act", whole=True, low=0, high=9), Linear(9.0), (5, 5, 5, 5)),
    Row(Number("bets committed", low=0), Decay(4.0), (5, 20, 10, 10)),
    Row(Number("bets to call", low=0), Decay(2.0), (10, 20, 10, 10)),
    Row(Number("pot odds", low=0, high=1), Linear(0.5), (5, 5, 5, 40)),
    Row(Number("hand strength", low=0, high=1), Linear(1.0), (50, 80, 80, 80)),
    Row(Number("positive potential", low=0, high=1), Linear(0.4), (0, 80, 80, 0)),
    Row(Number("negative potential", low=0, high=1), Linear(0.3), (0, 80, 80, 0)),
    Row(Number("small bets in pot", low=0), Linear(300.0), (0, 5, 5, 5)),
    Row(Number("previous round bets", whole=True, low=0), Linear(5.0), (0, 5, 5, 5)),
)
TABLE: Mapping[str, Row] = {row.attribute.name: row for row in _ROWS}
"""Every attribute by name, in the order of casper-2007, table 1."""


@cache
def schema(stage: str) -> Schema:
    """What a case of a stage is made of."""
    return Schema(tuple(TABLE[name].attribute for name in names(stage)), SOLUTIONS)


def similarity(stage: str, weights: Mapping[str, float] | None = None) -> Similarity:
    """How similar two situations of a stage are; weights that are named replace the hand-picked ones."""
    hand_picked = _hand_picked(stage)
    return hand_picked.with_weights(weights) if weights else hand_picked


@cache
def _hand_picked(stage: str) -> Similarity:
    place = STAGES.index(stage)
    rows = {name: TABLE[name] for name in names(stage)}
    return Similarity(
        schema(stage), {name: (row.metric, float(row.weights[place])) for name, row in rows.items()}
    )


def read_weights(path: Path) -> dict[str, dict[str, float]]:
    """The weights of a TOML file by stage and attribute: a table for every stage that has other than hand-picked ones.

    [flop]
    "hand strength" = 71.5
    """
    try:
        content = read_up_to(path, MOST_BYTES)
    except OSError as error:
        raise WeightsError(f"{path}: the weights cannot be read: {error.strerror}") from None
    if len(content) > MOST_BYTES:
        raise WeightsError(f"{path}: has more than {MOST_BYTES:,} bytes, too many for weights")
    try:
        found = tomllib.loads(content.decode())
    except ValueError as error:  # no TOML, no UTF-8, or a number of thousands of digits
        raise WeightsError(f"{path}: this is no TOML: {error}") from None
    except RecursionError:
        raise WeightsError(f"{path}: this is no TOML: its lists lie too deep in each other") from None
    for stage, weights in found.items():
        if stage not in STAGES:
            raise WeightsError(f"{path}: {unknown('stage', stage, STAGES)}")
        if not isinstance(weights, dict):
            raise WeightsError(f"{path}: [{stage}] is a table of weights, not {weights!r}")
        for name, weight in weights.items():
            _require_weight(f"{path}: [{stage}]", stage, name, weight)
        if not sum((similarity(stage).weights() | weights).values()):
            raise WeightsError(f"{path}: [{stage}] leaves no attribute with a weight above 0")
    return {
        stage: {name: float(weight) for name, weight in weights.items()} for stage, weights in found.items()
    }


def _require_weight(where: str, stage: str, name: str, weight: object) -> None:
    if name not in schema(stage).places:
        raise WeightsError(f"{where}: {unknown('attribute', name, schema(stage).names)}")
    if isinstance(weight, bool) or not isinstance(weight, int | float) or not 0 <= weight <= MOST_WEIGHT:
        raise WeightsError(
            f"{where}: the weight of {name!r} is a number from 0 to {MOST_WEIGHT:g}, not {weight!r}"
        )


def write_weights(path: Path, weights: Mapping[str, Mapping[str, float]]) -> None:
    """Write weights by stage and attribute so that `read_weights` finds the same."""
    write_whole(path, lambda file: file.write(format_weights(weights).encode()))


def format_weights(weights: Mapping[str, Mapping[str, float]]) -> str:
    """Weights by stage and attribute as TOML."""
    tables = [
        "\n".join([f"[{stage}]", *(f'"{name}" = {float(weight)!r}' for name, weight in of_stage.items())])
        for stage, of_stage in weights.items()
    ]
    return "\n\n".join(tables) + "\n"
