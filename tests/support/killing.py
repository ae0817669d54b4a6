"""Work that is killed: a forked process acknowledges line by line what it has done, until kill -9 ends it.

To be called from a small process of its own, which has no threads yet.
"""

import os
import signal
import time
from collections.abc import Callable


def acknowledged_until_killed(
    work: Callable[[Callable[[str], None]], None], lines: int = 0, pause_s: float = 0.0
) -> list[str]:
    """All lines that the work acknowledged before it was killed: that long after so many lines.

    Without a number of lines the work kills its process itself.
    """
    told, said = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(told)
        try:
            work(lambda line: _acknowledge(said, line))
        finally:
            os._exit(1)
    os.close(said)
    with open(told, encoding="utf-8") as acknowledged:
        heard = [acknowledged.readline() for _ in range(lines)]
        if lines:
            time.sleep(pause_s)
            os.kill(child, signal.SIGKILL)
        heard += acknowledged.readlines()
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status), "the work ended by itself"
    assert os.WTERMSIG(status) == signal.SIGKILL
    return [line.removesuffix("\n") for line in heard if line.endswith("\n")]


def _acknowledge(said: int, line: str) -> None:
    os.write(said, f"{line}\n".encode())
