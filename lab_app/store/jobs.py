"""The jobs that have not ended, so that a later run can say which were interrupted."""

from dataclasses import dataclass

from lab_app.store.database import Database


@dataclass(frozen=True)
class StoredJob:
    """One job. `owner` is the program that runs it; see `owners`."""

    id: str
    owner: int
    kind: str
    title: str
    unit: str
    started_at: str
    """UTC, ISO 8601."""


COLUMNS = "id, owner, kind, title, unit, started_at"


def begin(database: Database, job: StoredJob) -> None:
    """Notes that a job was started."""
    values = (job.id, job.owner, job.kind, job.title, job.unit, job.started_at)
    with database.write() as connection:
        connection.execute(f"INSERT OR REPLACE INTO jobs ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)", values)


def end(database: Database, id: str, owner: int) -> bool:
    """Forgets a job, which has ended. False if another program has done so."""
    with database.write() as connection:
        return connection.execute("DELETE FROM jobs WHERE id = ? AND owner = ?", (id, owner)).rowcount > 0


def stored(database: Database) -> list[StoredJob]:
    """All of them, oldest first."""
    with database.read() as connection:
        rows = connection.execute(f"SELECT {COLUMNS} FROM jobs ORDER BY started_at, rowid").fetchall()
    return [StoredJob(*row) for row in rows]
