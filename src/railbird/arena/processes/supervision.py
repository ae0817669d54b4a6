"""Starting processes that run agents, detached from the terminal, and ending them as groups."""

import os
import signal
import socket
import subprocess
import sys
from contextlib import suppress

from railbird.engine.actions import CALL
from railbird.engine.games import named_game
from railbird.engine.setup import Setup
from railbird.engine.state import State
from railbird.kernels.shared_cache import NotCompiled, loading_only
from railbird.observation import Observation
from railbird.rng import Stream


def start_module(module: str, connection: socket.socket, *arguments: str) -> "subprocess.Popen[bytes]":
    """Start a process that runs one of our modules with the number of its end of a connection, and arguments.

    It leads its own process group, so that Ctrl-C in the terminal does not reach it, and imports nothing from the
    current folder. Its output is discarded; errors of our own code are written to the error stream.
    """
    return subprocess.Popen(
        [sys.executable, "-P", "-m", module, str(connection.fileno()), *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        pass_fds=[connection.fileno()],
        start_new_session=True,
        # One core is enough for each, and threads would not survive a fork. With few arenas, memory is reused.
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "MALLOC_ARENA_MAX": "2"},
    )


def has_left(pid: int) -> bool:
    """Whether a child has ended. It is not reaped: until it is waited for, its id cannot be reused."""
    return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def kill_group(pid: int) -> None:
    """Kill a child that leads a group, and every process it started there; it must not have been waited for yet."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


def keep_from_children(connection: socket.socket) -> None:
    """Close a connection in processes that agents fork: they could answer in an agent's place."""
    os.register_at_fork(after_in_child=connection.close)


def load_rules() -> bool:
    """Load the compiled rules, so that the first decision does not wait for them; whether they were compiled before.

    They are not compiled here: several processes compile faster than one on which all of them wait.
    """
    try:
        with loading_only():
            state = State.deal(Setup.of(named_game("limit-2p")), Stream.from_seed(0))
            state.act(CALL)
            assert Observation.from_json(Observation.of(state, 0, ("a", "b")).to_json()).events
    except NotCompiled:
        return False
    return True
