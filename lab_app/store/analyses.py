"""The counts of kept analyses, each a Parquet file beside the database, which its record names.

The file is written in a temporary folder, which is locked; it gets its place and the record that names it in one transaction, which
no other writer can enter. So a file that no record names inside of a transaction is what a killed run left, whatever the clock
says: the next `save` removes it. Not here: what the file holds (`token_counts`), the record itself (`records`).
"""

import contextlib
import secrets
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

from lab_app.files import temporary_folder
from lab_app.private import private_folder
from lab_app.store import records
from lab_app.store.database import Database

COUNTS = "counts"
"""The fact that names the file."""


def save(
    database: Database,
    folder: Path,
    title: str,
    facts: dict[str, Any],
    result: str,
    write_counts: Callable[[Path], None],
) -> int:
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
                return records.insert(connection, "analysis", title, facts | {COUNTS: path.name}, result)
    except BaseException:
        path.unlink(missing_ok=True)
        raise


def _remove_unnamed(connection: sqlite3.Connection, folder: Path) -> None:
    """Deletes the files of counts that no record names. `connection` is in a transaction."""
    query = f"SELECT json_extract(facts, '$.{COUNTS}') FROM records WHERE kind = 'analysis'"
    known = {name for (name,) in connection.execute(query)}
    for path in folder.glob("*.parquet"):
        if path.name not in known:
            with contextlib.suppress(OSError):  # another program may have removed it meanwhile
                path.unlink()
