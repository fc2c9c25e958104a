"""The process of the window, from the lab's side: starts it, tells it what to do, hears what became of it.

Not here: the window itself (`window`), what to do without one (`shell`).
"""

import contextlib
import json
import os
import queue
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING

from lab_app import children
from lab_app.desktop.window_check import telling_line, window_environment

if TYPE_CHECKING:
    from lab_app.desktop.window import Opening

OPEN_TIMEOUT_S = 30.0
CLOSE_TIMEOUT_S = 10.0
WINDOW = "lab_app.desktop.window:main"
"""By its name: what it imports is not needed here, and its process is started before anything else."""


class WindowProcess:
    """A window that is being opened or open. Its process starts at once and imports what it needs."""

    def __init__(self) -> None:
        self._process = children.start(
            WINDOW, minds_stdin=True, stderr=subprocess.PIPE, environment=window_environment()
        )
        assert self._process.stdin is not None
        self._orders = self._process.stdin
        self._failure: str | None = None
        self._answered = threading.Event()
        """Set when the window is open, or when it is known that it cannot be."""
        self._opened = False
        self._is_shown = False
        """Whether it was said what to show."""
        self._stderr: list[str] = []
        self._asked_to_close: queue.SimpleQueue[None] = queue.SimpleQueue()  # a signal may put into it at any time
        threading.Thread(target=self._end_when_asked, name="window's end", daemon=True).start()
        self._readers = [
            threading.Thread(target=target, name=name, daemon=True)
            for target, name in ((self._read_reports, "window"), (self._read_stderr, "window's stderr"))
        ]
        for reader in self._readers:
            reader.start()

    def show(self, opening: "Opening") -> None:
        """Says what to show."""
        self._is_shown = True
        self._order(vars(opening))

    def focus(self) -> None:
        """Brings the window forward."""
        self._order("focus")

    def open_files(self) -> None:
        """Brings the window forward, and has its page take the files that wait."""
        self._order("open files")

    def close(self) -> None:
        """Closes the window, now or as soon as it is open. A process that does not end then is killed."""
        self._order("close")
        self._asked_to_close.put(None)

    def server_ended(self) -> None:
        """Makes the window say that nobody answers its page any more."""
        self._order("server ended")

    def problem(self) -> str | None:
        """Waits until the window is open, which returns None, or cannot be, which returns the reason."""
        deadline = time.monotonic() + OPEN_TIMEOUT_S
        while not self._answered.wait(0.5):  # on Windows no signal would end a wait without a limit
            if time.monotonic() > deadline:
                self.end()
                return f"it did not open within {OPEN_TIMEOUT_S:g} s"
        if self._opened:
            return None
        self.end()
        return self._failure or telling_line("".join(self._stderr))

    def wait(self) -> int:
        """Waits until the window has been closed; the exit status of its process, 0 if nothing went wrong."""
        # A wait with a limit looks twenty times a second, all the while the window is open. Only Windows needs the limit.
        limit = 0.5 if sys.platform == "win32" else None
        while True:
            with contextlib.suppress(subprocess.TimeoutExpired):
                return self._process.wait(limit)

    def end(self) -> None:
        """Ends the process: it has a while to close its window, if it has one, then it is killed."""
        with contextlib.suppress(OSError):
            self._orders.close()
        if self._is_shown:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(CLOSE_TIMEOUT_S)
        children.end(self._process)

    def _end_when_asked(self) -> None:
        self._asked_to_close.get()
        try:
            self._process.wait(CLOSE_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            self._process.kill()

    def _order(self, order: object) -> None:
        # Written at once and without a lock: a signal may call this in the midst of another call.
        with contextlib.suppress(OSError, ValueError):  # it has ended: `wait` tells
            os.write(self._orders.fileno(), json.dumps(order).encode() + b"\n")

    def _read_reports(self) -> None:
        with contextlib.suppress(ValueError):  # closed by `end`
            for line in self._process.stdout or ():
                match json.loads(line):
                    case ["opened"]:
                        self._opened = True
                        self._answered.set()
                    case ["failed", reason]:
                        self._failure = reason
        self._readers[1].join(1)  # what Qt wrote last
        self._answered.set()

    def _read_stderr(self) -> None:
        """Keeps what is written until the window is open: it is the reason if it does not. Then passes it on."""
        with contextlib.suppress(ValueError, OSError):
            for line in self._process.stderr or ():
                self._stderr.append(line.decode("utf-8", "replace"))
                if self._opened:
                    sys.stderr.write("".join(self._stderr))
                    sys.stderr.flush()
                    self._stderr.clear()
