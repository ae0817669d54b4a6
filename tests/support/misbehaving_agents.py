"""Agents that do everything wrong that an agent can do, each in one way.

They call, except in the first decision of every second hand, where they misbehave. That depends on nothing but the
observation, so an agent that starts anew misbehaves in the same places, and `Model` can say what must come of it.
"""

import gc
import os
import signal
import socket
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from railbird.agent import Agent, Decision, Explanation, HandResult, MatchStart
from railbird.engine.actions import CALL, FOLD, Action, ActionKind, raise_to
from railbird.engine.events import DealHole, Event
from railbird.observation import Observation

CALLING = Decision(CALL)
HANG_S = 3600.0


def is_bad_moment(observation: Observation) -> bool:
    """Whether this is the first decision, heads-up, of every second hand."""
    return observation.hand_number % 2 == 1 and len(observation.actions) < 2


class Caller(Agent):
    """Calls, and does as `misbehave` says at bad moments."""

    def act(self, observation: Observation) -> Decision:
        return self.misbehave(observation) if is_bad_moment(observation) else CALLING

    def misbehave(self, observation: Observation) -> Any:
        return CALLING


class Model(Agent):
    """What the table must see of a misbehaving agent: it checks or folds at bad moments, after three of them always."""

    def __init__(self, strikes: int = 3) -> None:
        self.left = strikes

    def act(self, observation: Observation) -> Decision:
        if self.left == 0 or is_bad_moment(observation):
            self.left -= self.left > 0
            return Decision(FOLD) if observation.legal_actions.fold else CALLING
        return CALLING


class Raises(Caller):
    def misbehave(self, observation: Observation) -> Any:
        raise KeyError("lost")


class Unprintable(Exception):
    def __str__(self) -> str:
        raise RuntimeError("cannot be printed")


class RaisesTheUnprintable(Caller):
    def misbehave(self, observation: Observation) -> Any:
        raise Unprintable


class Recurses(Caller):
    def misbehave(self, observation: Observation) -> Any:
        return self.misbehave(observation)


class SaysNothing(Caller):
    def misbehave(self, observation: Observation) -> Any:
        return None


class SaysText(Caller):
    def misbehave(self, observation: Observation) -> Any:
        return "call " * 1000


class SaysTextAsAction(Caller):
    def misbehave(self, observation: Observation) -> Any:
        return Decision("call")  # type: ignore[arg-type]


class RaisesToAFraction(Caller):
    def misbehave(self, observation: Observation) -> Any:
        return Decision(raise_to(20.5))  # type: ignore[arg-type]


class RaisesToInfinity(Caller):
    def misbehave(self, observation: Observation) -> Any:
        return Decision(raise_to(10**5000))


class RaisesTooLittle(Caller):
    def misbehave(self, observation: Observation) -> Any:
        return Decision(raise_to(1))


class RaisesBelowZero(Caller):
    def misbehave(self, observation: Observation) -> Any:
        return Decision(raise_to(-20))


class CallsWithAnAmount(Caller):
    def misbehave(self, observation: Observation) -> Any:
        return Decision(Action(ActionKind.CALL, 5))


class Exits(Caller):
    def misbehave(self, observation: Observation) -> Any:
        sys.exit(3)


class Hangs(Caller):
    """Hangs, and does not listen to polite signals."""

    def misbehave(self, observation: Observation) -> Any:
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        while True:
            time.sleep(HANG_S)


class IsLate(Caller):
    """Answers, but later than it may."""

    def __init__(self, seconds: float = 0.5) -> None:
        self.seconds = seconds

    def misbehave(self, observation: Observation) -> Any:
        time.sleep(self.seconds)
        return CALLING


class IsSlow(Agent):
    """Is in time for every decision, but not for a hand."""

    def __init__(self, seconds: float = 0.1) -> None:
        self.seconds = seconds

    def act(self, observation: Observation) -> Decision:
        time.sleep(self.seconds)
        return CALLING


class Leaves(Caller):
    def misbehave(self, observation: Observation) -> Any:
        os._exit(3)


class KillsItself(Caller):
    def misbehave(self, observation: Observation) -> Any:
        os.kill(os.getpid(), signal.SIGKILL)


def connections() -> list[socket.socket]:
    """The sockets of this process: an isolated agent can find the one that it is not given."""
    return [thing for thing in gc.get_objects() if isinstance(thing, socket.socket) and thing.fileno() >= 0]


class Disconnects(Caller):
    """Closes its connection and lives on."""

    def misbehave(self, observation: Observation) -> Any:
        for connection in connections():
            connection.shutdown(socket.SHUT_RDWR)
        time.sleep(HANG_S)


