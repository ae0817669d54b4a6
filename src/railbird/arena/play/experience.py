"""What agents experienced in earlier matches, as a starting point for later ones.

Every match of an experiment starts from the same snapshot: the content of an experience book when the experiment
begins. New experience is returned with the results and committed to the book afterwards, in the order of the matches,
so that neither the number of workers nor an interruption affects the book or any result.

A book is an append-only text file. Its first line is {"schema": "railbird.experience/1"}; every further line is one
match: {"match": digest of its plan, "lived": [[agent, [text, …]], …]}. Experience belongs to an agent with its
parameters, regardless of its seat; the content of a text is up to the agent.
"""

import json
from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeAlias

from railbird.places import without_passwords, write_whole
from railbird.plain_data import read_json, require_like

SCHEMA = "railbird.experience/1"

Experience: TypeAlias = Mapping[str, tuple[str, ...]]
"""By agent with its parameters, the texts it wrote, oldest first."""

NO_EXPERIENCE: Experience = {}


class ExperienceError(ValueError):
    """A file that is not an experience book, or that does not contain the requested snapshot."""


def snapshot_digest(experience: Experience) -> str:
    """A digest of a snapshot; empty if no agent has any experience."""
    lived = sorted([agent, list(texts)] for agent, texts in experience.items() if texts)
    return sha256(json.dumps(lived).encode()).hexdigest() if lived else ""


def of_agents(experience: Experience, agents: Iterable[str]) -> Experience:
    """The part of a snapshot that belongs to these agents."""
    found = {agent: experience.get(without_passwords(agent)) for agent in dict.fromkeys(agents)}
    return {agent: texts for agent, texts in found.items() if texts}


class ExperienceBook:
    """The matches committed to a file, which need not exist yet."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._matches: dict[str, list[tuple[str, list[str]]]] = {}
        if path.exists():
            self._read()

    def __len__(self) -> int:
        return len(self._matches)

    def snapshot(self, matches: int | None = None) -> Experience:
        """The experience of all agents from the first `matches` committed matches, or from all of them."""
        if matches is not None and not 0 <= matches <= len(self):
            raise ExperienceError(
                f"{self.path} contains {len(self)} matches, so there is no snapshot of {matches}"
            )
        experience: dict[str, tuple[str, ...]] = {}
        for lived in list(self._matches.values())[:matches]:
            for agent, texts in lived:
                experience[agent] = experience.get(agent, ()) + tuple(texts)
        return experience

    def commit(self, matches: Iterable[tuple[str, Iterable[tuple[str, Iterable[str]]]]]) -> int:
        """Add matches in their order, all or none, skipping those already in the book; returns how many were added.

        A match is given as the digest of its plan and the experience of each of its agents.
        """
        new = {
            match: [(agent, list(texts)) for agent, texts in lived]
            for match, lived in matches
            if match not in self._matches
        }
        if not new:
            return 0
        self._matches |= new
        lines = [
            {"schema": SCHEMA},
            *({"match": key, "lived": lived} for key, lived in self._matches.items()),
        ]
        text = "".join(json.dumps(line) + "\n" for line in lines)
        write_whole(self.path, lambda file: file.write(text.encode()))
        return len(new)

    def _read(self) -> None:
        try:
            first, *lines = self.path.read_text(encoding="utf-8").splitlines()
            header = read_json(first)
        except (OSError, ValueError):
            header = None
        if not isinstance(header, dict) or header.get("schema") != SCHEMA:
            raise ExperienceError(f"{self.path} is not an experience book; the file was not changed")
        for number, line in enumerate(lines, start=2):
            try:
                self._keep(read_json(line))
            except ValueError as error:
                raise ExperienceError(f"line {number} of {self.path} is damaged: {error}") from None

    def _keep(self, entry: Any) -> None:
        require_like(entry, {"match": "", "lived": [[("", [""])]]}, "the match")
        for pair in entry["lived"]:
            if [type(part) for part in pair] != [str, list]:
                raise ExperienceError("an experience must be an agent and its texts")
        self._matches[entry["match"]] = [(agent, texts) for agent, texts in entry["lived"]]
