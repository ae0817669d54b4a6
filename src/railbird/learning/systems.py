"""The systems whose cases can be learnt, by name: `casper:look-ahead=2`, `baycarp`, or `sartre:strength=categories`."""

from collections.abc import Callable, Mapping

from railbird.agents.system import System
from railbird.cbr.similarity import Similarity
from railbird.cbr.staged import StagedTable
from railbird.spec import Spec, SpecError, parse_spec, unknown


def _casper(spec: Spec, network: str) -> System:
    from railbird.agents.casper.attributes import LOOK_AHEAD
    from railbird.agents.casper.cases import look_ahead_of
    from railbird.agents.casper.watching import casper_system

    _require_no_network(spec, network)
    return casper_system(look_ahead_of(spec, LOOK_AHEAD))


def _baycarp(spec: Spec, network: str) -> System:
    from railbird.agents.baycarp.watching import baycarp_system
    from railbird.opponents.network.beliefs import READINGS

    _require_parameters(spec, "ranges")
    ranges = spec.parameters.get("ranges", "groups")
    if ranges not in READINGS:
        raise unknown("way to read ranges", ranges, READINGS)
    return baycarp_system(network, READINGS[ranges])


def _sartre(spec: Spec, network: str) -> System:
    from railbird.agents.sartre.hand_strength import HandStrength
    from railbird.agents.sartre.systems import USUAL, players_of
    from railbird.agents.sartre.watching import limit_system

    _require_parameters(spec, "strength", "solutions")
    _require_no_network(spec, network)
    strength = HandStrength.parse(spec.parameters.get("strength", str(USUAL)))
    return limit_system(players_of(spec.name), strength, single=_is_single(spec))


def _sartre_nolimit(spec: Spec, network: str) -> System:
    from railbird.agents.sartre.nolimit.watching import nolimit_system
    from railbird.strategies.actions import SARTRE, ActionAbstraction

    _require_parameters(spec, "actions", "solutions")
    _require_no_network(spec, network)
    actions = ActionAbstraction(spec.parameters.get("actions", str(SARTRE)))
    return nolimit_system(actions, single=_is_single(spec))


def _is_single(spec: Spec) -> bool:
    """Whether every decision becomes a case of its own."""
    solutions = spec.parameters.get("solutions", "vector")
    if solutions not in ("vector", "single"):
        raise unknown("form of solutions", solutions, ("vector", "single"))
    return solutions == "single"


_SYSTEMS: Mapping[str, Callable[[Spec, str], System]] = {
    "casper": _casper,
    "baycarp": _baycarp,
    "sartre": _sartre,
    "sartre-3p": _sartre,
    "sartre-nl": _sartre_nolimit,
}


def system_names() -> tuple[str, ...]:
    """All systems, without parameters."""
    return tuple(_SYSTEMS)


def is_system(text: str) -> bool:
    """Whether there is a system with this name, whatever its parameters."""
    return text.partition(":")[0] in _SYSTEMS


def system_named(text: str, network: str = "") -> System:
    """The system with this name and parameters, with the network that reads its opponents if it uses one."""
    spec = parse_spec(text)
    found = _SYSTEMS.get(spec.name)
    if found is None:
        raise unknown("system", spec.name, _SYSTEMS)
    return found(spec, network)


def _require_parameters(spec: Spec, *known: str) -> None:
    for name in spec.parameters:
        if name not in known:
            if not known:
                raise SpecError(f"{spec.name} has no parameters, but {name} is given")
            raise unknown(f"parameter of {spec.name}", name, known)


def _require_no_network(spec: Spec, network: str) -> None:
    if network:
        raise ValueError(f"{spec.name} does not read opponents, so it takes no network")


def similarity_of(system: str, base: str) -> Similarity:
    """The similarity of cases in a system's base, without similarities specific to a target."""
    table = _table(system)
    if base not in table.stages:
        raise unknown(f"base of {system}", base, table.stages)
    return table.similarity(base)


def _table(system: str) -> StagedTable:
    """The attributes of a system's cases, for which no network is needed."""
    if system == "baycarp":
        from railbird.agents.baycarp.cases import TABLE

        return TABLE
    return system_named(system).table
