"""A network for each player (baycarp-2011 §9.1): it starts as the average player's and follows what this one does.

Every hand that a player shows is counted for that player alone, beside the average player's network, which weighs as
much as so many hands in every row of a table. With no hand shown a player is the average one.

A network learns what hands stand behind actions from hands that are seen. What the hands that nobody shows tell is
small, and a choice:

- `LEFT_OUT`: nothing; as the thesis learns, from showdowns (§6.1.1).
- `COUNTED`: what their players did, which says something of those who have not acted yet.
- `ESTIMATED`: the hands behind them, too, as the player's network holds them probable. Where nothing below a hand is
  known, as in the network as it was built, that is the same as counted: a belief that confirms itself is left out. In
  networks with partial hands the board tells a little.
"""

from enum import Enum

from railbird.bayes.learning.adapting import Adapted, Adapter
from railbird.bayes.learning.counts import Average
from railbird.bayes.network import Network
from railbird.engine.actions import ActionError
from railbird.engine.record import HandRecord
from railbird.features.playing_style import StyleBook
from railbird.opponents.network.beliefs import THESIS, Beliefs, Chances, Reading
from railbird.opponents.network.nodes import Variant
from railbird.opponents.network.rows import Codes, Who

STRENGTH = 20.0
"""So many hands the average player's network weighs in every row of a table.

Measured by log-loss: with less, players whom the average does not fit are read better, with more, those whom it fits;
both together best at about this.
"""


class Unshown(Enum):
    """What is learnt from hands that nobody shows."""

    LEFT_OUT = "left-out"
    COUNTED = "counted"
    ESTIMATED = "estimated"


class AdaptingBeliefs(Beliefs):
    """Reads every opponent with a network of its own."""

    def __init__(
        self,
        network: Network,
        variant: Variant,
        reading: Reading = THESIS,
        *,
        strength: float = STRENGTH,
        unshown: Unshown = Unshown.LEFT_OUT,
    ) -> None:
        super().__init__(network, variant, reading)
        self._who = Who.SHOWDOWN
        if unshown is not Unshown.LEFT_OUT:
            self._who = Who.EVERYBODY if variant.folds else Who.FLOP
        self._adapter = Adapter(Average(network, strength), estimates=unshown is Unshown.ESTIMATED)
        self._players: dict[str, Adapted] = {}

    def reset(self) -> None:
        """A match begins: everybody is a stranger."""
        self._players.clear()

    def chances(self, label: str, stage: int, codes: Codes) -> Chances:
        """What is probable of a player, by the player's own network."""
        own, forward = self._players.get(label), self._stages[stage]
        if own is None:
            return forward(codes)
        before = forward.exchange(own.places, own.numbers)
        try:
            return forward(codes)
        finally:
            forward.exchange(own.places, before)

    def follow(self, hand: HandRecord, styles: StyleBook) -> None:
        """Learn from a finished hand, as it was seen, with the styles that were known before it."""
        try:
            found = self.coder.rows(hand, styles, self._who)
        except ActionError:
            # The stacks were not those of the record, and an all-in went another way: this hand teaches nothing.
            return
        for seat, codes in zip(found.seats, found.codes, strict=True):
            self.learn(hand.players[seat], codes)

    def learn(self, label: str, codes: Codes) -> None:
        """Learn one row of a player."""
        own = self._players.get(label)
        if own is None:
            own = self._players[label] = self._adapter.start()
        own.learn(codes)

    def network(self, label: str) -> Network:
        """The network of a player; a stranger's is the average player's."""
        own = self._players.get(label)
        return self._adapter.average.network if own is None else own.network()
