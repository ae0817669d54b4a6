"""The network's beliefs about every opponent still in the hand, and a hand measured against them.

1. The network gives probabilities of each opponent's hand groups and, after the flop, of the hand types of the stage.
2. The most probable groups become a range: the four most probable ones (baycarp-2011 §5.3.4), or as many as together
   reach a share of the probability (§8.1.1), without the cards that are seen (§6.2.1). `weighted` weights the holdings
   of a group by its probability instead of equally. After the flop, `types` removes holdings that do not make one of
   the most probable hand types on this board (§8.1.3); `refined` weights holdings by the probability of their type.
3. Hand strength and potentials are measured against each range (§6.2.1). Against several opponents the strength is the
   product, since all of them must be beaten; the positive potential is the product, since all of them must be
   overtaken; the negative potential is the chance that at least one overtakes.
4. The three most probable hand types of all opponents together describe the situation (§5.3.4): a type is as probable
   as it is for the opponent who most probably holds it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from railbird.bayes.forward import Forward
from railbird.bayes.network import Network
from railbird.bayes.structure import NetworkError
from railbird.cards import Card
from railbird.engine.record import HandRecord
from railbird.equities.strength import Potential, board_potentials, hand_potential
from railbird.features.playing_style import StyleBook
from railbird.features.relative import Relative
from railbird.hands.groups import GROUP_OF_HOLDING, HAND_GROUPS
from railbird.hands.holdings import blocked_by
from railbird.hands.types import HandType, hand_types
from railbird.observation import Observation
from railbird.opponents.network.nodes import HAND_GROUP, HAND_TYPES, Variant, structure
from railbird.opponents.network.rows import Coder, Codes, Styles

MOST_GROUPS = len(HAND_GROUPS)
TOP_TYPES = 3
_PLACE_OF_HOLDING = GROUP_OF_HOLDING.astype(np.intp) - 1
_GROUP_SIZES = np.bincount(_PLACE_OF_HOLDING, minlength=MOST_GROUPS)
_MOST_SEEN = 128
"""Maximum number of sets of seen cards whose unblocked holdings are cached: about 1.4 MB."""
_LEAST_CHANCE = 1e-6
"""Minimum probability of a hand type, because the network may not have seen every type."""

Chances = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Reading:
    """How beliefs become a range."""

    groups: int = 4
    """The number of most probable hand groups in a range."""
    mass: float = 0.0
    """If above zero, the total probability that the groups of a range must reach."""
    weighted: bool = False
    """Whether holdings are weighted by the probability of their group."""
    refined: bool = False
    """Whether holdings are weighted by the probability of the hand type that they make."""
    types: int = 0
    """If above zero, the number of most probable hand types; holdings that make none of them are removed."""

    def __post_init__(self) -> None:
        if not 1 <= self.groups <= MOST_GROUPS:
            raise ValueError(f"a range has 1 to {MOST_GROUPS} hand groups, not {self.groups}")
        if not 0.0 <= self.mass <= 1.0:
            raise ValueError(f"the mass of a range is a probability, not {self.mass}")
        if not 0 <= self.types <= len(HandType):
            raise ValueError(f"a range is refined by at most {len(HandType)} hand types, not {self.types}")


THESIS = Reading()
"""The four most probable groups, with all their holdings weighted equally."""
READINGS: Mapping[str, Reading] = {
    "groups": THESIS,
    "mass": Reading(mass=0.77),
    "types": Reading(types=TOP_TYPES),
    "all": Reading(groups=MOST_GROUPS),
}
"""The readings of the thesis by name: four groups as implemented, and two that it proposes; and all holdings.

