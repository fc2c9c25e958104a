"""The steps from an empty database to today's, in order. A step that was released is never edited: add one.

SQLite's `user_version` counts the steps a file has had. Not here: opening the file (`database`).
"""

import sqlite3

from lab_app.errors import StoreFailed

STEPS: tuple[str, ...] = (
    """
    CREATE TABLE tokenizers (
        position INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE COLLATE NOCASE,
        source TEXT NOT NULL CHECK (source IN ('downloaded', 'added')),
        origin TEXT,
        folder TEXT NOT NULL,
        files TEXT NOT NULL,
        pattern TEXT,
        special_tokens TEXT,
        added_at TEXT NOT NULL
    );
    CREATE TABLE cards (
        id TEXT PRIMARY KEY COLLATE NOCASE,
        version TEXT NOT NULL,
        card TEXT NOT NULL
    );
    CREATE TABLE preferences (
        only INTEGER PRIMARY KEY CHECK (only = 1),
        value TEXT NOT NULL
    );
    """,
    # SQLite cannot drop a CHECK: which sources there are is the catalog's to say.
    """
    CREATE TABLE tokenizers_2 (
        position INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE COLLATE NOCASE,
        source TEXT NOT NULL,
        origin TEXT,
        folder TEXT NOT NULL,
        files TEXT NOT NULL,
        pattern TEXT,
        special_tokens TEXT,
        added_at TEXT NOT NULL,
        repository TEXT,
        revision TEXT,
        licence TEXT,
        gated INTEGER NOT NULL DEFAULT 0
    );
    INSERT INTO tokenizers_2 (position, id, source, origin, folder, files, pattern, special_tokens, added_at)
        SELECT position, id, source, origin, folder, files, pattern, special_tokens, added_at FROM tokenizers;
    DROP TABLE tokenizers;
    ALTER TABLE tokenizers_2 RENAME TO tokenizers
    """,
    """
    CREATE TABLE reports (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL,
        saved_at TEXT NOT NULL,
        options TEXT NOT NULL,
        text TEXT NOT NULL
    );
    CREATE TABLE report_results (
        report INTEGER NOT NULL REFERENCES reports (id) ON DELETE CASCADE,
        position INTEGER NOT NULL,
        tokenizer TEXT NOT NULL,
        sha256 TEXT,
        count INTEGER NOT NULL,
        ids BLOB NOT NULL,
        PRIMARY KEY (report, position)
    )
    """,
    """
    ALTER TABLE reports RENAME TO sessions;
    ALTER TABLE report_results RENAME TO session_results;
    ALTER TABLE session_results RENAME COLUMN report TO session
    """,
    """
    ALTER TABLE cards RENAME TO summaries;
    ALTER TABLE summaries RENAME COLUMN card TO summary
    """,
    """
    CREATE TABLE analyses (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        made_at TEXT NOT NULL,
        title TEXT NOT NULL,
        corpus TEXT NOT NULL,
        corpus_sha256 TEXT NOT NULL,
        tokenizers TEXT NOT NULL,
        options TEXT NOT NULL,
        facts TEXT NOT NULL,
        result TEXT NOT NULL,
        counts TEXT NOT NULL
    )
    """,
    """
    CREATE TABLE corpora (
        position INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE COLLATE NOCASE,
        corpus TEXT NOT NULL,
        report TEXT NOT NULL,
        added_at TEXT NOT NULL
    );
    CREATE TABLE digests (
        path TEXT PRIMARY KEY,
        size_bytes INTEGER NOT NULL,
        modified_ns INTEGER NOT NULL,
        sha256 TEXT NOT NULL
    ) WITHOUT ROWID
    """,
    """
    CREATE TABLE benchmarks (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        created_at TEXT NOT NULL,
        seen_at REAL NOT NULL,
        title TEXT NOT NULL,
        state TEXT NOT NULL,
        facts TEXT NOT NULL,
        result TEXT NOT NULL
    )
    """,
    """
    CREATE TABLE costs (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        created_at TEXT NOT NULL,
        kind TEXT NOT NULL,
        title TEXT NOT NULL,
        facts TEXT NOT NULL,
        report TEXT NOT NULL
    )
    """,
    """
    CREATE TABLE trainings (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        created_at TEXT NOT NULL,
        seen_at REAL NOT NULL,
        owner INTEGER NOT NULL,
        state TEXT NOT NULL,
        record TEXT NOT NULL
    )
    """,
    "ALTER TABLE tokenizers ADD COLUMN name TEXT",
    # Of trainings and benchmarks `seen_at` is no longer used: their owner says whether they run.
    """
    CREATE TABLE jobs (
        id TEXT NOT NULL,
        owner INTEGER NOT NULL,
        kind TEXT NOT NULL,
        title TEXT NOT NULL,
        unit TEXT NOT NULL,
        started_at TEXT NOT NULL,
        PRIMARY KEY (id, owner)
    );
    ALTER TABLE benchmarks ADD COLUMN owner INTEGER NOT NULL DEFAULT 0
    """,
    """
    ALTER TABLE costs RENAME TO records;
    ALTER TABLE records RENAME COLUMN report TO result
    """,
    """
    CREATE TABLE labels (
        kind TEXT NOT NULL,
        result INTEGER NOT NULL,
        name TEXT NOT NULL,
        note TEXT NOT NULL,
        PRIMARY KEY (kind, result)
    ) WITHOUT ROWID
    """,
    # All that long work leaves, in one table (`records`). Jobs that an earlier version noted cannot be started again: they go.
    """
    ALTER TABLE records RENAME TO costs;
    CREATE TABLE records (
        kind TEXT NOT NULL,
        id INTEGER NOT NULL,
        created_at TEXT NOT NULL,
        title TEXT NOT NULL,
        state TEXT NOT NULL,
        owner INTEGER NOT NULL,
        facts TEXT NOT NULL,
        result TEXT NOT NULL,
        PRIMARY KEY (kind, id)
    );
    CREATE TABLE last_ids (
        kind TEXT PRIMARY KEY,
        id INTEGER NOT NULL
    ) WITHOUT ROWID;
    INSERT INTO last_ids SELECT 'analysis', seq FROM sqlite_sequence WHERE name = 'analyses';
    INSERT INTO last_ids SELECT 'benchmark', seq FROM sqlite_sequence WHERE name = 'benchmarks';
    INSERT INTO last_ids SELECT 'training', seq FROM sqlite_sequence WHERE name = 'trainings';
    INSERT INTO last_ids SELECT 'cost', seq FROM sqlite_sequence WHERE name = 'costs';
    INSERT INTO records SELECT 'analysis', id, made_at, title, 'done', 0, json_object(
        'corpus', corpus, 'corpus_sha256', corpus_sha256, 'tokenizers', json(tokenizers), 'options', json(options),
        'figures', json(facts), 'counts', counts), result FROM analyses;
    INSERT INTO records SELECT 'benchmark', id, created_at, title, state, owner, facts, result FROM benchmarks;
    INSERT INTO records SELECT 'training', id, created_at, json_extract(record, '$.name'), state, owner, record, ''
        FROM trainings WHERE json_extract(record, '$.name') IS NOT NULL;
    INSERT INTO records SELECT 'cost', id, created_at, title, 'done', 0, json_set(facts, '$.part', kind), result
        FROM costs WHERE kind != 'conformance';
    INSERT INTO records SELECT kind, id, created_at, title, 'done', 0, facts, result FROM costs WHERE kind = 'conformance';
    DROP TABLE analyses;
    DROP TABLE benchmarks;
    DROP TABLE trainings;
    DROP TABLE costs;
    DROP TABLE jobs
    """,
)


def migrate(connection: sqlite3.Connection, last: int = len(STEPS)) -> None:
    """Brings the database up to date, or to the version `last`: all steps or none.

    Raises StoreFailed where a newer version of the lab has written it.
    """
    if version_of(connection) == last:
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        # Read again under the lock: another process may have been quicker.
        version = refuse_newer(connection)
        for step in STEPS[version:last]:
            for statement in step.split(";"):
                connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {last}")
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise


def refuse_newer(connection: sqlite3.Connection) -> int:
    """How many steps the database has had. Raises StoreFailed for more than this lab knows."""
    version = version_of(connection)
    if version > len(STEPS):
        raise StoreFailed(
            f"the database is of version {version}, this lab knows up to {len(STEPS)}",
            "update the lab, and close this one: a newer version wrote it; or set TOKENLAB_DATA_DIR to another folder",
        )
    return version


def is_current(connection: sqlite3.Connection) -> bool:
    """Whether the database has had every step, so that it can be read without being written."""
    return version_of(connection) == len(STEPS)


def version_of(connection: sqlite3.Connection) -> int:
    """How many steps the database has had."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])
