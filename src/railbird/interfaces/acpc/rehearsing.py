"""A few hands before an agent connects: the clock of a dealer must not run while code is compiled or files are read.

An agent of the same name plays them, with randomness of its own, so that the match does not depend on them.
"""

from railbird.agent import Agent, Decision, MatchStart, make_agent
from railbird.arena.play.guard import GuardedAgent
from railbird.arena.play.hand import play_hand
from railbird.engine.actions import CALL, raise_to
from railbird.engine.rules import GameRules
from railbird.engine.setup import Setup
from railbird.engine.state import State
from railbird.interfaces.offer import Offer
from railbird.observation import Observation
from railbird.rng import Stream
from railbird.spec import SpecError

_LABEL = "agent"


def rehearse(agent: str, rules: GameRules) -> None:
    """Play a hand against players who call, and one against players who bet, in every position.

    An agent with parameters of its own that may name files or databases, or in a file, is not told the results of
    these hands, because it may keep them. An agent that fails does so again in the match, where it is told.
    """
    stream = Stream.from_seed("rehearsal")
    guard = GuardedAgent(_LABEL, make_agent(agent))
    guard.learns = guard.learns and not _may_keep(agent)
    others = [f"opponent-{place}" for place in range(1, rules.players)]
    guard.begin_match(MatchStart(rules, _LABEL, (_LABEL, *others), stream.child("agent")))
    setup = Setup.of(rules)
    for bets in (False, True):
        for position in range(rules.players):
            number = position + rules.players * bets
            table = [guard if seat == position else _StandIn(bets) for seat in range(rules.players)]
            players = (*others[:position], _LABEL, *others[position:])
            play_hand(State.deal(setup, stream.child(number)), table, players, hand_number=number)


class _StandIn(Agent):
    """Calls, and if it is one who bets, makes the first bet or raise of every street."""

    def __init__(self, bets: bool) -> None:
        self.bets = bets

    def act(self, observation: Observation) -> Decision:
        least = observation.legal_actions.raise_minimum
        return Decision(raise_to(least) if self.bets and least and not observation.raises else CALL)


def _may_keep(agent: str) -> bool:
    try:
        Offer().verify(agent)
    except SpecError:
        return True
    return False
