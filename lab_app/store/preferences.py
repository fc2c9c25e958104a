"""The page's preferences: one JSON object, which only the page reads."""

import json
import sqlite3
from collections.abc import Callable
from typing import Any

from lab_app.errors import StoreFailed
from lab_app.store.database import Database

THEMES = ("light", "dark")


def load(database: Database) -> dict[str, Any]:
    """The object stored last, {} before the first."""
    with database.read() as connection:
        return _kept(connection)


def theme(database: Database) -> str | None:
    """The theme that was chosen, "light" or "dark"; None without one, or without a database that can be read."""
    try:
        found = load(database).get("theme") if database.path.exists() else None
    except (StoreFailed, ValueError, AttributeError):
        return None
    return found if found in THEMES else None


def save(database: Database, value: dict[str, Any]) -> None:
    """Replaces the object."""
    with database.write() as connection:
        _keep(connection, value)


def change(database: Database, values: dict[str, Any], check: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
    """Replaces those values, and returns the whole, which `check` may refuse by raising."""
    with database.write() as connection:
        whole = {**_kept(connection), **values}
        check(whole)
        _keep(connection, whole)
    return whole


def _kept(connection: sqlite3.Connection) -> dict[str, Any]:
    row = connection.execute("SELECT value FROM preferences").fetchone()
    value: dict[str, Any] = json.loads(row[0]) if row else {}
    return value


def _keep(connection: sqlite3.Connection, value: dict[str, Any]) -> None:
    connection.execute("INSERT OR REPLACE INTO preferences VALUES (1, ?)", (json.dumps(value),))
