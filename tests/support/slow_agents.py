"""Agents that take their time, so that a kill finds their match unfinished, and one that kills its own process."""

import os
import signal
import time
from pathlib import Path

from railbird.agent import Agent, Decision, MatchStart
from railbird.agents.baselines import AlwaysCall, RandomAgent
from railbird.cards import format_card
from railbird.observation import Observation


class Slow(RandomAgent):
    """Thinks for a while, then plays at random; notes every beginning of a seating in a file."""

    def __init__(self, milliseconds: float = 2.0, note: str = "") -> None:
        self.milliseconds = milliseconds
        self.note = note

    def begin_match(self, match: MatchStart) -> None:
        super().begin_match(match)
        if self.note:
            with Path(self.note).open("a", encoding="ascii") as file:
                file.write(f"{os.getpid()}\n")

    def act(self, observation: Observation) -> Decision:
        time.sleep(self.milliseconds / 1000)
        return super().act(observation)


class Deadly(Slow):
    """Takes its whole process with it."""

    def act(self, observation: Observation) -> Decision:
        os.kill(os.getpid(), signal.SIGKILL)
        return super().act(observation)


class Leaves(Agent):
    """Ends its process, without a signal."""

    def act(self, observation: Observation) -> Decision:
        os._exit(3)


class SlowWithRed(AlwaysCall):
    """Thinks for a while when its first card is red."""

    def __init__(self, milliseconds: float = 30.0) -> None:
        self.milliseconds = milliseconds

    def act(self, observation: Observation) -> Decision:
        if format_card(observation.hole_cards[0])[1] in "dh":
            time.sleep(self.milliseconds / 1000)
        return super().act(observation)
