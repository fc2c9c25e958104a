"""Counts a corpus on the workers of a cluster: each reads partitions itself and returns their counts.

What all partitions share (tokenizers as definitions, the corpus's description, options) is one value of the cluster: it
travels to each worker once, under its sha256. If a worker dies, Dask runs its partitions again on others. Not here: the
counts themselves (`lab_app.analysis.corpus.counting`), the connection (`connection`).
"""

import asyncio
import hashlib
import pickle
import queue
import secrets
import socket
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lab_app.analysis.corpus.counting import CountOptions, Part, counted, from_bytes, new_part, to_bytes, units
from lab_app.cluster.connection import Connection, check_versions, in_words
from lab_app.cluster.versions import versions
from lab_app.corpora.corpus import Corpus
from lab_app.corpora.partitions import Partition
from lab_app.corpora.report import ReadReport
from lab_app.corpora.streams import size_and_time
from lab_app.engine import Tokenizer
from lab_app.errors import Cancelled, LoadFailed

if TYPE_CHECKING:
    from distributed import Client, Future

BEAT_S = 0.1
"""How soon a stop is noticed."""
LEAST_PARTITION_BYTES = 4e6
MOST_PARTITION_BYTES = 256e6
PARTITIONS_PER_THREAD = 16
MOST_SUBMITTED = 4000
"""Partitions that the scheduler knows of at a time; more than the threads of a large cluster."""
MOST_ARRIVED = 8
"""Counts of partitions in memory here at a time."""


@dataclass(frozen=True)
class Work:
    """What all partitions share. Pickling a tokenizer writes its definition, or the name of a built-in one."""

    corpus: Corpus
    tokenizers: Sequence[Tokenizer]
    options: CountOptions
    versions: dict[str, str]
    """Of the process that asked for it."""


def count(
    connection: Connection,
    corpus: Corpus,
    tokenizers: Sequence[Tokenizer],
    options: CountOptions,
    report: Callable[[int], None] = lambda done: None,
    *,
    partition_bytes: float | None = None,
) -> Part:
    """The counts of a corpus, equal to those of one process. `report` gets the bytes of the files that were read.

    What `report` raises stops the count within a tenth of a second; workers stop after the batch they are at. Raises
    LoadFailed for a file that a worker cannot read as it is here, EncodeError, and Unavailable if the connection is lost,
    a worker has another version, or a partition ends every worker that counts it.
    """
    size = partition_bytes or _partition_bytes(corpus, sum(connection.workers().values()))
    parts = units(corpus, size, options.sample)
    spread = _Spread(connection.client, Work(corpus, tokenizers, options, versions()), parts)
    total = new_part(corpus, tokenizers, options)
    # By partition, so that what is reported does not depend on which worker was first.
    reports: dict[int, ReadReport] = {}
    read_bytes = 0
    feeding = connection.start(spread.feed())
    try:
        while len(reports) < len(parts):
            try:
                number, found = spread.arrived.get(timeout=BEAT_S)
            except queue.Empty:
                if feeding.done():
                    feeding.result()
            else:
                if isinstance(found, BaseException):
                    raise in_words(found, place_of(corpus, parts[number]), "start the analysis again")
                part = from_bytes(tokenizers, found)
                connection.loop.call_soon_threadsafe(spread.room.release)
                read_bytes += part.report.read_bytes
                reports[number], part.report = part.report, ReadReport()
                total.add(part)
            report(read_bytes)
    finally:
        feeding.cancel()
    for _, each in sorted(reports.items()):
        total.report.merge(each)
    return total


class _Spread:
    """Hands partitions to the scheduler, some at a time, and collects their counts. Runs in the loop of the connection."""

    def __init__(self, client: "Client", work: Work, parts: Sequence[Partition | None]) -> None:
        self.arrived: queue.SimpleQueue[tuple[int, bytes | Exception]] = queue.SimpleQueue()
        """The number of a partition with its counts, or with why there are none."""
        self.room = asyncio.Semaphore(MOST_ARRIVED)
        """For counts that arrive; released by the one who takes them out of `arrived`."""
        self._submitted = asyncio.Semaphore(MOST_SUBMITTED)
        self._futures: dict[int, Future[bytes]] = {}
        """Of the partitions that were handed out and have not arrived."""
        self._client = client
        self._work = work
        self._parts = parts

    async def feed(self) -> None:
        """Runs until all counts have arrived. When it is cancelled, the cluster forgets the partitions."""
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

    async def _hand_out(self, shared: "Future[Work]") -> None:
        run = secrets.token_hex(8)
        async with asyncio.TaskGroup() as group:
            for number, part in enumerate(self._parts):
                await self._submitted.acquire()
                future = self._client.submit(counts_of, shared, part, key=f"tokenlab-count-{run}-{number}", pure=False)
                self._futures[number] = future
                group.create_task(self._collect(number, future))

    async def _collect(self, number: int, future: "Future[bytes]") -> None:
        from distributed import wait

        try:
            await wait([future])
            await self.room.acquire()
            self.arrived.put((number, await future))
        except Exception as error:
            self.arrived.put((number, error))
        finally:
            self._futures.pop(number).release()
            self._submitted.release()


def counts_of(work: Work, part: Partition | None) -> bytes:
    """The counts of a partition. Runs on a worker. Raises as `count` does, and Cancelled when nobody wants them any more."""
    check_versions(_this_worker(), versions(), work.versions)
    found = new_part(work.corpus, work.tokenizers, work.options)
    is_wanted = wanted()
    try:
        for _ in counted(found, work.corpus, part, work.options):
            if not is_wanted():
                raise Cancelled("the analysis was stopped")
    except LoadFailed as error:
        raise _on_this_worker(error, work.corpus, part) from error
    return to_bytes(found)


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


def _partition_bytes(corpus: Corpus, threads: int) -> float:
    return min(
        max(corpus.bytes / (max(threads, 1) * PARTITIONS_PER_THREAD), LEAST_PARTITION_BYTES), MOST_PARTITION_BYTES
    )
