"""Files of weights: TOML with a table for every stage whose weights differ from those of its `StagedTable`.

>>> print(format_weights({"repair": {"noise": 71.5, "wear": 0}}))
[repair]
"noise" = 71.5
"wear" = 0.0
<BLANKLINE>
"""

import tomllib
from collections.abc import Mapping
from pathlib import Path

from railbird.cbr.staged import StagedTable
from railbird.places import read_up_to
from railbird.spec import unknown

MOST_BYTES = 1024**2
"""Maximum size of a file of weights."""
MOST_WEIGHT = 100.0
"""Maximum weight (casper-2007 §6)."""


class WeightsError(ValueError):
    """A file of weights that cannot be read; the message names the stage and the attribute."""


def read_weights(path: Path, table: StagedTable) -> dict[str, dict[str, float]]:
    """The weights of a file by stage and attribute, checked against a table."""
    try:
        content = read_up_to(path, MOST_BYTES)
    except OSError as error:
        raise WeightsError(f"{path}: the weights cannot be read: {error.strerror}") from None
    if len(content) > MOST_BYTES:
        raise WeightsError(f"{path}: has more than {MOST_BYTES:,} bytes, too many for weights")
    try:
        found = tomllib.loads(content.decode())
    except ValueError as error:  # not TOML, not UTF-8, or a number of thousands of digits
        raise WeightsError(f"{path}: not a valid TOML file: {error}") from None
    except RecursionError:
        raise WeightsError(f"{path}: not a valid TOML file: its lists are nested too deeply") from None
    for stage, weights in found.items():
        if stage not in table.stages:
            raise WeightsError(f"{path}: {unknown('stage', stage, table.stages)}")
        if not isinstance(weights, dict):
            raise WeightsError(f"{path}: [{stage}] must be a table of weights, not {weights!r}")
        for name, weight in weights.items():
            if name not in table.names(stage):
                raise WeightsError(f"{path}: [{stage}]: {unknown('attribute', name, table.names(stage))}")
            _require_weight(f"{path}: [{stage}]", name, weight)
        if not sum((table.similarity(stage).weights() | weights).values()):
            raise WeightsError(f"{path}: [{stage}] leaves no attribute with a weight above 0")
    return {
        stage: {name: float(weight) for name, weight in weights.items()} for stage, weights in found.items()
    }


def _require_weight(where: str, name: str, weight: object) -> None:
    if isinstance(weight, bool) or not isinstance(weight, int | float) or not 0 <= weight <= MOST_WEIGHT:
        raise WeightsError(
            f"{where}: the weight of {name!r} must be a number from 0 to {MOST_WEIGHT:g}, not {weight!r}"
        )


def format_weights(weights: Mapping[str, Mapping[str, float]]) -> str:
    """Weights by stage and attribute as TOML, the inverse of `read_weights`."""
    tables = [
        "\n".join([f"[{stage}]", *(f'"{name}" = {float(weight)!r}' for name, weight in of_stage.items())])
        for stage, of_stage in weights.items()
    ]
    return "\n\n".join(tables) + "\n"
