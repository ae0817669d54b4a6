"""A network for each player (baycarp-2011 §9.1): it starts as the average player's and adapts to the player's actions.

Every hand that a player shows is counted for that player alone, in addition to the average player's network, which has
the weight of `STRENGTH` hands in every row of a table. A player who has shown no hands is read as the average player.

A network learns the relation of hands and actions from hands that are shown. Hands that are not shown carry little
information; what to learn from them is an option:

- `LEFT_OUT`: nothing, as in the thesis, which learns from showdowns (§6.1.1).
- `COUNTED`: the actions, which inform about players who have not acted yet.
- `ESTIMATED`: also the hidden hands, as estimated by the player's network. If no descendant of a hand is known, as in
  the published network, this is the same as counted, because a belief that only confirms itself is left out. In
  networks with partial hands the board carries some information.
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
from railbird.opponents.network.rows import Codes, RowError, Who

STRENGTH = 20.0
"""The weight of the average player's network in every row of a table, in hands.

Chosen by log-loss: lower values predict atypical players better, higher values typical ones; about this value is best
overall.
"""


class Unshown(Enum):
    """What is learnt from hands that are not shown."""

    LEFT_OUT = "left-out"
    COUNTED = "counted"
    ESTIMATED = "estimated"


class AdaptingBeliefs(Beliefs):
    """Reads every opponent with an individual network."""

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
        """Start a new match: forget all players."""
        self._players.clear()

    def chances(self, label: str, stage: int, codes: Codes) -> Chances:
        """The probabilities for a player, by the player's own network."""
        own, forward = self._players.get(label), self._stages[stage]
        if own is None:
            return forward(codes)
        before = forward.exchange(own.places, own.numbers)
        try:
            return forward(codes)
        finally:
            forward.exchange(own.places, before)

    def follow(self, hand: HandRecord, styles: StyleBook) -> None:
        """Learn from a finished hand as it was seen, with the styles known before it."""
        try:
            found = self.coder.rows(hand, styles, self._who)
        except (ActionError, RowError):
            # The actual stacks differed from the record, so an all-in does not replay; the hand is skipped.
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
