"""What BayCaRP has learnt: its versions, and packs as its agents use them.

version      network                                                cases
improved     split calls and partial hands, everybody on the flop   of tight Simbots with many trials, who win
published    as drawn in the thesis, from showdowns                 of all Pokibots and Simbots, in the thesis's numbers
"""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

import numpy as np

from railbird.agents.baycarp.cases import SYSTEM, TABLE, similarity
from railbird.agents.baycarp.outcomes import G_BUCKS
from railbird.agents.baycarp.strategies.cases import strategy_pack
from railbird.agents.casper.attributes import STAGES
from railbird.agents.shipped import Stamp, is_shipped, shipped_path, stamp
from railbird.cbr.case_base import CaseBase
from railbird.cbr.cycle.revise import revised
from railbird.cbr.packs.files import Pack, PackError, read_pack
from railbird.cbr.similarity import Similarity
from railbird.cbr.weights import read_weights
from railbird.opponents.network.beliefs import READINGS, Reading
from railbird.plain_data import ANY_NAME, require_like

VERSIONS: Mapping[str, str] = {"improved": "baycarp", "published": "baycarp-published"}
"""The name of the shipped pack and network of each version."""
HAND_PICKED = "hand-picked"
"""The weights of figure 5.8."""
AS_WATCHED = "pack"
"""Ranges as they were when the pack was made."""
_MOST_PACKS = 4


def reading_of(ranges: str, pack: Pack, name: str) -> Reading:
    """How beliefs are turned into ranges: a reading by name, or the one with which a pack was made."""
    if ranges != AS_WATCHED:
        return READINGS[ranges]
    told = pack.recipe.get("reading", {})
    try:
        require_like(told, {ANY_NAME: (0.0, True)}, f"the recipe of {name}", "reading")
        return Reading(**told)
    except (ValueError, TypeError) as error:
        raise PackError(
            f"{name}: its recipe does not state how beliefs were turned into ranges: {error}"
        ) from None


@lru_cache(maxsize=_MOST_PACKS)
def pack_of(found: Stamp, outcomes: str) -> Pack:
    """The pack of a file with the outcomes that count; shared by all agents and never changed."""
    if outcomes == "cost":
        pack = read_pack(found.path, riders_later=is_shipped(found.path))
        pack.require(SYSTEM, TABLE.schemas, str(found.path))
        return pack
    pack = pack_of(found, "cost")
    return Pack(
        pack.system,
        {stage: _revised(pack, stage, found.path) for stage in STAGES},
        pack.riders,
        pack.recipe,
    )


def weights_files(weights: str) -> tuple[Path, ...]:
    """The file of weights, given by its path or by the name of a shipped one; none for hand-picked weights."""
    return () if weights == HAND_PICKED else (shipped_path("file of weights", weights, ".toml"),)


def similarities_of(weights: str) -> Mapping[str, Similarity]:
    """How situations are compared with these weights, by stage."""
    return _similarities_with(*map(stamp, weights_files(weights)))


@lru_cache(maxsize=_MOST_PACKS)
def _similarities_with(*files: Stamp) -> Mapping[str, Similarity]:
    found = read_weights(files[0].path, TABLE) if files else {}
    return {stage: similarity(stage, found.get(stage)) for stage in STAGES}


@lru_cache(maxsize=_MOST_PACKS)
def strategies_of(found: Stamp, outcomes: str) -> Pack:
    """The strategies of a file's pack with the outcomes that count."""
    pack_of(found, outcomes)  # refuses a pack without these outcomes
    worth = G_BUCKS if outcomes == "g-bucks" else None
    return strategy_pack(pack_of(found, "cost"), str(found.path), worth)


def _revised(pack: Pack, stage: str, path: Path) -> CaseBase:
    worth = pack.riders.get(stage, {}).get(G_BUCKS)
    if worth is None:
        raise PackError(f"{path}: the cases of {stage} do not state their worth ({G_BUCKS})")
    return revised(pack.bases[stage], np.array([float(each) for each in worth]))
