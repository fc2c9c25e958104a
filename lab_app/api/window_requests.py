"""What later starts of the lab ask of the one that runs: to come forward, and to open files. Not here: the routes (`routes.window`)."""

import threading
from collections.abc import Callable, Sequence
from pathlib import Path


class WindowRequests:
    """Hands requests over to the window, or to the browser that is open instead of it, and keeps files until the page takes them.

    >>> seen = []
    >>> requests = WindowRequests(seen.append, [Path("/a.txt")])
    >>> requests.open_files([Path("/b.txt")])
    >>> [path.name for path in requests.take_files()], requests.take_files(), seen
    (['a.txt', 'b.txt'], [], [True])
    """

    def __init__(self, come_forward: Callable[[bool], object], files: Sequence[Path] = ()) -> None:
        """`come_forward` is told whether files wait. `files` wait from the start."""
        self._come_forward = come_forward
        self._files = list(files)
        self._lock = threading.Lock()

    def focus(self) -> None:
        """Brings the window forward."""
        self._come_forward(False)

    def open_files(self, files: Sequence[Path]) -> None:
        """Brings the window forward, whose page then takes the files: full paths."""
        with self._lock:
            self._files += files
        self._come_forward(True)

    def take_files(self) -> list[Path]:
        """The files that wait; they wait no longer."""
        with self._lock:
            taken, self._files = self._files, []
        return taken
