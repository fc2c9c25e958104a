"""Saved sessions: a text, how it was encoded, and the ids it gave.

Ids are kept as little-endian uint32, compressed. Not here: running a session again (`lab_app.services.reports`).
"""

import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lab_app.store.database import Database


@dataclass(frozen=True)
class SavedResult:
    """What one tokenizer made of the text."""

    tokenizer: str
    sha256: str | None
    """Of the tokenizer's files at that time; None where it has none."""
    ids: NDArray[np.uint32]


@dataclass(frozen=True)
class SavedReport:
    """One session, as it was saved."""

    id: int
    name: str
    saved_at: str
    """UTC, ISO 8601."""
    options: dict[str, Any]
    text: str
    results: tuple[SavedResult, ...]


@dataclass(frozen=True)
class ReportLine:
    """A session in a list: no text, no ids."""

    id: int
    name: str
    saved_at: str
    text_characters: int
    beginning: str
    counts: dict[str, int]
    """Tokens by tokenizer."""


BEGINNING = 120
MAX_ID = 2**63 - 1
"""The largest number that SQLite stores."""


def save(database: Database, name: str, options: dict[str, Any], text: str, results: Sequence[SavedResult]) -> int:
    """Keeps a session and returns its id."""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    with database.write() as connection:
        cursor = connection.execute(
            "INSERT INTO reports (name, saved_at, options, text) VALUES (?, ?, ?, ?)",
            (name, now, json.dumps(options), text),
        )
        id = int(cursor.lastrowid or 0)
        for position, result in enumerate(results):
            packed = zlib.compress(result.ids.astype("<u4").tobytes(), 6)
            row = (id, position, result.tokenizer, result.sha256, result.ids.size, packed)
            connection.execute("INSERT INTO report_results VALUES (?, ?, ?, ?, ?, ?)", row)
    return id


def lines(database: Database) -> list[ReportLine]:
    """All sessions, the newest first."""
    with database.read() as connection:
        rows = connection.execute(
            "SELECT id, name, saved_at, length(text), substr(text, 1, ?) FROM reports ORDER BY id DESC", (BEGINNING,)
        ).fetchall()
        counts: dict[int, dict[str, int]] = {}
        for report, tokenizer, count in connection.execute(
            "SELECT report, tokenizer, count FROM report_results ORDER BY report, position"
        ):
            counts.setdefault(report, {})[tokenizer] = count
    return [
        ReportLine(id, name, saved_at, characters, beginning, counts.get(id, {}))
        for id, name, saved_at, characters, beginning in rows
    ]


def load(database: Database, id: int) -> SavedReport | None:
    """One session, None where there is none of that id."""
    if not 0 < id <= MAX_ID:
        return None
    with database.read() as connection:
        row = connection.execute("SELECT name, saved_at, options, text FROM reports WHERE id = ?", (id,)).fetchone()
        if row is None:
            return None
        results = connection.execute(
            "SELECT tokenizer, sha256, ids FROM report_results WHERE report = ? ORDER BY position", (id,)
        ).fetchall()
    name, saved_at, options, text = row
    unpacked = (
        SavedResult(tokenizer, sha256, np.frombuffer(zlib.decompress(ids), "<u4").astype(np.uint32))
        for tokenizer, sha256, ids in results
    )
    return SavedReport(id, name, saved_at, json.loads(options), text, tuple(unpacked))


def delete(database: Database, id: int) -> bool:
    """Forgets a session; False where there was none of that id."""
    if not 0 < id <= MAX_ID:
        return False
    with database.write() as connection:
        return connection.execute("DELETE FROM reports WHERE id = ?", (id,)).rowcount > 0
