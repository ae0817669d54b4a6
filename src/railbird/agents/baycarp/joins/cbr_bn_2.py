"""CBR-BN-2 at the table: an opponent's style selects the network that reads it, and these decide (baycarp-2011 §4.2.4).

- A case is a style of play, VPIP, PFR and aggression, and its solution is a network. The first case is the average
  player, with the trained network.
- Every opponent is read by the network of the most similar style; of several that are similar enough, by the one learnt
  from the most hands. If that one is not reliable yet, several read the opponent together.
- Shown hands are rows. When a player has shown enough hands, a network is induced from them, with the average player's
  as prior, and stored for the player's present style. It reads all players with a similar style.
- Networks of groups may be of another variant than the average player's, with more or fewer nodes, as long as the
  nodes of styles, positions, actions and hands are the same: those are the common evidence and classification (§4.1).
- Only the networks' beliefs count: the action is the one worth most against them (G-bucks, §5.4.5).
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from railbird.agents.baycarp.joins.worth import ByWorth
from railbird.agents.baycarp.parts import Parts
from railbird.bayes.learning.counts import Average
from railbird.bayes.network import Network
from railbird.bayes.structure import UNKNOWN
from railbird.cbr.schema import Number, Value
from railbird.cbr.similarity import Linear
from railbird.engine.actions import ActionError
from railbird.engine.events import Reveal
from railbird.engine.record import HandRecord
from railbird.explanation import COUNT, SHARE, Cell, Fact, Section, TableSection
from railbird.features.playing_style import StyleBook, StyleCounts
from railbird.joins.cbr_bn_2 import ChosenNetwork, NetworkCases, Review, answer
from railbird.observation import Observation
from railbird.opponents.network.beliefs import THESIS, Beliefs, Believed, Chances, Reading
from railbird.opponents.network.groups import Centre, PlayerGroup
from railbird.opponents.network.nodes import (
    ACTIONS,
    BOARDS,
    HAND_GROUP,
    HAND_TYPES,
    Variant,
    variant_of,
)
from railbird.opponents.network.rows import Codes, RowError

SUITABLE = 0.9
"""Minimum similarity of a style."""
ENOUGH = 30
"""Number of a player's shown hands from which a network is made; the average player's counts as reliable as that."""
RELIABLE = 120
"""Number of shown hands from which a network is used alone."""
_AVERAGE = 0
"""The number of the average player's case."""
_STRANGER = Centre.of(StyleCounts())
STRENGTH = 30.0
"""Weight, in hands, of the average player's network in every row of a table."""
_PARTS = (
    (Number("VPIP", low=0, high=100), Linear(50.0), 1.0),
    (Number("PFR", low=0, high=100), Linear(40.0), 1.0),
    (Number("aggression", low=0, high=100), Linear(100.0), 1.0),
)
_COMMON = ("VPIP", "PFR", "Position", *ACTIONS, *BOARDS, HAND_GROUP, *HAND_TYPES)
"""The nodes that every network has."""
_NAMES = tuple(attribute.name for attribute, _, _ in _PARTS)


def described(centre: Centre) -> dict[str, Value]:
    """A style of play as the description of a case."""
    return dict(zip(_NAMES, centre.figures, strict=True))


