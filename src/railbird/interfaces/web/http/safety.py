"""Authorisation, and the security headers of every response.

- A player is identified by a token in a cookie that no script and no other site can use (`tokens`). `railbird play` has
  one player, whose token is in the URL that it prints; `railbird serve` issues a token to every new visitor and accepts
  no others.
- The Host of a request must be one of ours, which prevents DNS rebinding. Every request that may change something, and
  every WebSocket, must come from our own pages (Origin).
- Requests have size and rate limits, per player and per address, so that a new token gains nothing; new players and
  open tables per address are limited. Behind a reverse proxy, limits apply to the visitor it reports (`wire.proxies`).
- The headers restrict pages to our own files: no frames, no external scripts or styles.
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
"""Maximum number of headers in a request; a browser sends about twenty."""
PER_SECOND, BURST = 50.0, 200.0
"""Rate limit of one player's requests: per second, and in a burst."""
ADDRESS_PER_SECOND, ADDRESS_BURST = 400.0, 2_000.0
"""Rate limit of requests from one address, which many players may share."""
NEW_PER_SECOND, NEW_AT_ONCE = 1.0, 300.0
"""Rate limit of new players from one address."""
LONGEST_QUERY, LONGEST_DOCUMENT_QUERY = 512, 12 * 1024
"""Maximum length of a query string, and of one with JSON documents, for paths below `_DOCUMENTS`."""
MOST_LINES = 100
"""Maximum number of WebSockets from one address; fewer than its connections, so that pages can still load."""
_DOCUMENTS = "/api/explore/"
BAD_REQUEST = 400
TOO_LARGE = 413
TOO_MANY = 429
_POLICY_VIOLATION, _TRY_LATER = 1008, 1013
_NOT_YOURS = "access denied: open the address that railbird printed"
_UNKNOWN = "unknown player: open the start page of this server again"

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
    """The access rules of the server."""

    key: str | None = None
    """The only player's token; None admits every visitor as a separate player."""
    names: tuple[str, ...] = field(default=("localhost",))
    """Accepted host names; IP addresses are always accepted, because they cannot be rebound."""
    signing_key: str = field(default_factory=lambda: token_urlsafe(32), repr=False)
    """The key that signs tokens; a server with the same key recognises its players."""
    proxies: frozenset[IPv4Address | IPv6Address] = frozenset()
    """Trusted reverse proxies, whose forwarding headers are used."""


class _Refused(Exception):
    """A refused request: the status, a sentence, and whether the rest of its body is discarded first."""

    def __init__(self, status: int, sentence: str, *, unread: bool = False) -> None:
        super().__init__(sentence)
        self.status, self.unread = status, unread


class Guard:
    """The outermost layer of the app: checks every request and adds headers to every response."""

    def __init__(self, app: App, gate: Gate) -> None:
        self._app, self._gate = app, gate
        self._players = RateBuckets(PER_SECOND, BURST)
        self._addresses = RateBuckets(ADDRESS_PER_SECOND, ADDRESS_BURST)
        self._newcomers = RateBuckets(NEW_PER_SECOND, NEW_AT_ONCE)
        self._lines: Counter[str] = Counter()
        """The number of open WebSockets by address."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request, or refuse it."""
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
        """Serve a WebSocket, unless too many are open."""
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
        """Refuse requests that do not come from our own pages, are too long, or are ambiguous."""
        if len(scope["headers"]) > MOST_HEADERS:
            raise _Refused(431, f"a request may have at most {MOST_HEADERS} headers")
        host = headers.get(b"host", b"").decode("latin-1")
        if not self._is_ours(host):
            raise _Refused(BAD_REQUEST, "unknown host name")
        changes = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD")
        if changes and not _is_own(headers.get(b"origin", b""), host, asker):
            raise _Refused(403, "only pages of this server may send this request")
        longest = LONGEST_DOCUMENT_QUERY if scope["path"].startswith(_DOCUMENTS) else LONGEST_QUERY
        if len(scope.get("query_string", b"")) > longest:
            raise _Refused(414, f"a query string may have at most {longest:,} characters")
        if b"content-length" in headers and b"transfer-encoding" in headers:
            raise _Refused(
                BAD_REQUEST, "a request may have a Content-Length or a Transfer-Encoding, not both"
            )
        length = headers.get(b"content-length", b"0")
        if not length.isdigit() or int(length) > LARGEST_BODY:
            # A client that waits for permission to send the body has not sent it.
            raise _too_long(unread=b"expect" not in headers)

    def _is_ours(self, host: str) -> bool:
        try:
            name = urlsplit(f"//{host}").hostname or ""
            urlsplit(f"//{host}").port  # noqa: B018
        except ValueError:
            return False
        return name in self._gate.names or address_in(name) is not None

    def _entering(self, scope: Scope) -> str | None:
        """The token in a URL with the right key."""
        if self._gate.key is None or scope["type"] != "http" or scope["path"] != "/":
            return None
        given = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("key", [""])[0]
        return self._gate.key if given and is_same(given, self._gate.key) else None

    def _token(self, headers: dict[bytes, bytes]) -> str | None:
        """The token of a request, if it is valid."""
        token = token_in(headers)
        if token is None:
            return None
        key = self._gate.key
        is_ours = is_signed(token, self._gate.signing_key) if key is None else is_same(token, key)
        return token if is_ours else None


def _too_long(*, unread: bool) -> _Refused:
    return _Refused(TOO_LARGE, f"a request may have at most {LARGEST_BODY} bytes", unread=unread)


def _is_own(origin: bytes, host: str, asker: Asker) -> bool:
    """Whether an origin is this server as the browser reached it: host, port, and scheme."""
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
            # A browser reports the reason only if the WebSocket was accepted.
            await send({"type": "websocket.accept"})
            code = _TRY_LATER
        await send({"type": "websocket.close", "code": code, "reason": str(refused)})
        return
    body = msgspec.json.encode({"error": str(refused)})
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body)), *HEADERS]
    if refused.unread:
        await throw_away(receive)
    if refused.status in (TOO_LARGE, BAD_REQUEST):
        # The boundary between this request and the next one is uncertain.
        headers.append((b"connection", b"close"))
    await send({"type": "http.response.start", "status": refused.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def _redirect(send: Send, cookie: bytes) -> None:
    headers = [(b"location", b"/"), (b"set-cookie", cookie), (b"cache-control", b"no-store"), *HEADERS]
    await send({"type": "http.response.start", "status": 303, "headers": headers})
    await send({"type": "http.response.body", "body": b""})
