"""How much memory a process has."""

import os
from pathlib import Path

_PAGES_RESIDENT = 1
"""The second number of `/proc/PID/statm`: pages that are in memory."""


def resident(pid: int) -> int:
    """The bytes of a process that are in memory; 0 where the system does not tell, or the process has ended."""
    try:
        numbers = Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()
    except OSError:
        return 0
    return int(numbers[_PAGES_RESIDENT]) * os.sysconf("SC_PAGE_SIZE")
