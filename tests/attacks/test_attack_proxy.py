"""Behind a reverse proxy: who asks is whom the proxy names, and nobody can name somebody else."""

import asyncio
import json
import os
import re
import shutil
import socket
import ssl
import subprocess
from collections.abc import Iterator, MutableMapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from http.client import HTTPSConnection
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import connect

from command import railbird
from folders import DOCS
from railbird.interfaces.web.http import safety
from railbird.interfaces.web.http.asgi import Receive, Scope, Send
from railbird.interfaces.web.http.safety import Gate, Guard
from railbird.interfaces.web.http.tokens import COOKIE, signed
from railbird.interfaces.web.wire.limits import ConnectionLimits
from railbird.interfaces.web.wire.proxies import proxies_at
from raw_lines import many, raw_line, until
from web_client import LONG, Person, Serving, serving

PROXY = "10.0.0.9"
DOCUMENT = DOCS / "serving.md"
FIRST_PAGE = "/"


async def answered(scope: Scope, receive: Receive, send: Send) -> None:
    """An application that is content with everything."""
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b""})


@dataclass
class Guarded:
    """A guard without a server behind it."""

    guard: Guard

    async def ask(self, address: str, method: str = "GET", **headers: str) -> tuple[int, str]:
        """The status, and the cookie that was given."""
        said: list[MutableMapping[str, Any]] = []
        named = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
        scope = {
            "type": "http",
            "path": FIRST_PAGE,
            "method": method,
            "headers": [(b"host", b"localhost"), *named],
            "client": (address, 1),
        }

        async def receive() -> MutableMapping[str, Any]:
            return {"type": "http.request"}

        async def send(message: MutableMapping[str, Any]) -> None:
            said.append(message)

        await self.guard(scope, receive, send)
        return said[0]["status"], dict(said[0]["headers"]).get(b"set-cookie", b"").decode()

    async def statuses(self, address: str, *forwarded: str) -> list[int]:
        """What new visitors are told, one after the other."""
        return [(await self.ask(address, x_forwarded_for=each))[0] for each in forwarded]


@pytest.fixture
def guarded(monkeypatch: pytest.MonkeyPatch) -> Guarded:
    """A guard that lets one new player in from each address."""
    monkeypatch.setattr(safety, "NEW_PER_SECOND", 1e-9)
    monkeypatch.setattr(safety, "NEW_AT_ONCE", 1.0)
    return Guarded(Guard(answered, Gate(signing_key="key", proxies=proxies_at([PROXY, "fd00::1"]))))


def test_behind_a_proxy_each_visitor_has_bounds_of_its_own(guarded: Guarded) -> None:
    assert asyncio.run(guarded.statuses(PROXY, "1.1.1.1", "1.1.1.2", "1.1.1.1")) == [200, 200, 429]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("1.1.1.1", "9.9.9.9, 1.1.1.1"),
        ("1.1.1.1", "9.9.9.9,1.1.1.1 "),
        ("1.1.1.1", f"{PROXY}, 1.1.1.1"),
        (f"8.8.8.8, {PROXY}", f"9.9.9.9, {PROXY}"),
        ("8.8.8.8, unknown", "9.9.9.9, "),
        ("2001:db8:1:2::1", "2001:db8:1:2::2"),
        ("1.1.1.1", "::ffff:1.1.1.1"),
    ],
)
def test_only_what_the_proxy_wrote_itself_counts(guarded: Guarded, first: str, second: str) -> None:
    assert asyncio.run(guarded.statuses(PROXY, first, second)) == [200, 429]


@pytest.mark.parametrize("address", ["1.1.1.1", "10.0.0.8", "10.0.0.90", "fd00::2", "::1", ""])
def test_nobody_else_is_believed(guarded: Guarded, address: str) -> None:
    async def ask() -> None:
        assert await guarded.statuses(address, "8.8.8.8", "9.9.9.9") == [200, 429]
        status, cookie = await guarded.ask("7.7.7.7", x_forwarded_proto="https", x_forwarded_for="6.6.6.6")
        assert status == 200
        assert cookie
        assert "Secure" not in cookie

    asyncio.run(ask())


