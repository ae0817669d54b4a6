"""The other side of a nursery: opened when first needed, asked for processes, closed at the end."""

import atexit
import json
import os
import socket
from threading import Lock
from typing import Any, ClassVar

from railbird.agent.faults import ArenaFailure
from railbird.arena.processes.supervision import start_module

NURSERY_START_S = 300.0
"""How long the nursery may take to start on a busy machine."""
NURSERY_ANSWER_S = 30.0
LONGEST_ANSWER = 4096


class OpenNursery:
    """The other side of a nursery; a process of the arena or a server has one for each module that its forks run."""

    _open: ClassVar[dict[str, "OpenNursery"]] = {}
    _opening: ClassVar[Lock] = Lock()

    def __init__(self, module: str) -> None:
        self._connection, theirs = socket.socketpair()
        with theirs:
            self._process = start_module("railbird.arena.processes.nursery", theirs, module)
        self._owner = os.getpid()
        self._one_at_a_time = Lock()
        self._connection.settimeout(NURSERY_START_S)
        self._hear()
        self._connection.settimeout(NURSERY_ANSWER_S)

    @classmethod
    def fork(
        cls, module: str, connection: socket.socket, *arguments: str, nice: int = 0
    ) -> "tuple[OpenNursery, int]":
        """Start a new process that serves a connection; the nursery of the module opens when first needed."""
        with cls._opening:
            nursery = cls._open.get(module)
            if nursery is None or not nursery._is_usable():
                nursery = cls._open[module] = cls(module)
                atexit.register(nursery.close)
        request = json.dumps({"start": arguments, "nice": nice}).encode()
        with nursery._one_at_a_time:
            try:
                socket.send_fds(nursery._connection, [request], [connection.fileno()])
            except OSError as error:
                raise nursery._lost(error) from error
            return nursery, int(nursery._hear()["pid"])

    def stop(self, pid: int, grace_s: float) -> int | None:
        """End a process; returns its exit code if it exited on its own."""
        if self._owner != os.getpid():  # a fork of the arena must not stop processes
            return None
        with self._one_at_a_time:
            try:
                self._connection.sendall(json.dumps({"stop": pid, "grace_s": grace_s}).encode())
                status = self._hear()["status"]
            except (OSError, ArenaFailure) as error:
                self._lost(error)
                return None  # the nursery is gone, and its agents with it
        return None if status is None else int(status)

    def close(self) -> None:
        """End the nursery and every process it started."""
        if self._owner == os.getpid():
            self._connection.close()
            self._process.wait()

    def _is_usable(self) -> bool:
        """Whether the nursery is running and this is not a copy in a process that the arena forked."""
        return self._owner == os.getpid() and self._process.poll() is None

    def _hear(self) -> dict[str, Any]:
        try:
            answer = self._connection.recv(LONGEST_ANSWER)
        except OSError as error:
            raise self._lost(error) from error
        if not answer:
            raise self._lost(EOFError("it has ended"))
        heard: dict[str, Any] = json.loads(answer)
        return heard

    def _lost(self, error: Exception) -> ArenaFailure:
        """Abandon this nursery; a new one opens when needed."""
        self._process.kill()
        self._process.wait()
        return ArenaFailure(f"the process that starts agents does not answer: {error}")
