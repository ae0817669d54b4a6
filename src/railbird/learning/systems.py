"""Whose cases can be learnt, by the name that a user writes."""

from collections.abc import Callable, Mapping

from railbird.agents.system import System
from railbird.cbr.similarity import Similarity
from railbird.spec import unknown


def _casper(network: str) -> System:
    from railbird.agents.casper.watching import casper_system

    if network:
        raise ValueError("casper reads no opponents, so it needs no network")
    return casper_system()


def _baycarp(network: str) -> System:
    from railbird.agents.baycarp.watching import baycarp_system

    return baycarp_system(network)


_SYSTEMS: Mapping[str, Callable[[str], System]] = {"casper": _casper, "baycarp": _baycarp}


def system_names() -> tuple[str, ...]:
    """Every system that there is."""
    return tuple(_SYSTEMS)


def system_named(name: str, network: str = "") -> System:
    """The system that a user named, with the network that reads its opponents where it has one."""
    found = _SYSTEMS.get(name)
    if found is None:
        raise unknown("system", name, _SYSTEMS)
    return found(network)


def similarity_of(system: str, base: str) -> Similarity:
    """How similar two cases of a system's base are, apart from what a target brings along."""
    from railbird.agents.baycarp import cases as baycarp_cases
    from railbird.agents.casper import cases as casper_cases

    tables = {"casper": casper_cases.TABLE, "baycarp": baycarp_cases.TABLE}
    if system not in tables:
        raise unknown("system", system, tables)
    table = tables[system]
    if base not in table.stages:
        raise unknown(f"base of {system}", base, table.stages)
    return table.similarity(base)
