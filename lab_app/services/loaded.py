"""The tokenizers in memory. Each is loaded once, however many threads ask at the same time.

An entry is compared with the catalog's on every call (0.02 ms): another program may have replaced it.
"""

from lab_app.engine import Tokenizer
from lab_app.errors import BadValue, LabError
from lab_app.library.cache import Cache
from lab_app.library.catalog import Catalog
from lab_app.library.entry import Entry, TokenizerSummary
from lab_app.library.loading import load
from lab_app.library.tokenizer import AnyTokenizer

MAX_DRAFTS = 4


class LoadedTokenizers:
    """At most `limit` loaded tokenizers. Threads may share it."""

    def __init__(self, catalog: Catalog, limit: int) -> None:
        self._catalog = catalog
        self._failed: dict[str, LabError] = {}
        self._loaded = Cache[str, tuple[Entry, AnyTokenizer]](limit)
        self._drafts = Cache[str, tuple[Entry, AnyTokenizer]](MAX_DRAFTS)

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
        if (draft := self._drafts.find(id)) is not None:
            return draft
        entry = self._catalog.entry(id)
        return self._loaded.get(entry.id, lambda: (entry, self._load(entry)), current=lambda loaded: loaded[0] == entry)

    def quick(self, id: str) -> tuple[Entry, AnyTokenizer] | None:
        """What `get_any` gives, if it is at hand and encodes a short text in little time; else None.

        For the event loop, which must not wait: it opens no database and no file, looks for no plug-in and gives none, which
        would ask another process. It gives no tokenizer with a regular expression of an unknown maker, which could take a
        second for a short text.
        """
        entry = self._catalog.kept_entry(id)
        found = None if entry is None else self._loaded.find(entry.id)
        if found is None or found[0] != entry or not isinstance(found[1], Tokenizer) or found[1].runs_regex:
            return None
        return found

    def hold(self, id: str, name: str, tokenizer: Tokenizer) -> None:
        """Keeps a draft in memory, so that `get` finds it; the last few are kept, and none is in the catalog."""
        entry = Entry(id=id, name=name, source="composed", family="")
        self._drafts.put(id, (entry, tokenizer))

    def forget(self, id: str) -> None:
        """Frees the memory of a tokenizer that was removed."""
        self._loaded.drop(id)

    def _load(self, entry: Entry) -> AnyTokenizer:
        if entry.plugin is None:
            found = load(entry, self._catalog.settings)
            if entry.source != "built in":
                self._catalog.keep_summary(entry.id, TokenizerSummary.of(found))
            return found
        # A plug-in that failed may have taken all its time: it is not asked again before the lab starts again.
        if entry.id not in self._failed:
            try:
                return load(entry, self._catalog.settings)
            except LabError as error:
                self._failed[entry.id] = error
        raise self._failed[entry.id]
