"""Soak tests that can be stopped at any time and go on where they were.

A soak test is split into chunks. Every chunk keeps the number of hands that passed in a small file in the cache folder,
under the digest of everything its result depends on: when the rules or the test change, counting starts anew.
"""

from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path

import railbird
from folders import SUPPORT, TESTS
from railbird.places import cache_folder, write_whole

_SOURCES = Path(railbird.__file__).parent
_RULES = (
    "cards.py",
    "rng.py",
    "engine/*.py",
    "hands/evaluator.py",
    "kernels/rules/*.py",
    *(f"kernels/hands/{name}.py" for name in ("evaluation", "evaluation_tables")),
)
HANDS_BETWEEN_NOTES = 100


def digest_of_rules(*versions: str) -> str:
    """A name for the rules, the tests and the versions of others that a soak test compares."""
    digest = blake2b(" ".join(versions).encode(), digest_size=8)
    for pattern in _RULES:
        for path in sorted(_SOURCES.glob(pattern)):
            digest.update(path.read_bytes())
    for path in [*sorted(TESTS.glob("engine/test_rules_*.py")), SUPPORT / "strategies.py"]:
        digest.update(path.read_bytes())
    return digest.hexdigest()


def hands_to_go(name: str, version: str, chunk: int, hands: int) -> Iterator[int]:
    """The numbers of the hands of a chunk that no earlier run has passed; asking for the next one passes the last."""
    note = cache_folder() / "soak" / f"{name}-{version}-{chunk}"
    passed = int(note.read_text(encoding="ascii")) if note.exists() else 0
    try:
        for hand in range(passed, hands):
            yield hand
            passed = hand + 1
            if passed % HANDS_BETWEEN_NOTES == 0:
                _write(note, passed)
    finally:
        _write(note, passed)


def _write(note: Path, passed: int) -> None:
    write_whole(note, lambda file: file.write(b"%d" % passed))
