"""The server as one application: pages, the lobby, tables and results."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI, Request, Response, WebSocket
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse
from starlette.staticfiles import StaticFiles

from railbird.interfaces.offer import Offer
from railbird.interfaces.web.explore import routes as exploring
from railbird.interfaces.web.http.asgi import App
from railbird.interfaces.web.http.rates import RateBuckets
from railbird.interfaces.web.http.replies import answer
from railbird.interfaces.web.http.room import Room
from railbird.interfaces.web.http.safety import Gate, Guard
from railbird.interfaces.web.lobby import invitations
from railbird.interfaces.web.lobby import routes as lobby
from railbird.interfaces.web.lobby.guests import GuestSessions
from railbird.interfaces.web.study import afterwards
from railbird.interfaces.web.table.keeper import TableKeeper, TooMany
from railbird.interfaces.web.table.kept_session import not_kept
from railbird.interfaces.web.table.session_journal import SessionJournal
from railbird.interfaces.web.table.socket import NOT_FOUND, TRY_LATER, TableSocket
from railbird.interfaces.web.thinking.preparation import FirstRun
from railbird.interfaces.web.thinking.thinkers import Thinkers
from railbird.interfaces.web.thinking.warming import warm_up
from railbird.interfaces.web.tournaments import routes as tournaments
from railbird.interfaces.web.web import HttpRefusal, Web
from railbird.store.addresses import StoreError, StoreFull
from railbird.store.sessions import StoredSessions
from railbird.store.store import Store

log = logging.getLogger(__name__)

STATIC = Path(__file__).parent / "static"
FULL, UNAVAILABLE = 507, 503
"""HTTP status when the store is full, or temporarily unavailable."""
MOST_STUDIED, MOST_STUDIED_OF_ONE = 100, 10
"""Maximum number of concurrent questions for strength and advice, in total and from one address."""


def make_web(store: Store, *, workers: int = 2, trusted: bool = False, keep_days: int = 0) -> Web:
    """Create what the server's parts share, with an open store; `keep_days` of 0 keeps sessions forever."""
    sessions, journal = StoredSessions(store), SessionJournal(StoredSessions(store))
    preparation = FirstRun()
    thinkers = Thinkers(workers, offer=Offer(trusted=trusted), prepare=preparation.ready)
    keeper = TableKeeper(sessions, journal, thinkers, keep_days)
    begun = RateBuckets(lobby.PER_SECOND, lobby.BURST)
    return Web(store, sessions, journal, thinkers, keeper, begun, preparation, GuestSessions(sessions))


def make_app(web: Web, gate: Gate) -> App:
    """The application for an ASGI server."""
    warm = asyncio.Event()
    study = Room(MOST_STUDIED, MOST_STUDIED_OF_ONE)

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        await web.thinkers.start()
        web.keeper.start()
        warming = asyncio.create_task(asyncio.to_thread(warm_up))
        warming.add_done_callback(lambda _: warm.set())
        try:
            yield
        finally:
            await web.keeper.close()
            await web.preparation.close()
            await web.thinkers.close()
            await web.journal.close()

    app = FastAPI(lifespan=lifespan, docs_url=None, redoc_url=None, openapi_url=None)
    for part in (lobby, invitations, afterwards, exploring, tournaments):
        app.include_router(part.router(web))

    @app.get("/")
    async def page() -> FileResponse:
        return FileResponse(STATIC / "index.html")

    @app.get("/api/preparation")
    async def preparation() -> Response:
        return answer({"percent": web.preparation.percent, "what": web.preparation.what})

    @app.websocket("/api/sessions/{session}/table")
    async def table_line(socket: WebSocket, session: str) -> None:
        try:
            found = await web.visible(socket, session)
            player, address = web.player(socket), web.address(socket)
            await warm.wait()
            table = await web.keeper.table(found, player, address)
            if not table.admits(player):
                raise HttpRefusal(404, "you have no seat at this table")
            await TableSocket(socket, table, player, address, study).serve()
        except HttpRefusal as refusal:
            await _turn_away(socket, NOT_FOUND, str(refusal))
        except TooMany as error:
            await _turn_away(socket, TRY_LATER, str(error))
        except StoreError as error:
            log.error("the table of session %s could not be opened: %s", session, error)
            await _turn_away(socket, TRY_LATER, not_kept(error))

    @app.exception_handler(HttpRefusal)
    async def refused(_request: Request, error: Exception) -> Response:
        assert isinstance(error, HttpRefusal)
        return answer({"error": web.sentence(error)}, error.status)

    @app.exception_handler(HTTPException)
    async def unknown(_request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        return answer({"error": str(error.detail)}, error.status_code)

    @app.exception_handler(RequestValidationError)
    async def misunderstood(_request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        first = error.errors()[0]
        where = " ".join(str(part) for part in first["loc"])
        return answer({"error": f"{where}: {first['msg']}"}, 422)

    @app.exception_handler(StoreError)
    async def not_stored(_request: Request, error: Exception) -> Response:
        assert isinstance(error, StoreError)
        log.error("a request could not be answered: %s", error)
        return answer({"error": not_kept(error)}, FULL if isinstance(error, StoreFull) else UNAVAILABLE)

    @app.exception_handler(Exception)
    async def broken(_request: Request, error: Exception) -> Response:
        log.error("a request could not be answered", exc_info=error)
        return answer({"error": "internal server error"}, 500)

    app.mount("/static", StaticFiles(directory=STATIC))
    return Guard(app, gate)


async def _turn_away(socket: WebSocket, code: int, sentence: str) -> None:
    """Close a WebSocket with a reason; it must be accepted first, because browsers report no reason otherwise."""
    await socket.accept()
    await socket.close(code, sentence)
