"""A name for the readers of ACPC text, under which soak tests count what has passed."""

from hashlib import blake2b
from pathlib import Path

import railbird
from folders import SUPPORT

_SOURCES = Path(railbird.__file__).parent


def digest_of_acpc_readers(test: Path) -> str:
    """Of everything that decides what a test of these readers finds."""
    digest = blake2b(digest_size=8)
    sources = sorted(_SOURCES.glob("notation/acpc/*.py"))
    for path in [*sources, _SOURCES / "kernels" / "play" / "log_lines.py", SUPPORT / "fuzzing.py", test]:
        digest.update(path.read_bytes())
    return digest.hexdigest()