class RetrievedBeliefs(Beliefs):
    """Reads every opponent with the networks of the most similar styles.

    Groups of players, if trained, are cases from the start.
    """

    _readers: dict[int, tuple[Beliefs, NDArray[np.intp]]]
    """The readers by case, and which of the average network's codes each of their codes is, −1 if none."""

    def __init__(
        self,
        network: Network,
        variant: Variant,
        reading: Reading = THESIS,
        groups: Sequence[PlayerGroup] = (),
    ) -> None:
        super().__init__(network, variant, reading)
        self._average = network
        self._groups = tuple(groups)
        self.reset()

    def reset(self) -> None:
        """A match begins with the trained networks and no knowledge of the players."""
        structure = self.coder.structure
        self.cases_ = NetworkCases(
            _PARTS, SUITABLE, RELIABLE, common=[structure.variable(each) for each in _COMMON]
        )
        self.cases_.retain(described(_STRANGER), self._average, ENOUGH)
        self._readers = {}  # this object itself reads with the average player's network
        for group in self._groups:
            rows = group.rows or RELIABLE
            self._take(self.cases_.retain(described(group.centre), group.network, rows))
        self.review_: Review[str] = Review(self.cases_, Average(self._average, STRENGTH), ENOUGH)
        self._centres: dict[str, Centre] = {}
        self._chosen: dict[str, tuple[ChosenNetwork, ...]] = {}

    def _take(self, number: int) -> None:
        network = self.cases_.network(number)
        variant = variant_of(network.structure)
        assert variant is not None, "networks that read opponents have one of the variants"
        known = self.coder.structure.variables
        places = [known.index(each) if each in known else -1 for each in network.structure.variables]
        self._readers[number] = Beliefs(network, variant, self.reading), np.array(places, dtype=np.intp)

    def chosen(self, label: str) -> tuple[ChosenNetwork, ...]:
        """The networks that read a player."""
        found = self._chosen.get(label)
        if found is None:
            found = self.cases_.retrieve(described(self._centres.get(label, _STRANGER)))
            self._chosen[label] = found
        return found

    def chances(self, label: str, stage: int, codes: Codes) -> Chances:
        """What the selected networks believe about a player."""
        return answer(self.chosen(label), lambda each: self._read(each.number, label, stage, codes))

    def _read(self, number: int, label: str, stage: int, codes: Codes) -> Chances:
        if number not in self._readers:
            return super().chances(label, stage, codes)
        reader, places = self._readers[number]
        return reader.chances(label, stage, np.where(places >= 0, codes[places], UNKNOWN).astype(np.int16))

    def follow(self, hand: HandRecord, styles: StyleBook) -> None:
        """Count the players' actions and keep every shown hand; enough hands of a player become a network."""
        self._centres.update((label, Centre.of(styles.counts(label))) for label in hand.players)
        self._chosen.clear()
        if not any(isinstance(event, Reveal) and event.cards is not None for event in hand.events):
            return
        try:
            found = self.coder.rows(hand, styles)
        except (ActionError, RowError):
            # The stacks differ from those of the record, and so does an all-in: this hand is not used.
            return
        for seat, codes in zip(found.seats, found.codes, strict=True):
            label = hand.players[seat]
            number = self.review_.add(label, codes, described(self._centres[label]))
            if number is not None:
                self._take(number)


class CbrBn2(ByWorth):
    """Takes the action worth most against the beliefs of the selected networks."""

    def __init__(self, parts: Parts) -> None:
        super().__init__(parts)
        assert isinstance(parts.viewer.beliefs, RetrievedBeliefs)
        self.beliefs = parts.viewer.beliefs

    def about(
        self,
        observation: Observation,  # noqa: ARG002
        believed: Sequence[Believed],  # noqa: ARG002
        names: Mapping[int, str],
    ) -> tuple[Sequence[Fact], Sequence[Section]]:
        """The networks that read each opponent."""
        readers = {name: self.beliefs.chosen(name) for name in names.values()}
        facts = [Fact(f"network that reads {name}", _named(chosen)) for name, chosen in readers.items()]
        return facts, [self._table(readers)]

    def _table(self, readers: Mapping[str, tuple[ChosenNetwork, ...]]) -> TableSection:
        rows: list[tuple[Cell, ...]] = [
            (name, _named((each,)), *each.description.values(), each.rows, each.similarity, each.weight)
            for name, chosen in readers.items()
            for each in chosen
        ]
        columns = (
            "opponent",
            "network",
            *(attribute.name for attribute, _, _ in _PARTS),
            "hands",
            "similarity",
            "weight",
        )
        units = ("", "", *("" for _ in _PARTS), COUNT, SHARE, SHARE)
        return TableSection("networks that read each opponent", columns, tuple(rows), units)


def _named(chosen: tuple[ChosenNetwork, ...]) -> str:
    """The networks that read an opponent, the most important first."""
    names = ["average player" if each.number == _AVERAGE else f"style {each.number}" for each in chosen]
    return " and ".join(names)
