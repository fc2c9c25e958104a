"""The texts that pages are editing, by id: a bounded number in a bounded amount of memory.

Not here: what a document answers (`lab_app.services.text.documents`).
"""

import secrets
from typing import Generic, Protocol, TypeVar

from lab_app.errors import DocumentClosed
from lab_app.library.cache import Cache


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
    lab_app.errors.DocumentClosed: the document is closed: open it again
    """

    def __init__(self, limit: int, max_bytes: float) -> None:
        self._open = Cache[str, Document](limit, max_size=max_bytes, size=lambda document: document.size_bytes)

    def add(self, document: Document) -> str:
        """Opens a document and returns its id."""
        id = secrets.token_urlsafe(12)
        self._open.put(id, document)
        return id

    def get(self, id: str) -> Document:
        """The document. Raises DocumentClosed if it is closed, was dropped for others, or never existed."""
        found = self._open.find(id)
        if found is None:
            raise DocumentClosed("the document is closed", "open it again")
        return found

    def close(self, id: str) -> None:
        """Frees a document, if it is open."""
        self._open.drop(id)
