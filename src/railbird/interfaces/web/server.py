"""Starting the server, for the local user or for others."""

import asyncio
import fcntl
import gc
import logging
import os
import socket
from collections.abc import Awaitable, Callable
from contextlib import suppress
from math import ceil
from pathlib import Path
from secrets import token_urlsafe

import uvicorn

from railbird.interfaces.web.app import make_app
from railbird.interfaces.web.http.safety import Gate
from railbird.interfaces.web.web import Web
from railbird.interfaces.web.wire.config import WireConfig
from railbird.interfaces.web.wire.connections import Connection
from railbird.interfaces.web.wire.doorkeeper import Doorkeeper
from railbird.interfaces.web.wire.limits import RESERVED, ConnectionLimits, allow_descriptors
from railbird.interfaces.web.wire.lines import Line
from railbird.interfaces.web.wire.log_rate import Sparing
from railbird.places import data_folder, make_last
from railbird.store.addresses import beside

LOOPBACK = "127.0.0.1"
LARGEST_FRAME = 64 * 1024
"""Maximum size of a WebSocket frame; a larger one closes the connection, while a long message is refused."""
WAITING = 1024
"""Maximum number of connections that wait to be accepted (the listen backlog)."""
KEY_FILE = "player-key"
SIGNING_KEY = "signing-key"
GARBAGE = 10_000, 10, 10
"""Thresholds of Python's garbage collector, by generation."""


def own_key(folder: Path | None = None) -> str:
    """The token of the local user, created once and readable by no other user."""
    return _kept_key((data_folder() if folder is None else folder) / KEY_FILE)


def signing_key(store: str) -> str:
    """The key that signs players' tokens: created once per store, so that tokens stay valid after a restart."""
    return _kept_key(beside(store, SIGNING_KEY))


def _kept_key(path: Path) -> str:
    with suppress(FileNotFoundError):
        if key := path.read_text().strip():
            return key
    path.parent.mkdir(parents=True, exist_ok=True)
    with os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), "r+") as file:
        fcntl.flock(file, fcntl.LOCK_EX)  # another server may start at the same moment
        key = file.read().strip()
        if not key:
            key = token_urlsafe(32)
            file.write(key)
            make_last(file, path)
    return key


def bind(host: str, port: int) -> socket.socket:
    """A socket at an address; port 0 takes a free one."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # The protocol is given as TCP, so that asyncio sets TCP_NODELAY and sends small responses at once.
    found = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((host, port))
    except OSError as error:
        found.close()
        raise ValueError(f"{host}:{port} cannot be used: {error.strerror}") from None
    return found


def address_of(bound: socket.socket) -> str:
    """The URL of a bound socket."""
    host, port = bound.getsockname()[:2]
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


class Server(uvicorn.Server):
    """uvicorn's server with a listen backlog larger than the number of connections accepted at once."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start listening."""
        await super().startup(sockets)
        for bound in sockets or ():
            # uvicorn and asyncio use one number for both, and connections accepted at once need file descriptors.
            bound.listen(WAITING)


def server_of(web: Web, gate: Gate, limits: ConnectionLimits | None = None) -> Server:
    """A server for the application, not started yet."""
    door = Doorkeeper(limits, gate.proxies)
    config = WireConfig(
        make_app(web, gate),
        door,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        http=Connection,
        h11_max_incomplete_event_size=door.limits.longest_head,
        ws=Line,
        ws_max_size=LARGEST_FRAME,
        ws_per_message_deflate=False,
        backlog=door.limits.accepted_at_once,
        timeout_keep_alive=ceil(door.limits.idle_s),
        timeout_graceful_shutdown=2,
    )
    return Server(config)


def run(web: Web, gate: Gate, bound: socket.socket, ready: Callable[[], Awaitable[None]]) -> None:
    """Serve until interrupted; `ready` is called once the server responds."""
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s: %(message)s")
    limits = ConnectionLimits()
    server = server_of(web, gate, limits.within(allow_descriptors(limits.connections + RESERVED)))
    sparing = Sparing()
    for logger in (logging.getLogger(), logging.getLogger("uvicorn")):
        for handler in logger.handlers:
            handler.addFilter(sparing)

    async def serve() -> None:
        serving = asyncio.create_task(server.serve([bound]))
        while not server.started and not serving.done():
            await asyncio.sleep(0.01)
        if not serving.done():
            await ready()
            # Objects that exist now are permanent: collecting them again and again would delay every table.
            gc.freeze()
            gc.set_threshold(*GARBAGE)
        await serving

    with suppress(KeyboardInterrupt):
        asyncio.run(serve())
