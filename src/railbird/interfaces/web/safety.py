"""Who may ask, and what every answer says to the browser.

- A player is a random token in a cookie that no script and no other site can use; the store knows its digest only.
  `railbird play` has one player, whose token stands in the address that it prints; `railbird serve` gives one to every
  new visitor.
- The Host of a request must be one of ours, so that no name that somebody else controls can be pointed at us. Whatever
  may change something, and every WebSocket, must come from our own pages (Origin).
- Requests have a size and a rate. The headers allow a page our own files only: no frames, no foreign scripts or styles.
"""

from collections import OrderedDict
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass, field
from hashlib import sha256
from hmac import compare_digest
from http.cookies import CookieError, SimpleCookie
from ipaddress import ip_address
from secrets import token_urlsafe
from time import monotonic
from typing import Any, TypeAlias
from urllib.parse import parse_qs, urlsplit

import msgspec

Scope: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send: TypeAlias = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]

COOKIE = "railbird_player"
LONGEST_TOKEN = 64
LARGEST_BODY = 16 * 1024
COOKIE_DAYS = 400
PER_SECOND, BURST = 50.0, 200.0
_POLICY_VIOLATION = 1008

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


class Bucket:
    """So many things a second, and some more at once."""

    __slots__ = ("_burst", "_left", "_rate", "_then")

    def __init__(self, rate: float, burst: float) -> None:
        self._rate, self._burst = rate, burst
        self._left, self._then = burst, monotonic()

    def take(self) -> bool:
        """Whether one more is allowed now."""
        now = monotonic()
        self._left = min(self._burst, self._left + (now - self._then) * self._rate)
        self._then = now
        if self._left < 1.0:
            return False
        self._left -= 1.0
        return True


def owner_of(token: str) -> str:
    """What the store knows of a player."""
    return sha256(token.encode()).hexdigest()


class Guard:
    """The outermost layer of the app: checks every request and completes every answer."""

    MOST_BUCKETS = 10_000

    def __init__(self, app: App, gate: Gate) -> None:
        self._app, self._gate = app, gate
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = _headers(scope)
        refusal = self._refused(scope, headers)
        if refusal is not None:
            await _refuse(scope, receive, send, *refusal)
            return
        entering = self._entering(scope)
        if entering is not None:
            await _redirect(send, _cookie(entering))
            return
        token = self._token(headers)
        fresh = None
        if token is None and self._gate.key is None and scope["type"] == "http" and scope["path"] == "/":
            token = fresh = token_urlsafe(32)
        public = scope["type"] == "http" and not scope["path"].startswith("/api/") and scope["path"] != "/"
        if token is None and not public:
            sentence = "this page belongs to somebody else: open the address that railbird printed"
            await _refuse(scope, receive, send, 403, sentence)
            return
        if token is not None:
            player = owner_of(token)
            if scope["path"].startswith("/api/") and not self._bucket(player).take():
                await _refuse(scope, receive, send, 429, "too many requests: wait a moment")
                return
            scope.setdefault("state", {})["player"] = player
        await self._app(scope, _limited(receive, scope), _completed(send, scope, fresh))

    def _refused(self, scope: Scope, headers: dict[bytes, bytes]) -> tuple[int, str] | None:
        host = headers.get(b"host", b"").decode("latin-1")
        if not self._is_ours(host):
            return 400, "this server has another name"
        changes = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD")
        if changes and _netloc(headers.get(b"origin", b"")) != host.lower():
            return 403, "only pages of this server may do that"
        length = headers.get(b"content-length", b"0")
        if not length.isdigit() or int(length) > LARGEST_BODY:
            return 413, f"a request has at most {LARGEST_BODY} bytes"
        return None

    def _is_ours(self, host: str) -> bool:
        try:
            name = urlsplit(f"//{host}").hostname or ""
            urlsplit(f"//{host}").port  # noqa: B018
        except ValueError:
            return False
        if name in self._gate.names:
            return True
        try:
            ip_address(name)
        except ValueError:
            return False
        return True

    def _entering(self, scope: Scope) -> str | None:
        """The token of an address with the right key."""
        if self._gate.key is None or scope["type"] != "http" or scope["path"] != "/":
            return None
        given = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("key", [""])[0]
        return self._gate.key if given and compare_digest(given.encode(), self._gate.key.encode()) else None

    def _token(self, headers: dict[bytes, bytes]) -> str | None:
        try:
            cookies = SimpleCookie(headers.get(b"cookie", b"").decode("latin-1"))
        except CookieError:
            return None
        found = cookies.get(COOKIE)
        if found is None or not 0 < len(found.value) <= LONGEST_TOKEN:
            return None
        token = found.value
        if self._gate.key is not None and not compare_digest(token.encode(), self._gate.key.encode()):
            return None
        return token

    def _bucket(self, player: str) -> Bucket:
        bucket = self._buckets.get(player)
        if bucket is None:
            bucket = self._buckets[player] = Bucket(PER_SECOND, BURST)
            if len(self._buckets) > self.MOST_BUCKETS:
                self._buckets.popitem(last=False)
        else:
            self._buckets.move_to_end(player)
        return bucket


def _netloc(origin: bytes) -> str:
    """The host and port of an origin; nothing where it names none."""
    try:
        return urlsplit(origin.decode("latin-1")).netloc.lower()
    except ValueError:
        return ""


def _headers(scope: Scope) -> dict[bytes, bytes]:
    return {name.lower(): value for name, value in scope["headers"]}


def _cookie(token: str) -> bytes:
    age = COOKIE_DAYS * 86_400
    return f"{COOKIE}={token}; HttpOnly; SameSite=Strict; Path=/; Max-Age={age}".encode()


def _limited(receive: Receive, scope: Scope) -> Receive:
    """Bodies without a stated length are counted as they come."""
    if scope["type"] != "http":
        return receive
    taken = 0

    async def counted() -> MutableMapping[str, Any]:
        nonlocal taken
        message = await receive()
        taken += len(message.get("body", b""))
        if taken > LARGEST_BODY:
            return {"type": "http.disconnect"}
        return message

    return counted


def _completed(send: Send, scope: Scope, fresh: str | None) -> Send:
    api = scope["path"].startswith("/api/")

    async def complete(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            headers = [*message.get("headers", []), *HEADERS]
            headers.append((b"cache-control", b"no-store" if api else b"no-cache"))
            if fresh is not None:
                headers.append((b"set-cookie", _cookie(fresh)))
            message = {**message, "headers": headers}
        await send(message)

    return complete


async def _refuse(scope: Scope, receive: Receive, send: Send, status: int, sentence: str) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": _POLICY_VIOLATION, "reason": sentence})
        return
    body = msgspec.json.encode({"error": sentence})
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body)), *HEADERS]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def _redirect(send: Send, cookie: bytes) -> None:
    headers = [(b"location", b"/"), (b"set-cookie", cookie), (b"cache-control", b"no-store"), *HEADERS]
    await send({"type": "http.response.start", "status": 303, "headers": headers})
    await send({"type": "http.response.body", "body": b""})
