"""The process that forks agents' processes: `python -m railbird.arena.processes.nursery FD MODULE`.

It has imported everything that agents need, has loaded the rules once they are compiled, and has never run an agent's
code or seen a card, so its forks start in milliseconds and inherit nothing from the arena or from each other. A fork
runs `serve` of MODULE. The arena, or a server of tables, sends one JSON object at a time over FD:

- `{"start": [argument, …], "nice": n}` with the fork's end of a connection attached: fork, and call `serve` with this
  connection and the arguments at a priority lower by n, answered by `{"pid": …}`
- `{"stop": pid, "grace_s": …}`: wait that long for the process to exit on its own, then kill it and every process
  that it started in its group, answered by `{"status": …}`: the exit code, minus the signal, or null if it was killed

Nothing outlives the arena: when the arena ends in any way, the connection closes, and the nursery kills its agents
and exits; if the nursery itself is killed, Linux kills the agents (`PR_SET_PDEATHSIG`), and elsewhere they find their
connections closed. No zombies remain: on Linux the nursery also adopts (`PR_SET_CHILD_SUBREAPER`) and reaps orphans.
Only a process that an agent deliberately moved to another group would escape: this guards against faults, not malice.
"""

import ctypes
import json
import os
import signal
import socket
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib import import_module
from typing import Any, NoReturn, TypeAlias

import numpy as np

from railbird.arena.processes.supervision import has_left, kill_group, load_rules

LONGEST_REQUEST = 4096
POLL_S = 0.002
CHECK_S = 1.0
_SET_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG
_SET_SUBREAPER = 36  # PR_SET_CHILD_SUBREAPER

Serve: TypeAlias = Callable[..., NoReturn]
"""Serves a connection until it ends, and then ends the process."""


class Nursery:
    """Starts and stops agents' processes for the arena at the other end of the connection."""

    def __init__(self, arena: socket.socket, serve: Serve) -> None:
        self._arena = arena
        self._serve = serve
        self._running: set[int] = set()
        self._has_rules = load_rules()

    def work(self) -> None:
        """Serve the arena's requests until it closes the connection."""
        try:
            self._tell({"ready": True})
            while line := self._listen():
                text, sent = line
                request = json.loads(text)
                if "start" in request:
                    connection = socket.socket(fileno=sent[0])
                    self._tell({"pid": self._start(connection, request["start"], request["nice"])})
                else:
                    self._tell({"status": self._stop(request["stop"], request["grace_s"])})
        except ConnectionError:
            return
        finally:
            for pid in tuple(self._running):
                self._stop(pid, 0)

    def _listen(self) -> tuple[bytes, list[int]] | None:
        """The next request and the file descriptors attached to it; None when the arena is gone."""
        arena_process = os.getppid()
        self._arena.settimeout(CHECK_S)
        while True:
            try:
                text, sent, _, _ = socket.recv_fds(self._arena, LONGEST_REQUEST, 1)
            except TimeoutError:
                # Processes that the arena forked hold its end of the connection open after it is gone.
                if os.getppid() != arena_process:
                    return None
            else:
                return (text, sent) if text else None

    def _tell(self, answer: dict[str, Any]) -> None:
        self._arena.sendall(json.dumps(answer).encode() + b"\n")

    def _start(self, connection: socket.socket, arguments: Sequence[str], nice: int) -> int:
        nursery = os.getpid()
        self._has_rules = self._has_rules or load_rules()
        pid = os.fork()
        if pid == 0:
            os.setpgid(0, 0)
            _ask_linux(_SET_DEATH_SIGNAL, signal.SIGKILL)
            if os.getppid() != nursery:  # the nursery died before the death signal was set
                os._exit(0)
            self._arena.close()
            os.nice(nice)
            np.random.seed()  # forks of one process must not share numpy's global generator
            try:
                self._serve(connection, *arguments)
            finally:
                # Whatever an agent raises, its process must not continue as a second nursery.
                os._exit(1)
        connection.close()
        with suppress(PermissionError, ProcessLookupError):  # the child did it first, or is gone
            os.setpgid(pid, pid)
        self._running.add(pid)
        return pid

    def _stop(self, pid: int, grace_s: float) -> int | None:
        """Kill a process and its group; returns its exit code if it had exited before.

        Until it is reaped here, its id cannot belong to another process.
        """
        until = time.monotonic() + grace_s
        while not (left := has_left(pid)) and time.monotonic() < until:
            time.sleep(POLL_S)
        kill_group(pid)
        status = os.waitpid(pid, 0)[1]
        self._running.discard(pid)
        _bury_orphans(pid)
        return os.waitstatus_to_exitcode(status) if left else None


def _bury_orphans(group: int) -> None:
    """Wait for the killed processes that an agent had started, which the nursery inherited when the agent died."""
    with suppress(ChildProcessError):
        while True:
            os.waitpid(-group, 0)


def _ask_linux(option: int, value: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def main() -> None:
    """Serve the arena over the connection given on the command line."""
    number, module = sys.argv[1:]
    _ask_linux(_SET_SUBREAPER, 1)
    serve = import_module(module).serve
    with socket.socket(fileno=int(number)) as arena:
        Nursery(arena, serve).work()


if __name__ == "__main__":
    main()
