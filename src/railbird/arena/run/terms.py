"""The terms of a contest: what all its matches have in common, except the players."""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from railbird import __version__
from railbird.arena.play.experience import (
    NO_EXPERIENCE,
    Experience,
    ExperienceBook,
    of_agents,
    snapshot_digest,
)
from railbird.arena.play.plan import (
    Bust,
    Duplicate,
    Entrant,
    FaultPolicy,
    Limits,
    MatchPlan,
    PlanError,
    round_robin,
)
from railbird.arena.results.report import SCHEMA
from railbird.arena.run.journal import experiment_of, journal_beside
from railbird.places import require_output, without_passwords
from railbird.plain_data import PlainDataError, read_json
from railbird.spec import parse_choice

NO_LIMITS = Limits()
_USUAL = "default"
"""In journals, the seatings of a duplicate contest that does not choose them."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What all matches of a contest have in common."""

    game: str
    hands: int
    seed: str
    duplicate: bool | str = False
    """Whether deals are played in several seatings, or the name of these seatings."""
    faults: str = FaultPolicy.NATIVE.value
    bust: str = Bust.LEAVE.value
    limits: Limits = NO_LIMITS
    shuffle: bool = False
    snapshot: int | None = None
    """Number of matches in the book of experience that count; None for all."""

    @property
    def seatings(self) -> str:
        """The seatings as journals name them."""
        if isinstance(self.duplicate, str):
            return self.duplicate
        return _USUAL if self.duplicate else Duplicate.NONE.value

    def plan(
        self, entrants: Sequence[Entrant], name: tuple[str | int, ...], lived: Experience = NO_EXPERIENCE
    ) -> MatchPlan:
        """One match of the contest."""
        if self.duplicate is True:
            duplicate = Duplicate.usual(len(entrants))
        else:
            duplicate = parse_choice("duplicate", self.seatings, Duplicate)
        return MatchPlan(
            game=self.game,
            entrants=tuple(entrants),
            hands=self.hands,
            seed=self.seed,
            name=name,
            duplicate=duplicate,
            bust=parse_choice("bust", self.bust, Bust),
            faults=parse_choice("faults", self.faults, FaultPolicy),
            limits=self.limits,
            shuffle=self.shuffle,
            snapshot=snapshot_digest(of_agents(lived, (entrant.agent for entrant in entrants))),
        )

    def round_robin(
        self,
        entrants: Sequence[Entrant],
        players: int,
        matches: int,
        lived: Experience = NO_EXPERIENCE,
    ) -> list[MatchPlan]:
        """The matches of a round robin at tables of this size."""
        return [self.plan(group, name, lived) for name, group in round_robin(entrants, players, matches)]

    def to_json(self) -> dict[str, Any]:
        """The terms as plain data, by which a journal identifies its contest."""
        return {
            "game": self.game,
            "hands": self.hands,
            "seed": self.seed,
            "seatings": self.seatings,
            "faults": self.faults,
            "bust": self.bust,
            "limits": [self.limits.decision_s, self.limits.hand_s, self.limits.memory_mb],
            "shuffle": self.shuffle,
            "snapshot": self.snapshot,
            "version": __version__,
        }

    def with_book(self, path: Path | None, results: Path | None) -> tuple["Terms", ExperienceBook | None]:
        """The terms with a fixed snapshot of the book; an interrupted contest resumes from its original snapshot."""
        if path is None:
            if self.snapshot is not None:
                raise PlanError("a snapshot is a part of an experience book, so the book must be given")
            return self, None
        require_output(path, force=True)
        book = ExperienceBook(path)
        if self.snapshot is not None:
            return self, book
        begun = experiment_of(journal_beside(results)) if results is not None else None
        matches = (begun or {}).get("snapshot")
        return replace(self, snapshot=matches if isinstance(matches, int) else len(book)), book

    def require_ours(self, path: Path | None, kind: str) -> None:
        """Raise an error if the file contains anything but earlier results of the same experiment."""
        if path is None:
            return
        require_output(path, force=True)
        if not path.exists():
            return
        try:
            found = read_json(path.read_bytes())
        except PlainDataError:
            found = None
        if not isinstance(found, dict) or found.get("schema") != SCHEMA:
            raise PlanError(f"{path} exists and is not a results file: choose another file")
        mine = {
            "kind": kind,
            "game": self.game,
            "hands": self.hands,
            "seed": self.seed,
            "bust": self.bust,
            "fault_policy": self.faults,
        }
        for key, value in mine.items():
            if str(found.get(key)) != str(value):
                raise PlanError(
                    f"{path} contains another experiment ({key} is {found.get(key)}, not {value}): choose another file"
                )

    def command(self, kind: str, agents: Mapping[str, Sequence[str]], more: Mapping[str, object]) -> str:
        """The command line that repeats a contest; the agents are given with the option that names them."""
        duplicate = {"match": False, "tournament": True}[kind]
        options: dict[str, object] = {
            "--game": self.game,
            **{option: ",".join(names) for option, names in agents.items()},
            "--hands": self.hands,
            **more,
            "--seed": self.seed,
            "--duplicate": self.duplicate is True and not duplicate,
            "--no-duplicate": self.duplicate is False and duplicate,
            "--seatings": self.duplicate if isinstance(self.duplicate, str) else None,
            "--shuffle-seats": self.shuffle,
            "--faults": None if self.faults == FaultPolicy.NATIVE.value else self.faults,
            "--bust": None if self.bust == Bust.LEAVE.value else self.bust,
            "--decision-time": self.limits.decision_s,
            "--hand-time": self.limits.hand_s,
            "--memory": self.limits.memory_mb,
        }
        return self.repeatable(["railbird", kind, *_words(options)])

    def call(self, kind: str, agents: Sequence[str], more: Mapping[str, object]) -> str:
        """The call in Python that repeats a contest of agents of which some were given as objects or classes."""
        usual = Terms(self.game, self.hands, self.seed, kind == "tournament")
        options: dict[str, object] = {"game": self.game, "hands": self.hands, "seed": self.seed}
        for name in ("duplicate", "faults", "bust", "limits", "shuffle", "snapshot"):
            if getattr(self, name) != getattr(usual, name):
                options[name] = getattr(self, name)
        options |= {name: value for name, value in more.items() if value not in (None, False, 1)}
        given = ", ".join(f"{name}={value!r}" for name, value in options.items())
        return without_passwords(f"railbird.{kind}([{', '.join(map(repr, agents))}], {given})")

    def repeatable(self, command: Sequence[str]) -> str:
        """A command line that starts from the same snapshot of the book."""
        words = [*map(without_passwords, command)]
        if self.snapshot is not None and "--snapshot" not in words:
            words += ["--snapshot", str(self.snapshot)]
        return shlex.join(words)


def _words(options: Mapping[str, object]) -> Iterator[str]:
    for option, value in options.items():
        if value is True:
            yield option
        elif value is not None and value is not False:
            yield from (option, str(value))
