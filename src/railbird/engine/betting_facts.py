"""Public facts of a hand's betting: the properties that a state and an observation share."""

from functools import lru_cache

from railbird.engine.actions import Action
from railbird.engine.betting_tree import BettingNode
from railbird.engine.rules import GameRules
from railbird.engine.setup import Setup
from railbird.kernels.rules import betting


class BettingFacts:
    """Properties of a betting situation, for classes with a setup and a node. None of them depends on cards."""

    __slots__ = ()
    setup: Setup
    node: BettingNode
    """The betting situation: actor, legal actions, choices. It holds no cards, and other hands share it."""

    @property
    def rules(self) -> GameRules:
        """The game."""
        return self.setup.rules

    @property
    def actor(self) -> int | None:
        """The seat to act, None when the hand is over."""
        return self.node.actor

    @property
    def is_over(self) -> bool:
        """Whether there are no decisions left."""
        return self.node.actor is None

    @property
    def is_showdown(self) -> bool:
        """Whether the hand is over and the cards decide it."""
        return self.node.view[betting.OUTCOME] == betting.SHOWDOWN

    @property
    def choices(self) -> tuple[Action, ...]:
        """One legal action of each kind, a raise being the minimum raise; empty when the hand is over."""
        return self.node.choices

    @property
    def actions(self) -> tuple[Action, ...]:
        """All actions so far, in order."""
        return self.node.actions

    @property
    def round(self) -> int:
        """The betting round: 0 is preflop. After an all-in it stays at the round in which betting ended."""
        return self.node.view[betting.ROUND]

    @property
    def pot(self) -> int:
        """All chips paid in this hand so far."""
        return self.node.view[betting.POT]

    @property
    def to_match(self) -> int:
        """The highest bet of this round."""
        return self.node.view[betting.HIGH]

    @property
    def raises(self) -> int:
        """The number of bets and raises in this round, blinds not counted."""
        return self.node.view[betting.RAISES]

    @property
    def aggressor(self) -> int | None:
        """The seat that bet or raised last in this round."""
        seat = self.node.view[betting.AGGRESSOR]
        return None if seat < 0 else seat

    @property
    def stacks(self) -> tuple[int, ...]:
        """Chips behind, by seat."""
        return self._seats(betting.STACKS)

    @property
    def bets(self) -> tuple[int, ...]:
        """Chips bet in this round, by seat."""
        return self._seats(betting.BETS)

    @property
    def paid(self) -> tuple[int, ...]:
        """Chips paid in the whole hand, by seat."""
        return self._seats(betting.PAID)

    @property
    def folded(self) -> tuple[bool, ...]:
        """Whether each seat has folded."""
        mask = self.node.view[betting.FOLDED]
        return tuple(bool(mask >> seat & 1) for seat in range(len(self.setup.stacks)))

    @property
    def live_seats(self) -> tuple[int, ...]:
        """The seats that have not folded."""
        return _seats_without(self.node.view[betting.FOLDED], len(self.setup.stacks))

    def _seats(self, start: int) -> tuple[int, ...]:
        return tuple(self.node.view[start : start + len(self.setup.stacks)])


@lru_cache(maxsize=1 << 12)
def _seats_without(folded: int, players: int) -> tuple[int, ...]:
    return tuple([seat for seat in range(players) if not folded >> seat & 1])
