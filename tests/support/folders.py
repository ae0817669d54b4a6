"""Where tests find what lies beside them."""

from pathlib import Path

SUPPORT = Path(__file__).parent
"""What tests share, and agents in files."""
TESTS = SUPPORT.parent
ROOT = TESTS.parent
DOCS = ROOT / "docs"
HISTORIES = TESTS / "histories"
