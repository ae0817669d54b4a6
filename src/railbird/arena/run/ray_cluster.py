"""Jobs distributed by Ray: on a cluster started on this machine, or on an existing one.

The cluster that `run_on_ray` starts listens on the loopback interface only, requires a token that is generated each
time, sends no usage statistics, and ends with this process; if it is killed, its processes disappear within half a
minute. An existing cluster (`ray://host:port`) must have the same version of Railbird installed, and the agents' files
at the same absolute paths. Ray reads whether to send a token, and which, from `RAY_AUTH_MODE` and `RAY_AUTH_TOKEN`.

Ray is imported on first use, because it is an optional extra.
"""

import importlib
import os
import secrets
import tempfile
import warnings
from collections.abc import Collection, Generator, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pickle import PicklingError
from types import ModuleType
from typing import Any

import railbird
from railbird.arena.play.match import Partial
from railbird.arena.processes.environment import environment
from railbird.arena.run.job import TRIES, Outcome, PartialListener, Work, WorkerError, attempt, given_up
from railbird.extras import require_extra

LOOPBACK = "127.0.0.1"
OBJECT_STORE_BYTES = 256 << 20
"""Memory for outcomes in transit; more than that is spilled to disk."""
LOOK_S = 0.3
"""How often the progress of running jobs is looked at."""


def run_on_ray(
    jobs: Sequence[Work[Outcome]], address: str | None = None, tell: PartialListener | None = None
) -> Generator[tuple[int, Outcome], None, None]:
    """The outcomes of jobs with their numbers, as they become known; without an address on a newly started cluster."""
    with _session(address) as ray, _mailbox(ray, tell) as mailbox:
        folder = os.getcwd() if address is None else None
        play = ray.remote(max_retries=TRIES - 1)(_play)
        try:
            numbers = {
                play.remote(job, folder, number, mailbox.actor): number for number, job in enumerate(jobs)
            }
        except (TypeError, PicklingError) as error:
            reason = str(error).strip().splitlines()[0]
            raise WorkerError(f"an agent cannot be sent to Ray's workers: {reason}") from None
        while numbers:
            finished, _ = ray.wait(list(numbers), timeout=mailbox.look_s)
            mailbox.deliver(set(numbers.values()))
            for reference in finished:
                number = numbers.pop(reference)
                answer = _answer(ray, reference, jobs[number])
                if isinstance(answer, Exception):
                    raise answer
                yield number, answer


def _play(job: Work[Outcome], folder: str | None, number: int, actor: Any) -> Outcome | Exception:
    """Play a job in a worker, and send its progress to the mailbox, if there is one."""
    return attempt(job, folder, None if actor is None else partial(actor.post.remote, number))


class _Letters:
    """The progress of running jobs on its way to the process that distributes them: a process of its own in Ray."""

    def __init__(self) -> None:
        self._posted: list[tuple[int, Partial]] = []

    def post(self, number: int, part: Partial) -> None:
        self._posted.append((number, part))

    def take(self) -> list[tuple[int, Partial]]:
        """What was posted since the last call."""
        posted, self._posted = self._posted, []
        return posted


class _Mailbox:
    """Where jobs on Ray send their progress; without a listener, they send none."""

    def __init__(self, ray: Any, tell: PartialListener | None) -> None:
        self._ray, self._tell = ray, tell
        self.actor = None if tell is None else ray.remote(num_cpus=0)(_Letters).remote()
        self.look_s = None if tell is None else LOOK_S

    def deliver(self, running: Collection[int]) -> None:
        """Tell of the progress of running jobs; a lost mailbox costs their progress, not their outcomes."""
        if self.actor is None or self._tell is None:
            return
        try:
            letters = self._ray.get(self.actor.take.remote())
        except self._ray.exceptions.RayActorError:
            self.actor = self.look_s = None
            return
        for number, part in letters:
            if number in running:
                self._tell(number, part)


@contextmanager
def _mailbox(ray: Any, tell: PartialListener | None) -> Iterator[_Mailbox]:
    """A mailbox for this block."""
    mailbox = _Mailbox(ray, tell)
    try:
        yield mailbox
    finally:
        if mailbox.actor is not None:
            ray.kill(mailbox.actor)


