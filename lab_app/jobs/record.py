"""Keeps the jobs that wait or run, so that after a crash the next run can say what was interrupted and start it again.

Not here: running them (`queue`), what they do (`lab_app.services.restarting`).
"""

from contextlib import suppress
from dataclasses import dataclass

from lab_app.errors import Interrupted, StoreFailed
from lab_app.jobs.job import Job
from lab_app.store import records
from lab_app.store.database import Database
from lab_app.store.owners import Owners
from lab_app.store.records import Record


@dataclass(frozen=True)
class LeftJob:
    """A job of a program that has ended. `call` starts it again; empty if nothing does."""

    number: int
    owner: int
    job: Job
    call: str
    has_begun: bool


class JobRecord:
    """The jobs of one program in the database. A database that cannot be used stops no job: then nothing is kept."""

    def __init__(self, database: Database, owners: Owners) -> None:
        self._database = database
        self._owners = owners
        self._was_read = False
        self._numbers: dict[str, int] = {}

    def begin(self, job: Job, call: str = "") -> None:
        """Notes a job that was submitted, and the call that starts it again."""
        facts = {"id": job.id, "kind": job.kind, "unit": job.unit}
        with suppress(StoreFailed):
            owner = self._owners.hold()
            self._numbers[job.id] = records.add(
                self._database, "job", job.title, facts, call, state="waiting", owner=owner
            )

    def run(self, job: Job) -> None:
        """Notes that a job has begun."""
        with suppress(StoreFailed, KeyError):
            records.change(self._database, "job", self._numbers[job.id], state="running")

    def end(self, job: Job) -> None:
        """Forgets a job that has ended."""
        with suppress(StoreFailed, KeyError):
            records.delete(self._database, "job", self._numbers.pop(job.id))

    def left(self) -> list[LeftJob]:
        """The jobs of programs that have died, oldest first, the first time they are asked for. Those that nothing starts again
        are given to no other program."""
        if self._was_read:
            return []
        self._was_read = True
        found: list[LeftJob] = []
        with suppress(StoreFailed):
            for each in reversed(records.stored(self._database, "job", self._is_alive)):
                if each.state == "running" or self._is_alive(each):
                    continue
                row = records.load(self._database, "job", each.id, self._is_alive)
                if row is not None and (row[1] or records.delete(self._database, "job", each.id)):
                    found.append(_left(each, row[1]))
        return found

    def claim(self, left: LeftJob) -> bool:
        """Lets this program alone start a job again. False if another one has done so, or somebody has forgotten it."""
        states, owner = ("waiting", "interrupted"), self._owners.hold()
        return records.change(
            self._database, "job", left.number, among=states, owned_by=left.owner, state="running", owner=owner
        )

    def release(self, left: LeftJob) -> None:
        """Undoes `claim`: it was not started."""
        records.change(self._database, "job", left.number, state="interrupted", owner=left.owner)

    def forget(self, left: LeftJob) -> None:
        """Lists a job no longer, in any program."""
        records.delete(self._database, "job", left.number)

    def _is_alive(self, record: Record) -> bool:
        return record.owner == self._owners.mine or self._owners.is_alive(record.owner)


def _left(each: Record, call: str) -> LeftJob:
    title, facts = each.title, each.facts
    hint = "start it again" if call else "start it again; the Train screen resumes trainings from their checkpoint"
    error = Interrupted(
        f"{title}: interrupted, because the lab ended while it ran (started {each.created_at})", hint
    ).as_json()["error"]
    job = Job(facts["id"], facts["kind"], title, facts["unit"], "interrupted", error=error, can_restart=bool(call))
    return LeftJob(each.id, each.owner, job, call, each.state != "waiting")
