"""The indexes of the vocabularies that are open in a screen, and the answers to the latest searches.

An index holds its tokenizer in memory, so no more are kept than tokenizers are. Not here: what is asked of an index
(`lab_app.services.vocabularies.vocabulary`, `lab_app.services.vocabularies.search`).
"""

from collections.abc import Callable, Hashable
from typing import Any

from lab_app.engine import Tokenizer, VocabularyIndex
from lab_app.library.cache import Cache
from lab_app.library.entry import Entry
from lab_app.services.loaded import LoadedTokenizers

MAX_ANSWERS = 16


class Indexes:
    """At most `limit` indexes. Threads may share it."""

    def __init__(self, loaded: LoadedTokenizers, limit: int) -> None:
        self._loaded = loaded
        # One index per tokenizer: of two, only one would have the audit.
        self._kept = Cache[str, tuple[Tokenizer, VocabularyIndex]](limit)
        self._answers = Cache[tuple[VocabularyIndex, Hashable], Any](MAX_ANSWERS)

    def get(self, id: str) -> tuple[Entry, Tokenizer, VocabularyIndex]:
        """The entry, the tokenizer and its index. Raises as `LoadedTokenizers.get`."""
        entry, tokenizer = self._loaded.get(id)
        tokenizer, index = self._kept.get(
            entry.id,
            lambda: (tokenizer, VocabularyIndex(tokenizer)),
            current=lambda kept: kept[0] is tokenizer,
        )
        return entry, tokenizer, index

    def answer(self, index: VocabularyIndex, question: Hashable, ask: Callable[[], Any]) -> Any:
        """Returns `ask()`, or the kept answer to the same question: the pages of one search share it."""
        return self._answers.get((index, question), ask)
