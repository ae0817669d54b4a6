"""Where the knowledge of an agent comes from, in one line: its teachers, its network, the table they played at.

It is read from the recipes in the agent's files, so it is true of any pack, network or strategy, shipped or not.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from railbird.agent import AgentLike, make_agent
from railbird.bayes.xdsl.files import read_recipe
from railbird.cbr.packs.files import read_pack
from railbird.strategies.table_strategy import read_with_recipe

_NUMBER = re.compile(r"^\d+ | \d+$")
_FOLDERS = re.compile(r"=[^,=]*/")
_WHO = {
    "showdown": "showdowns",
    "flop": "everybody on the flop",
    "everybody": "everybody",
}


def provenance(agent: AgentLike) -> str:
    """Where an agent's knowledge comes from.

    >>> provenance("always-call")
    'nothing learnt'
    """
    return "; ".join(sources(agent)) or "nothing learnt"


def sources(agent: AgentLike) -> list[str]:
    """The same, one by one: of its cases, of its network or strategy, and whether it learns from its own hands."""
    made = make_agent(agent)
    found = [_KINDS[path.suffix](path) for path in made.files() if path.suffix in _KINDS]
    return [*found, "what it experiences itself"] if made.is_learner else found


def _pack(path: Path) -> str:
    pack = read_pack(path)
    found = []
    for recipe in pack.recipe.get("joined", [pack.recipe]):
        words = f"of {_players(recipe['players'])}" if recipe.get("players") else ""
        found.append(f"{words}{_hands(recipe.get('hands', {}).get('read'), recipe)}")
    thinned = ", a selection" if "thinned" in pack.recipe else ""
    return f"{len(pack):,} cases ({path.stem}) {' and '.join(found)}{thinned}".rstrip()


def _network(path: Path) -> str:
    recipe = read_recipe(path)
    if not recipe:
        return f"a network ({path.stem})"
    additions = [str(each).replace("_", "-") for each in recipe.get("variant", ())]
    kind = f"with {' and '.join(additions)}" if additions else "as published"
    who = _WHO.get(str(recipe.get("learnt from")), "hands")
    return f"a network ({path.stem}) {kind}, from {who}{_hands(recipe.get('hands'), recipe)}"


def _strategy(path: Path) -> str:
    recipe, _ = read_with_recipe(path)
    return f"a strategy ({path.stem}) solved for {recipe.game} with {recipe.cards}, {recipe.iterations:,} iterations"


def _weights(path: Path) -> str:
    return f"weights ({path.stem})"


_KINDS: Mapping[str, Callable[[Path], str]] = {
    ".parquet": _pack,
    ".xdsl": _network,
    ".strategy": _strategy,
    ".toml": _weights,
}
"""What is told of a file, by its ending."""


def _hands(count: int | None, recipe: Mapping[str, Any]) -> str:
    """How many hands of which game were watched, and who played; nothing where the recipe does not tell."""
    if count is None:
        return ""
    table = recipe.get("table")
    if not table:
        return f" in {count:,} hands of {', '.join(str(each['name']) for each in recipe.get('sources', ()))}"
    return f" in {count:,} hands of {', '.join(table['games'])} between {_players(table['players'])}"


def without_folders(agent: str) -> str:
    """The name of an agent whose parameters name files without their folders.

    >>> without_folders("casper02:pack=packs/own.parquet,k=5")
    'casper02:pack=own.parquet,k=5'
    """
    return _FOLDERS.sub("=", agent)


def _players(labels: Sequence[str]) -> str:
    """Players of the same name together: "3 simbot, pokibot"."""
    names = Counter(without_folders(_NUMBER.sub("", label)) for label in labels)
    return ", ".join(f"{count} {name}" if count > 1 else name for name, count in names.items())
