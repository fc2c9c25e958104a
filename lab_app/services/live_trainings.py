"""The trainings that run in this process, by id. Not here: what they are (`lab_app.services.trainings.runs`)."""

import threading
from typing import Generic, TypeVar

T = TypeVar("T")


class LiveTrainings(Generic[T]):
    """Threads may share it.

    >>> live = LiveTrainings[str]()
    >>> live.put(1, "one"), live.put(1, "another")
    (True, False)
    >>> live.find(1), live.find(2)
    ('one', None)
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._live: dict[int, T] = {}

    def put(self, id: int, live: T) -> bool:
        """Adds one, before its row says that it runs. False if there is one of that id."""
        with self._lock:
            return self._live.setdefault(id, live) is live

    def find(self, id: int) -> T | None:
        """The training of that id if it runs here."""
        with self._lock:
            return self._live.get(id)

    def forget(self, id: int) -> None:
        """It has ended, and its row says so."""
        with self._lock:
            self._live.pop(id, None)
