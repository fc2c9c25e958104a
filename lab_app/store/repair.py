"""Finds what is wrong with a database file, and saves the rows that can still be read. Not here: who asks (`cli.doctor`).

SQLite stops reading a table at its first damaged page. So each table is read from both ends, and only the rows between
the first and the last damaged page are lost.
"""

import shutil
import sqlite3
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from lab_app.private import private_file
from lab_app.store.migrations import STEPS, migrate, version_of

MAX_FAULTS = 5
DIGESTS = "digests"
"""A table that only saves time: files are read again without it."""


@dataclass(frozen=True)
class Repaired:
    """What a repair has done: where the damaged file is, the rows kept by table, the tables that lost some."""

    copy: Path
    kept: dict[str, int]
    incomplete: list[str]


def faults(path: Path) -> list[str]:
    """What SQLite finds wrong in the file, at most `MAX_FAULTS` lines; none if there is no file. Raises OSError."""
    if not path.exists():
        return []
    try:
        with closing(sqlite3.connect(path)) as connection:
            rows = connection.execute(f"PRAGMA quick_check({MAX_FAULTS})").fetchall()
    except sqlite3.DatabaseError as error:
        return [str(error)]
    return [row[0] for row in rows if row[0] != "ok"]


def repair(path: Path) -> Repaired:
    """Copies the file, then replaces it with a new one that holds all rows that can be read.

    No other program may have the database open. Raises OSError; the file is then as it was.
    """
    copy = path.with_name(f"{path.name}.damaged-{datetime.now():%Y%m%d-%H%M%S}")
    for end in ("", "-wal"):
        with suppress(FileNotFoundError):
            shutil.copy2(f"{path}{end}", f"{copy}{end}")
    new = path.with_name(f"{path.name}.repaired")
    _remove(new)
    private_file(new)
    try:
        with closing(sqlite3.connect(path)) as old, closing(sqlite3.connect(new, isolation_level=None)) as connection:
            version = _version(old)
            migrate(connection, version)
            connection.execute("PRAGMA foreign_keys = ON")
            found = {table: _copy_rows(old, connection, table) for table in _tables(connection)}
            _copy_highest_ids(old, connection)
            migrate(connection)
    except BaseException:
        _remove(new)
        raise
    _remove(path)  # its log, too: it would be applied to the new file
    new.replace(path)
    kept = {table: rows for table, (rows, _) in found.items() if rows}
    return Repaired(copy, kept, [table for table, (_, whole) in found.items() if not whole])


def _remove(path: Path) -> None:
    """Deletes a database and the files that SQLite puts beside it."""
    for end in ("-wal", "-shm", "-journal", ""):
        Path(f"{path}{end}").unlink(missing_ok=True)


def _version(old: sqlite3.Connection) -> int:
    """How many steps the damaged file has had; all, if that cannot be read."""
    with suppress(sqlite3.DatabaseError):
        version = version_of(old)
        if 0 < version <= len(STEPS):
            return version
    return len(STEPS)


def _tables(connection: sqlite3.Connection) -> list[str]:
    """The tables, those that others refer to first."""
    select = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY rowid"
    return [row[0] for row in connection.execute(select) if row[0] != DIGESTS]


def _copy_rows(old: sqlite3.Connection, new: sqlite3.Connection, table: str) -> tuple[int, bool]:
    """Copies the rows of a table that can be read. Returns their number, and whether the table was read to its end."""
    about = new.execute(f"PRAGMA table_info({table})").fetchall()
    columns = ", ".join(row[1] for row in about)
    keys = [row[1] for row in sorted(about, key=lambda row: row[5]) if row[5]]  # in the order of the primary key
    insert = f"INSERT OR IGNORE INTO {table} ({columns}) VALUES ({', '.join('?' * (columns.count(',') + 1))})"
    whole = True
    for order in ("ASC", "DESC"):
        try:
            by = ", ".join(f"{key} {order}" for key in (keys if _lacks_row_numbers(new, table) else ["rowid"]))
            for row in old.execute(f"SELECT {columns} FROM {table} ORDER BY {by}"):
                with suppress(sqlite3.IntegrityError):  # it refers to a row that is lost
                    new.execute(insert, row)
        except (sqlite3.DatabaseError, UnicodeDecodeError):
            whole = False
        if whole:
            break
    return int(new.execute(f"SELECT count(*) FROM {table}").fetchone()[0]), whole


def _lacks_row_numbers(connection: sqlite3.Connection, table: str) -> bool:
    (definition,) = connection.execute("SELECT sql FROM sqlite_master WHERE name = ?", (table,)).fetchone()
    return "WITHOUT ROWID" in str(definition).upper()


def _copy_highest_ids(old: sqlite3.Connection, new: sqlite3.Connection) -> None:
    """No id is given twice, also not one whose row was deleted: links and labels would belong to another result."""
    with suppress(sqlite3.DatabaseError):
        for table, highest in old.execute("SELECT name, seq FROM sqlite_sequence").fetchall():
            new.execute("UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?", (highest, table))
            if not new.execute("SELECT 1 FROM sqlite_sequence WHERE name = ?", (table,)).fetchone():
                new.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", (table, highest))
