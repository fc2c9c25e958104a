"""Kept analyses: the result as JSON in SQLite, the counts of every type in a Parquet file next to the database.

The file is written in a temporary folder, which is locked; it gets its place and the row that names it in one transaction, which
no other writer can enter. So a file that no row names inside of a transaction is what a killed run left, whatever the clock says: the
next `save` removes it. Not here: what the file holds (`token_counts`).
"""

import contextlib
import json
import secrets
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from lab_app.files import temporary_folder
from lab_app.private import private_folder
from lab_app.store.database import Database
from lab_app.store.sessions import MAX_ID


@dataclass(frozen=True)
class StoredAnalysis:
    """One analysis in a list, without its result."""

    id: int
    made_at: str
    """UTC, ISO 8601."""
    title: str
    corpus: str
    corpus_sha256: str
    tokenizers: tuple[str, ...]
    options: dict[str, Any]
    """What was asked for, so that it can be run again."""
    facts: dict[str, Any]
    """A few figures for the list."""


@dataclass(frozen=True)
class NewAnalysis:
    """What `save` keeps."""

    title: str
    corpus: str
    corpus_sha256: str
    tokenizers: tuple[str, ...]
    options: dict[str, Any]
    facts: dict[str, Any]
    result: str
    """As JSON."""


def save(database: Database, folder: Path, new: NewAnalysis, write_counts: Callable[[Path], None]) -> int:
    """Keeps an analysis and returns its id. `write_counts` writes the counts to the path that it is given.

    Raises OSError, or LoadFailed if the database cannot be written; then nothing is kept and earlier ones are as before.
    """
    private_folder(folder)
    path = folder / f"{secrets.token_hex(8)}.parquet"
    try:
        with temporary_folder(folder) as place:
            write_counts(place / path.name)
            with database.write() as connection:
                _remove_unnamed(connection, folder)
                (place / path.name).rename(path)
                cursor = connection.execute(
                    "INSERT INTO analyses (made_at, title, corpus, corpus_sha256, tokenizers, options, facts, result, counts)"
                    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    (
                        datetime.now(UTC).isoformat(timespec="seconds"),
                        new.title,
                        new.corpus,
                        new.corpus_sha256,
                        json.dumps(new.tokenizers),
                        json.dumps(new.options),
                        json.dumps(new.facts),
                        new.result,
                        path.name,
                    ),
                )
                return int(cursor.lastrowid or 0)
    except BaseException:
        path.unlink(missing_ok=True)
        raise


COLUMNS = "id, made_at, title, corpus, corpus_sha256, tokenizers, options, facts"


def stored(database: Database) -> list[StoredAnalysis]:
    """All of them, the newest first."""
    with database.read() as connection:
        rows = connection.execute(f"SELECT {COLUMNS} FROM analyses ORDER BY id DESC").fetchall()
    return [_stored(row) for row in rows]


def find(database: Database, id: int) -> StoredAnalysis | None:
    """One of them, without its result; None if the id is unknown."""
    if not 0 < id <= MAX_ID:
        return None
    with database.read() as connection:
        row = connection.execute(f"SELECT {COLUMNS} FROM analyses WHERE id = ?", (id,)).fetchone()
    return None if row is None else _stored(row)


def load(database: Database, folder: Path, id: int) -> tuple[str, str, Path] | None:
    """When it was made, its result as JSON, and the file of its counts; None if the id is unknown."""
    if not 0 < id <= MAX_ID:
        return None
    with database.read() as connection:
        row = connection.execute("SELECT made_at, result, counts FROM analyses WHERE id = ?", (id,)).fetchone()
    return None if row is None else (row[0], row[1], folder / row[2])


def delete(database: Database, folder: Path, id: int) -> bool:
    """Deletes an analysis with its counts. Returns False if the id is unknown."""
    found = load(database, folder, id)
    if found is None:
        return False
    with database.write() as connection:
        connection.execute("DELETE FROM analyses WHERE id = ?", (id,))
    found[2].unlink(missing_ok=True)
    return True


def _stored(row: tuple[Any, ...]) -> StoredAnalysis:
    id, made_at, title, corpus, sha256, tokenizers, options, facts = row
    return StoredAnalysis(
        id, made_at, title, corpus, sha256, tuple(json.loads(tokenizers)), json.loads(options), json.loads(facts)
    )


def _remove_unnamed(connection: sqlite3.Connection, folder: Path) -> None:
    """Deletes the files of counts that no row names. `connection` is in a transaction."""
    known = {name for (name,) in connection.execute("SELECT counts FROM analyses")}
    for path in folder.glob("*.parquet"):
        if path.name not in known:
            with contextlib.suppress(OSError):  # another program may have removed it meanwhile
                path.unlink()
