"""The corpora that were added, and the digests of their files. Built-in ones have no row (`lab_app.corpora.builtin`)."""

import json
import sqlite3
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any

from lab_app.corpora.corpus import Corpus, CorpusFile
from lab_app.corpora.report import ReadReport, Skipped


@dataclass(frozen=True)
class StoredCorpus:
    """A corpus, and the report of reading it when it was added."""

    corpus: Corpus
    report: ReadReport


def rows(connection: sqlite3.Connection) -> list[StoredCorpus]:
    """All of them, oldest first."""
    return [_stored(*row) for row in connection.execute("SELECT corpus, report FROM corpora ORDER BY position")]


def row(connection: sqlite3.Connection, id: str) -> StoredCorpus | None:
    """The corpus of that id, whatever its capitals, or None."""
    found = connection.execute("SELECT corpus, report FROM corpora WHERE id = ?", (id,)).fetchone()
    return _stored(*found) if found else None


def insert(connection: sqlite3.Connection, corpus: Corpus, report: ReadReport) -> bool:
    """Adds a corpus; returns False, and changes nothing, if the id is taken."""
    now = datetime.now(UTC).isoformat("T", "seconds")
    values = (corpus.id, json.dumps(asdict(corpus)), json.dumps(asdict(report)), now)
    done = connection.execute(
        "INSERT INTO corpora (id, corpus, report, added_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING", values
    )
    return done.rowcount == 1


def delete(connection: sqlite3.Connection, id: str) -> None:
    """Removes a corpus, if there is one."""
    connection.execute("DELETE FROM corpora WHERE id = ?", (id,))


def digest(connection: sqlite3.Connection, path: str, size_bytes: int, modified_ns: int) -> str | None:
    """The sha256 of a file that was read before with this size and time, or None."""
    found = connection.execute(
        "SELECT sha256 FROM digests WHERE path = ? AND size_bytes = ? AND modified_ns = ?",
        (path, size_bytes, modified_ns),
    ).fetchone()
    return str(found[0]) if found else None


def keep_digests(connection: sqlite3.Connection, files: Iterable[CorpusFile]) -> None:
    """Remembers the digests of files, in place of earlier ones of the same paths."""
    connection.executemany(
        "INSERT OR REPLACE INTO digests (path, size_bytes, modified_ns, sha256) VALUES (?, ?, ?, ?)",
        [(file.path, file.size_bytes, file.modified_ns, file.sha256) for file in files],
    )


def _stored(corpus: str, report: str) -> StoredCorpus:
    described, read = json.loads(corpus), json.loads(report)
    lists: dict[str, Any] = {name: tuple(described[name]) for name in ("languages", "scripts", "cleaning")}
    files = tuple(CorpusFile(**file) for file in described["files"])
    places = [Skipped(**place) for place in read["places"]]
    # An early row has the size of the text in its report alone.
    counted = {"text_bytes": read["bytes"], **described, **lists, "files": files}
    return StoredCorpus(Corpus(**counted), ReadReport(**{**read, "places": places}))
