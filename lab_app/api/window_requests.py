"""What later starts of the lab ask of the one that runs: to come forward, and to open files. Not here: the routes (`routes.window`)."""

import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from lab_app.errors import Conflict

MOST_FILES = 1000
"""So many may be named in one call, and may wait for the page."""


class WindowRequests:
    """Hands requests over to the window, or to the browser that is open instead of it, and keeps files until the page takes them.

    >>> seen = []
    >>> requests = WindowRequests(seen.append, [Path("/a.txt")])
    >>> requests.open_files([Path("/b.txt")])
    >>> [path.name for path in requests.take_files()], requests.take_files(), seen
    (['a.txt', 'b.txt'], [], [True])
    """

    def __init__(self, come_forward: Callable[[bool], object], files: Sequence[Path] = ()) -> None:
        """The argument of `come_forward` says whether files wait for the page. `files` wait from the start."""
        self._come_forward = come_forward
        self._files = list(files)
        self._lock = threading.Lock()

    def focus(self) -> None:
        """Brings the window forward."""
        self._come_forward(False)

    def open_files(self, files: Sequence[Path]) -> None:
        """Brings the window forward, whose page then takes the files: full paths. Raises Conflict if more than MOST_FILES would
        wait; the page then takes those that wait already."""
        with self._lock:
            waiting = len(self._files)
            fits = waiting + len(files) <= MOST_FILES
            if fits:
                self._files += files
        self._come_forward(True)
        if not fits:
            raise Conflict(
                f"{waiting} files wait for the page of the lab, which takes at most {MOST_FILES} at a time",
                "try again when it has opened them",
            )

    def take_files(self) -> list[Path]:
        """The files that wait; they wait no longer."""
        with self._lock:
            taken, self._files = self._files, []
        return taken
