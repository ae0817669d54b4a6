"""Strategy switching: heads-up cases for a three-player hand in which one player folded (sartre-2012 §7.1).

The two players who remain take the parts of the two players of a heads-up hand, by the order in which they act after
the flop (figure 9):

    small blind    non-dealer
    big blind      non-dealer if the small blind folded, dealer if the dealer folded
    dealer         dealer

So `frc-r`, where the dealer folds and the small blind raises, is `crc-r` heads-up, and never `rc-r`. Raises of the
player who folded are left out, as are that player's other actions. What remains is compared in steps. If the present
betting round is not the same, or a player did not raise equally often before the flop, they have nothing in common;
otherwise:

    level 0    1.0    they raised in the same order before the flop, and later rounds are the same
    level 1    0.9    each player raised equally often in each earlier round
    level 2    0.8    each player raised equally often in all earlier rounds from the flop on together
    level 3    0.0    none of these

Before the flop there is no switching: the blinds and the order of play are different there. If the most similar
heads-up case has a sequence at level 3, there is no mapping, and the three-player cases decide.

>>> steps = InterDomainSimilarity()
>>> steps("frc-r", "crc-r"), steps("frc-r", "rc-r"), steps("rfrc-cc-", "crrc-cc-"), steps("ccc-rfc-cr", "cc-rc-cr")
(1.0, 0.0, 0.9, 1.0)
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from railbird.agents.sartre.cases import SEQUENCE, STAGES
from railbird.agents.sartre.imitator import Imitator, chances_of
from railbird.agents.sartre.sequences import BETWEEN_ROUNDS, LEVELS, played
from railbird.cbr.cycle.episode import Episode
from railbird.observation import Observation

SEATS = ("small blind", "big blind", "dealer")
PARTS = ("non-dealer", "dealer")
"""The seats of a heads-up hand."""
_MOST_MAPPED = 1 << 16
"""Maximum number of mapped sequences kept in memory."""


class MappedSequence(NamedTuple):
    """The betting between the two players who remain; 0 stands for the non-dealer and 1 for the dealer."""

    raisers: tuple[int, ...]
    """Who raised before the flop, in order."""
    earlier: tuple[str, ...]
    """The actions of both in each betting round from the flop on, before the present one."""
    current: str
    """Their actions in the present round."""


@lru_cache(maxsize=_MOST_MAPPED)
def mapped(sequence: str, players: int) -> MappedSequence:
    """A betting sequence after the flop as the two remaining players see it.

    >>> mapped("frc-r", 3) == mapped("crc-r", 2) == MappedSequence((0,), (), "r")
    True
    """
    rounds = played(sequence, players)
    folded = {seat for actions in rounds for seat, letter in actions if letter == "f"}
    first, second = (seat for seat in range(players) if seat not in folded)
    part = {first: 0, second: 1}
    before, *later = rounds
    raisers = tuple(part[seat] for seat, letter in before if letter == "r" and seat in part)
    *earlier, current = ("".join(letter for seat, letter in actions if seat in part) for actions in later)
    return MappedSequence(raisers, tuple(earlier), current)


def player_mapping(observation: Observation) -> dict[str, str]:
    """Which part of a heads-up hand each of the two remaining players takes."""
    seats = [SEATS[seat] for seat in observation.live_seats]
    return dict(zip(seats, PARTS, strict=True))


@dataclass(frozen=True, slots=True)
class InterDomainSimilarity:
    """Compares the betting sequence of a three-player hand with heads-up sequences, after the flop."""

    def __call__(self, target: str, case: str) -> float:
        """How similar two sequences are."""
        return LEVELS[self.level(target, case)]

    def level(self, target: str, case: str) -> int:
        """The level of similarity of two sequences, 0 to 3."""
        one, other = mapped(target, 3), mapped(case, 2)
        if one == other:
            return 0
        if one.current != other.current or sorted(one.raisers) != sorted(other.raisers):
            return 3
        raised, raised_there = (tuple(map(_raises, each.earlier)) for each in (one, other))
        if raised == raised_there:
            return 1
        return 2 if _total(raised) == _total(raised_there) else 3


def _raises(actions: str) -> tuple[int, int]:
    """How often each of the two raised in a betting round after the flop: they act in turn, the non-dealer first."""
    return actions[::2].count("r"), actions[1::2].count("r")


def _total(raises: tuple[tuple[int, int], ...]) -> tuple[int, int]:
    return sum(first for first, _ in raises), sum(second for _, second in raises)


class Switching:
    """Three-player cases, and heads-up cases for the hands in which one player folded, if there are any."""

    similarity = InterDomainSimilarity()

    def __init__(self, three_players: Imitator, heads_up: Imitator | None) -> None:
        self.three_players = three_players
        self.heads_up = heads_up

    def episode(self, observation: Observation) -> tuple[Imitator, Episode]:
        """What the expert did in similar situations, and whose cases those are."""
        if self.heads_up is not None and has_folded(observation):
            episode = self.heads_up.episode(observation)
            if self.sequence_found(episode) is not None:
                return self.heads_up, episode
        return self.three_players, self.three_players.episode(observation)

    def chances(self, observation: Observation, holdings: NDArray[np.int64]) -> NDArray[np.float64]:
        """The probabilities of fold, call and raise with each of many holdings."""
        if self.heads_up is None or not has_folded(observation):
            return self.three_players.chances(observation, holdings)
        episodes, which = self.heads_up.episodes(observation, holdings)
        found = np.array([chances_of(episode) for episode in episodes])[which]
        missing = np.array([self.sequence_found(episode) is None for episode in episodes])[which]
        if missing.any():
            found[missing] = self.three_players.chances(observation, holdings[missing])
        return found

    def sequence_found(self, episode: Episode) -> str | None:
        """The heads-up sequence of the most similar case; None if it is not similar to that of the hand."""
        retrieved, sequence = episode.retrieved, str(episode.target.description[SEQUENCE])
        assert retrieved is not None
        assert self.heads_up is not None
        if not len(retrieved):
            return None
        base = self.heads_up.pack.bases[STAGES[sequence.count(BETWEEN_ROUNDS)]]
        found = str(base.description(int(retrieved.rows[0]))[SEQUENCE])
        return found if self.similarity(sequence, found) > 0 else None


def has_folded(observation: Observation) -> bool:
    """Whether one of three players has folded, and the flop was dealt."""
    return observation.round > 0 and any(observation.folded)