@pytest.mark.parametrize("address", [PROXY, f"::ffff:{PROXY}", "fd00:0::1"])
@pytest.mark.parametrize(
    ("scheme", "secure"),
    [("https", True), ("http", False), ("https, http", False), ("http, https", True), ("HTTPS!", False)],
)
def test_a_cookie_that_came_by_tls_goes_by_tls_only(
    guarded: Guarded, address: str, scheme: str, secure: bool
) -> None:
    status, cookie = asyncio.run(guarded.ask(address, x_forwarded_for="1.1.1.1", x_forwarded_proto=scheme))
    assert status == 200
    assert cookie.endswith("; Secure") == secure


@pytest.mark.parametrize(
    ("origin", "status"),
    [("https://localhost", 200), ("http://localhost", 403), ("https://evil.example", 403), ("null", 403)],
)
def test_behind_tls_what_changes_something_must_come_from_a_page_that_came_by_tls(
    guarded: Guarded, origin: str, status: int
) -> None:
    cookie = f"{COOKIE}={signed('ann', 'key')}"
    asked = guarded.ask(PROXY, "POST", x_forwarded_proto="https", origin=origin, cookie=cookie)
    assert asyncio.run(asked)[0] == status


def test_what_is_no_address_is_refused_as_a_proxy(tmp_path: Path) -> None:
    outcome = railbird("serve", "--proxy", "proxy.example", "--store", tmp_path / "store.db")
    assert outcome.code == 2
    assert "'proxy.example' is not the address of a proxy" in outcome.error


def test_a_proxy_has_more_connections_than_a_visitor_but_no_more_than_there_are(tmp_path: Path) -> None:
    limits = ConnectionLimits(connections=30, from_one_address=5)
    with serving(tmp_path / "store.db", proxies=["127.0.0.1"], limits=limits) as server:
        person = Person(server.address)
        session = person.begin("limit-2p", ["always-call"])
        with ExitStack() as opened:
            for _ in range(10):
                opened.enter_context(raw_line(person, session))
            with many(60, person.host, b"GET / HTTP/1.1\r\n"):
                assert person.ask("GET", "/api/lobby").status == 200
                until(lambda: len(server.connections) <= 30, "there are more connections than allowed")


# The configuration of nginx that the documentation shows


@dataclass(frozen=True)
class Proxied:
    """nginx with TLS before a server."""

    server: Serving
    port: int
    trust: ssl.SSLContext

    @property
    def host(self) -> str:
        """What visitors write."""
        return f"localhost:{self.port}"

    def ask(
        self, method: str, path: str, data: object = None, **headers: str
    ) -> tuple[int, dict[str, str], Any]:
        """An answer: status, headers, content."""
        connection = HTTPSConnection("localhost", self.port, timeout=LONG, context=self.trust)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        try:
            connection.request(method, path, None if data is None else json.dumps(data), named)
            response = connection.getresponse()
            return (
                response.status,
                {key.lower(): value for key, value in response.getheaders()},
                response.read(),
            )
        finally:
            connection.close()


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


def replaced(text: str, old: str, new: str) -> str:
    assert old in text, f"{old!r} is not in the configuration any more"
    return text.replace(old, new)


