"""What players did and won, added up exactly over any number of hands, at every stake apart.

>>> from railbird.engine.games import named_game
>>> from railbird.engine.setup import Setup
>>> from railbird.engine.state import State
>>> from railbird.rng import Stream
>>> state = State.deal(Setup.of(named_game("limit-2p")), Stream.from_seed(7))
>>> _ = state.raise_to(20), state.fold()
>>> book = TallyBook()
>>> book.add(HandRecord.of(state, ("caller", "raiser")))
>>> [(label, stake.unit, tally.hands, tally.net) for (label, stake), tally in book.tallies().items()]
[('caller', 'sb/h', 1, -10), ('raiser', 'sb/h', 1, 10)]
"""

from fractions import Fraction
from typing import NamedTuple

from railbird.engine.events import Chips
from railbird.engine.record import HandRecord
from railbird.features.flop_types import FlopTypes, no_types
from railbird.features.player_counts import Counts, are_possible, count_record, no_counts

MOST_CHIPS = 2**63
"""The most chips that a store keeps for one hand."""


class Stake(NamedTuple):
    """What hands are played for: hands with the same stake can be added up in chips."""

    unit: str
    """The unit of results: sb/h at limit, bb/h otherwise."""
    unit_chips: int
    """The chips of one small bet or big blind."""
    currency: str
    """Empty for play chips."""
    chip: Fraction
    """What a chip is worth in the currency; without one, in chips as the source prints them."""

    @classmethod
    def of(cls, record: HandRecord) -> "Stake":
        """The stake of a hand."""
        rules, details = record.rules, record.details
        return cls(rules.unit, rules.unit_chips, details.currency, details.chip)

    @property
    def size(self) -> Fraction:
        """One small bet or big blind, in the currency."""
        return self.unit_chips * self.chip


class Place(NamedTuple):
    """A position at a table, in the order in which positions are listed."""

    minus_players: int
    """The number of players, negative: full tables first."""
    seat: int
    name: str


class PayoffSums:
    """Exact sums of what was won: hands, chips, and squares of chips."""

    __slots__ = ("hands", "net", "squares")

    def __init__(self, hands: int = 0, net: Chips = 0, squares: Chips = 0) -> None:
        self.hands, self.net, self.squares = hands, net, squares

    def add(self, payoff: Chips) -> None:
        """Add a hand."""
        self.hands += 1
        self.net += payoff
        self.squares += payoff * payoff

    def join(self, other: "PayoffSums", times: int = 1) -> None:
        """Add other sums, or with −1 take them away."""
        self.hands += times * other.hands
        self.net += times * other.net
        self.squares += times * other.squares


class PlayerTally(PayoffSums):
    """Everything that is counted for one player at one stake."""

    __slots__ = ("counts", "type_hands", "type_nets")

    def __init__(self) -> None:
        super().__init__()
        self.counts: Counts = no_counts()
        """As `player_counts.count_hand` counts."""
        self.type_hands, self.type_nets = no_types()
        """As `flop_types.FlopTypes` counts."""

    @property
    def is_possible(self) -> bool:
        """Whether there can be hands with these sums, each won or lost with at most `MOST_CHIPS`."""
        return (
            self.hands > 0
            and self.net**2 <= self.hands * self.squares <= (self.hands * MOST_CHIPS) ** 2
            and are_possible(self.counts, self.hands)
            and min(self.type_hands) >= 0
            and sum(self.type_hands) <= self.hands
            and all(
                -hands * MOST_CHIPS <= net <= hands * MOST_CHIPS
                for hands, net in zip(self.type_hands, self.type_nets, strict=True)
            )
        )

    def join(self, other: PayoffSums, times: int = 1) -> None:
        """Add another tally, or with −1 take it away."""
        assert isinstance(other, PlayerTally)
        super().join(other, times)
        for mine, others in (
            (self.counts, other.counts),
            (self.type_hands, other.type_hands),
            (self.type_nets, other.type_nets),
        ):
            mine[:] = [own + times * each for own, each in zip(mine, others, strict=True)]  # type: ignore[misc]


class TallyBook:
    """Takes finished hands one at a time and keeps a tally for every player at every stake."""

    def __init__(self) -> None:
        self._tallies: dict[tuple[str, Stake], PlayerTally] = {}
        self._flops: FlopTypes[PlayerTally] = FlopTypes()

    def add(self, record: HandRecord) -> None:
        """Add a hand that is over and has a certain winner (`player_counts.why_left_out`)."""
        stake = Stake.of(record)
        tallies = []
        for label in record.players:
            tally = self._tallies.get((label, stake))
            if tally is None:
                tally = self._tallies[label, stake] = PlayerTally()
            tallies.append(tally)
        counted = count_record(record, [tally.counts for tally in tallies])
        for tally, chips in zip(tallies, counted.chips, strict=True):
            tally.add(chips)
        self._flops.add_hand(tallies, counted)

    def tallies(self) -> dict[tuple[str, Stake], PlayerTally]:
        """The tallies so far, by player and stake."""
        self._flops.count()
        return self._tallies
