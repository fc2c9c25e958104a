"""Which programs that use a data folder still run.

Each program has a random number and holds the lock of a file of that name. The system releases it when the program ends,
however it ends. Numbers of processes would not do: two containers on one volume may have the same. Nor would times: clocks
jump.
"""

import os
import secrets
import threading
from pathlib import Path
from typing import IO

from lab_app.errors import StoreFailed, reason
from lab_app.locks import try_lock
from lab_app.private import private_folder


class Owners:
    """The programs of one data folder; `folder` has a file of each.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     one, other = Owners(Path(folder)), Owners(Path(folder))
    ...     before = other.is_alive(one.hold())
    ...     one.end()
    ...     before, other.is_alive(one.mine)
    (True, False)
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._file: IO[bytes] | None = None
        self.mine = secrets.randbits(62)
        """The number of this program."""

    def hold(self) -> int:
        """Makes this program known as running, and returns its number. Raises StoreFailed."""
        with self._lock:
            if self._file is None:
                self._file = self._held()
        return self.mine

    def is_alive(self, owner: int) -> bool:
        """Whether the program of that number runs."""
        path = self._folder / str(owner)
        try:
            with path.open("rb+") as file:
                if not try_lock(file):
                    return True
        except OSError:
            return False
        path.unlink(missing_ok=True)
        return False

    def end(self) -> None:
        """Makes this program known as ended."""
        with self._lock:
            if self._file is not None:
                self._file.close()
                self._file = None

    def _held(self) -> IO[bytes]:
        path = self._folder / str(self.mine)
        try:
            private_folder(self._folder)
            file = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), "rb+")
        except OSError as error:
            raise StoreFailed(
                f"{path} cannot be made: {reason(error)}", "check the permissions and the free space"
            ) from error
        if try_lock(file):
            return file
        file.close()
        raise StoreFailed(f"{path} cannot be locked", "set TOKENLAB_DATA_DIR to a folder of a file system with locks")