The threshold of §8.1.1 is not printed: 77 % is how often the truth is among the four groups (table 7.1). The example of
§8.1.3 has one group and one type; here the types are the three that describe a situation (§5.3.4).
"""


@dataclass(frozen=True, slots=True, eq=False)
class Believed:
    """The beliefs about one opponent."""

    seat: int
    groups: Chances
    """By hand group."""
    types: Chances
    """By hand type of the stage; empty before the flop."""
    range: Chances
    """By holding, the cards of the observer and the board left out."""

    def top_groups(self, count: int = 4) -> list[tuple[int, float]]:
        """The most probable hand groups with their probabilities."""
        order = np.argsort(-self.groups, kind="stable")[:count].tolist()
        return [(place + 1, float(self.groups[place])) for place in order]

    def top_types(self, count: int = TOP_TYPES) -> list[tuple[HandType, float]]:
        """The most probable hand types with their probabilities."""
        order = np.argsort(-self.types, kind="stable")[:count].tolist()
        return [(HandType(place), float(self.types[place])) for place in order]


class Beliefs:
    """Reads opponents with a network of a variant."""

    def __init__(self, network: Network, variant: Variant, reading: Reading = THESIS) -> None:
        if network.structure != structure(variant):
            raise NetworkError("not a network of opponents: its nodes, states or arcs differ")
        self.reading = reading
        self.coder = Coder(variant)
        targets = [[HAND_GROUP], *([HAND_GROUP, types] for types in HAND_TYPES)]
        self._stages = [Forward(network, each) for each in targets]

    def of(self, observation: Observation, styles: Styles) -> tuple[Believed, ...]:
        """The beliefs about every opponent who has not folded."""
        rows = self.coder.evidence(observation, styles)
        players, stage = observation.players, observation.round
        seen, board = (*observation.hole_cards, *observation.board), observation.board
        found = []
        for seat, codes in zip(rows.seats, rows.codes, strict=True):
            chances = self.chances(players[seat], stage, codes)
            groups, types = chances[:MOST_GROUPS], chances[MOST_GROUPS:]
            found.append(Believed(seat, groups, types, self.range(groups, types, seen, board)))
        return tuple(found)

    def chances(self, label: str, stage: int, codes: Codes) -> Chances:  # noqa: ARG002
        """The probabilities for a player given the evidence: by hand group, then by hand type of the stage."""
        return self._stages[stage](codes)

    def follow(self, hand: HandRecord, styles: StyleBook) -> None:
        """Learn from a finished hand, with the styles known before it; the population network does not learn."""

    def reset(self) -> None:
        """Start a new match: forget all players."""

    def range(
        self, groups: Chances, types: Chances, seen: tuple[Card, ...], board: tuple[Card, ...]
    ) -> Chances:
        """The holdings of the most probable groups, without the seen cards."""
        reading = self.reading
        order = np.argsort(-groups, kind="stable")
        count = reading.groups
        if reading.mass:
            reached = np.cumsum(groups[order]) >= reading.mass - 1e-12
            count = int(reached.argmax()) + 1 if reached.any() else MOST_GROUPS
        open_ = _not_blocked(seen)
        while True:
            worth = np.zeros(MOST_GROUPS)
            chosen = order[:count]
            worth[chosen] = (
                np.maximum(groups[chosen], _LEAST_CHANCE) / _GROUP_SIZES[chosen] if reading.weighted else 1.0
            )
            found: Chances = worth[_PLACE_OF_HOLDING] * open_
            if reading.refined and len(types):
                found *= np.maximum(types, _LEAST_CHANCE)[_types_of(board)]
            if found.any() or count == MOST_GROUPS:
                break
            count += 1  # the seen cards block all holdings of these groups
        return _of_types(found, types, board, reading.types) if reading.types and len(types) else found


def _of_types(range_: Chances, types: Chances, board: tuple[Card, ...], count: int) -> Chances:
    """The holdings of a range that make one of the most probable types; if there are none, of the next type."""
    place_of_type = np.empty(len(types), dtype=np.intp)
    place_of_type[np.argsort(-types, kind="stable")] = np.arange(len(types))
    places = place_of_type[_types_of(board)]
    first = int(places[range_ > 0.0].min(initial=len(types)))
    kept: Chances = range_ * (places < max(count, first + 1))
    return kept


@lru_cache(maxsize=_MOST_SEEN)
def _not_blocked(seen: tuple[Card, ...]) -> Chances:
    found = (~blocked_by(seen)).astype(np.float64)
    found.setflags(write=False)
    return found


@lru_cache(maxsize=256)
def _types_of(board: tuple[Card, ...]) -> NDArray[np.intp]:
    """The hand type of every holding on a board; the first type for blocked holdings."""
    found = np.maximum(hand_types(board), 0).astype(np.intp)
    found.setflags(write=False)
    return found


@dataclass(frozen=True, slots=True)
class Measured:
    """A hand measured against the beliefs about every opponent."""

    against: tuple[Potential, ...]
    """By opponent."""

    @property
    def strength(self) -> float:
        """The probability of being ahead of all opponents now."""
        return prod(each.hs for each in self.against)

    @property
    def positive_potential(self) -> float:
        """The probability, when behind, of overtaking all opponents."""
        return prod(each.ppot for each in self.against)

    @property
    def negative_potential(self) -> float:
        """The probability, when ahead, of being overtaken by at least one opponent."""
        return 1.0 - prod(1.0 - each.npot for each in self.against)

    @property
    def equity(self) -> float:
        """The probability of winning the showdown, as if the opponents' cards were independent."""
        return prod(each.ehs_showdown for each in self.against)


class BoardMeasured(NamedTuple):
    """All 1,326 holdings of a board against what is believed of every opponent; NaN where the board blocks them."""

    strength: NDArray[np.float64]
    positive_potential: NDArray[np.float64]
    negative_potential: NDArray[np.float64]


def measure(hole: Sequence[Card], board: Sequence[Card], believed: Sequence[Believed]) -> Measured:
    """Measure a hand on a board against the beliefs about every opponent.

    Opponents who acted alike often have the same believed range, and a player decides more than once on the same
    cards, so measurements are cached for a while.
    """
    cards = (tuple(hole), tuple(board))
    return Measured(tuple(_potential(*cards, each.range.tobytes()) for each in believed))


def measure_board(board: Sequence[Card], believed: Sequence[Believed]) -> BoardMeasured:
    """All holdings on a board against what is believed of every opponent: the figures of `measure`.

    Ranges leave out the board alone: what a holding blocks of them does not count against it.
    """
    found = board_potentials(board, [each.range for each in believed])
    return BoardMeasured(
        np.prod([each.hs for each in found], axis=0),
        np.prod([each.ppot for each in found], axis=0),
        1.0 - np.prod([1.0 - each.npot for each in found], axis=0),
    )


@lru_cache(maxsize=256)
def _potential(hole: tuple[Card, ...], board: tuple[Card, ...], range_: bytes) -> Potential:
    return hand_potential(hole, board, np.frombuffer(range_))


def most_probable_types(believed: Sequence[Believed]) -> list[tuple[str, float]]:
    """The three most probable hand types of all opponents together, most probable first."""
    together = np.max([each.types for each in believed], axis=0)
    order = np.argsort(-together, kind="stable")[:TOP_TYPES].tolist()
    return [(HandType(place).label, float(together[place])) for place in order]


def relative_to(measured: Measured, types: Sequence[tuple[str, float]]) -> Relative:
    """The attributes of a hand and its opponents that cases store."""
    first, second, third = (name for name, _ in types)
    return Relative(
        measured.strength, measured.positive_potential, measured.negative_potential, (first, second, third)
    )
