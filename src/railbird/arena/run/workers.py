"""Where jobs run: in this process, in a pool of processes, or on Ray. The outcomes are identical.

Workers are named by a text: "1" is this process, "8" a pool of eight processes (`pool`), "ray" a cluster that is
started on this machine, "ray://host:port" an existing one (`ray_cluster`). A job whose worker is killed is played
again, at most `job.TRIES` times; other jobs are not affected. When the iterator is closed, with Ctrl-C or otherwise,
its workers end; when this process is killed, they end too.
"""

import re
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from functools import partial

from railbird.arena.run.job import Outcome, PartialListener, Work, WorkerError
from railbird.arena.run.pool import kept_pool, run_in_pool
from railbird.arena.run.ray_cluster import kept_clusters, run_on_ray

_CLUSTER = re.compile(r"ray://[^\s/:]+:[0-9]{1,5}")


def check_workers(workers: str) -> None:
    """Raise an error for a text that does not name workers."""
    is_number = workers.isascii() and workers.isdigit() and int(workers) > 0
    if not (is_number or workers == "ray" or _CLUSTER.fullmatch(workers)):
        raise WorkerError(
            "workers must be a whole number from 1, ray (a cluster on this machine) or ray://host:port, "
            f"not {workers!r}"
        )


@contextmanager
def kept_workers() -> Iterator[None]:
    """Keep the workers of `run_jobs`, with the files they have read, for later calls until the end of this block."""
    with kept_pool(), kept_clusters():
        yield


def run_jobs(
    jobs: Sequence[Work[Outcome]], workers: str, tell: PartialListener | None = None
) -> Generator[tuple[int, Outcome], None, None]:
    """The outcomes of jobs with their index in `jobs`, as they become known.

    `tell` receives the progress of each running job now and then.

    >>> from railbird.arena.run.job import Job
    >>> from railbird.arena.play.plan import MatchPlan, entrants_of
    >>> plan = MatchPlan("limit-2p", entrants_of(["always-call", "always-fold"]), hands=2, seed="7")
    >>> [(number, len(outcome.payoffs)) for number, outcome in run_jobs([Job(plan)], "1")]
    [(0, 2)]
    """
    check_workers(workers)
    if workers == "1" or not jobs:
        return _run_here(jobs, tell)
    if workers == "ray":
        return run_on_ray(jobs, tell=tell)
    if workers.startswith("ray://"):
        return run_on_ray(jobs, workers, tell)
    return run_in_pool(jobs, int(workers), tell)


def _run_here(
    jobs: Sequence[Work[Outcome]], tell: PartialListener | None
) -> Generator[tuple[int, Outcome], None, None]:
    for number, job in enumerate(jobs):
        yield number, job.play(None if tell is None else partial(tell, number))
