"""Who may ask, and what every answer says to the browser.

- A player is a token in a cookie that no script and no other site can use (`tokens`). `railbird play` has one player,
  whose token stands in the address that it prints; `railbird serve` gives one to every new visitor and knows no other.
- The Host of a request must be one of ours, so that no name that somebody else controls can be pointed at us. Whatever
  may change something, and every WebSocket, must come from our own pages (Origin).
- Requests have a size and a rate, for each player and for each address, where a new token changes nothing; an address
  has so many new players and open tables. Behind a proxy all have one address.
- The headers allow a page our own files only: no frames, no foreign scripts or styles.
"""

from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass, field
from ipaddress import IPv6Address, ip_address, ip_network
from secrets import token_urlsafe
from time import monotonic
from typing import Any, TypeAlias
from urllib.parse import parse_qs, urlsplit

import msgspec

from railbird.interfaces.web.tokens import cookie_of, is_same, is_signed, issue_token, owner_of, token_in

Scope: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send: TypeAlias = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]

LARGEST_BODY = 16 * 1024
PER_SECOND, BURST = 50.0, 200.0
"""Requests of one player: so many a second, and so many at once."""
ADDRESS_PER_SECOND, ADDRESS_BURST = 400.0, 2_000.0
"""Requests from one address, behind which many may sit."""
NEW_PER_SECOND, NEW_AT_ONCE = 1.0, 300.0
"""New players from one address."""
LONGEST_QUERY, LONGEST_DOCUMENT_QUERY = 512, 12 * 1024
"""The maximum length of what stands behind the ? of an address; where it holds documents, below `_DOCUMENTS`."""
MOST_LINES = 100
"""The maximum number of WebSockets that are open from one address."""
_DOCUMENTS = "/api/explore/"
_NETWORK_BITS = 64
"""Of an IPv6 address: who has one has all with the same first half."""
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


class Buckets:
    """A bucket for each of many, of whom those who come again are remembered."""

    MOST = 10_000

    def __init__(self, rate: float, burst: float) -> None:
        self._rate, self._burst = rate, burst
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, whose: str) -> bool:
        """Whether one more is allowed now."""
        bucket = self._buckets.get(whose)
        if bucket is None:
            bucket = self._buckets[whose] = Bucket(self._rate, self._burst)
            if len(self._buckets) > self.MOST:
                self._buckets.popitem(last=False)
        else:
            self._buckets.move_to_end(whose)
        return bucket.take()


class _Refused(Exception):
    """A request that is not answered: the status and a sentence."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


class Guard:
    """The outermost layer of the app: checks every request and completes every answer."""

    def __init__(self, app: App, gate: Gate) -> None:
        self._app, self._gate = app, gate
        self._players = Buckets(PER_SECOND, BURST)
        self._addresses = Buckets(ADDRESS_PER_SECOND, ADDRESS_BURST)
        self._newcomers = Buckets(NEW_PER_SECOND, NEW_AT_ONCE)
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
        headers, address = _headers(scope), _address(scope)
        scope.setdefault("state", {})["address"] = address
        if not self._addresses.take(address):
            raise _Refused(TOO_MANY, "too many requests from your address: wait a moment")
        self._verify(scope, headers)
        entering = self._entering(scope)
        if entering is not None:
            await _redirect(send, cookie_of(entering))
            return
        path, is_line = scope["path"], scope["type"] == "websocket"
        token, fresh = self._token(headers), None
        if token is None and self._gate.key is None and path == "/" and not is_line:
            if not self._newcomers.take(address):
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
            await self._keep_line(address, scope, receive, send)
        else:
            await self._app(scope, _limited(receive), _completed(send, scope, fresh))

    async def _keep_line(self, address: str, scope: Scope, receive: Receive, send: Send) -> None:
        """Have a WebSocket, unless too many are open."""
        if self._lines[address] >= MOST_LINES:
            raise _Refused(TOO_MANY, "too many tables are open from your address: close one")
        self._lines[address] += 1
        try:
            await self._app(scope, receive, send)
        finally:
            self._lines[address] -= 1
            if not self._lines[address]:
                del self._lines[address]

    def _verify(self, scope: Scope, headers: dict[bytes, bytes]) -> None:
        """Refuse what does not come from our own pages, or is too long."""
        host = headers.get(b"host", b"").decode("latin-1")
        if not self._is_ours(host):
            raise _Refused(400, "this server has another name")
        changes = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD")
        if changes and _netloc(headers.get(b"origin", b"")) != host.lower():
            raise _Refused(403, "only pages of this server may do that")
        longest = LONGEST_DOCUMENT_QUERY if scope["path"].startswith(_DOCUMENTS) else LONGEST_QUERY
        if len(scope.get("query_string", b"")) > longest:
            raise _Refused(414, f"an address has at most {longest:,} characters behind its question mark")
        length = headers.get(b"content-length", b"0")
        if not length.isdigit() or int(length) > LARGEST_BODY:
            raise _Refused(413, f"a request has at most {LARGEST_BODY} bytes")

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
        return self._gate.key if given and is_same(given, self._gate.key) else None

    def _token(self, headers: dict[bytes, bytes]) -> str | None:
        """The token of who asks, if it is one of ours."""
        token = token_in(headers)
        if token is None:
            return None
        key = self._gate.key
        is_ours = is_signed(token, self._gate.signing_key) if key is None else is_same(token, key)
        return token if is_ours else None


def _address(scope: Scope) -> str:
    """From where somebody asks: an address, of IPv6 the network that one customer has; behind a proxy, that of it."""
    host = scope["client"][0] if scope.get("client") else ""
    try:
        address = ip_address(host)
    except ValueError:
        return host
    if isinstance(address, IPv6Address) and address.ipv4_mapped is None:
        return str(ip_network((int(address), _NETWORK_BITS), strict=False))
    return host


def _netloc(origin: bytes) -> str:
    """The host and port of an origin; nothing where it names none."""
    try:
        return urlsplit(origin.decode("latin-1")).netloc.lower()
    except ValueError:
        return ""


def _headers(scope: Scope) -> dict[bytes, bytes]:
    return {name.lower(): value for name, value in scope["headers"]}


def _limited(receive: Receive) -> Receive:
    """Bodies without a stated length are counted as they come."""
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
                headers.append((b"set-cookie", cookie_of(fresh)))
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
    await send({"type": "http.response.start", "status": refused.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def _redirect(send: Send, cookie: bytes) -> None:
    headers = [(b"location", b"/"), (b"set-cookie", cookie), (b"cache-control", b"no-store"), *HEADERS]
    await send({"type": "http.response.start", "status": 303, "headers": headers})
    await send({"type": "http.response.body", "body": b""})
