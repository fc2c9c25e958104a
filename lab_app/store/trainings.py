"""Kept trainings: what was asked for and how far it is, as JSON in SQLite. Their files are in a folder of each.

Whether one that should be running has died is for the service to say, which knows the programs that run (`owners`). Not
here: the files (`lab_app.services.trainings.runs`).
"""

from dataclasses import dataclass

from lab_app.store.database import Database
from lab_app.store.sessions import MAX_ID


@dataclass(frozen=True)
class StoredTraining:
    """One training. `owner` is the program that runs it; see `owners`."""

    id: int
    created_at: str
    owner: int
    state: str
    record: str
    """The training as JSON."""


COLUMNS = "id, created_at, owner, state, record"
NEW = "{}"
"""The record of a training that has only its id: nobody is shown it before `update`."""


def start(database: Database, created_at: str, owner: int, state: str) -> int:
    """Gives a training that starts now its id. It is not found before its first `update`."""
    with database.write() as connection:
        cursor = connection.execute(
            "INSERT INTO trainings (created_at, seen_at, owner, state, record) VALUES (?, 0, ?, ?, ?)",
            (created_at, owner, state, NEW),
        )
        return int(cursor.lastrowid or 0)


def update(database: Database, id: int, owner: int, state: str, record: str) -> None:
    """Keeps how far a training is. One that was deleted meanwhile stays so."""
    with database.write() as connection:
        connection.execute(
            "UPDATE trainings SET owner = ?, state = ?, record = ? WHERE id = ?",
            (owner, state, record, id),
        )


def take(database: Database, id: int, owner: int, states: tuple[str, ...]) -> bool:
    """Makes a training that is in one of `states` a running one of `owner`. False if another program was quicker."""
    marks = ", ".join("?" * len(states))
    with database.write() as connection:
        cursor = connection.execute(
            f"UPDATE trainings SET owner = ?, state = 'running' WHERE id = ? AND state IN ({marks})",
            (owner, id, *states),
        )
        return cursor.rowcount > 0


def interrupt(database: Database, id: int, record: str) -> None:
    """Notes that a training has died, unless somebody has just resumed it."""
    with database.write() as connection:
        connection.execute(
            "UPDATE trainings SET state = 'interrupted', record = ? WHERE id = ? AND state IN ('running', 'paused')",
            (record, id),
        )


def stored(database: Database) -> list[StoredTraining]:
    """All of them, the newest first."""
    with database.read() as connection:
        rows = connection.execute(
            f"SELECT {COLUMNS} FROM trainings WHERE record != ? ORDER BY id DESC", (NEW,)
        ).fetchall()
    return [StoredTraining(*row) for row in rows]


def load(database: Database, id: int) -> StoredTraining | None:
    """One training; None if the id is unknown."""
    if not 0 < id <= MAX_ID:
        return None
    with database.read() as connection:
        select = f"SELECT {COLUMNS} FROM trainings WHERE id = ? AND record != ?"
        row = connection.execute(select, (id, NEW)).fetchone()
    return None if row is None else StoredTraining(*row)


def delete(database: Database, id: int) -> bool:
    """Deletes a training. Returns False if the id is unknown."""
    if not 0 < id <= MAX_ID:
        return False
    with database.write() as connection:
        return connection.execute("DELETE FROM trainings WHERE id = ?", (id,)).rowcount > 0
