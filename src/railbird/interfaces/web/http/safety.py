"""Who may ask, and what every answer says to the browser.

- A player is a token in a cookie that no script and no other site can use (`tokens`). `railbird play` has one player,
  whose token stands in the address that it prints; `railbird serve` gives one to every new visitor and knows no other.
- The Host of a request must be one of ours, so that no name that somebody else controls can be pointed at us. Whatever
  may change something, and every WebSocket, must come from our own pages (Origin).
- Requests have a size and a rate, for each player and for each address, where a new token changes nothing; new players
  and open tables of an address have a maximum. Behind a reverse proxy, the visitor whom it names is who asks
  (`wire.proxies`).
- The headers allow a page our own files only: no frames, no foreign scripts or styles.
"""

from collections import Counter
from collections.abc import MutableMapping
from dataclasses import dataclass, field
from ipaddress import IPv4Address, IPv6Address
from secrets import token_urlsafe
from typing import Any
from urllib.parse import parse_qs, urlsplit

import msgspec

from railbird.interfaces.visitors import address_in
from railbird.interfaces.web.http.asgi import App, Receive, Scope, Send
from railbird.interfaces.web.http.rates import RateBuckets
from railbird.interfaces.web.http.tokens import cookie_of, is_same, is_signed, issue_token, owner_of, token_in
from railbird.interfaces.web.wire.bodies import TooLong, read_body, replayed, throw_away
from railbird.interfaces.web.wire.proxies import Asker, asker_of

LARGEST_BODY = 16 * 1024
MOST_HEADERS = 100
"""Headers of one request; a browser sends about twenty."""
PER_SECOND, BURST = 50.0, 200.0
"""Requests of one player: so many a second, and so many at once."""
ADDRESS_PER_SECOND, ADDRESS_BURST = 400.0, 2_000.0
"""Requests from one address, behind which many may sit."""
NEW_PER_SECOND, NEW_AT_ONCE = 1.0, 300.0
"""New players from one address."""
LONGEST_QUERY, LONGEST_DOCUMENT_QUERY = 512, 12 * 1024
"""The maximum length of what stands behind the ? of an address; where it holds documents, below `_DOCUMENTS`."""
MOST_LINES = 100
"""The maximum number of WebSockets from one address; fewer than its connections, so that pages load beside them."""
_DOCUMENTS = "/api/explore/"
BAD_REQUEST = 400
TOO_LARGE = 413
TOO_MANY = 429
_POLICY_VIOLATION, _TRY_LATER = 1008, 1013
_NOT_YOURS = "this page belongs to somebody else: open the address that railbird printed"
_UNKNOWN = "you are not known here: open the first page of this server again"

