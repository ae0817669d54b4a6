"""Evenings at the table in the browser: sessions played at random, and kept in a store as the table keeps them."""

from dataclasses import dataclass
from random import Random
from typing import Any

from railbird.engine.games import named_game
from railbird.engine.state import State
from railbird.engine.table import Table
from railbird.interfaces.web.table.dealt_hand import DealtHand
from railbird.interfaces.web.table.messages import Practice
from railbird.interfaces.web.table.session_plan import SessionPlan, plan_session
from railbird.interfaces.web.table.views import chips_to_json
from railbird.rng import Stream
from railbird.store.sessions import (
    ActionsDone,
    Change,
    HandBegun,
    HandOver,
    HandVoided,
    ReasonGiven,
    SessionBegun,
    StoredSession,
    StoredSessions,
)
from strategies import USUAL, random_action

TIME = "2012-03-04T19:00:00+00:00"


@dataclass(frozen=True, slots=True)
class Evening:
    """A session, and the finished hands as they ended."""

    id: str
    plan: SessionPlan
    hands: tuple[DealtHand, ...]

    def won(self, player: str) -> list[Any]:
        """What a player won, hand by hand."""
        return [hand.state.payoffs[hand.players.index(player)] for hand in self.hands]


def play_evening(
    stored: StoredSessions,
    id: str,  # noqa: A002
    *,
    owner: str = "ann",
    game: str = "limit-3p",
    hands: int = 20,
    training: Practice | None = None,
    watching: bool = False,
    voided: int = 0,
    unfinished: bool = False,
) -> Evening:
    """A session of so many finished hands; one more can be voided, and another one still be played at the end."""
    rules = named_game(game)
    seats = rules.players if watching else rules.players - 1
    agents = ["always-call", "random", "always-raise", "jagbot", "probtriple"][:seats]
    plan = plan_session(rules, agents, name=None if watching else "You", training=training)
    changes: list[Change] = [SessionBegun(StoredSession(id, owner, TIME, False, plan.to_json()))]
    table, stream, random = Table(rules), Stream.from_seed(id), Random(id)
    finished: list[DealtHand] = []
    number = 0
    while len(finished) < hands or unfinished:
        number += 1
        hand, seating = _dealt(table, plan, number, stream)
        changes.append(HandBegun(id, number, hand.start(), plan.counted))
        still_played = len(finished) == hands
        while not hand.state.is_over and not (still_played and hand.step):
            changes += _reasons(id, hand, plan)
            hand.state.act(random_action(random, hand.state.legal_actions, USUAL))
        changes.append(ActionsDone(id, number, hand.done()))
        if still_played:
            break
        if number == voided:
            changes.append(HandVoided(id, number, "the session was left"))
            continue
        changes.append(_over(id, hand, plan))
        table.settle(seating, hand.state.payoffs)
        finished.append(hand)
    stored.write(changes)
    return Evening(id, plan, tuple(finished))


def _dealt(table: Table, plan: SessionPlan, number: int, stream: Stream) -> tuple[DealtHand, Any]:
    """The next hand; who has nothing left buys in again."""
    for seat, chips in enumerate(table.stacks):
        if chips < 1:
            table.add_chips(seat, table.rules.stacks[seat])
    seating = table.next_hand()
    state = State.deal(seating.setup, stream.child("hand", number))
    players = tuple(plan.names[seat] for seat in seating.seats)
    return DealtHand(number, state, players, seating.seats, seating.button), seating


def _reasons(session: str, hand: DealtHand, plan: SessionPlan) -> list[Change]:
    """Agents say why; the person does not."""
    assert hand.state.actor is not None
    label = hand.players[hand.state.actor]
    if not plan.agents[plan.names.index(label)]:
        return []
    why = {"summary": f"step {hand.step} of hand {hand.number}", "facts": {}, "sections": []}
    reasons = {"name": label, "action": "calls", "strategy": [], "explanation": why}
    return [ReasonGiven(session, hand.number, hand.step, reasons)]


def _over(session: str, hand: DealtHand, plan: SessionPlan) -> Change:
    payoffs = hand.state.payoffs
    position = None if plan.person is None else hand.position(plan.person)
    ending = {
        "payoffs": [chips_to_json(payoff) for payoff in payoffs],
        "won": "0" if position is None else str(payoffs[position]),
        "showdown": hand.state.is_showdown,
        "time": TIME,
    }
    return HandOver(session, hand.number, ending, None)
