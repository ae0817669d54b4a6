"""The systems whose cases can be learnt, by name."""

from collections.abc import Callable, Mapping

from railbird.agents.system import System
from railbird.cbr.similarity import Similarity
from railbird.spec import unknown


def _casper(network: str) -> System:
    from railbird.agents.casper.watching import casper_system

    if network:
        raise ValueError("casper does not read opponents, so it takes no network")
    return casper_system()


def _baycarp(network: str) -> System:
    from railbird.agents.baycarp.watching import baycarp_system

    return baycarp_system(network)


_SYSTEMS: Mapping[str, Callable[[str], System]] = {"casper": _casper, "baycarp": _baycarp}


def system_names() -> tuple[str, ...]:
    """All systems."""
    return tuple(_SYSTEMS)


def system_named(name: str, network: str = "") -> System:
    """The system with this name, with the network that reads its opponents if it uses one."""
    found = _SYSTEMS.get(name)
    if found is None:
        raise unknown("system", name, _SYSTEMS)
    return found(network)


def similarity_of(system: str, base: str) -> Similarity:
    """The similarity of cases in a system's base, without similarities specific to a target."""
    from railbird.agents.baycarp import cases as baycarp_cases
    from railbird.agents.casper import cases as casper_cases

    tables = {"casper": casper_cases.TABLE, "baycarp": baycarp_cases.TABLE}
    if system not in tables:
        raise unknown("system", system, tables)
    table = tables[system]
    if base not in table.stages:
        raise unknown(f"base of {system}", base, table.stages)
    return table.similarity(base)
