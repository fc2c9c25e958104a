"""The texts that pages are editing, by id: a bounded number in a bounded amount of memory.

Not here: what a document answers (`documents`).
"""

import secrets
import threading
from collections import OrderedDict
from typing import Generic, Protocol, TypeVar

from lab_app.errors import Gone


class Sized(Protocol):
    """Anything that knows how much memory it holds."""

    @property
    def size_bytes(self) -> int:
        """Bytes held, roughly."""


Document = TypeVar("Document", bound=Sized)


class OpenDocuments(Generic[Document]):
    """At most `limit` documents of `max_bytes` together; the one unused for longest goes first, the newest stays.

    >>> from types import SimpleNamespace
    >>> open = OpenDocuments[SimpleNamespace](limit=1, max_bytes=10)
    >>> first, second = (open.add(SimpleNamespace(size_bytes=size)) for size in (3, 30))
    >>> open.get(second).size_bytes
    30
    >>> open.get(first)
    Traceback (most recent call last):
        ...
    lab_app.errors.Gone: the document is closed: open it again
    """

    def __init__(self, limit: int, max_bytes: float) -> None:
        self._limit = limit
        self._max_bytes = max_bytes
        self._lock = threading.Lock()
        self._open: OrderedDict[str, Document] = OrderedDict()

    def add(self, document: Document) -> str:
        """The id of a document that is open from now on."""
        id = secrets.token_urlsafe(12)
        with self._lock:
            self._open[id] = document
            self._make_room()
        return id

    def get(self, id: str) -> Document:
        """The document. Raises Gone for one that was closed, that others took the place of, or that never was."""
        with self._lock:
            found = self._open.get(id)
            if found is None:
                raise Gone("the document is closed", "open it again")
            self._open.move_to_end(id)
            self._make_room()
        return found

    def close(self, id: str) -> None:
        """Frees a document, if it is open."""
        with self._lock:
            self._open.pop(id, None)

    def _make_room(self) -> None:
        held = sum(document.size_bytes for document in self._open.values())
        while len(self._open) > 1 and (len(self._open) > self._limit or held > self._max_bytes):
            _, oldest = self._open.popitem(last=False)
            held -= oldest.size_bytes
