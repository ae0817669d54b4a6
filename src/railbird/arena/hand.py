"""One hand between agents: deal, ask, do, tell everyone, award."""

from collections.abc import Sequence

from railbird.agent import Agent, Decision, HandResult
from railbird.engine.events import Act, DealBoard, DealHole, Event
from railbird.engine.record import HandRecord
from railbird.engine.state import State, act_event
from railbird.observation import Observation, visible_to


class IllegalAction(ValueError):
    """An agent answered with something that the rules do not allow."""


def play_hand(
    state: State,
    agents: Sequence[Agent],
    players: tuple[str, ...],
    *,
    hand_number: int = 0,
    seats: tuple[int, ...] = (),
) -> HandRecord:
    """Play a hand to its end; agents and labels stand in the order of their positions.

    Every agent hears what is public, and its own cards, before it must act on it.
    """
    opening = HandRecord.of(state, players).events
    for seat, agent in enumerate(agents):
        for event in opening:
            if not isinstance(event, DealHole) or event.seat == seat:
                agent.hear(event)
    while state.actor is not None:
        seat = state.actor
        decision = agents[seat].act(Observation.of(state, seat, players, hand_number))
        for event in _do(state, decision, players[seat]):
            for agent in agents:
                agent.hear(event)
    record = HandRecord.of(state, players, str(hand_number), seats)
    for event in _ending(record):
        for agent in agents:
            agent.hear(event)
    payoffs = record.payoffs
    for seat, agent in enumerate(agents):
        agent.end_hand(HandResult(seat, players, visible_to(seat, record.events), payoffs, hand_number))
    return record


def _do(state: State, decision: Decision, label: str) -> list[Event]:
    if not isinstance(decision, Decision):
        raise IllegalAction(f"{label} answered with {decision!r}, which is no decision")
    node, shown = state.node, len(state.board)
    if not state.legal_actions.allows(decision.action):
        raise IllegalAction(f"{label} may not {decision.action}")
    state.act(decision.action)
    events: list[Event] = [act_event(node, decision.action)]
    start = shown
    for number in range(state.rules.rounds):
        size = state.rules.board_size(number)
        if start < size <= len(state.board):
            events.append(DealBoard(number, state.board[start:size]))
            start = size
    return events


def _ending(record: HandRecord) -> tuple[Event, ...]:
    """The events after the last board or action: returned bets, shown hands, awards."""
    last = max(i for i, event in enumerate(record.events) if isinstance(event, Act | DealBoard | DealHole))
    return record.events[last + 1 :]
