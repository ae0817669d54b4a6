"""The tokens by which a server knows its players: random names that it signed itself, kept by browsers in a cookie.

Whoever invents a token is nobody: without the server's key no signature can be made. The store knows digests only.
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
"""Searched in time that grows with the length of a header, as `http.cookies` does not promise."""
_RANDOM_BYTES = 18
_SIGNATURE_BYTES = 24


def issue_token(key: str) -> str:
    """A token for somebody new, signed with the server's key."""
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
    """Whether two tokens are equal; how long the answer takes does not tell where they differ."""
    return compare_digest(token.encode(), other.encode())


def token_in(headers: Mapping[bytes, bytes]) -> str | None:
    """The token that a browser sent, whatever it is worth."""
    found = _TOKEN.search(headers.get(b"cookie", b""))
    return found[1].decode() if found is not None else None


def cookie_of(token: str, *, secure: bool) -> bytes:
    """What tells a browser to keep a token, from scripts and other sites too; what came by TLS goes by TLS only."""
    age = COOKIE_DAYS * 86_400
    only = "; Secure" if secure else ""
    return f"{COOKIE}={token}; HttpOnly; SameSite=Strict; Path=/; Max-Age={age}{only}".encode()


def owner_of(token: str) -> str:
    """What the store knows of a player."""
    return sha256(token.encode()).hexdigest()
