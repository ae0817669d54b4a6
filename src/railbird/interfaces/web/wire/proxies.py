"""The visitor's address behind a reverse proxy.

Only configured proxies are trusted, and only the last entry of `X-Forwarded-For`, which the proxy itself wrote:
everything before it was sent by the visitor.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address

from railbird.interfaces.visitors import address_in, visitor_at
from railbird.interfaces.web.http.asgi import Scope


@dataclass(frozen=True, slots=True)
class Asker:
    """The origin of a request."""

    visitor: str
    """The visitor, as counted by `visitors`."""
    secure: bool
    """Whether it came over TLS."""


def proxies_at(addresses: Iterable[str]) -> frozenset[IPv4Address | IPv6Address]:
    """The addresses of reverse proxies; raises ValueError if one is not an address."""
    found = set()
    for text in addresses:
        address = address_in(text)
        if address is None:
            raise ValueError(
                f"{text!r} is not the address of a proxy: expected an IP address such as 127.0.0.1"
            )
        found.add(address)
    return frozenset(found)


def asker_of(
    scope: Scope, headers: Mapping[bytes, bytes], proxies: frozenset[IPv4Address | IPv6Address]
) -> Asker:
    """The connected client, or the visitor that a trusted proxy reports."""
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
