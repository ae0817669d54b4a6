"""One agent in its own process: it answers the questions of the arena until the connection ends.

Each question is answered once, with its number:

| `ask`   | with                                   | answered by |
|---|---|---|
| `start` | `agent` (its name), `memory_mb`, `open_files` | `listens`, `learns`: whether it wants events and results |
| `begin` | `match`                                | nothing |
| `act`   | `events` since the last question, `observation` | `decision` |
| `end`   | `events`, `result`                     | nothing |
| `lived` |                                        | `texts` |

An agent that was given as an object or a class is sent with its name: `pickled`, and `path`, where its modules are.

Instead of the answer there may be `fault` and `detail`, or for the name of an agent that does not exist `unknown`.
Matches, results and decisions have the form of `agent.plain_form`.
"""

import os
import pickle
import resource
import sys
from base64 import b64decode
from socket import socket
from typing import Any, NoReturn

from railbird.agent import Agent, make_agent
from railbird.agent.faults import AgentFault, Fault, as_decision, called
from railbird.agent.plain_form import decision_to_json, match_from_json, result_from_json
from railbird.arena.play.hand import learns, listens
from railbird.arena.processes.frames import Channel
from railbird.arena.processes.supervision import keep_from_children
from railbird.engine.json_form import event_from_json
from railbird.fields import OURS
from railbird.observation import Observation
from railbird.spec import SpecError

OUT_OF_MEMORY = 77
"""The exit code of a process that has no memory left even for a message."""
MEGABYTE = 1 << 20


def serve(connection: socket) -> NoReturn:
    """Run an agent over a connection; the process ends with the connection."""
    keep_from_children(connection)
    _silence()
    channel = Channel(connection)
    player: Agent | None = None
    try:
        while True:
            question = channel.receive()
            try:
                if player is None:
                    _limit(question["memory_mb"], question["open_files"])
                    player = called(_made, question)
                    answer = {"listens": listens(player), "learns": learns(player)}
                else:
                    answer = _answer(player, question)
            except AgentFault as fault:
                if fault.fault is Fault.OUT_OF_MEMORY:
                    os._exit(OUT_OF_MEMORY)
                answer = _excuse(fault)
            channel.send({"id": question["id"], **answer})
    except MemoryError:
        os._exit(OUT_OF_MEMORY)
    except (EOFError, OSError):
        os._exit(0)


def _made(question: dict[str, Any]) -> Agent:
    if "pickled" not in question:
        return make_agent(question["agent"])
    sys.path[:] = question["path"]
    given = pickle.loads(b64decode(question["pickled"]))  # noqa: S301  # it comes from the arena
    return given if isinstance(given, Agent) else make_agent(given)


def _answer(player: Agent, question: dict[str, Any]) -> dict[str, Any]:
    for event in question.get("events", ()):
        called(player.hear, event_from_json(event))
    match question["ask"]:
        case "begin":
            called(player.begin_match, match_from_json(question["match"], OURS))
        case "act":
            answer = called(player.act, Observation.from_json(question["observation"]))
            return {"decision": called(decision_to_json, as_decision(answer))}
        case "end":
            called(player.end_hand, result_from_json(question["result"], OURS))
        case "lived":
            return {"texts": [str(text) for text in called(player.lived)]}
    return {}


def _excuse(fault: AgentFault) -> dict[str, Any]:
    if isinstance(fault.__cause__, SpecError):
        return {"unknown": str(fault.__cause__)}
    return {"fault": fault.fault.value, "detail": fault.detail}


def _limit(memory_mb: int | None, open_files: int | None) -> None:
    """Set limits that the agent cannot raise.

    Memory is limited as data, not as address space: numba, numpy and threads reserve far more addresses than they use.
    """
    _lower(resource.RLIMIT_CORE, 0)
    if memory_mb is not None:
        _lower(resource.RLIMIT_DATA, memory_mb * MEGABYTE)
    if open_files is not None:
        _lower(resource.RLIMIT_NOFILE, open_files)


def _lower(what: int, limit: int) -> None:
    hard = resource.getrlimit(what)[1]
    lowest = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
    resource.setrlimit(what, (lowest, lowest))


def _silence() -> None:
    """Discard what the agent prints, so that it floods neither the connection nor the screen."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nowhere, standard)
    if nowhere > 2:
        os.close(nowhere)
