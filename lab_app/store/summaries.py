"""What loading a tokenizer told about it (sizes, special tokens, stages), so that a list need not load any.

A summary is kept with the build of the engine that made it, and other builds do not use it: they may report more.
"""

import json
from typing import Any

from lab_app.store.database import Database


def load_all(database: Database, version: str) -> dict[str, dict[str, Any]]:
    """The summaries made by `version`, by id."""
    with database.read() as connection:
        rows = connection.execute("SELECT id, summary FROM summaries WHERE version = ?", (version,)).fetchall()
    return {id: json.loads(summary) for id, summary in rows}


def save(database: Database, id: str, version: str, summary: dict[str, Any]) -> None:
    """Keeps the summary of `id`, in place of an older one."""
    with database.write() as connection:
        connection.execute("INSERT OR REPLACE INTO summaries VALUES (?, ?, ?)", (id, version, json.dumps(summary)))
