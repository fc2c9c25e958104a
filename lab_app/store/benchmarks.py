"""Kept benchmarks: the result as JSON in SQLite, from the start of a run on, so that a run that dies leaves its rounds.

A run that goes on writes its row every few seconds. One that has not done so for a minute has died: it is `interrupted`.
"""

import json
import time
from dataclasses import dataclass
from typing import Any

from lab_app.store.database import Database
from lab_app.store.sessions import MAX_ID

SILENT_S = 60.0
"""After this long without a sign, a running benchmark is one whose program has died."""


@dataclass(frozen=True)
class StoredBenchmark:
    """One benchmark in a list, without its result."""

    id: int
    created_at: str
    """UTC, ISO 8601."""
    title: str
    state: str
    facts: dict[str, Any]
    """A few figures for the list."""


def start(database: Database, created_at: str, title: str, facts: dict[str, Any], result: str) -> int:
    """Keeps a benchmark that starts now and returns its id."""
    with database.write() as connection:
        cursor = connection.execute(
            "INSERT INTO benchmarks (created_at, seen_at, title, state, facts, result) VALUES (?, ?, ?, 'running', ?, ?)",
            (created_at, time.time(), title, json.dumps(facts), result),
        )
        return int(cursor.lastrowid or 0)


def update(database: Database, id: int, state: str, facts: dict[str, Any], result: str) -> None:
    """Keeps what a benchmark has measured so far. One that was deleted meanwhile stays so."""
    with database.write() as connection:
        connection.execute(
            "UPDATE benchmarks SET seen_at = ?, state = ?, facts = ?, result = ? WHERE id = ?",
            (time.time(), state, json.dumps(facts), result, id),
        )


def touch(database: Database, id: int) -> None:
    """Notes that a benchmark goes on."""
    with database.write() as connection:
        connection.execute("UPDATE benchmarks SET seen_at = ? WHERE id = ?", (time.time(), id))


def stored(database: Database) -> list[StoredBenchmark]:
    """All of them, the newest first."""
    _mark_interrupted(database)
    with database.read() as connection:
        rows = connection.execute(
            "SELECT id, created_at, title, state, facts FROM benchmarks ORDER BY id DESC"
        ).fetchall()
    return [
        StoredBenchmark(id, created_at, title, state, json.loads(facts)) for id, created_at, title, state, facts in rows
    ]


def load(database: Database, id: int) -> tuple[str, str] | None:
    """The state and the result as JSON; None if the id is unknown."""
    if not 0 < id <= MAX_ID:
        return None
    _mark_interrupted(database)
    with database.read() as connection:
        row = connection.execute("SELECT state, result FROM benchmarks WHERE id = ?", (id,)).fetchone()
    return None if row is None else (row[0], row[1])


def delete(database: Database, id: int) -> bool:
    """Deletes a benchmark. Returns False if the id is unknown."""
    if not 0 < id <= MAX_ID:
        return False
    with database.write() as connection:
        return connection.execute("DELETE FROM benchmarks WHERE id = ?", (id,)).rowcount > 0


def _mark_interrupted(database: Database) -> None:
    died = "state = 'running' AND seen_at < ?"
    before = (time.time() - SILENT_S,)
    with database.read() as connection:
        if connection.execute(f"SELECT 1 FROM benchmarks WHERE {died} LIMIT 1", before).fetchone() is None:
            return
    with database.write() as connection:
        connection.execute(f"UPDATE benchmarks SET state = 'interrupted' WHERE {died}", before)
