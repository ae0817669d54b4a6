"""The memory usage of a process."""

import os
from pathlib import Path

_PAGES_RESIDENT = 1
"""The second number of `/proc/PID/statm`: resident pages."""


def resident(pid: int) -> int:
    """The resident memory of a process in bytes; 0 if unknown or if the process has ended."""
    try:
        numbers = Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()
    except OSError:
        return 0
    return int(numbers[_PAGES_RESIDENT]) * os.sysconf("SC_PAGE_SIZE")