HEADERS: tuple[tuple[bytes, bytes], ...] = (
    (
        b"content-security-policy",
        b"default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; "
        b"form-action 'self'; frame-ancestors 'none'",
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
)


@dataclass(frozen=True, slots=True)
class Gate:
    """Whom the server lets in."""

    key: str | None = None
    """The only player's token; None lets everybody in, each as a player of its own."""
    names: tuple[str, ...] = field(default=("localhost",))
    """Host names that are ours; numbers always are, since nobody can point them elsewhere."""
    signing_key: str = field(default_factory=lambda: token_urlsafe(32), repr=False)
    """What tokens are signed with; players are known again by a server with the same key."""
    proxies: frozenset[IPv4Address | IPv6Address] = frozenset()
    """Reverse proxies that are believed when they say who asks."""


class _Refused(Exception):
    """A request that is not answered: the status, a sentence, and whether more of its body is thrown away first."""

    def __init__(self, status: int, sentence: str, *, unread: bool = False) -> None:
        super().__init__(sentence)
        self.status, self.unread = status, unread


class Guard:
    """The outermost layer of the app: checks every request and completes every answer."""

    def __init__(self, app: App, gate: Gate) -> None:
        self._app, self._gate = app, gate
        self._players = RateBuckets(PER_SECOND, BURST)
        self._addresses = RateBuckets(ADDRESS_PER_SECOND, ADDRESS_BURST)
        self._newcomers = RateBuckets(NEW_PER_SECOND, NEW_AT_ONCE)
        self._lines: Counter[str] = Counter()
        """How many WebSockets are open, by address."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        try:
            await self._answer(scope, receive, send)
        except _Refused as refused:
            await _refuse(scope, receive, send, refused)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = _headers(scope)
        asker = asker_of(scope, headers, self._gate.proxies)
        scope.setdefault("state", {})["address"] = asker.visitor
        if not self._addresses.take(asker.visitor):
            raise _Refused(TOO_MANY, "too many requests from your address: wait a moment")
        self._verify(scope, headers, asker)
        entering = self._entering(scope)
        if entering is not None:
            await _redirect(send, cookie_of(entering, secure=asker.secure))
            return
        path, is_line = scope["path"], scope["type"] == "websocket"
        token, fresh = self._token(headers), None
        if token is None and self._gate.key is None and path == "/" and not is_line:
            if not self._newcomers.take(asker.visitor):
                raise _Refused(TOO_MANY, "too many new players from your address: wait a moment")
            token = fresh = issue_token(self._gate.signing_key)
        if token is not None:
            player = owner_of(token)
            if path.startswith("/api/") and not self._players.take(player):
                raise _Refused(TOO_MANY, "too many requests: wait a moment")
            scope.setdefault("state", {})["player"] = player
        elif is_line or path == "/" or path.startswith("/api/"):
            raise _Refused(403, _UNKNOWN if self._gate.key is None else _NOT_YOURS)
        if is_line:
            await self._keep_line(asker.visitor, scope, receive, send)
            return
        try:
            body = await read_body(receive, LARGEST_BODY)
        except TooLong as error:
            raise _too_long(unread=error.more) from None
        if body is not None:
            cookie = None if fresh is None else cookie_of(fresh, secure=asker.secure)
            await self._app(scope, replayed(body, receive), _completed(send, scope, cookie))

    async def _keep_line(self, visitor: str, scope: Scope, receive: Receive, send: Send) -> None:
        """Have a WebSocket, unless too many are open."""
        if self._lines[visitor] >= MOST_LINES:
            raise _Refused(TOO_MANY, "too many tables are open from your address: close one")
        self._lines[visitor] += 1
        try:
            await self._app(scope, receive, send)
        finally:
            self._lines[visitor] -= 1
            if not self._lines[visitor]:
                del self._lines[visitor]

    def _verify(self, scope: Scope, headers: dict[bytes, bytes], asker: Asker) -> None:
        """Refuse what does not come from our own pages, is too long, or can be read in two ways."""
        if len(scope["headers"]) > MOST_HEADERS:
            raise _Refused(431, f"a request has at most {MOST_HEADERS} headers")
        host = headers.get(b"host", b"").decode("latin-1")
        if not self._is_ours(host):
            raise _Refused(BAD_REQUEST, "this server has another name")
        changes = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD")
        if changes and not _is_own(headers.get(b"origin", b""), host, asker):
            raise _Refused(403, "only pages of this server may do that")
        longest = LONGEST_DOCUMENT_QUERY if scope["path"].startswith(_DOCUMENTS) else LONGEST_QUERY
        if len(scope.get("query_string", b"")) > longest:
            raise _Refused(414, f"an address has at most {longest:,} characters behind its question mark")
        if b"content-length" in headers and b"transfer-encoding" in headers:
            raise _Refused(BAD_REQUEST, "a request has a Content-Length or a Transfer-Encoding, not both")
        length = headers.get(b"content-length", b"0")
        if not length.isdigit() or int(length) > LARGEST_BODY:
            # Who waits for permission to send the body does not send it.
            raise _too_long(unread=b"expect" not in headers)

    def _is_ours(self, host: str) -> bool:
        try:
            name = urlsplit(f"//{host}").hostname or ""
            urlsplit(f"//{host}").port  # noqa: B018
        except ValueError:
            return False
        return name in self._gate.names or address_in(name) is not None

    def _entering(self, scope: Scope) -> str | None:
        """The token of an address with the right key."""
        if self._gate.key is None or scope["type"] != "http" or scope["path"] != "/":
            return None
        given = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("key", [""])[0]
        return self._gate.key if given and is_same(given, self._gate.key) else None

    def _token(self, headers: dict[bytes, bytes]) -> str | None:
        """The token of who asks, if it is one of ours."""
        token = token_in(headers)
        if token is None:
            return None
        key = self._gate.key
        is_ours = is_signed(token, self._gate.signing_key) if key is None else is_same(token, key)
        return token if is_ours else None


def _too_long(*, unread: bool) -> _Refused:
    return _Refused(TOO_LARGE, f"a request has at most {LARGEST_BODY} bytes", unread=unread)


def _is_own(origin: bytes, host: str, asker: Asker) -> bool:
    """Whether an origin is this server as the browser reached it: host, port, and TLS where that is used."""
    try:
        parts = urlsplit(origin.decode("latin-1"))
    except ValueError:
        return False
    return parts.netloc.lower() == host.lower() and (parts.scheme == "https" or not asker.secure)


def _headers(scope: Scope) -> dict[bytes, bytes]:
    return {name.lower(): value for name, value in scope["headers"]}


def _completed(send: Send, scope: Scope, cookie: bytes | None) -> Send:
    api = scope["path"].startswith("/api/")

    async def complete(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            headers = [*message.get("headers", []), *HEADERS]
            headers.append((b"cache-control", b"no-store" if api else b"no-cache"))
            if cookie is not None:
                headers.append((b"set-cookie", cookie))
            message = {**message, "headers": headers}
        await send(message)

    return complete


async def _refuse(scope: Scope, receive: Receive, send: Send, refused: _Refused) -> None:
    if scope["type"] == "websocket":
        await receive()
        code = _POLICY_VIOLATION
        if refused.status == TOO_MANY:
            # Our pages hear the reason only of a line that was opened.
            await send({"type": "websocket.accept"})
            code = _TRY_LATER
        await send({"type": "websocket.close", "code": code, "reason": str(refused)})
        return
    body = msgspec.json.encode({"error": str(refused)})
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body)), *HEADERS]
    if refused.unread:
        await throw_away(receive)
    if refused.status in (TOO_LARGE, BAD_REQUEST):
        # Where this request ends, and the next one begins, is not sure.
        headers.append((b"connection", b"close"))
    await send({"type": "http.response.start", "status": refused.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def _redirect(send: Send, cookie: bytes) -> None:
    headers = [(b"location", b"/"), (b"set-cookie", cookie), (b"cache-control", b"no-store"), *HEADERS]
    await send({"type": "http.response.start", "status": 303, "headers": headers})
    await send({"type": "http.response.body", "body": b""})
