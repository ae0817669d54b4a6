"""Groups of players, each with its own network (baycarp-2011 §9.1).

1. Every player has three figures: VPIP, PFR and aggression after the flop, in percent. They include the counts of an
   average player (`features.playing_style`), so that players with few hands are close to the average.
2. The players are grouped by k-means: each player belongs to the group with the nearest centre, and each centre is the
   mean of its players, weighted by the hands in which they decided. The first centre is the player nearest to the
   overall mean; the next ones are players with many hands who are far from all centres so far. The procedure is
   deterministic. Fixed quadrants (tight or loose, passive or aggressive) would be simpler, but players from one kind of
   table mostly fall into one quadrant.
3. The rows of a group's players are counted in addition to the population network, which has the weight of `STRENGTH`
   hands in every row of a table. The table of the hand group, which already depends on VPIP and PFR, is left unchanged:
   counting the same rows again would only make it overconfident.

In play, a player belongs to the nearest group once it has been seen for as many hands as the average player's counts
contain. Unknown players are read with the population network.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from railbird.bayes.learning.counts import Average, count
from railbird.bayes.network import Network
from railbird.engine.record import HandRecord
from railbird.features.playing_style import AVERAGE_PLAYER, StyleBook, StyleCounts
from railbird.opponents.network.beliefs import THESIS, Beliefs, Chances, Reading
from railbird.opponents.network.nodes import HAND_GROUP, Variant
from railbird.opponents.network.rows import Codes

FIGURES = ("vpip", "pfr", "aggression")
STRENGTH = 100.0
"""The weight of the population network in every row of a group's table, in hands.

Chosen by log-loss: with lower values, groups predict worse than the population network, which has VPIP and PFR itself;
with this value or higher ones there is no noticeable difference.
"""
MOST_TURNS = 1000

Points = NDArray[np.float64]


class GroupError(ValueError):
    """Players who cannot be divided into the given number of groups, or invalid group files."""


@dataclass(frozen=True, slots=True)
class Centre:
    """The average style of a group's players, in percent."""

    vpip: float
    pfr: float
    aggression: float

    def __post_init__(self) -> None:
        for name in FIGURES:
            if not 0.0 <= getattr(self, name) <= 100.0:
                raise GroupError(f"the {name} of a group must be a percentage, not {getattr(self, name)}")

    @classmethod
    def of(cls, counts: StyleCounts) -> "Centre":
        """A player's figures, including the average player's counts."""
        all_counts = AVERAGE_PLAYER + counts
        aggressive = sum(all_counts.aggressive)
        return cls(
            100 * all_counts.paid / all_counts.decided,
            100 * all_counts.raised / all_counts.decided,
            100 * aggressive / (aggressive + sum(all_counts.calls)),
        )

    @property
    def figures(self) -> tuple[float, ...]:
        """VPIP, PFR and aggression."""
        return self.vpip, self.pfr, self.aggression


def is_stranger(counts: StyleCounts) -> bool:
    """Whether a player has fewer hands than the average player's counts contain."""
    return counts.decided < AVERAGE_PLAYER.decided


def nearest(centres: Sequence[Centre], counts: StyleCounts) -> int:
    """The group of a player; of equally near ones, the first."""
    figures = Centre.of(counts).figures
    distances = [
        sum((a - b) ** 2 for a, b in zip(figures, centre.figures, strict=True)) for centre in centres
    ]
    return distances.index(min(distances))


def grouped(players: Mapping[str, StyleCounts], groups: int) -> tuple[Centre, ...]:
    """The centres of the groups, the tightest first; unknown players are ignored."""
    if groups < 1:
        raise GroupError(f"there must be at least one group, not {groups}")
    known = [players[label] for label in sorted(players) if not is_stranger(players[label])]
    points = np.array([Centre.of(counts).figures for counts in known]).reshape(-1, len(FIGURES))
    different = len(np.unique(points, axis=0))
    if different < groups:
        raise GroupError(
            f"{groups} groups need as many players of different styles with decisions in at least "
            f"{AVERAGE_PLAYER.decided:g} hands, but there are {different}"
        )
    weights = np.array([counts.decided for counts in known], dtype=np.float64)
    centres = _settled(points, weights, _first_centres(points, weights, groups))
    return tuple(Centre(*each) for each in sorted(centres.tolist()))


