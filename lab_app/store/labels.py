"""Names and notes that somebody gave to kept results, in SQLite.

A label outlives its result: ids are never given twice, so it belongs to nobody then, and the next `put` removes it.
"""

from dataclasses import dataclass
from typing import Literal, get_args

from lab_app.store.database import MAX_ID, Database

Kind = Literal["analysis", "benchmark", "training", "session"]
KINDS: tuple[Kind, ...] = get_args(Kind)
EXISTING = "SELECT kind, id FROM records UNION ALL SELECT 'session', id FROM sessions"


@dataclass(frozen=True)
class Label:
    """What somebody wrote about one result. An empty `name` leaves it the name that the lab gave it."""

    kind: Kind
    id: int
    """Of the result."""
    name: str
    note: str


def stored(database: Database) -> list[Label]:
    """All of them, also those of results that were deleted."""
    with database.read() as connection:
        rows = connection.execute("SELECT kind, result, name, note FROM labels ORDER BY kind, result").fetchall()
    return [Label(*row) for row in rows]


def names(database: Database, kind: str) -> dict[int, str]:
    """The names that results of a kind were given, by id."""
    with database.read() as connection:
        query = "SELECT result, name FROM labels WHERE kind = ? AND name != ''"
        return dict(connection.execute(query, (kind,)).fetchall())


def put(database: Database, label: Label) -> bool:
    """Replaces the label of a result. False if there is no such result; then nothing is kept."""
    if not 0 < label.id <= MAX_ID:
        return False
    with database.write() as connection:
        connection.execute(f"DELETE FROM labels WHERE (kind, result) NOT IN ({EXISTING})")
        of = (label.kind, label.id)
        exists = connection.execute(f"SELECT 1 FROM ({EXISTING}) WHERE kind = ? AND id = ?", of).fetchone()
        connection.execute("DELETE FROM labels WHERE kind = ? AND result = ?", of)
        if exists and (label.name or label.note):
            connection.execute("INSERT INTO labels VALUES (?, ?, ?, ?)", (*of, label.name, label.note))
    return exists is not None
