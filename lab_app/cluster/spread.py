"""Gives the partitions of a corpus to the workers of a cluster, which read the files themselves.

What all partitions share (tokenizers as definitions, the corpus's description, options) is one value of the cluster: it
travels to each worker once, under its sha256. If a worker dies, Dask runs its partitions again on others. Not here: what a
worker does (`counting`, `shards`), the connection (`connection`).
"""

import asyncio
import concurrent.futures
import hashlib
import pickle
import queue
import secrets
import socket
import warnings
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from lab_app.cluster.connection import Connection, check_versions, in_words
from lab_app.cluster.versions import versions
from lab_app.corpora.corpus import Corpus
from lab_app.corpora.partitions import Partition
from lab_app.corpora.streams import size_and_time
from lab_app.errors import Cancelled, LoadFailed, Unavailable

if TYPE_CHECKING:
    from distributed import Client, Future

BEAT_S = 0.1
"""How soon a stop is noticed."""
MOST_SUBMITTED = 4000
"""Partitions that the scheduler knows of at a time; more than the threads of a large cluster."""
MOST_ARRIVED = 8
"""Results in memory here at a time."""


class Work(Protocol):
    """What all partitions share; it can be pickled."""

    @property
    def corpus(self) -> Corpus:
        """The corpus with the partitions."""


W = TypeVar("W", bound=Work)
R = TypeVar("R")


def spread(
    connection: Connection,
    work: W,
    task: Callable[[W, Partition | None], R],
    parts: Sequence[Partition | None],
    again: str,
) -> Generator[tuple[int, R | None]]:
    """What `task(work, part)` returns on a worker for each of `parts`, with its number, in any order; ten times a second None.

    Close it to stop: workers stop at their next `check` (`on_worker`). Raises what `task` raises, and Unavailable if the
    connection is lost, a worker has another version, or a partition ends every worker that gets it: then `again` says what
    to do.
    """
    tasks = _Spread(connection.client, work, task, parts)
    feeding = connection.start(tasks.feed())
    left = len(parts)
    try:
        while left:
            try:
                number, found = tasks.arrived.get(timeout=BEAT_S)
            except queue.Empty:
                check_feeding(feeding, tasks.arrived, again)
                yield -1, None
                continue
            if isinstance(found, BaseException):
                raise in_words(found, place_of(work.corpus, parts[number]), again)
            left -= 1
            yield number, found
            connection.loop.call_soon_threadsafe(tasks.room.release)
    finally:
        feeding.cancel()


class _Spread(Generic[W, R]):
    """Hands partitions to the scheduler, some at a time, and collects what comes back. Runs in the loop of the connection."""

    def __init__(
        self, client: "Client", work: W, task: Callable[[W, Partition | None], R], parts: Sequence[Partition | None]
    ) -> None:
        self.arrived: queue.SimpleQueue[tuple[int, R | Exception]] = queue.SimpleQueue()
        """The number of a partition with its result, or with why there is none."""
        self.room = asyncio.Semaphore(MOST_ARRIVED)
        """For results that arrive; released by the one who takes them out of `arrived`."""
        self._submitted = asyncio.Semaphore(MOST_SUBMITTED)
        self._futures: dict[int, Future[R]] = {}
        """Of the partitions that were handed out and have not arrived."""
        self._client = client
        self._work = work
        self._task = task
        self._parts = parts

    async def feed(self) -> None:
        """Runs until all results have arrived. When it is cancelled, the cluster forgets the partitions."""
        data = pickle.dumps(self._work)
        key = f"tokenlab-work-{hashlib.sha256(data).hexdigest()}"
        with warnings.catch_warnings():  # that definitions of some tokenizers have more than 10 MB
            warnings.simplefilter("ignore", UserWarning)
            shared = self._client.submit(pickle.loads, data, key=key)
        # Released here and not when they are collected: a traceback may hold them for a long time.
        try:
            with self._client.as_current():  # for `wait`
                await self._hand_out(shared)
        finally:
            for future in (*self._futures.values(), shared):
                future.release()

    async def _hand_out(self, shared: "Future[W]") -> None:
        run = secrets.token_hex(8)
        async with asyncio.TaskGroup() as group:
            for number, part in enumerate(self._parts):
                await self._submitted.acquire()
                future = self._client.submit(self._task, shared, part, key=f"tokenlab-part-{run}-{number}", pure=False)
                self._futures[number] = future
                group.create_task(self._collect(number, future))

    async def _collect(self, number: int, future: "Future[R]") -> None:
        try:
            await ended(future)
            await self.room.acquire()
            found: R = await gathered(future)
            self.arrived.put((number, found))
        except Exception as error:
            self.arrived.put((number, error))
        finally:
            self._futures.pop(number).release()
            self._submitted.release()


