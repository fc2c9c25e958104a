"""One window per data folder: the first start holds a lock, a later one asks it to come forward and ends.

The lock is the system's, on an open file, so it goes with its process however that ends. Beside it stands, readable for
this user alone, where the first start can be reached: port and secret.
"""

import json
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING

from lab_app import paths
from lab_app.desktop.calling import call
from lab_app.errors import Unavailable
from lab_app.locks import try_lock
from lab_app.private import private_folder, write_private

if TYPE_CHECKING:
    from urllib.error import HTTPError

ANSWER_TIMEOUT_S = 20.0


class Unwritable(Unavailable):
    """There can be no lock, since its folder cannot be written."""


@dataclass(frozen=True)
class Running:
    """How the first start is reached, and the number of its process."""

    address: str
    token: str
    pid: int = 0
    """0: not said, as by earlier versions."""


class Instance:
    """The lock of one data folder.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     first, second = Instance(Path(folder) / "lock"), Instance(Path(folder) / "lock")
    ...     first.acquire(), second.acquire(), first.release(), second.acquire(), second.release()
    (True, False, None, True, None)
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._card = path.with_suffix(".json")
        self._file: IO[bytes] | None = None

    def acquire(self) -> bool:
        """Takes the lock; False where another process has it. Raises Unwritable."""
        try:
            private_folder(self._path.parent, paths.OWN_NAMES)
            file = self._path.open("ab")
        except OSError as error:
            raise Unwritable(
                f"{self._path} cannot be written: {error.strerror}", "set TOKENLAB_DATA_DIR to a writable folder"
            ) from error
        if not try_lock(file):
            file.close()
            return False
        self._file = file
        self._card.unlink(missing_ok=True)  # of a process that was killed
        return True

    def announce(self, running: Running) -> None:
        """Says where this process is reached, to this user alone; nothing without the lock."""
        if self._file is not None:
            write_private(self._card, json.dumps(asdict(running)))

    def release(self) -> None:
        """Gives the lock back."""
        if self._file is not None:
            self._card.unlink(missing_ok=True)
            self._file.close()
            self._file = None

    def acquire_or_call(self, files: Sequence[Path] = ()) -> Running | None:
        """Takes the lock, which returns None, or asks the process that has it to come forward and to open `files`, and returns
        where that is.

        Waits for one that is starting; takes over from one that is closing. Raises Unwritable, or
        Unavailable if the other process does not answer or refuses.
        """
        deadline = time.monotonic() + ANSWER_TIMEOUT_S
        running = None
        while not self.acquire():
            try:
                running = Running(**json.loads(self._card.read_text("utf-8")))
                _post(running, files)
                return running
            except (OSError, ValueError, TypeError) as error:
                if time.monotonic() > deadline:
                    raise _silent(running) from error
                time.sleep(0.05)
        return None


def _silent(running: Running | None) -> Unavailable:
    """Says that the first process does not answer: which one, and where, if it has said so."""
    where = (
        "" if running is None or not running.pid else f" (process {running.pid}, {running.address.partition('?')[0]})"
    )
    return Unavailable(
        f"the lab is already open{where} but does not answer", "close it, or end its process, and start again"
    )


def _post(running: Running, files: Sequence[Path]) -> None:
    import urllib.error

    path, body = ("window/files", {"paths": [str(file) for file in files]}) if files else ("window", None)
    try:
        call(running.address, running.token, "POST", path, ANSWER_TIMEOUT_S, body)
    except urllib.error.HTTPError as error:
        if error.code >= 500:  # it is closing
            raise
        if error.code != 404:
            raise _refusal(error) from error
        if files:
            raise Unavailable(
                "the lab that is already open is of a version that opens no files", "close it, and start again"
            ) from error
        # It runs without a window: then its address is what helps.


def _refusal(error: "HTTPError") -> Unavailable:
    """What the first process answered, in its own words."""
    try:
        said = json.loads(error.read())["error"]
        return Unavailable(said["message"], said["hint"])
    except (OSError, ValueError, KeyError, TypeError):
        return Unavailable(f"the lab that is open refused with status {error.code}", "close it, and start again")
