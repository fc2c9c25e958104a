"""The queue of long work: few at a time, first come first served, each can be watched and stopped.

Jobs live in memory; `record` keeps those that have not ended, for the next run to say and to start again. Threads are started with the first job and are no reason for the
program to stay. Not here: what the work is (`lab_app.services`), how it is shown (`lab_app.api.routes.jobs`).
"""

import logging
import queue
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from lab_app.errors import Cancelled, Conflict, LabError, NotFound, Unavailable
from lab_app.jobs.job import Job, Running, Watcher
from lab_app.jobs.record import JobRecord, LeftJob

AT_ONCE = 2
MAX_WAITING = 64
KEPT = 100

Work = Callable[[Running], Any]


class JobQueue:
    """Runs at most `at_once` jobs; the `kept` that ended last can still be asked for.

    >>> jobs = JobQueue()
    >>> job = jobs.submit("sum", "one and two", lambda running: 1 + 2)
    >>> jobs.wait(job.id, timeout_s=10).result
    3
    """

    def __init__(self, record: JobRecord | None = None, *, at_once: int = AT_ONCE, kept: int = KEPT) -> None:
        self._record = record
        self._at_once = at_once
        self._kept = kept
        self._lock = threading.Lock()
        self._waiting: queue.SimpleQueue[tuple[Running, Work] | None] = queue.SimpleQueue()
        self._jobs: OrderedDict[str, Running] = OrderedDict()
        self._threads: list[threading.Thread] = []
        self._watchers: list[Watcher] = []
        self._left: dict[str, LeftJob] = {}
        self._adopting = threading.Lock()

    def submit(
        self, kind: str, title: str, work: Work, *, unit: str = "", key: str | None = None, call: str = ""
    ) -> Job:
        """Puts `work` in the queue. `work` gets a `Running`, and what it returns becomes the job's result, as JSON.

        With a `key`, a job of that key that has not ended is given back instead of a second one. `call` starts the job again
        after a crash (`lab_app.services.restarting`). Raises Unavailable where too many are waiting.
        """
        id = key or secrets.token_hex(6)
        if key is not None:
            self._adopt()
        with self._lock:
            there = self._jobs.get(id)
            if there is not None and not there.job.ended:
                return there.job
            if sum(not one.job.ended for one in self._jobs.values()) >= MAX_WAITING:
                raise Unavailable(f"{MAX_WAITING} jobs are waiting", "wait for some of them, or stop some")
            running = Running(Job(id, kind, title, unit), self._tell)
            self._jobs.pop(id, None)
            self._jobs[id] = running
            self._forget_old()
        if self._record is not None:
            if (left := self._left.pop(id, None)) is not None:
                self._record.forget(left)  # what an earlier run left of it is done now
            self._record.begin(running.job, call)
            if running.job.ended:
                self._record.end(running.job)  # it was cancelled before it was noted
        with self._lock:
            self._waiting.put((running, work))
            if len(self._threads) < self._at_once:
                thread = threading.Thread(target=self._serve, name=f"job-{len(self._threads)}", daemon=True)
                self._threads.append(thread)
                thread.start()
        self._tell()
        return running.job

    def jobs(self) -> list[Job]:
        """All of them, oldest first, with those that an earlier run left."""
        self._adopt()
        with self._lock:
            return [running.job for running in self._jobs.values()]

    def unfinished(self) -> list[Job]:
        """Those of this run that wait or run. Takes no lock of the queue: a handler of a signal may ask."""
        return [job for running in list(self._jobs.values()) if not (job := running.job).ended]

    @contextmanager
    def watched(self, watcher: Watcher) -> Iterator[None]:
        """Calls `watcher` at every new job and every change of one while the block lasts, in the thread that makes it: it
        must return at once."""
        self._watchers.append(watcher)
        try:
            yield
        finally:
            self._watchers.remove(watcher)

    def job(self, id: str) -> Job:
        """How a job stands. Raises NotFound."""
        return self.running(id).job

    def next_change(self, id: str, after: int, timeout_s: float) -> Job:
        """The job as soon as it differs from its version `after`, or as it is after `timeout_s`. Raises NotFound."""
        return self.running(id).wait(after, timeout_s)

    def wait(self, id: str, timeout_s: float) -> Job:
        """The job when it has ended, or as it is after `timeout_s`. Raises NotFound."""
        end = time.monotonic() + timeout_s
        job = self.job(id)
        while not job.ended and time.monotonic() < end:
            job = self.next_change(id, job.version, end - time.monotonic())
        return job

    def cancel(self, id: str) -> Job:
        """Asks a job to stop: one that waits ends at once, one that runs at its next report; one that was interrupted is forgotten.
        Raises NotFound."""
        running = self.running(id)
        if (left := self._left.get(id)) is not None:
            self.forget(left)
        running.cancel()
        if running.job.state == "waiting":
            self._end(running, state="cancelled")
        return running.job

    def running(self, id: str) -> Running:
        """The job itself, to be watched. Raises NotFound."""
        self._adopt()
        with self._lock:
            found = self._jobs.get(id)
        if found is None and (left := self._left.get(id)) is not None:
            return Running(left.job)  # it is not listed, for it is taken up, but who followed it is told
        if found is None:
            raise NotFound(
                f"there is no job {id}",
                "list the jobs: this one ended long ago, or belonged to an earlier run of the lab",
            )
        return found

    def left(self) -> list[LeftJob]:
        """The jobs that earlier runs left, which nobody has started again, oldest first."""
        self._adopt()
        return sorted(self._left.values(), key=lambda left: left.number)

    def restart(self, id: str, start: Callable[[str], Job]) -> Job:
        """Starts an interrupted job again, as another one: `start` gets its call.

        Raises NotFound, Conflict for one that cannot be started again, and what `start` raises.
        """
        self._adopt()
        left, record = self._left.get(id), self._record
        if record is None or left is None or not left.call:
            self.running(id)
            raise _not_again(id)
        if not record.claim(left):
            self._unlist(left)  # another program has started it, or somebody has dismissed it there
            raise _not_again(id)
        try:
            job = start(left.call)
        except BaseException:
            record.release(left)
            self._list(left)
            raise
        self.forget(left)
        return job

    def forget(self, left: LeftJob) -> None:
        """Lists a job of an earlier run no longer."""
        if self._record is not None:
            self._record.forget(left)
        self._unlist(left)

    def _list(self, left: LeftJob) -> None:
        with self._lock:
            if left.job.id not in self._jobs:
                self._left[left.job.id], self._jobs[left.job.id] = left, Running(left.job)
                self._jobs.move_to_end(left.job.id, last=False)

    def _unlist(self, left: LeftJob) -> None:
        self._left.pop(left.job.id, None)
        with self._lock:
            known = self._jobs.get(left.job.id)
            if known is not None and known.job.state == "interrupted":
                del self._jobs[left.job.id]
        self._tell()

    @contextmanager
    def aside(self) -> Iterator[None]:
        """While the block lasts, the job of this thread takes no place: another one may run. For a job that a person has
        paused."""
        threading.Thread(target=self._serve, name="job-aside", daemon=True).start()
        try:
            yield
        finally:
            # One thread too many from now on: whichever is free first ends.
            self._waiting.put(None)

    def _tell(self) -> None:
        for watcher in self._watchers.copy():  # in one step: others come and go meanwhile
            watcher()

    def _adopt(self) -> None:
        """Takes over the jobs that an earlier run left. Others wait meanwhile: they may ask for one of them."""
        with self._adopting:
            for left in reversed(self._record.left() if self._record is not None else []):
                if left.has_begun or not left.call:
                    self._list(left)
                else:
                    self._left[left.job.id] = left  # it is taken up at once, and listed if it cannot be

    def _forget_old(self) -> None:
        ended = [id for id, running in self._jobs.items() if running.job.ended]
        for id in ended[: max(0, len(ended) - self._kept)]:
            del self._jobs[id]

    def _serve(self) -> None:
        while (found := self._waiting.get()) is not None:
            running, work = found
            if not running.job.ended:
                if self._record is not None:
                    self._record.run(running.job)  # first: what is shown as running is not taken up as if it had waited
                running.update(state="running")
                self._end(running, **_outcome(running, work))
            # The next job may come hours later: until then nothing of this one stays in memory.
            del found, running, work

    def _end(self, running: Running, **changes: Any) -> None:
        """Gives a job its last state. It is forgotten first: what is shown as done is never shown as interrupted."""
        if self._record is not None:
            self._record.end(running.job)
        running.update(**changes)


def _outcome(running: Running, work: Work) -> dict[str, Any]:
    """Does the work. Returns the last changes of its job."""
    try:
        running.check()
        return {"state": "done", "result": work(running)}
    except Cancelled as error:
        running.failure = _without_frames(error)
        return {"state": "cancelled"}
    except LabError as error:
        running.failure = _without_frames(error)
    except Exception as error:
        logging.getLogger(__name__).exception("a job failed")
        running.failure = LabError(
            f"the lab failed unexpectedly ({type(error).__name__})",
            "report it with the details that its terminal shows",
        )
    return {"state": "failed", "error": running.failure.as_json()["error"]}


def _without_frames(error: LabError) -> LabError:
    """The error without the functions that it went through, which would keep all that the work had in memory."""
    error.__cause__ = error.__context__ = None
    return error.with_traceback(None)


def _not_again(id: str) -> Conflict:
    return Conflict(f"job {id} cannot be started again", "start it anew where it was started")
