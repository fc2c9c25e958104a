"""Kept benchmarks: the result as JSON in SQLite, from the start of a run on, so that a run that dies leaves its rounds.

One whose program has ended is `interrupted`; `owners` knows the programs that run.
"""

import json
from dataclasses import dataclass
from typing import Any

from lab_app.store.database import Database
from lab_app.store.owners import Owners
from lab_app.store.sessions import MAX_ID


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


def start(database: Database, created_at: str, title: str, facts: dict[str, Any], result: str, owners: Owners) -> int:
    """Keeps a benchmark that starts now and returns its id."""
    with database.write() as connection:
        cursor = connection.execute(
            "INSERT INTO benchmarks (created_at, seen_at, owner, title, state, facts, result) "
            "VALUES (?, 0, ?, ?, 'running', ?, ?)",
            (created_at, owners.hold(), title, json.dumps(facts), result),
        )
        return int(cursor.lastrowid or 0)


def update(database: Database, id: int, state: str, facts: dict[str, Any], result: str) -> None:
    """Keeps what a benchmark has measured so far. One that was deleted meanwhile stays so."""
    with database.write() as connection:
        connection.execute(
            "UPDATE benchmarks SET state = ?, facts = ?, result = ? WHERE id = ?",
            (state, json.dumps(facts), result, id),
        )


def stored(database: Database, owners: Owners) -> list[StoredBenchmark]:
    """All of them, the newest first."""
    _mark_interrupted(database, owners)
    with database.read() as connection:
        rows = connection.execute(
            "SELECT id, created_at, title, state, facts FROM benchmarks ORDER BY id DESC"
        ).fetchall()
    return [
        StoredBenchmark(id, created_at, title, state, json.loads(facts)) for id, created_at, title, state, facts in rows
    ]


def load(database: Database, id: int, owners: Owners) -> tuple[str, str] | None:
    """The state and the result as JSON; None if the id is unknown."""
    if not 0 < id <= MAX_ID:
        return None
    _mark_interrupted(database, owners)
    with database.read() as connection:
        row = connection.execute("SELECT state, result FROM benchmarks WHERE id = ?", (id,)).fetchone()
    return None if row is None else (row[0], row[1])


def delete(database: Database, id: int) -> bool:
    """Deletes a benchmark. Returns False if the id is unknown."""
    if not 0 < id <= MAX_ID:
        return False
    with database.write() as connection:
        return connection.execute("DELETE FROM benchmarks WHERE id = ?", (id,)).rowcount > 0


def _mark_interrupted(database: Database, owners: Owners) -> None:
    with database.read() as connection:
        running = connection.execute("SELECT id, owner FROM benchmarks WHERE state = 'running'").fetchall()
    dead = [(id,) for id, owner in running if not owners.is_alive(owner)]
    if dead:
        with database.write() as connection:
            connection.executemany(
                "UPDATE benchmarks SET state = 'interrupted' WHERE id = ? AND state = 'running'", dead
            )
