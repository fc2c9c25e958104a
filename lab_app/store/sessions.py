"""Saved sessions: a text, the options of its encoding, and the ids.

Ids are stored as little-endian uint32, compressed. Not here: running a session again (`lab_app.services.sessions.sessions`).
"""

import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lab_app.store.database import MAX_ID, Database
from lab_app.times import now_text


@dataclass(frozen=True)
class StoredResult:
    """The ids of the text under one tokenizer."""

    tokenizer: str
    sha256: str | None
    """Of the tokenizer's files at that time; None where it has none."""
    ids: NDArray[np.uint32]


@dataclass(frozen=True)
class StoredSession:
    """One session, as it was saved."""

    id: int
    name: str
    saved_at: str
    """UTC, ISO 8601."""
    options: dict[str, Any]
    text: str
    results: tuple[StoredResult, ...]


@dataclass(frozen=True)
class SessionSummary:
    """A saved session in a list, without its text and ids."""

    id: int
    name: str
    saved_at: str
    text_characters: int
    beginning: str
    """The first characters of the text."""
    options: dict[str, Any]
    results: tuple["StoredCount", ...]


@dataclass(frozen=True)
class StoredCount:
    """How many tokens the text has under one tokenizer, and the digest of that tokenizer's files at that time."""

    tokenizer: str
    sha256: str | None
    count: int


BEGINNING = 120


def save(
    database: Database,
    name: str,
    options: dict[str, Any],
    text: str,
    results: Sequence[StoredResult],
    *,
    saved_at: str | None = None,
) -> int:
    """Saves a session and returns its id. `saved_at` is when it was saved elsewhere, default now."""
    now = saved_at or now_text()
    with database.write() as connection:
        cursor = connection.execute(
            "INSERT INTO sessions (name, saved_at, options, text) VALUES (?, ?, ?, ?)",
            (name, now, json.dumps(options), text),
        )
        id = int(cursor.lastrowid or 0)
        for position, result in enumerate(results):
            packed = zlib.compress(result.ids.astype("<u4").tobytes(), 6)
            row = (id, position, result.tokenizer, result.sha256, result.ids.size, packed)
            connection.execute("INSERT INTO session_results VALUES (?, ?, ?, ?, ?, ?)", row)
    return id


def summaries(database: Database) -> list[SessionSummary]:
    """All sessions, the newest first."""
    with database.read() as connection:
        rows = connection.execute(
            "SELECT id, name, saved_at, length(text), substr(text, 1, ?), options FROM sessions ORDER BY id DESC",
            (BEGINNING,),
        ).fetchall()
        results: dict[int, list[StoredCount]] = {}
        for session, *values in connection.execute(
            "SELECT session, tokenizer, sha256, count FROM session_results ORDER BY session, position"
        ):
            results.setdefault(session, []).append(StoredCount(*values))
    return [
        SessionSummary(id, name, saved_at, characters, beginning, json.loads(options), tuple(results.get(id, ())))
        for id, name, saved_at, characters, beginning, options in rows
    ]


def load(database: Database, id: int) -> StoredSession | None:
    """One session, None if the id is unknown."""
    if not 0 < id <= MAX_ID:
        return None
    with database.read() as connection:
        row = connection.execute("SELECT name, saved_at, options, text FROM sessions WHERE id = ?", (id,)).fetchone()
        if row is None:
            return None
        results = connection.execute(
            "SELECT tokenizer, sha256, ids FROM session_results WHERE session = ? ORDER BY position", (id,)
        ).fetchall()
    name, saved_at, options, text = row
    unpacked = (
        StoredResult(tokenizer, sha256, np.frombuffer(zlib.decompress(ids), "<u4").astype(np.uint32))
        for tokenizer, sha256, ids in results
    )
    return StoredSession(id, name, saved_at, json.loads(options), text, tuple(unpacked))


def delete(database: Database, id: int) -> bool:
    """Deletes a session. Returns False if the id is unknown."""
    if not 0 < id <= MAX_ID:
        return False
    with database.write() as connection:
        return connection.execute("DELETE FROM sessions WHERE id = ?", (id,)).rowcount > 0
