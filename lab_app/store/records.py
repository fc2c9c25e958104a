"""Kept results that nobody writes to again, each as JSON in SQLite: measurements of cost, comparisons with references.

Who keeps one chooses its `kind` and what its JSON says. Not here: analyses, benchmarks and trainings, which grow while
they run.
"""

import json
import sqlite3
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from lab_app.store.database import Database
from lab_app.store.sessions import MAX_ID

COLUMNS = "id, created_at, kind, title, facts"


@dataclass(frozen=True)
class Record:
    """One result in a list, without the result itself."""

    id: int
    created_at: str
    """UTC, ISO 8601."""
    kind: str
    title: str
    facts: dict[str, Any]
    """A few more fields for the list."""


def add(database: Database, created_at: str, kind: str, title: str, facts: dict[str, Any], result: str) -> int:
    """Keeps a result and returns its id."""
    with database.write() as connection:
        return _insert(connection, created_at, kind, title, facts, result)


def replace(database: Database, created_at: str, kind: str, title: str, facts: dict[str, Any], result: str) -> int:
    """As `add`, in place of all others with this kind and title."""
    with database.write() as connection:
        connection.execute("DELETE FROM records WHERE kind = ? AND title = ?", (kind, title))
        return _insert(connection, created_at, kind, title, facts, result)


def stored(database: Database, kinds: Collection[str]) -> list[Record]:
    """All of these kinds, the newest first."""
    query = f"SELECT {COLUMNS} FROM records WHERE kind IN ({_marks(kinds)}) ORDER BY id DESC"
    with database.read() as connection:
        return [_record(row) for row in connection.execute(query, tuple(kinds)).fetchall()]


def load(database: Database, id: int, kinds: Collection[str]) -> tuple[Record, str] | None:
    """A result of one of these kinds, as JSON; None for an unknown id."""
    if not 0 < id <= MAX_ID:
        return None
    query = f"SELECT {COLUMNS}, result FROM records WHERE id = ? AND kind IN ({_marks(kinds)})"
    with database.read() as connection:
        row = connection.execute(query, (id, *kinds)).fetchone()
    return None if row is None else (_record(row), row[5])


def newest(database: Database, kind: str, title: str) -> tuple[Record, str] | None:
    """The last result with this kind and title, as JSON; None before the first."""
    query = f"SELECT {COLUMNS}, result FROM records WHERE kind = ? AND title = ? ORDER BY id DESC LIMIT 1"
    with database.read() as connection:
        row = connection.execute(query, (kind, title)).fetchone()
    return None if row is None else (_record(row), row[5])


def delete(database: Database, id: int, kinds: Collection[str]) -> bool:
    """Deletes a result. Returns False for an unknown id."""
    if not 0 < id <= MAX_ID:
        return False
    with database.write() as connection:
        query = f"DELETE FROM records WHERE id = ? AND kind IN ({_marks(kinds)})"
        return connection.execute(query, (id, *kinds)).rowcount > 0


def _insert(
    connection: sqlite3.Connection, created_at: str, kind: str, title: str, facts: dict[str, Any], result: str
) -> int:
    query = "INSERT INTO records (created_at, kind, title, facts, result) VALUES (?, ?, ?, ?, ?)"
    cursor = connection.execute(query, (created_at, kind, title, json.dumps(facts), result))
    return int(cursor.lastrowid or 0)


def _marks(values: Collection[str]) -> str:
    return ", ".join("?" for _ in values)


def _record(row: tuple[Any, ...]) -> Record:
    id, created_at, kind, title, facts = row[:5]
    return Record(id, created_at, kind, title, json.loads(facts))
