"""The vocabularies that somebody looks around in: their indexes, and the searches made last.

An index holds its tokenizer in memory, so no more are kept than tokenizers are. Not here: what is asked of an index
(`vocabulary`, `vocabulary_search`).
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any

from lab_app.engine import Tokenizer, VocabularyIndex
from lab_app.library.entry import Entry
from lab_app.services.loaded import LoadedTokenizers

MOST_ANSWERS = 16


class Indexes:
    """At most `limit` indexes; the one unused for longest goes first. Threads may share it."""

    def __init__(self, loaded: LoadedTokenizers, limit: int) -> None:
        self._loaded = loaded
        self._limit = limit
        self._lock = threading.Lock()
        self._making: dict[str, threading.Lock] = {}
        self._kept: OrderedDict[str, tuple[Tokenizer, VocabularyIndex]] = OrderedDict()
        self._answers: OrderedDict[tuple[int, Hashable], tuple[VocabularyIndex, Any]] = OrderedDict()

    def get(self, id: str) -> tuple[Entry, Tokenizer, VocabularyIndex]:
        """The entry, the tokenizer and its index. Raises as `LoadedTokenizers.get`."""
        entry, tokenizer = self._loaded.get(id)
        with self._lock:
            making = self._making.setdefault(entry.id, threading.Lock())
        # One at a time: of two indexes of one tokenizer, only one would know of its audit.
        with making:
            index = self._found(entry.id, tokenizer) or VocabularyIndex(tokenizer)
            with self._lock:
                self._kept[entry.id] = tokenizer, index
                self._kept.move_to_end(entry.id)
                while len(self._kept) > self._limit:
                    self._kept.popitem(last=False)
        return entry, tokenizer, index

    def _found(self, id: str, tokenizer: Tokenizer) -> VocabularyIndex | None:
        with self._lock:
            kept = self._kept.get(id)
        return kept[1] if kept is not None and kept[0] is tokenizer else None

    def answer(self, index: VocabularyIndex, question: Hashable, ask: Callable[[], Any]) -> Any:
        """What `ask` gives, or gave when the same was asked of this index before: pages of one search are cut from it."""
        key = id(index), question
        with self._lock:
            kept = self._answers.get(key)
            if kept is not None and kept[0] is index:  # an index that is gone may have had this address
                self._answers.move_to_end(key)
                return kept[1]
        found = ask()
        with self._lock:
            self._answers[key] = index, found
            while len(self._answers) > MOST_ANSWERS:
                self._answers.popitem(last=False)
        return found
