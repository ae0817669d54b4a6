"""One hand between agents: deal, ask, perform, announce, award."""

from collections.abc import Sequence

from railbird.agent import Agent, Decision, HandResult
from railbird.engine.events import Act, DealBoard, DealHole, Event
from railbird.engine.history import events_of, play
from railbird.engine.record import HandRecord
from railbird.engine.state import State
from railbird.observation import Views, visible_to


class IllegalAction(ValueError):
    """An agent answered with an action that the rules do not allow."""


def play_hand(
    state: State,
    agents: Sequence[Agent],
    players: tuple[str, ...],
    *,
    hand_number: int = 0,
    seats: tuple[int, ...] = (),
) -> HandRecord:
    """Play a hand to its end and record it; agents and labels are in the order of their positions."""
    finish_hand(state, agents, players, hand_number)
    return HandRecord.of(state, players, str(hand_number), seats)


def finish_hand(
    state: State, agents: Sequence[Agent], players: tuple[str, ...], hand_number: int = 0
) -> None:
    """Play a hand to its end; afterwards the state contains everything that happened.

    Every agent hears what is public, and its own cards, before it must act on it.
    """
    listeners = [(seat, agent) for seat, agent in enumerate(agents) if listens(agent)]
    if listeners:
        _tell(listeners, list(play(state)))
    views = Views(state, players, hand_number)
    view_of = views.of
    while (seat := state.node.actor) is not None:
        decision = agents[seat].act(view_of(seat))
        try:
            # Only legal actions have a successor.
            state.node = state.node.following[decision.action]
        except (AttributeError, KeyError, TypeError):
            _do(state, decision, players[seat])
        if listeners:
            _tell(listeners, [state.node.act, *_boards(state, len(views.board))])
    learners = [(seat, agent) for seat, agent in enumerate(agents) if learns(agent)]
    if listeners or learners:
        events = events_of(state)
        _tell(listeners, _ending(events))
        for seat, agent in learners:
            seen = visible_to(seat, events)
            agent.end_hand(HandResult(seat, players, seen, state.payoffs, hand_number))


def listens(agent: Agent) -> bool:
    """Whether an agent wants to hear events; most agents read them from the observation.

    An agent that wraps another one indicates this with an attribute `listens`.
    """
    try:
        return bool(agent.listens)  # type: ignore[attr-defined]
    except AttributeError:
        return type(agent).hear is not Agent.hear


def learns(agent: Agent) -> bool:
    """Whether an agent wants the results of hands; one that wraps another indicates this with `learns`."""
    try:
        return bool(agent.learns)  # type: ignore[attr-defined]
    except AttributeError:
        return type(agent).end_hand is not Agent.end_hand


def _tell(listeners: Sequence[tuple[int, Agent]], events: Sequence[Event]) -> None:
    for event in events:
        for seat, agent in listeners:
            if not isinstance(event, DealHole) or event.seat == seat:
                agent.hear(event)


def _do(state: State, decision: Decision, label: str) -> None:
    if not isinstance(decision, Decision):
        raise IllegalAction(f"{label} answered with {decision!r}, which is not a decision")
    if not state.node.legal.allows(decision.action):
        raise IllegalAction(f"{label} may not {decision.action}")
    state.act(decision.action)


def _boards(state: State, dealt: int) -> list[Event]:
    """The boards dealt after the last action; an all-in may lead to several."""
    board = state.board
    boards: list[Event] = []
    for number in range(state.rules.rounds):
        size = state.rules.board_size(number)
        if dealt < size <= len(board):
            boards.append(DealBoard(number, board[dealt:size]))
            dealt = size
    return boards


def _ending(events: Sequence[Event]) -> Sequence[Event]:
    """The events after the last board or action: returned bets, shown hands, awards."""
    last = max(i for i, event in enumerate(events) if isinstance(event, Act | DealBoard | DealHole))
    return events[last + 1 :]
