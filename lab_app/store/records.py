"""Everything that long work leaves, in one table: analyses, benchmarks, costs, trainings, comparisons, and the jobs themselves.

A record has an id among those of its kind, a state and an owner, the program that works on it (`owners`). One whose program has ended
is `interrupted`: that is found here alone, whenever records are read. Not here: what facts and results hold, which services say.
"""

import json
import sqlite3
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any, Literal

from lab_app.store.database import MAX_ID, Database
from lab_app.times import now_text

Kind = Literal["analysis", "benchmark", "training", "cost", "conformance", "exercise", "playlist", "job"]
NEW = "new"
"""The state of a record that nobody is shown yet."""
GOING = ("running", "paused")
"""States that only the program of the owner can change."""
NOBODY = 0
COLUMNS = "kind, id, created_at, title, state, owner, facts"


@dataclass(frozen=True)
class Record:
    """One record, without its result."""

    kind: Kind
    id: int
    created_at: str
    """UTC, ISO 8601."""
    title: str
    state: str
    owner: int
    facts: dict[str, Any]
    """What lists show."""


IsAlive = Callable[[Record], bool]
"""Whether the program that works on a record does so still."""


def add(
    database: Database,
    kind: Kind,
    title: str,
    facts: dict[str, Any],
    result: str = "",
    *,
    state: str = "done",
    owner: int = NOBODY,
    created_at: str | None = None,
) -> int:
    """Keeps a record and returns its id, which no other of its kind has had."""
    with database.write() as connection:
        return insert(connection, kind, title, facts, result, state, owner, created_at)


def insert(
    connection: sqlite3.Connection,
    kind: Kind,
    title: str,
    facts: dict[str, Any],
    result: str,
    state: str = "done",
    owner: int = NOBODY,
    created_at: str | None = None,
) -> int:
    """As `add`, in a transaction."""
    highest = (
        "SELECT max(id) FROM (SELECT id FROM last_ids WHERE kind = ?1 UNION ALL SELECT id FROM records WHERE kind = ?1)"
    )
    id = int(connection.execute(highest, (kind,)).fetchone()[0] or 0) + 1
    connection.execute("INSERT OR REPLACE INTO last_ids VALUES (?, ?)", (kind, id))
    row = (kind, id, created_at or now_text(), title, state, owner, json.dumps(facts), result)
    connection.execute(f"INSERT INTO records ({COLUMNS}, result) VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
    return id


def replace(database: Database, kind: Kind, title: str, facts: dict[str, Any], result: str) -> int:
    """As `add`, in place of all others with this kind and title."""
    with database.write() as connection:
        connection.execute("DELETE FROM records WHERE kind = ? AND title = ?", (kind, title))
        return insert(connection, kind, title, facts, result)


def change(
    database: Database,
    kind: Kind,
    id: int,
    *,
    among: Collection[str] = (),
    owned_by: int | None = None,
    **values: str | int | dict[str, Any],
) -> bool:
    """Sets columns of a record. False, and nothing changes, if it is gone, in none of the states `among`, or of another owner."""
    where, given = "kind = ? AND id = ?", [json.dumps(one) if isinstance(one, dict) else one for one in values.values()]
    given += [kind, id]
    if among:
        where += f" AND state IN ({', '.join('?' * len(among))})"
        given += among
    if owned_by is not None:
        where += " AND owner = ?"
        given.append(owned_by)
    columns = ", ".join(f"{name} = ?" for name in values)
    with database.write() as connection:
        return connection.execute(f"UPDATE records SET {columns} WHERE {where}", given).rowcount > 0


def set_fact(database: Database, kind: Kind, id: int, name: str, value: str) -> None:
    """Sets one of the facts of a record, whoever owns it."""
    with database.write() as connection:
        connection.execute(
            "UPDATE records SET facts = json_set(facts, '$.' || ?, ?) WHERE kind = ? AND id = ?",
            (name, value, kind, id),
        )


def stored(database: Database, kind: Kind, is_alive: IsAlive) -> list[Record]:
    """All of a kind, the newest first."""
    found = [record for record, _ in _select(database, f"SELECT {COLUMNS} FROM records WHERE kind = ?", (kind,))]
    dead = [record for record in found if record.state in GOING and not is_alive(record)]
    for each in dead:
        _interrupt(database, each)
    return stored(database, kind, is_alive) if dead else found


def load(database: Database, kind: Kind, id: int, is_alive: IsAlive) -> tuple[Record, str] | None:
    """A record and its result; None for an unknown id."""
    if not 0 < id <= MAX_ID:
        return None
    found = _select(database, f"SELECT {COLUMNS}, result FROM records WHERE kind = ? AND id = ?", (kind, id))
    if found and found[0][0].state in GOING and not is_alive(found[0][0]):
        _interrupt(database, found[0][0])
        return load(database, kind, id, is_alive)
    return found[0] if found else None


def newest(database: Database, kind: Kind, title: str) -> tuple[Record, str] | None:
    """The last record with this kind and title, and its result; None before the first."""
    query = f"SELECT {COLUMNS}, result FROM records WHERE kind = ? AND title = ?"
    return next(iter(_select(database, query, (kind, title))), None)


def delete(database: Database, kind: Kind, id: int) -> bool:
    """Deletes a record. False for an unknown id."""
    if not 0 < id <= MAX_ID:
        return False
    with database.write() as connection:
        return connection.execute("DELETE FROM records WHERE kind = ? AND id = ?", (kind, id)).rowcount > 0


def _interrupt(database: Database, record: Record) -> None:
    """Notes that the program of a record has ended. It may have written the end of its work, or another program may have gone on
    with it, since the record was read: then nothing changes, and reading it again says so."""
    change(database, record.kind, record.id, among=(record.state,), owned_by=record.owner, state="interrupted")


def _select(database: Database, query: str, values: tuple[str | int, ...]) -> list[tuple[Record, str]]:
    with database.read() as connection:
        rows = connection.execute(f"{query} AND state != ? ORDER BY id DESC", (*values, NEW)).fetchall()
    return [(_record(*row[:7]), "".join(row[7:])) for row in rows]


def _record(kind: Kind, id: int, created_at: str, title: str, state: str, owner: int, facts: str) -> Record:
    return Record(kind, id, created_at, title, state, owner, json.loads(facts))