class SpeaksOutOfTurn(Caller):
    """Writes bytes that are no message into the connection."""

    def misbehave(self, observation: Observation) -> Any:
        for connection in connections():
            connection.sendall(b"\x00\x00\x00\x05hello")
        return CALLING


class WritesWithoutEnd(Caller):
    """Floods the connection."""

    def misbehave(self, observation: Observation) -> Any:
        while True:
            for connection in connections():
                connection.sendall(b"\xff" * 100_000)


class ExplainsTooMuch(Caller):
    def misbehave(self, observation: Observation) -> Any:
        return Decision(CALL, Explanation("because " * 1_000_000))


class EatsMemory(Caller):
    """Keeps everything it gets."""

    def misbehave(self, observation: Observation) -> Any:
        self.kept = []
        while True:
            self.kept.append(np.zeros(8 << 20, dtype=np.uint8))


class EatsMemoryInCrumbs(Caller):
    """Keeps everything it gets, until there is no room for the smallest thing."""

    def misbehave(self, observation: Observation) -> Any:
        self.kept: list[object] = []
        try:
            while True:
                self.kept.append(np.zeros(8 << 20, dtype=np.uint8))
        except MemoryError:
            while True:
                self.kept.append(bytearray(500))


class OpensFiles(Caller):
    def misbehave(self, observation: Observation) -> Any:
        self.kept = []
        while True:
            self.kept.append(open(os.devnull))  # noqa: SIM115


class Prints(Caller):
    """Prints megabytes, which is nobody's business."""

    def act(self, observation: Observation) -> Decision:
        print("x" * 3_000_000)
        print("y" * 3_000_000, file=sys.stderr)
        os.write(1, b"z" * 1_000_000)
        return CALLING


class Forks(Caller):
    """Leaves a child behind, answers twice, and hangs in both."""

    def misbehave(self, observation: Observation) -> Any:
        os.fork()
        os.fork()
        time.sleep(HANG_S)


class ForksAndAnswers(Caller):
    """Answers from two processes."""

    def misbehave(self, observation: Observation) -> Any:
        os.fork()
        return CALLING


class ChangesTheObservation(Caller):
    """Changes what it is shown, and then acts within the rules."""

    def act(self, observation: Observation) -> Decision:
        if is_bad_moment(observation):
            observation.hole_cards, observation.board = observation.board, (0, 1, 2)
            observation.seat = 1 - observation.seat
            observation.hand_number = 77
            observation.players = ()
        return CALLING


class ForgesTheObservation(Caller):
    """Gives itself a situation in which its raise would be legal."""

    def misbehave(self, observation: Observation) -> Any:
        observation.node = observation.setup.tree.root
        return Decision(raise_to(10**6))


class FailsToBegin(Caller):
    def begin_match(self, match: MatchStart) -> None:
        raise ValueError("no such pack")


class FailsToHear(Caller):
    """Raises once a hand, when it hears its cards."""

    def hear(self, event: Event) -> None:
        if isinstance(event, DealHole):
            raise ValueError("deaf")


class FailsAfterHands(Caller):
    def end_hand(self, result: HandResult) -> None:
        raise ValueError("cannot lose")


class HangsAtTheBeginning(Caller):
    def begin_match(self, match: MatchStart) -> None:
        time.sleep(HANG_S)


class HangsWhenHearing(Caller):
    def hear(self, event: Event) -> None:
        time.sleep(HANG_S)


class HangsAfterHands(Caller):
    def end_hand(self, result: HandResult) -> None:
        time.sleep(HANG_S)


class FailsToBeMade(Caller):
    def __init__(self) -> None:
        raise ValueError("no such table")


class LooksAround(Agent):
    """Explains with what its process has open: paths, or the word `socket`."""

    def act(self, observation: Observation) -> Decision:
        folder = Path("/proc/self/fd")
        found = [os.readlink(entry) for entry in folder.iterdir() if entry.is_symlink()]
        return Decision(CALL, Explanation(" ".join(thing.partition(":")[0] for thing in found)))


class Remembers(Agent):
    """Explains with everything it was told; a good agent, for comparing processes."""

    def __init__(self) -> None:
        self.told: list[str] = []

    def begin_match(self, match: MatchStart) -> None:
        stream = match.stream.key.hex()
        self.told = [f"{match.rules.name} {match.label} {match.players} {stream} {match.is_reset}"]

    def hear(self, event: Event) -> None:
        self.told.append(str(event))

    def act(self, observation: Observation) -> Decision:
        return Decision(CALL, Explanation("; ".join([*self.told, str(observation)])), ((CALL, 1.0),))

    def end_hand(self, result: HandResult) -> None:
        self.told.append(str(result))
