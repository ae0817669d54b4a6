"""Breaks in a seating: what is kept of the hands before, and how they are retold to new agents.

A seating resumes between two hands if all its agents offer bookmarks (`Agent.bookmark`) and none had a fault. The
agents begin the match anew, are told of the hands before without being asked (`Agent.recall`), with their own notes on
them, and go on at their bookmarks: from there every action is as without the break.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from railbird.agent import Agent, Decision, HandResult
from railbird.arena.play.guard import GuardedAgent
from railbird.arena.play.hand import finish_hand, learns, listens
from railbird.engine.actions import Action
from railbird.engine.events import Event
from railbird.engine.state import State
from railbird.observation import Observation


@dataclass(frozen=True, slots=True)
class PastHand:
    """A hand before a break."""

    actions: tuple[Action, ...]
    notes: tuple[Any, ...] = ()
    """The agents' notes as plain data, by position; empty if there are none."""


@dataclass(frozen=True, slots=True)
class HandsBefore:
    """The hands before a break, or those since the last report, and the bookmarks of the agents."""

    hands: tuple[PastHand, ...] = ()
    bookmarks: tuple[Any, ...] = ()
    """Plain data, by seat at the table; empty if an agent has none."""
    obstacle: str = ""
    """Why there are no bookmarks."""


NOTHING_BEFORE = HandsBefore()


def notes_of(agents: Sequence[GuardedAgent]) -> tuple[Any, ...]:
    """The agents' notes on the hand that has just ended; empty if there are none."""
    notes = tuple([agent.hand_note() for agent in agents])
    return notes if any(note is not None for note in notes) else ()


def since_last_report(hands: Sequence[PastHand], agents: Sequence[GuardedAgent]) -> HandsBefore:
    """New hands with the bookmarks of all agents; without them if one has none, or has failed."""
    marks = []
    for agent in agents:
        mark = agent.bookmark()
        if mark is None:
            why = "had a fault" if agent.records else "cannot go on in the middle of a match"
            return HandsBefore(obstacle=f"{agent.label} {why}")
        marks.append(mark)
    return HandsBefore(tuple(hands), tuple(marks))


def retell(
    state: State,
    agents: Sequence[GuardedAgent],
    players: tuple[str, ...],
    number: int,
    hand: PastHand,
) -> None:
    """Play a hand as it was, telling its agents everything, without asking them; all are in the order of positions."""
    script = iter(hand.actions)
    notes = hand.notes or (None,) * len(agents)
    retold = [_Retold(agent, script, note) for agent, note in zip(agents, notes, strict=True)]
    finish_hand(state, retold, players, number)


class _Retold(Agent):
    """Stands for an agent in a hand that is retold."""

    def __init__(self, agent: GuardedAgent, script: Iterator[Action], note: Any) -> None:
        self.listens, self.learns = listens(agent), learns(agent)
        self._agent, self._script, self._note = agent, script, note
        self._asked: list[Observation] = []

    def hear(self, event: Event) -> None:
        self._agent.hear(event)

    def act(self, observation: Observation) -> Decision:
        self._asked.append(observation)
        return Decision(next(self._script))

    def end_hand(self, result: HandResult) -> None:
        self._agent.recall(result, self._asked, self._note)
