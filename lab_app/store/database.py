"""The database file and the one way to open it.

A connection is made per use (0.1 ms) and closed after it, so threads and processes share nothing but the file: write-ahead
logging lets readers read while one writes, and a writer waits up to five seconds for another.
Not here: what the tables hold (`migrations`, `tokenizers`, `summaries`, `preferences`).
"""

import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import quote

from lab_app import paths
from lab_app.errors import NO_ROOM, DiskFull, StoreFailed, reason
from lab_app.private import private_file, private_folder
from lab_app.store.migrations import is_current, migrate, refuse_newer

BUSY_TIMEOUT_S = 5.0
MAX_ID = 2**63 - 1
"""The largest number that SQLite stores."""
COARSE_S = 0.05
NO_ROOM_FOR_INDEX = {sqlite3.SQLITE_IOERR_SHMSIZE, sqlite3.SQLITE_IOERR_SHMMAP, sqlite3.SQLITE_IOERR_SHMOPEN}
"""SQLite's errors where the disk has no room for the index of its log, which it makes for readers too."""
DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}


class Database:
    """One SQLite file, made with its folder when first used.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     database = Database(Path(folder) / "lab.sqlite3")
    ...     with database.write() as connection:
    ...         _ = connection.execute("INSERT INTO preferences VALUES (1, '{}')")
    ...     with database.read() as connection:
    ...         connection.execute("SELECT value FROM preferences").fetchone()
    ('{}',)
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        # What holds the data: the file, and the log of the last writes.
        self._files = (path, Path(f"{path}-wal"))
        self._migrated = False
        self._lock = threading.Lock()

    @contextmanager
    def read(self) -> Iterator[sqlite3.Connection]:
        """A connection to read with. A folder that cannot be written is no obstacle. Raises StoreFailed."""
        with self._explained("read"), closing(self._connect(or_read_only=True)) as connection:
            yield connection

    def state(self) -> tuple[object, ...] | None:
        """What every write changes, found without opening the file (0.01 ms). None if that cannot be said just now.

        The times of files are a few milliseconds coarse, so the state of a file written within `COARSE_S` is unknown.
        """
        found = tuple(map(_written, self._files))
        latest = max((time_ns for _, _, time_ns in found), default=0)
        return found if latest < time.time_ns() - COARSE_S * 1e9 else None

    @contextmanager
    def write(self) -> Iterator[sqlite3.Connection]:
        """A connection inside a transaction that no other writer can enter: committed at the end, undone on any error.

        Raises StoreFailed.
        """
        with self._explained("written"), closing(self._connect()) as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:  # SQLite itself ends it when the disk is full
                    connection.execute("ROLLBACK")
                raise

    @contextmanager
    def _explained(self, done: str) -> Iterator[None]:
        """Converts errors of SQLite and of the system to StoreFailed. An IntegrityError, about one row, passes through."""
        try:
            yield
        except sqlite3.IntegrityError:
            raise
        except sqlite3.Error as error:
            raise failure(self.path, done, error) from error

    def _connect(self, *, or_read_only: bool = False) -> sqlite3.Connection:
        """A connection to an up-to-date database. Raises StoreFailed."""
        try:
            return self._connect_to_write()
        except (OSError, sqlite3.Error) as error:
            connection = self._read_only() if or_read_only and _code(error) not in DAMAGED else None
            if connection is None:
                raise failure(self.path, "opened", error) from error
            return connection

    def _read_only(self) -> sqlite3.Connection | None:
        """A connection to a file that cannot be written; None if there is none, or if its version is not today's.

        `immutable` reads no log, so it is asked for only where there is none.
        """
        log = self._files[1]
        options = "mode=ro" if _written(log)[1] else "mode=ro&immutable=1"
        try:
            connection = sqlite3.connect(f"file:{quote(str(self.path))}?{options}", uri=True, isolation_level=None)
        except sqlite3.Error:
            return None
        try:
            if is_current(connection):
                return connection
        except sqlite3.Error:
            pass
        connection.close()
        return None

    def _connect_to_write(self) -> sqlite3.Connection:
        if not self._migrated:
            private_folder(self.path.parent, paths.OWN_NAMES)
            private_file(self.path)  # SQLite gives the files beside it the same mode
        connection = self._opened()
        try:
            connection.execute("PRAGMA foreign_keys = ON")
            connection.execute("PRAGMA synchronous = NORMAL")
            with self._lock:
                if self._migrated:
                    refuse_newer(connection)  # a newer lab may have been started since
                else:
                    _set_write_ahead_log(connection)
                    migrate(connection)
                    self._migrated = True
        except BaseException:
            connection.close()
            raise
        return connection

    def _opened(self) -> sqlite3.Connection:
        """A connection that can read. On a full disk it has the file for itself: the index of the log is then in memory.

        Source: sqlite.org/wal.html, "Use of WAL Without Shared-Memory".
        """
        # isolation_level None: transactions are those written here, Python begins none of its own
        connection = sqlite3.connect(self.path, timeout=BUSY_TIMEOUT_S, isolation_level=None)
        try:
            connection.execute("PRAGMA user_version").fetchone()
        except sqlite3.OperationalError as error:
            connection.close()
            if error.sqlite_errorcode not in NO_ROOM_FOR_INDEX:
                raise
            connection = sqlite3.connect(self.path, timeout=BUSY_TIMEOUT_S, isolation_level=None)
            connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        except BaseException:
            connection.close()
            raise
        return connection


def failure(path: Path, done: str, error: OSError | sqlite3.Error) -> StoreFailed:
    """What `error` means for the database at `path`, which could not be `done`, and what to do."""
    code = _code(error)
    said = reason(error) if isinstance(error, OSError) else str(error)
    message = f"the database {path} cannot be {done}: {said}"
    if code in DAMAGED:
        return StoreFailed(
            f"the database {path} is damaged: {said}",
            "close the lab, then repair the file (docs/reference/cli.md, doctor), or move it away to start anew",
            on_terminal="`tokenlab doctor --repair` copies the file, then keeps what can be read",
        )
    if path.is_dir():
        return StoreFailed(message, "move away the folder that is there, or set TOKENLAB_DATA_DIR to another folder")
    if code == sqlite3.SQLITE_BUSY:
        return StoreFailed(message, "try again: another program is writing to it")
    if code == sqlite3.SQLITE_FULL or (isinstance(error, OSError) and error.errno in NO_ROOM):
        return DiskFull(message, "free some space")
    return StoreFailed(message, "check that its folder can be written, or set TOKENLAB_DATA_DIR to another folder")


def _code(error: BaseException) -> int | None:
    """SQLite's primary code of an error, without what its extended codes add."""
    code = getattr(error, "sqlite_errorcode", None)
    return None if code is None else code & 0xFF


def _written(file: Path) -> tuple[int, int, int]:
    """Identity, size and time of the last change of a file; zeros if it does not exist."""
    try:
        found = file.stat()
    except OSError:
        return 0, 0, 0
    return found.st_ino, found.st_size, found.st_mtime_ns


def _set_write_ahead_log(connection: sqlite3.Connection) -> None:
    """Turns on the write-ahead log, which stays on in the file.

    SQLite refuses the change at once, without its busy timeout, while another connection has the new file open (two
    programs started together): so it is asked again here until that time is over.
    """
    until = time.monotonic() + BUSY_TIMEOUT_S
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
            time.sleep(0.005)
