"""Signed random tokens that identify players, stored in a cookie.

A forged token is worthless: without the server's key no signature can be made. The store contains digests only.
"""

import re
from base64 import urlsafe_b64encode
from collections.abc import Mapping
from hashlib import sha256
from hmac import compare_digest, digest
from secrets import token_urlsafe

COOKIE = "railbird_player"
COOKIE_DAYS = 400
LONGEST_TOKEN = 64
_TOKEN = re.compile(rf"(?:^|;)[ \t]*{COOKIE}=([A-Za-z0-9._-]{{1,{LONGEST_TOKEN}}})[ \t]*(?:;|$)".encode())
"""Matches in linear time, which `http.cookies` does not guarantee."""
_RANDOM_BYTES = 18
_SIGNATURE_BYTES = 24


def issue_token(key: str) -> str:
    """A token for a new player, signed with the server's key."""
    return signed(token_urlsafe(_RANDOM_BYTES), key)


def signed(name: str, key: str) -> str:
    """A name with its signature.

    >>> is_signed(signed("somebody", "key"), "key"), is_signed(signed("somebody", "other key"), "key")
    (True, False)
    """
    signature = digest(key.encode(), name.encode(), "sha256")[:_SIGNATURE_BYTES]
    return f"{name}.{urlsafe_b64encode(signature).decode()}"


def is_signed(token: str, key: str) -> bool:
    """Whether a token was signed with this key."""
    name, _, _ = token.partition(".")
    return is_same(token, signed(name, key))


def is_same(token: str, other: str) -> bool:
    """Whether two tokens are equal, compared in constant time."""
    return compare_digest(token.encode(), other.encode())


def token_in(headers: Mapping[bytes, bytes]) -> str | None:
    """The token that a browser sent, not verified."""
    found = _TOKEN.search(headers.get(b"cookie", b""))
    return found[1].decode() if found is not None else None


def cookie_of(token: str, *, secure: bool) -> bytes:
    """The Set-Cookie value for a token, inaccessible to scripts and other sites; over TLS, restricted to TLS."""
    age = COOKIE_DAYS * 86_400
    only = "; Secure" if secure else ""
    return f"{COOKIE}={token}; HttpOnly; SameSite=Strict; Path=/; Max-Age={age}{only}".encode()


def owner_of(token: str) -> str:
    """The player's id in the store: a digest of the token."""
    return sha256(token.encode()).hexdigest()
