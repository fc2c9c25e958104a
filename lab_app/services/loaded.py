"""The tokenizers in memory. Each is loaded once, however many threads ask at the same time.

An entry is compared with the catalog's on every call (0.2 ms): another program may have replaced it.
"""

import threading
from collections import OrderedDict

from lab_app.engine import Tokenizer
from lab_app.errors import BadValue, LabError
from lab_app.library.catalog import Catalog
from lab_app.library.entry import Card, Entry
from lab_app.library.tokenizer import AnyTokenizer


class LoadedTokenizers:
    """At most `limit` loaded tokenizers; the one unused for longest goes first."""

    def __init__(self, catalog: Catalog, limit: int) -> None:
        self._catalog = catalog
        self._limit = limit
        self._lock = threading.Lock()
        self._loading: dict[str, threading.Lock] = {}
        self._failed: dict[str, LabError] = {}
        self._loaded: OrderedDict[str, tuple[Entry, AnyTokenizer]] = OrderedDict()

    def get(self, id: str) -> tuple[Entry, Tokenizer]:
        """The entry and the tokenizer of `id`, whatever its capitals, for what the engine alone can do.

        Raises as `get_any` does, and BadValue for a plug-in.
        """
        entry, found = self.get_any(id)
        if not isinstance(found, Tokenizer):
            raise BadValue(
                f"{entry.id} is a plug-in, and this needs a tokenizer of the engine", "choose another tokenizer"
            )
        return entry, found

    def get_any(self, id: str) -> tuple[Entry, AnyTokenizer]:
        """The entry and the tokenizer of `id`, whatever its capitals, whoever wrote it.

        Raises NotFound for an unknown id, Unavailable for files that must be fetched, LoadFailed for files gone bad.
        """
        entry = self._catalog.entry(id)
        with self._lock:
            found = self._found(entry)
            if found is not None:
                return entry, found
            loading = self._loading.setdefault(entry.id, threading.Lock())
        with loading:
            with self._lock:
                found = self._found(entry)
            if found is None:
                found = self._load(entry)
            with self._lock:
                self._loaded[entry.id] = entry, found
                self._loaded.move_to_end(entry.id)
                self._loading.pop(entry.id, None)
                while len(self._loaded) > self._limit:
                    self._loaded.popitem(last=False)
        return entry, found

    def forget(self, id: str) -> None:
        """Frees the memory of a tokenizer that was removed."""
        with self._lock:
            self._loaded.pop(id, None)

    def _load(self, entry: Entry) -> AnyTokenizer:
        if entry.plugin is None:
            found = self._catalog.load(entry)
            if entry.source != "built in":
                self._catalog.keep_card(entry.id, Card.of(found))
            return found
        # A plug-in that failed may have taken all its time: it is not asked again before the lab starts again.
        if entry.id not in self._failed:
            try:
                return self._catalog.load(entry)
            except LabError as error:
                self._failed[entry.id] = error
        raise self._failed[entry.id]

    def _found(self, entry: Entry) -> AnyTokenizer | None:
        kept = self._loaded.get(entry.id)
        if kept is None or kept[0] != entry:
            return None
        self._loaded.move_to_end(entry.id)
        return kept[1]
