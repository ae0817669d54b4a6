"""Names of agents for people: "Simbot" for `simbot`, "Loose-passive Pokibot" for `pokibot:profile=loose-passive`.

An agent states its title; its profile or kind stands in front of it, and other parameters follow in brackets. Logs and
results identify players by specs; tables in the browser label them with these names.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache

from railbird.agent.registry import agent_info, agent_names, parse_agent, title_from
from railbird.places import without_passwords

_STYLES = ("profile", "kind")
"""Parameters whose values describe an agent, and stand in front of its title."""
_NUMBER = re.compile(r" [0-9]+$")


def display_name(agent: str) -> str:
    """The name of an agent for people. No program in a file is loaded, so a class in a file has its own name.

    >>> display_name("simbot"), display_name("pokibot:profile=loose-passive"), display_name("bot.py:Cautious")
    ('Simbot', 'Loose-passive Pokibot', 'Cautious')
    >>> display_name("simbot:trials=500,mix=0.1")
    'Simbot (500 trials, mix 0.1)'
    """
    spec = parse_agent(without_passwords(agent))
    parameters = dict(spec.parameters)
    style = " ".join(parameters.pop(key) for key in _STYLES if key in parameters)
    title = f"{style.capitalize()} {_title(spec.name)}" if style else _title(spec.name)
    words = ", ".join(_words(key, value) for key, value in parameters.items())
    return f"{title} ({words})" if words else title


def display_names(agents: Sequence[str]) -> tuple[str, ...]:
    """The names of agents at one table, numbered where they would be the same.

    >>> display_names(["random", "always-call", "random"])
    ('Random 1', 'Always Call', 'Random 2')
    """
    return numbered([display_name(agent) for agent in agents])


def numbered(names: Sequence[str]) -> tuple[str, ...]:
    """Names with a number after those that occur more than once."""
    return tuple(
        f"{name} {names[: place + 1].count(name)}" if names.count(name) > 1 else name
        for place, name in enumerate(names)
    )


def agent_of_label(label: str) -> str | None:
    """The registered agent that a label names, by its display name or its spec; None for anyone else.

    >>> agent_of_label("Loose-passive Pokibot 2"), agent_of_label("simbot:trials=5 2"), agent_of_label("Ann")
    ('pokibot', 'simbot', None)
    """
    for text in (label, _NUMBER.sub("", label)):
        name = text.partition(" (")[0].partition(":")[0].strip().casefold()
        style, _, title = name.partition(" ")
        found = _known().get(name) or (_known().get(title) if style in _styles(_known().get(title)) else None)
        if found is not None:
            return found
    return None


@cache
def _known() -> Mapping[str, str]:
    """Registered agents by name and by title, in lower case."""
    return {called.casefold(): name for name in agent_names() for called in (name, agent_info(name).title)}


def _styles(name: str | None) -> Sequence[str]:
    parameters = agent_info(name).parameters if name else ()
    return [style for each in parameters if each.name in _STYLES for style in each.kind.split(" | ")]


@cache
def _title(name: str) -> str:
    _, suffix, class_name = name.partition(".py:")
    if suffix:
        return class_name
    # Stored sessions may name agents that are not installed any more.
    return agent_info(name).title if name in agent_names() else title_from(name)


def _words(key: str, value: str) -> str:
    """A parameter in words: `100 trials`, `no models`, `threshold 0.9`; a file without its folder."""
    name = key.replace("_", " ").replace("-", " ")
    match value.lower():
        case "yes" | "true" | "on":
            return name
        case "no" | "false" | "off":
            return f"no {name}"
    if value.isascii() and value.isdigit() and name.endswith("s"):
        return f"{int(value):,} {name.removesuffix('s') if int(value) == 1 else name}"
    return f"{name} {value.rstrip('/').rpartition('/')[2]}"
