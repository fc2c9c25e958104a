"""One job as others see it, and the handle that its work reports through. Not here: running it (`queue`)."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Literal

from lab_app.errors import Cancelled, LabError

State = Literal["waiting", "running", "done", "failed", "cancelled", "interrupted"]
ENDED: frozenset[State] = frozenset(("done", "failed", "cancelled", "interrupted"))


@dataclass(frozen=True)
class Job:
    """The state of a job at one moment. `version` grows with every change; `total` is None while it is unknown.

    `done` and `total` are in `unit`; `message` is the current step; `result` is what the work returned; `error` is
    `{"code", "message", "hint"}` if it failed. `interrupted`: an earlier run of the lab ended while it ran.

    >>> Job("1", "fetch", "bert", unit="bytes").state
    'waiting'
    """

    id: str
    kind: str
    title: str
    unit: str
    state: State = "waiting"
    done: int = 0
    total: int | None = None
    message: str = ""
    result: Any = None
    error: dict[str, str] | None = None
    version: int = 0
    can_restart: bool = False
    """Whether it was interrupted, and `POST /jobs/{id}/restart` starts it again."""

    @property
    def ended(self) -> bool:
        """Whether it has reached its last state."""
        return self.state in ENDED


@dataclass(frozen=True)
class Jobs:
    """The jobs of this run and those that an earlier run left, oldest first; of those that ended, the last hundred."""

    jobs: list[Job]


Watcher = Callable[[], None]


class Running:
    """What a job's work holds: it reports through this, and is stopped by the exception that this raises."""

    def __init__(self, job: Job, *watchers: Watcher) -> None:
        self._changed = threading.Condition()
        self._job = job
        self._cancelled = threading.Event()
        self._watchers = list(watchers)
        self.failure: LabError | None = None
        """Why the job failed or was cancelled."""

    @property
    def job(self) -> Job:
        """The state of the job now."""
        with self._changed:
            return self._job

    def report(self, done: int, total: int | None = None, message: str = "") -> None:
        """Reports progress. Raises Cancelled if the job was asked to stop."""
        self.check()
        self.update(done=done, total=total, message=message)

    def check(self) -> None:
        """Raises Cancelled where somebody has asked to stop the work; call it at least every second."""
        if self._cancelled.is_set():
            raise Cancelled(f"{self._job.title} was stopped", "start it again; finished parts are kept if possible")

    def cancel(self) -> None:
        """Asks the work to stop at its next report."""
        self._cancelled.set()

    @property
    def cancelled(self) -> bool:
        """Whether somebody has asked to stop it."""
        return self._cancelled.is_set()

    def update(self, **changes: Any) -> Job:
        """Sets fields of the job. What has ended stays as it is."""
        with self._changed:
            if not self._job.ended:
                self._job = replace(self._job, **changes, version=self._job.version + 1)
                self._changed.notify_all()
            for watcher in self._watchers:
                watcher()
            return self._job

    @contextmanager
    def watched(self, watcher: Watcher) -> Iterator[None]:
        """Calls `watcher` at every change while the block lasts, in the thread that makes it: it must return at once."""
        with self._changed:
            self._watchers.append(watcher)
        try:
            yield
        finally:
            with self._changed:
                self._watchers.remove(watcher)

    def wait(self, after: int, timeout_s: float) -> Job:
        """The job as soon as its version is above `after`, or as it is after `timeout_s`."""
        with self._changed:
            self._changed.wait_for(lambda: self._job.version > after or self._job.ended, timeout_s)
            return self._job
