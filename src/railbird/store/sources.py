"""Where hands come from: a file by its name and what is in it, or a session at the table in the browser."""

from dataclasses import dataclass
from hashlib import file_digest
from pathlib import Path

from railbird.store.addresses import StoreError

_SESSION = "session "


@dataclass(frozen=True, slots=True)
class Source:
    """Where hands come from. Two files with the same digest are the same source, whatever their names."""

    name: str
    digest: str

    @classmethod
    def of_file(cls, path: Path) -> "Source":
        """A file by its name and the SHA-256 of its bytes."""
        try:
            with path.open("rb") as file:
                return cls(str(path), file_digest(file, "sha256").hexdigest())
        except OSError as error:
            raise StoreError(f"{path}: cannot be read: {error.strerror}") from None

    @classmethod
    def of_session(cls, session: str) -> "Source":
        """A session by its id, which no digest of a file looks like."""
        return cls(f"web session {session}", f"{_SESSION}{session}")


@dataclass(frozen=True, slots=True)
class StoredSource:
    """A source that the store knows."""

    name: str
    digest: str
    added: str
    complete: bool
    """Whether it was read to its end; one that was not can simply be added again."""
    hands: int

    @property
    def is_session(self) -> bool:
        """Whether the hands were played at the table in the browser."""
        return self.digest.startswith(_SESSION)
