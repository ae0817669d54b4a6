"""Loads the compiled code that a table needs before the first one opens.

Tables run in the event loop. Loading kernels there on first use would block all tables for a moment, and for minutes
if they must be compiled first.
"""

from railbird.engine.actions import CALL
from railbird.engine.games import named_game
from railbird.engine.record import Details
from railbird.engine.setup import Setup
from railbird.engine.state import State
from railbird.interfaces.web.table.dealt_hand import DealtHand
from railbird.interfaces.web.table.views import TableViewer, hand_view
from railbird.rng import Stream


def warm_up() -> None:
    """Play a hand to its showdown, and view every step of it."""
    names = ("a", "b", "c")
    state = State.deal(Setup.of(named_game("limit-3p")), Stream.from_seed(0))
    hand = DealtHand(1, state, names, (0, 1, 2), 2)
    viewer = TableViewer(0, "a", frozenset("a"))
    while state.actor is not None:
        hand_view(hand, viewer, names, names, state.setup.stacks)
        state.act(CALL)
    hand_view(hand, viewer, names, names, state.setup.stacks)
    assert sum(hand.record(Details()).payoffs) == 0
