"""Keeps which jobs run, so that after a crash the next run can say what was interrupted. Not here: running them (`queue`)."""

import threading
from contextlib import suppress
from datetime import UTC, datetime

from lab_app.errors import Interrupted, StoreFailed
from lab_app.jobs.job import Job
from lab_app.store import jobs as store
from lab_app.store.database import Database
from lab_app.store.owners import Owners


class JobRecord:
    """The jobs of one program in the database. A database that cannot be used stops no job: then nothing is kept."""

    def __init__(self, database: Database, owners: Owners) -> None:
        self._database = database
        self._owners = owners
        self._lock = threading.Lock()
        self._was_read = False

    def begin(self, job: Job) -> None:
        """Notes a job that was submitted."""
        with suppress(StoreFailed):
            now = datetime.now(UTC).isoformat(timespec="seconds")
            store.begin(
                self._database, store.StoredJob(job.id, self._owners.hold(), job.kind, job.title, job.unit, now)
            )

    def end(self, job: Job) -> None:
        """Forgets a job that has ended."""
        with suppress(StoreFailed):
            store.end(self._database, job.id, self._owners.mine)

    def interrupted(self) -> list[Job]:
        """The jobs of programs that have died, the first time they are asked for. No other program is given them, too."""
        with self._lock:
            if self._was_read:
                return []
            self._was_read = True
        found: list[Job] = []
        with suppress(StoreFailed):
            for each in store.stored(self._database):
                if not self._owners.is_alive(each.owner) and store.end(self._database, each.id, each.owner):
                    found.append(_interrupted(each))
        return found


def _interrupted(job: store.StoredJob) -> Job:
    error = Interrupted(
        f"{job.title}: interrupted, because the lab ended while it ran (started {job.started_at})",
        "start it again; the Train screen resumes trainings from their checkpoint",
    )
    return Job(job.id, job.kind, job.title, job.unit, state="interrupted", error=error.as_json()["error"])
