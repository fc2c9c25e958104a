"""The page's preferences: one JSON object, which only the page reads."""

import json
from typing import Any

from lab_app.store.database import Database


def load(database: Database) -> dict[str, Any]:
    """The object stored last, {} before the first."""
    with database.read() as connection:
        row = connection.execute("SELECT value FROM preferences").fetchone()
    value: dict[str, Any] = json.loads(row[0]) if row else {}
    return value


def save(database: Database, value: dict[str, Any]) -> None:
    """Replaces the object."""
    with database.write() as connection:
        connection.execute("INSERT OR REPLACE INTO preferences VALUES (1, ?)", (json.dumps(value),))
