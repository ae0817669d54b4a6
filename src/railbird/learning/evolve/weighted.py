"""The systems whose weights evolve: the attributes that are weighted, the packs, and which cases are retrieved."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from railbird.agents.baycarp import cases as baycarp
from railbird.agents.casper import cases as casper
from railbird.agents.casper.agent import ELSE_NEAREST
from railbird.cbr.cycle.retrieve import AtLeastElseNearest, Policy
from railbird.cbr.packs.files import Pack
from railbird.cbr.staged import StagedTable
from railbird.learning.imitation import CASPERS_POLICY
from railbird.spec import unknown


@dataclass(frozen=True, slots=True)
class WeightedSystem:
    """A system whose weights evolve."""

    name: str
    table: StagedTable
    """The attributes, with the hand-picked weights."""
    require_pack: Callable[[Pack, str], object]
    """Refuses a pack of another system or schema."""
    retrieval: Callable[[str], Policy]
    """Which cases are retrieved in a stage."""
    agent: str
    """The agent that plays with the weights unless another is named."""


def _require_baycarps(pack: Pack, name: str) -> None:
    pack.require(baycarp.SYSTEM, baycarp.TABLE.schemas, name)


_SYSTEMS: Mapping[str, WeightedSystem] = {
    each.name: each
    for each in (
        WeightedSystem(
            casper.SYSTEM, casper.TABLE, casper.require_pack, lambda _stage: CASPERS_POLICY, "casper"
        ),
        WeightedSystem(
            baycarp.SYSTEM,
            baycarp.TABLE,
            _require_baycarps,
            lambda stage: AtLeastElseNearest(baycarp.THRESHOLDS[stage], ELSE_NEAREST),
            "baycarp2",
        ),
    )
}


def weighted_system(name: str) -> WeightedSystem:
    """The system with this name."""
    if name not in _SYSTEMS:
        raise unknown("system whose weights evolve", name, _SYSTEMS)
    return _SYSTEMS[name]
