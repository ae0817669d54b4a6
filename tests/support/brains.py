"""Brains for tests: in a process of their own as a user starts them, and a plain body that speaks to one."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from time import monotonic, sleep
from typing import Any
from urllib.parse import urlsplit

import railbird.interfaces.brain.client
from railbird.interfaces.brain.messages import SCHEMA

REMOTE = f"{railbird.interfaces.brain.client.__file__}:RemoteAgent"
LONG = 60


def remote(url: str, agent: str, seconds: float = LONG) -> str:
    """The name of an agent in a brain."""
    return f"{REMOTE}:url={url},agent={agent.replace(',', ';')},seconds={seconds}"


def wait_until(condition: Callable[[], bool]) -> None:
    """Wait for something that happens soon in another thread or process."""
    deadline = monotonic() + LONG
    while not condition():
        assert monotonic() < deadline, "it did not happen"
        sleep(0.01)


@contextmanager
def brain_process(
    *arguments: object, folder: Path | None = None
) -> "Iterator[tuple[subprocess.Popen[str], str]]":
    """`railbird brain` and its address; killed at the end, if it still runs."""
    command = [sys.executable, "-m", "railbird", "brain", *map(str, arguments)]
    with subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8"
    ) as process:
        try:
            assert process.stdout is not None
            yield process, process.stdout.readline().strip()
        finally:
            process.kill()


class Body:
    """Somebody who speaks to a brain over one connection."""

    def __init__(self, url: str) -> None:
        address = urlsplit(url)
        assert address.hostname is not None
        self.connection = HTTPConnection(address.hostname, address.port, timeout=LONG)

    def __enter__(self) -> "Body":
        return self

    def __exit__(self, *_: object) -> None:
        self.connection.close()

    def send(self, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> tuple[int, Any]:
        """Status and data of an answer."""
        self.connection.request(method, path, body, headers)
        response = self.connection.getresponse()
        content = response.read()
        assert response.headers["Content-Type"] == "application/json"
        assert not any(name.lower().startswith("access-control") for name in response.headers)
        return response.status, json.loads(content)

    def post(self, path: str, data: object) -> tuple[int, Any]:
        """Post data, as a body should."""
        return self.send("POST", path, json.dumps(data).encode(), {"Content-Type": "application/json"})

    def get(self, path: str) -> tuple[int, Any]:
        """Ask."""
        return self.send("GET", path, None, {})

    def open(self, agent: str, game: str = "limit-2p", **more: object) -> str:
        """The path of a new session."""
        status, answer = self.post("/sessions", {"schema": SCHEMA, "agent": agent, "game": game, **more})
        assert status == 201, answer
        return f"/sessions/{answer['session']}"
