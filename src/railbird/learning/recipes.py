"""The recipe of a pack: the hands it was made from, how it was made, and the number of cases.

A recipe is plain data:

    made by         railbird watch
    version         of Railbird
    system          the system to which the cases belong
    players         the watched players
    table           all players of the hands, and the number of hands by game
    options         how the hands were read, if given
    sources         for each file its name, its SHA-256, the number of hands read and of bad hands
    hands           the number of hands read, and of skipped hands by reason
    cases           the number of cases by base and action
    outcome         the meaning of a case's outcome
    network         BayCaRP: the name and the SHA-256 of the network that read the opponents
    reading         BayCaRP: how its beliefs were turned into ranges
    thinned         the seed of a selection of cases, and their number by base before it

A pack joined from others has their recipes under `joined`.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from railbird import __version__
from railbird.cbr.case_base import CaseBase
from railbird.cbr.packs.files import Pack, PackError, read_pack
from railbird.learning.watching import Watcher
from railbird.plain_data import ANY_NAME, PlainDataError, require_like
from railbird.store.sources import Source

JOINED = "joined"
_SHAPE = {
    "players": [""],
    "table": {"players": [""], "games": {ANY_NAME: 0}},
    "sources": [{"name": "", "sha256": "", "hands": 0, "bad": 0}],
    "cases": {ANY_NAME: {ANY_NAME: 0}},
}
"""Examples of the fields that are used, not only shown."""


@dataclass(slots=True)
class WatchedFile:
    """A watched file of hands."""

    name: str
    """The name without folders: the digest identifies the file."""
    digest: str
    """The SHA-256 of its bytes."""
    hands: int = 0
    bad: int = 0

    @classmethod
    def of(cls, path: Path) -> "WatchedFile":
        """A file before any hand was read."""
        return cls(path.name, Source.of_file(path).digest)


def read_watched(path: Path) -> Pack:
    """The pack of a file, whose recipe is checked."""
    pack = read_pack(path)
    try:
        require_like(pack.recipe.get(JOINED, []), [{}], f"the recipe of {path}", JOINED)
        for single in single_recipes(pack.recipe):
            for name, example in _SHAPE.items():
                if name in single:
                    require_like(single[name], example, f"the recipe of {path}", name)
    except PlainDataError as error:
        raise PackError(f"{path}: {error}") from None
    return pack


def recipe_of(watcher: Watcher, files: Sequence[WatchedFile], options: Mapping[str, str]) -> dict[str, Any]:
    """The recipe of a watcher's cases."""
    counts = watcher.counts
    return {
        "made by": "railbird watch",
        "version": __version__,
        "system": watcher.system.name,
        "players": list(watcher.players),
        "table": {"players": list(counts.names), "games": dict(counts.games)},
        "options": dict(options),
        "sources": [
            {"name": file.name, "sha256": file.digest, "hands": file.hands, "bad": file.bad} for file in files
        ],
        "hands": {
            "read": counts.hands,
            "bad": sum(file.bad for file in files),
            "read before": counts.duplicates,
            "of another game": counts.other_games,
            "without a watched player": counts.without_player,
            "with unknown cards": counts.unknown,
            "with unknown outcome": counts.unfinished,
        },
        "cases": tally(watcher.pack({}).bases),
        "outcome": watcher.system.outcome,
        **watcher.system.recipe,
    }


def tally(bases: Mapping[str, CaseBase]) -> dict[str, dict[str, int]]:
    """The number of decisions in every base, by action."""
    return {
        name: dict(zip(base.schema.solutions, base.counts.sum(axis=0).tolist(), strict=True))
        for name, base in bases.items()
    }


def joined_recipe(recipes: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The recipe of joined packs: their recipes, in order."""
    return {JOINED: [single for recipe in recipes for single in single_recipes(recipe)]}


def single_recipes(recipe: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The recipe itself, or those of the joined packs."""
    if JOINED in recipe:
        yield from recipe[JOINED]
    else:
        yield recipe


def sources_of(recipe: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """All watched files."""
    return [source for single in single_recipes(recipe) for source in single.get("sources", ())]


def require_disjoint(recipes: Mapping[str, Mapping[str, Any]]) -> None:
    """Refuse recipes, given by the names of their packs, if two watched the same player in the same file."""
    watched: dict[tuple[str, str], str] = {}
    for pack, recipe in recipes.items():
        for single in single_recipes(recipe):
            for source in single.get("sources", ()):
                for player in single.get("players", ()):
                    other = watched.setdefault((source["sha256"], player), pack)
                    if other != pack:
                        raise PackError(
                            f"{pack}: {player} in {source['name']} was already watched for {other}, "
                            "so its cases would count twice: keep duplicates to merge the packs anyway"
                        )


def verify_counts(pack: Pack, name: str) -> None:
    """Refuse a pack whose number of cases differs from its recipe."""
    said: dict[str, Counter[str]] = {base: Counter() for base in pack.bases}
    for single in single_recipes(pack.recipe):
        if "cases" not in single:
            raise PackError(f"{name}: its recipe does not state the number of cases")
        for base, actions in single["cases"].items():
            said.setdefault(base, Counter()).update(actions)
    found = tally(pack.bases)
    for base, actions in said.items():
        there = Counter(found.get(base, {}))
        for action in actions | there:
            if there[action] != actions[action]:
                raise PackError(
                    f"{name}: holds {there[action]:,} cases of {base} with {action}, "
                    f"but its recipe says {actions[action]:,}"
                )


def verify_sources(pack: Pack, name: str, files: Sequence[Path]) -> None:
    """Refuse files that are not among the sources."""
    sources = sources_of(pack.recipe)
    digests = {source["sha256"] for source in sources}
    for file in files:
        digest = Source.of_file(file).digest
        if digest in digests:
            continue
        same_name = [source["sha256"] for source in sources if source["name"] == file.name]
        if same_name:
            raise PackError(
                f"{file}: not the source of {name}: its SHA-256 is {digest[:16]}…, "
                f"but the recipe says {same_name[0][:16]}…"
            )
        raise PackError(f"{file}: was not watched for {name}, which has other sources")