_kept: list[tuple[ExitStack, dict[str | None, Any]]] = []
"""For every `kept_clusters` block, the innermost last, its exit stack and its sessions by address."""


@contextmanager
def kept_clusters() -> Iterator[None]:
    """Keep clusters that are started or joined for later calls until the end of this block."""
    with ExitStack() as sessions:
        _kept.append((sessions, {}))
        try:
            yield
        finally:
            _kept.pop()


@contextmanager
def _session(address: str | None) -> Iterator[Any]:
    """The kept session, or one for this block."""
    if not _kept:
        with _cluster() if address is None else _joined(address) as ray:
            yield ray
        return
    sessions, known = _kept[-1]
    if address not in known:
        known[address] = sessions.enter_context(_cluster() if address is None else _joined(address))
    yield known[address]


def _answer(ray: Any, reference: Any, job: Work[Outcome]) -> Outcome | Exception:
    try:
        answer: Outcome | Exception = ray.get(reference)
    except ray.exceptions.RayTaskError as error:
        cause = error.cause
        return WorkerError(f"{job} ended with {type(cause).__name__}: {cause}")
    except (
        ray.exceptions.WorkerCrashedError,
        ray.exceptions.NodeDiedError,
        ray.exceptions.OutOfMemoryError,
    ) as error:
        return given_up(job, type(error).__name__)
    return answer


@contextmanager
def _cluster() -> Iterator[Any]:
    """A cluster on this machine, for this block."""
    with (
        tempfile.TemporaryDirectory(prefix="railbird-ray-", ignore_cleanup_errors=True) as folder,
        environment(
            RAY_AUTH_MODE="token",
            RAY_AUTH_TOKEN=secrets.token_hex(32),
            RAY_USAGE_STATS_ENABLED="0",
            # Otherwise Ray replaces the loopback address by that of a network card. It reads this when it
            # is imported.
            RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER="0",
        ),
    ):
        ray: Any = _import_ray()
        try:
            ray.init(
                address="local",
                include_dashboard=False,
                _node_ip_address=LOOPBACK,
                _temp_dir=folder,
                object_store_memory=OBJECT_STORE_BYTES,
                log_to_driver=False,
                logging_level="ERROR",
            )
            if ray.nodes()[0]["NodeManagerAddress"] != LOOPBACK:
                raise WorkerError(
                    "Ray was imported before its cluster could be bound to the loopback interface; "
                    "start it in a process that has not imported Ray"
                )
            yield ray
        finally:
            ray.shutdown()


@contextmanager
def _joined(address: str) -> Iterator[Any]:
    """A connection to an existing cluster, for this block."""
    ray: Any = _import_ray()
    try:
        try:
            with warnings.catch_warnings():
                # Ray warns before it fails, with less detail.
                warnings.filterwarnings("ignore", "Ray Client connection timed out", UserWarning)
                ray.init(address=address, log_to_driver=False, logging_level="ERROR")
        except (ConnectionError, RuntimeError) as error:
            # The reason is the last line, after any traceback sent by the server.
            reason = (str(error).strip() or type(error).__name__).splitlines()[-1]
            raise WorkerError(f"the Ray cluster {address} cannot be joined: {reason}") from None
        _require_same_version(ray, address)
        yield ray
    finally:
        ray.shutdown()


def _require_same_version(ray: Any, address: str) -> None:
    try:
        theirs = ray.get(ray.remote(_version).remote())
    except ray.exceptions.RayError:
        theirs = None
    if theirs != railbird.__version__:
        found = "none" if theirs is None else theirs
        raise WorkerError(
            f"the Ray cluster {address} must have railbird {railbird.__version__} installed, but has {found}"
        )


def _version() -> str:
    return railbird.__version__


def _import_ray() -> ModuleType:
    require_extra("ray", "ray", "--workers ray")
    ray = importlib.import_module("ray")
    if ray.is_initialized():
        raise WorkerError("this process is already connected to a Ray cluster; disconnect it first")
    return ray
