"""Completion of values in the shell: agents with their parameters, games, experiments and packs."""

import re
from collections.abc import Iterable
from pathlib import Path

_FLAGS = ["yes", "no"]
_SPEC = re.compile(r"(?:.*,)?(?P<agent>[\w-]+):(?P<given>(?:[\w-]+=[^,]*,)*)(?P<last>[^,]*)")
"""A list that ends with an agent's parameters, the last of which is being typed."""


def complete_agents(incomplete: str) -> list[str]:
    """Agents and their parameters, in lists separated by commas too.

    >>> complete_agents("pokibot,sim"), complete_agents("simbot:pol"), complete_agents("simbot:policy=f")
    (['pokibot,simbot'], ['simbot:policy='], ['simbot:policy=formula'])
    """
    from railbird.agent import agent_names

    front, comma, begun = incomplete.rpartition(",")
    found = _SPEC.fullmatch(incomplete)
    named = [] if found is None else _parameters(incomplete.removesuffix(found["last"]), found)
    # After a parameter and a comma there may be another parameter or another agent.
    if found is None or (found["given"] and "=" not in begun):
        named += _after(front + comma, begun, agent_names())
    return named


def _parameters(front: str, found: re.Match[str]) -> list[str]:
    from railbird.agent import agent_info, agent_names

    if found["agent"] not in agent_names():
        return []
    kinds = {each.name: each.kind for each in agent_info(found["agent"]).parameters}
    key, equals, value = found["last"].partition("=")
    if not equals:
        return _after(front, key, (f"{each}=" for each in kinds))
    if key in ("pack", "packs", "heads_up"):
        choices = _shipped_packs()
    else:
        choices = _FLAGS if kinds.get(key) == "bool" else kinds.get(key, "").split(" | ")
    return _after(f"{front}{key}=", value, choices if len(choices) > 1 else ())


def complete_games(incomplete: str) -> list[str]:
    """Games by name.

    >>> complete_games("kuhn")
    ['kuhn-2p', 'kuhn-3p']
    """
    from railbird.engine.games import GAME_NAMES

    return _after("", incomplete, GAME_NAMES)


def complete_experiments(incomplete: str) -> list[str]:
    """Experiments by name.

    >>> complete_experiments("loki-t")
    ['loki-trials']
    """
    from railbird.experiments import experiments

    return _after("", incomplete, ("all", "list", *experiments()))


def complete_packs(incomplete: str) -> list[str]:
    """Packs of cases in the folder that is being typed."""
    typed = Path(incomplete or ".")
    folder = typed if incomplete.endswith("/") or not incomplete else typed.parent
    found = (path for path in folder.glob("*") if path.suffix == ".parquet" or path.is_dir())
    return _after("", incomplete, sorted(f"{path}/" if path.is_dir() else str(path) for path in found))


def _after(front: str, begun: str, choices: Iterable[str]) -> list[str]:
    return [front + choice for choice in choices if choice.startswith(begun)]


def _shipped_packs() -> list[str]:
    from importlib.resources import files

    folder = files("railbird.agents").joinpath("data")
    names = (Path(each.name) for each in folder.iterdir())
    return sorted(name.stem for name in names if name.suffix == ".parquet")
