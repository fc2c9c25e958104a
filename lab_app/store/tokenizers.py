"""The rows of tokenizers whose files the lab keeps: downloaded, added or composed. Built-in ones have no row."""

import json
import sqlite3
from dataclasses import dataclass
from typing import Any, Literal

from lab_app.times import now_text

Kept = Literal["downloaded", "added", "composed"]
COLUMNS = "id, source, origin, folder, files, pattern, special_tokens, repository, revision, licence, gated, name"


@dataclass(frozen=True)
class StoredFile:
    """One file of a tokenizer, as it was when it was verified."""

    name: str
    sha256: str
    size_bytes: int


@dataclass(frozen=True)
class Row:
    """One tokenizer: `folder` is the name of its folder below the folder of tokenizers; `revision` is the commit of
    `repository` on a Hub that its files come from; `name` is the user's, if it was renamed."""

    id: str
    source: Kept
    origin: str | None
    folder: str
    files: tuple[StoredFile, ...]
    pattern: str | None = None
    special_tokens: dict[str, int] | None = None
    repository: str | None = None
    revision: str | None = None
    licence: str | None = None
    gated: bool = False
    name: str | None = None


def rows(connection: sqlite3.Connection) -> list[Row]:
    """All rows, oldest first."""
    found = connection.execute(f"SELECT {COLUMNS} FROM tokenizers ORDER BY position")
    return [_row(values) for values in found]


def row(connection: sqlite3.Connection, id: str) -> Row | None:
    """The row of `id`, whatever its capitals, or None."""
    found = connection.execute(f"SELECT {COLUMNS} FROM tokenizers WHERE id = ?", (id,)).fetchone()
    return _row(found) if found else None


def insert(connection: sqlite3.Connection, row: Row) -> None:
    """Adds a row. Raises sqlite3.IntegrityError where the id is taken."""
    connection.execute(
        f"INSERT INTO tokenizers ({COLUMNS}, added_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            row.id,
            row.source,
            row.origin,
            row.folder,
            json.dumps([[file.name, file.sha256, file.size_bytes] for file in row.files]),
            row.pattern,
            None if row.special_tokens is None else json.dumps(row.special_tokens),
            row.repository,
            row.revision,
            row.licence,
            row.gated,
            row.name,
            now_text(),
        ),
    )


def rename(connection: sqlite3.Connection, id: str, name: str) -> None:
    """Gives the row of `id` another name."""
    connection.execute("UPDATE tokenizers SET name = ? WHERE id = ?", (name, id))


def delete(connection: sqlite3.Connection, id: str) -> None:
    """Removes the row of `id` and its summary, if there are any."""
    connection.execute("DELETE FROM tokenizers WHERE id = ?", (id,))
    connection.execute("DELETE FROM summaries WHERE id = ?", (id,))


def _row(values: tuple[Any, ...]) -> Row:
    id, source, origin, folder, files, pattern, special_tokens, repository, revision, licence, gated, name = values
    return Row(
        id,
        source,
        origin,
        folder,
        tuple(StoredFile(*file) for file in json.loads(files)),
        pattern,
        None if special_tokens is None else json.loads(special_tokens),
        repository,
        revision,
        licence,
        bool(gated),
        name,
    )
