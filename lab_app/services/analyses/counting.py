"""Counts a corpus on this machine: some threads, each a partition at a time, with progress and a stop.

The engine releases the interpreter's lock while it counts. Not here: what is counted (`lab_app.analysis.corpus.counting`),
other machines (`lab_app.cluster`).
"""

import os
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from lab_app.analysis.corpus.counting import CountOptions, Part, counted, new_part, units
from lab_app.corpora.corpus import Corpus
from lab_app.corpora.partitions import Partition
from lab_app.corpora.report import ReadReport
from lab_app.engine import Tokenizer
from lab_app.memory import give_back_large_blocks
from lab_app.services.beats import beats

NICENESS = 10
LEAST_PARTITION_BYTES = 1e6
MOST_PARTITION_BYTES = 64e6
PARTITIONS_PER_THREAD = 4

Report = Callable[[int], None]
"""Gets the bytes of the files that were read so far; may raise to stop."""


def count(
    corpus: Corpus,
    tokenizers: Sequence[Tokenizer],
    options: CountOptions,
    report: Report = lambda done: None,
    *,
    threads: int = 0,
    partition_bytes: float | None = None,
) -> Part:
    """The counts of a corpus. `threads`: 0 means all cores. Memory depends on tokenizers, threads and languages alone: besides
    the tokenizers themselves about 10 MB for each tokenizer and thread, most of it words that were split before.

    What `report` raises stops the count within a tenth of a second. Raises LoadFailed while reading, EncodeError.
    """
    threads = threads or os.cpu_count() or 1
    size = partition_bytes or _partition_bytes(corpus, threads)
    parts = deque(units(corpus, size, options.sample))
    workers = max(1, min(threads, len(parts)))
    give_back_large_blocks()
    run = _Run(corpus, tokenizers, options, parts, threads // workers)
    pool = ThreadPoolExecutor(workers, thread_name_prefix="count")
    try:
        futures = [pool.submit(run.work) for _ in range(workers)]
        for _ in beats(futures):
            report(run.read_bytes)
    finally:
        run.stopped.set()
        # A thread ends after its batch, which may be one long document: nobody waits for that.
        pool.shutdown(wait=False, cancel_futures=True)
    return run.total()


class _Run:
    """What the threads of one count share."""

    def __init__(
        self,
        corpus: Corpus,
        tokenizers: Sequence[Tokenizer],
        options: CountOptions,
        parts: deque[Partition | None],
        threads: int,
    ) -> None:
        self.stopped = threading.Event()
        # All threads count into its tally; reports and lines are of each alone.
        self._total = new_part(corpus, tokenizers, options)
        self._parts_done: list[Part] = []
        # By partition, so that what is reported does not depend on which thread was first.
        self._reports: dict[int, ReadReport] = {}
        self._corpus = corpus
        self._options = options
        self._parts = parts
        self._threads = max(1, threads)

    @property
    def read_bytes(self) -> int:
        """Of the files, by all threads."""
        return sum(each.read_bytes for each in list(self._reports.values()))

    def total(self) -> Part:
        """The counts of all threads."""
        for part in self._parts_done:
            self._total.add_documents(part)
        for _, report in sorted(self._reports.items()):
            self._total.report.merge(report)
        return self._total

    def work(self) -> None:
        """Counts partitions until none is left."""
        _let_others_go_first()
        mine = Part(self._total.tally, ReadReport(), self._total.tokenizers)
        self._parts_done.append(mine)
        while self._parts and not self.stopped.is_set():
            try:
                partition = self._parts.popleft()
            except IndexError:  # another thread took the last one
                return
            mine.report = self._reports[0 if partition is None else partition.index] = ReadReport()
            for _ in counted(mine, self._corpus, partition, self._options, threads=self._threads):
                if self.stopped.is_set():
                    return


def _let_others_go_first() -> None:
    """Lowers the priority of this thread, so that a window stays quick while all cores count. Linux alone can."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)


def _partition_bytes(corpus: Corpus, threads: int) -> float:
    return min(max(corpus.bytes / (threads * PARTITIONS_PER_THREAD), LEAST_PARTITION_BYTES), MOST_PARTITION_BYTES)


class TimeLeft:
    """Says how long work will take from what was done so far.

    >>> left = TimeLeft(total=100, clock=iter([0.0, 2.0]).__next__)
    >>> left.words(done=50)
    '2 s left'
    """

    def __init__(self, total: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._total = total
        self._clock = clock
        self._start = clock()

    def words(self, done: int) -> str:
        """The time left in words; empty while nothing is known."""
        elapsed = self._clock() - self._start
        if not done or elapsed < 1:
            return ""
        seconds = round(elapsed * max(self._total - done, 0) / done)
        if seconds < 60:
            return f"{seconds} s left"
        return f"{seconds // 60} min {seconds % 60} s left" if seconds < 3600 else f"{seconds / 3600:.1f} h left"
