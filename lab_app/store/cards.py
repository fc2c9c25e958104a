"""What loading a tokenizer once has told about it (sizes, special tokens, stages), so that a list need not load any.

A card is kept with the version that wrote it and is not given to any other: the engine may describe more tomorrow.
"""

import json
from typing import Any

from lab_app.store.database import Database


def load_all(database: Database, version: str) -> dict[str, dict[str, Any]]:
    """The cards written by `version`, by id."""
    with database.read() as connection:
        rows = connection.execute("SELECT id, card FROM cards WHERE version = ?", (version,)).fetchall()
    return {id: json.loads(card) for id, card in rows}


def save(database: Database, id: str, version: str, card: dict[str, Any]) -> None:
    """Keeps the card of `id`, in place of an older one."""
    with database.write() as connection:
        connection.execute("INSERT OR REPLACE INTO cards VALUES (?, ?, ?)", (id, version, json.dumps(card)))
