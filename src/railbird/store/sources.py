"""Sources of hands: a file, by its name and content, or a session at the browser table."""

from dataclasses import dataclass
from hashlib import file_digest
from pathlib import Path

from railbird.store.addresses import StoreError

_SESSION = "session "


class UnreadableSource(StoreError):
    """A file that cannot be read."""


@dataclass(frozen=True, slots=True)
class Source:
    """A source of hands. Two files with the same digest are the same source, whatever their names."""

    name: str
    digest: str

    @classmethod
    def of_file(cls, path: Path) -> "Source":
        """A file by its name and the SHA-256 of its bytes."""
        try:
            with path.open("rb") as file:
                return cls(str(path), file_digest(file, "sha256").hexdigest())
        except OSError as error:
            raise UnreadableSource(f"{path}: cannot be read: {error.strerror}") from None

    @classmethod
    def of_session(cls, session: str) -> "Source":
        """A session by its id, which cannot be confused with the digest of a file."""
        return cls(f"web session {session}", f"{_SESSION}{session}")


@dataclass(frozen=True, slots=True)
class StoredSource:
    """A source in the store."""

    name: str
    digest: str
    added: str
    complete: bool
    """Whether it was read to its end; an incomplete source can be added again."""
    hands: int

    @property
    def is_session(self) -> bool:
        """Whether the hands were played at the browser table."""
        return self.digest.startswith(_SESSION)