@contextmanager
def nginx_before(server: Serving, folder: Path) -> Iterator[Proxied]:
    """nginx as the documentation configures it, with other ports and a certificate of its own."""
    program, openssl = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin"), shutil.which("openssl")
    if program is None or openssl is None:
        pytest.skip("nginx or openssl is not installed here: `make system` installs them")
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    made = (
        "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost"
    )
    subprocess.run(
        [openssl, *made.split(), "-keyout", key, "-out", certificate], check=True, capture_output=True
    )
    found = re.search(r"```nginx\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
    assert found
    port, plain = free_port(), free_port()
    site = replaced(found[1], "listen 443 ssl;", f"listen 127.0.0.1:{port} ssl;")
    site = replaced(site, "listen 80;", f"listen 127.0.0.1:{plain};")
    site = replaced(site, "/etc/letsencrypt/live/poker.example.org/fullchain.pem", str(certificate))
    site = replaced(site, "/etc/letsencrypt/live/poker.example.org/privkey.pem", str(key))
    site = replaced(site, "server_name poker.example.org;", "server_name localhost;")
    site = replaced(site, "server 127.0.0.1:8000;", f"server {server.address.split('/')[2]};")
    places = "".join(
        f"{kind}_temp_path {folder / kind};\n"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    whole = folder / "nginx.conf"
    whole.write_text(
        f"daemon off;\nmaster_process off;\npid {folder / 'pid'};\nerror_log {folder / 'errors'} warn;\n"
        f"events {{}}\nhttp {{\naccess_log off;\n{places}\n{site}\n}}\n"
    )
    with subprocess.Popen(
        [program, "-p", folder, "-c", whole, "-e", folder / "errors"], stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            until(lambda: answers(port) or process.poll() is not None, "nginx does not start")
            assert process.poll() is None, process.stderr and process.stderr.read()
            yield Proxied(server, port, ssl.create_default_context(cafile=str(certificate)))
        finally:
            process.terminate()


def answers(port: int) -> bool:
    with socket.socket() as line:
        return line.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture
def proxied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Proxied]:
    """A server that believes nginx, and lets three new players in from one address."""
    monkeypatch.setattr(safety, "NEW_PER_SECOND", 1e-9)
    monkeypatch.setattr(safety, "NEW_AT_ONCE", 3.0)
    with (
        serving(tmp_path / "store.db", proxies=["127.0.0.1"]) as server,
        nginx_before(server, tmp_path) as found,
    ):
        yield found


def test_a_hand_is_played_through_the_documented_nginx_and_the_cookie_is_secure(proxied: Proxied) -> None:
    status, headers, _ = proxied.ask("GET", FIRST_PAGE)
    assert status == 200
    assert headers["set-cookie"].endswith("; Secure")
    assert headers["strict-transport-security"] == "max-age=31536000"
    own = {"Cookie": headers["set-cookie"].split(";")[0], "Origin": f"https://{proxied.host}"}
    wanted = {"game": "limit-2p", "opponents": ["always-call"], "speed": "instant"}
    status, _, made = proxied.ask("POST", "/api/sessions", wanted, **own)
    assert status == 201, made
    table = f"wss://{proxied.host}/api/sessions/{json.loads(made)['id']}/table"

    async def play() -> None:
        async with (
            asyncio.timeout(LONG),
            connect(table, additional_headers=own, ssl=proxied.trust, proxy=None) as line,
        ):
            view: dict[str, Any] = {}
            while view.get("actions") is None:
                view = json.loads(await line.recv())
            act = {"type": "act", "id": 1, "hand": view["hand"], "step": view["step"], "action": "call"}
            await line.send(json.dumps(act))
            while json.loads(await line.recv()) != {"type": "done", "id": 1}:
                pass

    asyncio.run(play())
    plain = {**own, "Origin": f"http://{proxied.host}"}
    assert proxied.ask("POST", "/api/sessions", wanted, **plain)[0] == 403


def test_a_long_body_is_refused_by_nginx(proxied: Proxied) -> None:
    assert proxied.ask("POST", "/api/sessions", " " * 20_000)[0] == 413


def test_forged_addresses_get_nowhere_through_nginx(proxied: Proxied) -> None:
    statuses = [
        proxied.ask("GET", FIRST_PAGE, X_Forwarded_For=f"9.9.9.{number}", X_Forwarded_Proto="http")[0]
        for number in range(5)
    ]
    assert statuses == [200] * 3 + [429] * 2
