"""The texts that pages are editing, by id: a bounded number in a bounded amount of memory.

Not here: what a document answers (`lab_app.services.text.documents`).
"""

import secrets

from lab_app.errors import DocumentClosed
from lab_app.library.cache import Cache
from lab_app.services.lab import Lab
from lab_app.services.text.documents import OpenDocument


class OpenDocuments:
    """At most as many documents as the settings say, of so many bytes together; the one unused for longest goes first, the newest
    stays. `lab.own(OpenDocuments)` is the lab's.

    >>> from lab_app.settings import Settings
    >>> Lab(Settings()).own(OpenDocuments).get("none")
    Traceback (most recent call last):
        ...
    lab_app.errors.DocumentClosed: the document is closed: open it again
    """

    def __init__(self, lab: Lab) -> None:
        limit, max_bytes = lab.settings.max_documents, lab.settings.max_documents_mb * 1e6
        self._open = Cache[str, OpenDocument](limit, max_size=max_bytes, size=lambda document: document.size_bytes)

    def add(self, document: OpenDocument) -> str:
        """Opens a document and returns its id."""
        id = secrets.token_urlsafe(12)
        self._open.put(id, document)
        return id

    def get(self, id: str) -> OpenDocument:
        """The document. Raises DocumentClosed if it is closed, was dropped for others, or never existed."""
        found = self._open.find(id)
        if found is None:
            raise DocumentClosed("the document is closed", "open it again")
        return found

    def close(self, id: str) -> None:
        """Frees a document, if it is open."""
        self._open.drop(id)
