"""Who asks where a reverse proxy stands before the server.

Only what a named proxy says is believed, and of `X-Forwarded-For` only the last entry, which the proxy wrote itself:
everything before it was sent by the visitor.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address

from railbird.interfaces.visitors import address_in, visitor_at
from railbird.interfaces.web.http.asgi import Scope


@dataclass(frozen=True, slots=True)
class Asker:
    """From where a request came, and how."""

    visitor: str
    """As visitors are counted (`visitors`)."""
    secure: bool
    """Whether it came over TLS."""


def proxies_at(addresses: Iterable[str]) -> frozenset[IPv4Address | IPv6Address]:
    """The addresses of reverse proxies; ValueError where one is no address."""
    found = set()
    for text in addresses:
        address = address_in(text)
        if address is None:
            raise ValueError(f"{text!r} is not the address of a proxy: expected numbers, such as 127.0.0.1")
        found.add(address)
    return frozenset(found)


def asker_of(
    scope: Scope, headers: Mapping[bytes, bytes], proxies: frozenset[IPv4Address | IPv6Address]
) -> Asker:
    """Who asks: who is connected, or whom a proxy names that is."""
    host = scope["client"][0] if scope.get("client") else ""
    if address_in(host) not in proxies:
        return Asker(visitor_at(host), False)
    named = _last(headers.get(b"x-forwarded-for", b""))
    return Asker(
        visitor_at(host if address_in(named) is None else named),
        _last(headers.get(b"x-forwarded-proto", b"")) == "https",
    )


def _last(entries: bytes) -> str:
    return entries.decode("latin-1").rpartition(",")[2].strip()
