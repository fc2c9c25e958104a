"""The rows of tokenizers whose files the lab keeps: downloaded or added. Built-in ones have no row."""

import json
import sqlite3
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal


@dataclass(frozen=True)
class StoredFile:
    """One file of a tokenizer, as it was when it was verified."""

    name: str
    sha256: str
    size_bytes: int


@dataclass(frozen=True)
class Row:
    """One tokenizer: `folder` is the name of its folder below the folder of tokenizers."""

    id: str
    source: Literal["downloaded", "added"]
    origin: str | None
    folder: str
    files: tuple[StoredFile, ...]
    pattern: str | None = None
    special_tokens: dict[str, int] | None = None


def rows(connection: sqlite3.Connection) -> list[Row]:
    """All rows, oldest first."""
    found = connection.execute(
        "SELECT id, source, origin, folder, files, pattern, special_tokens FROM tokenizers ORDER BY position"
    )
    return [_row(values) for values in found]


def row(connection: sqlite3.Connection, id: str) -> Row | None:
    """The row of `id`, whatever its capitals, or None."""
    found = connection.execute(
        "SELECT id, source, origin, folder, files, pattern, special_tokens FROM tokenizers WHERE id = ?", (id,)
    ).fetchone()
    return _row(found) if found else None


def insert(connection: sqlite3.Connection, row: Row) -> None:
    """Adds a row. Raises sqlite3.IntegrityError where the id is taken."""
    connection.execute(
        "INSERT INTO tokenizers (id, source, origin, folder, files, pattern, special_tokens, added_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            row.id,
            row.source,
            row.origin,
            row.folder,
            json.dumps([[file.name, file.sha256, file.size_bytes] for file in row.files]),
            row.pattern,
            None if row.special_tokens is None else json.dumps(row.special_tokens),
            datetime.now(UTC).isoformat(timespec="seconds"),
        ),
    )


def delete(connection: sqlite3.Connection, id: str) -> None:
    """Removes the row of `id` and its card, where there are any."""
    connection.execute("DELETE FROM tokenizers WHERE id = ?", (id,))
    connection.execute("DELETE FROM cards WHERE id = ?", (id,))


def _row(values: tuple[str, Literal["downloaded", "added"], str | None, str, str, str | None, str | None]) -> Row:
    id, source, origin, folder, files, pattern, special_tokens = values
    return Row(
        id,
        source,
        origin,
        folder,
        tuple(StoredFile(*file) for file in json.loads(files)),
        pattern,
        None if special_tokens is None else json.loads(special_tokens),
    )