def check_feeding(feeding: "concurrent.futures.Future[None]", arrived: "queue.SimpleQueue[Any]", again: str) -> None:
    """For those who still wait for results: raises what ended a `feed`, and Unavailable if it has ended without them."""
    if feeding.done():
        feeding.result()
        if arrived.empty():
            raise Unavailable("the cluster gave up a part of the work", again)


async def ended(future: "Future[Any]") -> None:
    """Waits until a task has ended, well or not; in a block of `client.as_current`."""
    from distributed import wait

    await wait([future])


async def gathered(future: "Future[R]") -> R:
    """The result of a task that has ended. Raises what it raised.

    Those who gather at the same time share one request: if the first of them were cancelled before it is sent, it would stay
    that of all who come later, and cancel them. So it is never cancelled.
    """
    asking = asyncio.ensure_future(future)
    asking.add_done_callback(lambda asked: asked.cancelled() or asked.exception())  # nobody may be left to see it
    return await asyncio.shield(asking)


@contextmanager
def on_worker(corpus: Corpus, part: Partition | None, made_by: dict[str, str]) -> Iterator[Callable[[], None]]:
    """For a task on a worker: gives a check that raises Cancelled when nobody wants the result any more, and says in errors
    of reading which machine it was. Raises Unavailable if `made_by` are other versions than the worker's."""
    check_versions(_this_worker(), versions(), made_by)
    is_wanted = wanted()

    def check() -> None:
        if not is_wanted():
            raise Cancelled("the work was stopped")

    try:
        yield check
    except LoadFailed as error:
        raise _on_this_worker(error, corpus, part) from error


def wanted() -> Callable[[], bool]:
    """Says whether the scheduler still wants the task of this thread; Dask itself never stops one that runs."""
    from distributed import get_worker

    worker = get_worker()
    key: Any = worker.get_current_task()

    def is_wanted() -> bool:
        task = worker.state.tasks.get(key)
        return task is not None and task.state != "cancelled"

    return is_wanted


def _this_worker() -> str:
    return f"the worker on {socket.gethostname()}"


def _on_this_worker(error: LoadFailed, corpus: Corpus, part: Partition | None) -> LoadFailed:
    """The error with the worker's machine, and what to do if the file is not there as it is at the client."""
    files = corpus.files if part is None else corpus.files[part.first_file : part.end_file]
    place = f"on {_this_worker()}"
    for file in files:
        try:
            found = size_and_time(Path(file.path))
        except OSError:
            return LoadFailed(
                f"{place}: there is no file {file.path}",
                "workers read the files themselves: put the corpus where every machine has it at the same path, such as a"
                " shared disk, and add it from there",
            )
        if found != (file.size_bytes, file.modified_ns):
            return LoadFailed(
                f"{place}: {file.path} has another size or time than here",
                "copy the files with their times (`cp -p`, `rsync -t`), or add the corpus again if it has changed",
            )
    return LoadFailed(f"{place}: {error.message}", error.hint, on_terminal=error.on_terminal)


def place_of(corpus: Corpus, part: Partition | None) -> str:
    """Where a partition is, in words."""
    if part is None:
        return corpus.title
    name = corpus.files[part.first_file].path
    more = part.end_file - part.first_file - 1
    return f"{name} and {more} more files" if more else f"{name} from byte {part.start} to {part.end}"
