"""The characters of people, and how frequent they are where they play for what.

A character is a style for ProbTriple, around which its people vary, and perhaps a temper: after a big loss a person
plays looser and more aggressively for some hands.

casper-2008 tells that people are reckless where they play for play money, and prints what its players won from them,
not how these played. Guides to small-stakes limit call somebody who plays 20–24 % of the hands at a full table tight,
33–44 % loose, and more very loose; weak players at full tables are mostly passive and raise less than 12 % before the
flop. The styles give each character its place on these scales. The characters and their shares are our estimate: no
published counts are known.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from railbird.agent import drawn
from railbird.opponents.weights.styles import Style

Money = Literal["play-money", "real-money"]


@dataclass(frozen=True, slots=True)
class Temper:
    """How somebody takes a big loss."""

    loss: float
    """The loss of one hand from which it goes on tilt, in small bets."""
    hands: int
    """For this number of hands."""
    looseness: float
    aggression: float
    """What is added to its style, in log-odds."""


@dataclass(frozen=True, slots=True)
class Character:
    """A kind of person; styles are (looseness, aggression) as in `Style.of`."""

    name: str
    habit: str
    """What it does, in words that follow the name."""
    preflop: tuple[float, float]
    postflop: tuple[float, float]
    bluffing: float
    temper: Temper | None = None


@dataclass(frozen=True, slots=True)
class Individual:
    """Somebody in particular."""

    character: Character
    looseness: float
    """How much looser than its character it is, in log-odds."""
    aggression: float

    def style(self, *, on_tilt: bool = False) -> Style:
        """How it plays, calm or on tilt."""
        looseness, aggression = self.looseness, self.aggression
        temper = self.character.temper
        if on_tilt and temper is not None:
            looseness, aggression = looseness + temper.looseness, aggression + temper.aggression
        return Style.of(
            preflop=(self.character.preflop[0] + looseness, self.character.preflop[1] + aggression),
            postflop=(self.character.postflop[0] + looseness, self.character.postflop[1] + aggression),
            bluffing=self.character.bluffing,
        )


STATION = Character("calling station", "calls with almost anything", (3.0, -1.2), (1.6, -1.0), 0.3)
MANIAC = Character(
    "maniac", "bets and raises with almost anything", (2.6, 2.2), (1.0, 1.6), 3.0, Temper(15, 10, 0.8, 0.6)
)
GAMBLER = Character("gambler", "plays for every draw", (1.8, 0.2), (1.0, 0.0), 1.0, Temper(12, 12, 0.8, 0.8))
ROCK = Character("rock", "waits for good cards", (-0.2, -0.6), (-0.2, -0.4), 0.3, Temper(10, 15, 1.8, 1.0))
SOLID = Character("solid player", "plays few hands and plays them hard", (0.2, 0.3), (0.1, 0.3), 1.0)

POPULATIONS: Mapping[Money, Mapping[Character, float]] = {
    "play-money": {STATION: 0.40, MANIAC: 0.15, GAMBLER: 0.30, ROCK: 0.05, SOLID: 0.10},
    "real-money": {STATION: 0.07, MANIAC: 0.03, GAMBLER: 0.15, ROCK: 0.40, SOLID: 0.35},
}
"""The shares of the characters."""
VARIATION = 0.35
"""The standard deviation of a person's looseness and aggression, in log-odds."""


def somebody(money: Money, generator: np.random.Generator) -> Individual:
    """A person drawn from a population."""
    character = drawn(tuple(POPULATIONS[money].items()), float(generator.random()))
    looseness, aggression = (VARIATION * generator.standard_normal(2)).tolist()
    return Individual(character, looseness, aggression)
