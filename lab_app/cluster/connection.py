"""A connection to the scheduler of a Dask cluster: one that runs, or one that is started on this machine.

Everything of Dask runs in one event loop in a thread of its own, so that the caller can be stopped while it waits. Dask's
own loop thread is not used: it must start within ten seconds, which it does not on a busy machine. Not here: what is
counted (`counting`), versions (`versions`).
"""

import asyncio
import importlib
import logging
import pickle
import socket
import threading
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

from lab_app.cluster.versions import difference, versions
from lab_app.errors import BadValue, Unavailable, reason

if TYPE_CHECKING:
    from distributed import Client
    from distributed.security import Security

T = TypeVar("T")
PROBE_S = 10
"""How long the scheduler's machine may take to accept a connection."""
SCHEMES = ("tcp", "tls")
LOGGERS = ("distributed", "distributed.client")
"""Dask gives these a level of their own."""
MOST_WORKERS = 256
EXAMPLE = "tcp://host:8786"
SAME_VERSIONS = "install this version with its extra `cluster` on the scheduler and on every worker"


class Connection:
    """A client of a scheduler. `client` works in coroutines given to `start`, and in other threads, where its methods wait."""

    def __init__(self, loop: asyncio.AbstractEventLoop, client: "Client") -> None:
        self.loop = loop
        self.client = client

    def start(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        """Starts a coroutine in the loop. Cancelling the future cancels it."""
        return asyncio.run_coroutine_threadsafe(work, self.loop)

    def workers(self) -> dict[str, int]:
        """Threads of each worker by its address."""
        return dict(self.client.nthreads())


@contextmanager
def connected(scheduler: str) -> Iterator[Connection]:
    """A connection to the scheduler at an address such as `tcp://host:8786`.

    Raises BadValue for an address that cannot be, Unavailable if nobody answers there, if the package `distributed` is
    missing, or if the lab on the scheduler or on a worker has another version.
    """
    host, port = _address(scheduler)
    _need("distributed")
    try:
        socket.create_connection((host, port), PROBE_S).close()
    except OSError as error:
        raise _no_answer(scheduler, reason(error)) from error
    with _quiet(), _loop() as loop, _client(loop, scheduler) as client:
        _check_versions(loop, client, scheduler)
        yield Connection(loop, client)


@contextmanager
def local(workers: int) -> Iterator[Connection]:
    """A cluster of `workers` processes of one thread on this machine, which end with the block.

    Who connects to them can run code, and other users of the machine can reach their ports. So they take part only with
    a certificate that is made here, for this cluster, and kept in memory.

    Raises BadValue for a number that cannot be, Unavailable if the processes do not start or a package is missing.
    """
    if not 1 <= workers <= MOST_WORKERS:
        raise BadValue(f"workers is {workers}", f"give a number from 1 to {MOST_WORKERS}; one per core is usual")
    _need("distributed", "cryptography")
    with _quiet(), _loop() as loop:
        cluster = _run(loop, _local_cluster(workers), _not_started)
        try:
            with _client(loop, cluster.scheduler_address, cluster.security) as client:
                yield Connection(loop, client)
        finally:
            with suppress(Exception):  # the processes end with this one at the latest
                _run(loop, cluster.close(), _not_started)


def _need(*packages: str) -> None:
    try:
        for package in packages:
            importlib.import_module(package)
    except ModuleNotFoundError as error:
        raise Unavailable(
            f"a cluster needs the Python package {error.name}, which is not installed",
            'install the lab again with its extra, in its folder: pip install ".[cluster]"',
        ) from error


@contextmanager
def _quiet() -> Iterator[None]:
    """Silences Dask's log, which prints tracebacks of what this module raises as errors in words."""
    levels = {logger: logger.level for logger in map(logging.getLogger, LOGGERS)}
    try:
        for logger in levels:
            logger.setLevel(logging.CRITICAL + 1)
        yield
    finally:
        for logger, level in levels.items():
            logger.setLevel(level)


def _address(scheduler: str) -> tuple[str, int]:
    """Host and port. Raises BadValue."""
    with suppress(ValueError):
        parts = urlsplit(scheduler)
        if parts.scheme in SCHEMES and parts.hostname and parts.port and not parts.path:
            return parts.hostname, parts.port
    raise BadValue(
        f'"{scheduler}" is not the address of a scheduler', f"give {' or '.join(SCHEMES)}, host and port: {EXAMPLE}"
    )


def _no_answer(scheduler: str, why: str) -> Unavailable:
    return Unavailable(
        f"the scheduler {scheduler} does not answer: {why}",
        "start it with `dask scheduler`, check the address that it prints, and that this machine may connect to it",
    )


def _not_started(why: str) -> Unavailable:
    return Unavailable(
        f"the local workers did not start: {why}",
        "try fewer, or count in this process",
        on_terminal="try fewer, or leave --workers out to count in this process",
    )


@contextmanager
def _loop() -> Iterator[asyncio.AbstractEventLoop]:
    """An event loop in a thread of its own. Nothing here has a limit of time: a busy machine may start threads late."""
    started: Future[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = Future()

    async def run() -> None:
        stop = asyncio.Event()
        started.set_result((asyncio.get_running_loop(), stop))
        await stop.wait()

    thread = threading.Thread(target=lambda: asyncio.run(run()), name="cluster", daemon=True)
    thread.start()
    loop, stop = started.result()
    try:
        yield loop
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join()


def _run(loop: asyncio.AbstractEventLoop, work: Coroutine[Any, Any, T], failed: Callable[[str], Unavailable]) -> T:
    """The result of a coroutine of Dask. What Dask raises is turned into the error that `failed` makes of a reason."""
    future = asyncio.run_coroutine_threadsafe(work, loop)
    try:
        return future.result()
    except Exception as error:
        # Dask raises OSError, TimeoutError, RuntimeError and AssertionError here, some of them without words.
        raise failed(str(error) or type(error).__name__) from error
    finally:
        future.cancel()  # for a KeyboardInterrupt


@contextmanager
def _client(loop: asyncio.AbstractEventLoop, address: str, security: "Security | None" = None) -> Iterator["Client"]:
    def failed(why: str) -> Unavailable:
        return _no_answer(address, why)

    client = _run(loop, _connect(address, security), failed)
    try:
        yield client
    finally:
        with suppress(Exception):  # the scheduler may be gone, and then there is nothing to close
            _run(loop, client.close(), failed)


async def _connect(address: str, security: "Security | None") -> "Client":
    from distributed import Client

    client = Client(address, security=security, asynchronous=True, set_as_default=False, name="tokenlab")
    try:
        await client
    except BaseException:
        await client.close()
        raise
    return client


async def _local_cluster(workers: int) -> Any:
    from distributed import LocalCluster
    from distributed.security import Security

    return await LocalCluster(
        n_workers=workers,
        threads_per_worker=1,
        host="127.0.0.1",
        protocol="tls://",
        security=Security.temporary(),
        dashboard_address=None,
        # Without a dashboard there still is a small web server: not for other machines, and on any port that is free.
        scheduler_kwargs={"dashboard_address": "127.0.0.1:0"},
        memory_limit=0,
        silence_logs=logging.CRITICAL,
        # Samples the stack a hundred times a second, for the dashboard that is not there.
        config={"distributed.worker.profile.enabled": False},
        asynchronous=True,
    )


def _check_versions(loop: asyncio.AbstractEventLoop, client: "Client", scheduler: str) -> None:
    """Raises Unavailable if the lab on the scheduler or on a worker is missing or has another version."""
    found = _run(loop, _versions(client), lambda why: _no_answer(scheduler, why))
    for place, there in found.items():
        check_versions(place, there)


def check_versions(place: str, there: dict[str, str] | Exception, here: dict[str, str] | None = None) -> None:
    """Raises Unavailable unless the versions of a place are those `here`, of this process if None.

    An exception in place of versions means that the lab cannot run there.
    """
    if isinstance(there, Exception):
        raise Unavailable(f"{place} cannot run this version of the lab: {there}", SAME_VERSIONS) from there
    differs = difference(there, here or versions())
    if differs is not None:
        raise Unavailable(f"{place} has another version: {differs}", SAME_VERSIONS)


async def _versions(client: "Client") -> dict[str, dict[str, str] | Exception]:
    """The versions on the scheduler and on each worker, or why they are not known."""
    try:
        found = {"the scheduler": await client.run_on_scheduler(versions)}
    except ModuleNotFoundError as error:
        return {"the scheduler": error}
    try:
        of_workers = await client.run(versions, on_error="return")
    except ModuleNotFoundError as error:
        return {"a worker": error}
    return found | {f"the worker {address}": there for address, there in of_workers.items()}


def in_words(error: BaseException, counted: str, again: str) -> BaseException:
    """The lab's error for one of Dask's while `counted` was counted; `again` says what to do after a lost connection."""
    from distributed import CancelledError, KilledWorker

    if isinstance(error, KilledWorker):
        return Unavailable(
            f"every worker that counted {counted} died, {error.allowed_failures + 1} in all",
            "look into the logs of the workers; they may have too little memory",
        )
    if isinstance(error, CancelledError):
        return Unavailable("the connection to the scheduler was lost", f"see whether it still runs, and {again}")
    if isinstance(error, ImportError | AttributeError | pickle.UnpicklingError):
        return Unavailable(f"a worker cannot run this version of the lab: {error}", SAME_VERSIONS)
    return error
