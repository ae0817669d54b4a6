"""Named profiles: the same agent playing tight or loose, passive or aggressive.

A profile is a style for ProbTriple (`opponents.weights.styles`) and shifts of hard thresholds (`income_thresholds`), by
which hands are chosen before the flop, and the thresholds of Poki's formula afterwards: the EHS from which to bet and
to raise (Papp 1998 appendix B has 0.50 and 0.85), how much of the odds a call must be worth, and how readily to bluff.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

from railbird.agent import Meaning
from railbird.opponents.weights.styles import Style

PokibotProfile = Literal["balanced", "tight-passive", "tight-aggressive", "loose-passive", "loose-aggressive"]
JagbotProfile = Literal["standard", "loose", "maniac"]

ProfileParameter: TypeAlias = Annotated[
    PokibotProfile,
    Meaning(
        "How many hands it plays, tight or loose, and how often it bets and raises.", "baycarp-2011 §3.3"
    ),
]
PreflopParameter: TypeAlias = Annotated[
    Literal["soft", "hard"],
    Meaning(
        "How it chooses hands before the flop: soft draws from Loki's probabilities and adapts to the players in the "
        "pot, hard compares income rates with thresholds.",
        "papp-1998 §6.1",
    ),
]
ModelsParameter: TypeAlias = Annotated[
    bool,
    Meaning(
        "Whether it learns how each opponent plays; otherwise it takes everyone for an average player.",
        "loki-1999, Probability triples",
    ),
]


@dataclass(frozen=True, slots=True)
class Profile:
    """How a formula player plays."""

    style: Style
    bet_at: float = 0.50
    """EHS from which it bets."""
    raise_at: float = 0.85
    """EHS from which it raises a bet."""
    calling: float = 1.0
    """Multiplier for the odds that a call needs: below 1 it calls with weaker hands."""
    deception: float = 1.0
    """Multiplier for the probabilities of bluffs, check-raises and slow-play."""
    follows: float = 0.7
    """How strongly it adapts before the flop to the looseness of players already in the pot."""
    tightness: float = 0.0
    """Added to the hard thresholds before the flop, in bets per hand."""
    caution: float = 0.0
    """Added to those from which it raises."""


POKIBOT_PROFILES: Mapping[PokibotProfile, Profile] = {
    "balanced": Profile(Style.of()),
    "tight-passive": Profile(
        Style.of(preflop=(-0.15, -1.0)),
        bet_at=0.62,
        raise_at=0.93,
        calling=1.1,
        deception=0.4,
        follows=0.5,
        tightness=0.15,
        caution=0.2,
    ),
    "tight-aggressive": Profile(
        Style.of(preflop=(-0.15, 0.6)),
        bet_at=0.45,
        raise_at=0.75,
        calling=1.1,
        deception=1.3,
        follows=0.5,
        tightness=0.13,
        caution=-0.1,
    ),
    "loose-passive": Profile(
        Style.of(preflop=(1.4, -1.0)),
        bet_at=0.65,
        raise_at=0.93,
        calling=0.7,
        deception=0.4,
        tightness=-0.16,
        caution=0.2,
    ),
    "loose-aggressive": Profile(
        Style.of(preflop=(1.25, 0.7)),
        bet_at=0.42,
        raise_at=0.72,
        calling=0.8,
        deception=1.5,
        tightness=-0.13,
        caution=-0.1,
    ),
}

JAGBOT_STYLES: Mapping[JagbotProfile, Style] = {
    "standard": Style.of(preflop=(2.1, 1.75), postflop=(-0.72, 1.0), bluffing=2.0),
    "loose": Style.of(preflop=(2.6, 1.9), postflop=(-0.7, 0.9), bluffing=1.5),
    "maniac": Style.of(preflop=(2.4, 2.1), postflop=(-0.8, 1.5), bluffing=3.0),
}
