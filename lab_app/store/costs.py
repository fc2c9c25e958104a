"""Kept measurements of cost: the report as JSON in SQLite, written when a measurement has ended."""

import json
from dataclasses import dataclass
from typing import Any

from lab_app.store.database import Database
from lab_app.store.sessions import MAX_ID


@dataclass(frozen=True)
class StoredCost:
    """One measurement in a list, without its report."""

    id: int
    created_at: str
    """UTC, ISO 8601."""
    kind: str
    title: str
    facts: dict[str, Any]
    """A few more fields for the list."""


def add(database: Database, created_at: str, kind: str, title: str, facts: dict[str, Any], report: str) -> int:
    """Keeps a measurement and returns its id."""
    with database.write() as connection:
        cursor = connection.execute(
            "INSERT INTO costs (created_at, kind, title, facts, report) VALUES (?, ?, ?, ?, ?)",
            (created_at, kind, title, json.dumps(facts), report),
        )
        return int(cursor.lastrowid or 0)


def stored(database: Database) -> list[StoredCost]:
    """All of them, the newest first."""
    with database.read() as connection:
        rows = connection.execute("SELECT id, created_at, kind, title, facts FROM costs ORDER BY id DESC").fetchall()
    return [_cost(row) for row in rows]


def load(database: Database, id: int) -> tuple[StoredCost, str] | None:
    """A measurement and its report as JSON; None if the id is unknown."""
    if not 0 < id <= MAX_ID:
        return None
    with database.read() as connection:
        query = "SELECT id, created_at, kind, title, facts, report FROM costs WHERE id = ?"
        row = connection.execute(query, (id,)).fetchone()
    return None if row is None else (_cost(row), row[5])


def delete(database: Database, id: int) -> bool:
    """Deletes a measurement. Returns False if the id is unknown."""
    if not 0 < id <= MAX_ID:
        return False
    with database.write() as connection:
        return connection.execute("DELETE FROM costs WHERE id = ?", (id,)).rowcount > 0


def _cost(row: tuple[Any, ...]) -> StoredCost:
    id, created_at, kind, title, facts = row[:5]
    return StoredCost(id, created_at, kind, title, json.loads(facts))