def _first_centres(points: Points, weights: Points, groups: int) -> Points:
    mean = weights @ points / weights.sum()
    chosen = [int(_distances(points, mean[np.newaxis]).argmin())]
    while len(chosen) < groups:
        far = _distances(points, points[chosen]).min(axis=1)
        chosen.append(int((weights * far).argmax()))
    return points[chosen]


def _settled(points: Points, weights: Points, centres: Points) -> Points:
    """Centres that are the means of the points nearest to them; a centre that loses all points stays."""
    for _ in range(MOST_TURNS):
        groups = _distances(points, centres).argmin(axis=1)
        moved = centres.copy()
        for group in range(len(centres)):
            members = groups == group
            if members.any():
                moved[group] = weights[members] @ points[members] / weights[members].sum()
        if np.array_equal(moved, centres):
            break
        centres = moved
    return centres


def _distances(points: Points, centres: Points) -> Points:
    """The squared distance of every point to every centre."""
    found: Points = ((points[:, np.newaxis] - centres) ** 2).sum(axis=2)
    return found


@dataclass(frozen=True, slots=True, eq=False)
class PlayerGroup:
    """A group: its centre, its network, and the amount of data it was learnt from."""

    centre: Centre
    network: Network
    players: int = 0
    rows: int = 0


def train_groups(
    average: Network,
    rows: Iterable[tuple[str, Codes]],
    players: Mapping[str, StyleCounts],
    groups: int,
    strength: float = STRENGTH,
) -> tuple[PlayerGroup, ...]:
    """Groups of players from labelled rows, each with its network, learnt with the average network as prior."""
    centres = grouped(players, groups)
    group_of = {
        label: nearest(centres, counts) for label, counts in players.items() if not is_stranger(counts)
    }
    found: list[list[Codes]] = [[] for _ in centres]
    for label, codes in rows:
        if label in group_of:
            found[group_of[label]].append(codes)
    return tuple(
        PlayerGroup(
            centre,
            _network_of(average, own, strength),
            sum(each == number for each in group_of.values()),
            len(own),
        )
        for number, (centre, own) in enumerate(zip(centres, found, strict=True))
    )


def _network_of(average: Network, rows: Sequence[Codes], strength: float) -> Network:
    """The network of a group."""
    structure = average.structure
    codes = np.array(rows, dtype=np.int16).reshape(-1, len(structure.variables))
    own = count(structure, codes, prior=Average(average, strength))
    return Network(structure, {**own.tables, HAND_GROUP: average.tables[HAND_GROUP]})


class GroupedBeliefs(Beliefs):
    """Reads every opponent with the network of its group, and unknown players with the population network."""

    def __init__(
        self, network: Network, groups: Sequence[PlayerGroup], variant: Variant, reading: Reading = THESIS
    ) -> None:
        if not groups:
            raise GroupError("there are no groups of players")
        super().__init__(network, variant, reading)
        self.centres = tuple(group.centre for group in groups)
        self._networks = [Beliefs(group.network, variant, reading) for group in groups]
        self._group_of: dict[str, int] = {}

    def reset(self) -> None:
        """Start a new match: forget all players."""
        self._group_of.clear()

    def group(self, label: str) -> int | None:
        """The group of a player; None for an unknown player."""
        return self._group_of.get(label)

    def chances(self, label: str, stage: int, codes: Codes) -> Chances:
        """The probabilities for a player, by the network of its group."""
        group = self._group_of.get(label)
        if group is None:
            return super().chances(label, stage, codes)
        return self._networks[group].chances(label, stage, codes)

    def follow(self, hand: HandRecord, styles: StyleBook) -> None:
        """Assign all players to groups, by the styles known before this hand."""
        for label in hand.players:
            counts = styles.counts(label)
            if not is_stranger(counts):
                self._group_of[label] = nearest(self.centres, counts)
