"""Documents for the engine: many in one buffer. Not here: reading them from files (`reading`)."""

from collections.abc import Collection
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Batch:
    """Documents one after the other as UTF-8. `ends`: (documents,) the end byte of each in `text`. `languages`:
    (documents,) indices into the languages of the corpus, None where it has none. `first_document` is the number of
    documents of the same partition before this batch.

    >>> Batch(b"onetwo", np.array([3, 6], np.uint64)).strings()
    ['one', 'two']
    """

    text: bytes
    ends: NDArray[np.uint64]
    languages: NDArray[np.uint16] | None = None
    first_document: int = 0

    @property
    def documents(self) -> int:
        """How many documents there are."""
        return len(self.ends)

    def strings(self) -> list[str]:
        """The documents as strings: for samples, not for counting."""
        return strings(self.text, self.ends)

    def of_languages(self, languages: Collection[int]) -> "Batch":
        """Its documents in these languages.

        >>> Batch(b"onetwo", np.array([3, 6], np.uint64), np.array([0, 4], np.uint16)).of_languages([4]).strings()
        ['two']
        """
        assert self.languages is not None
        kept = np.flatnonzero(np.isin(self.languages, list(languages)))
        bounds = np.concatenate([np.zeros(1, np.uint64), self.ends])
        parts = [self.text[bounds[at] : bounds[at + 1]] for at in kept.tolist()]
        return Batch(b"".join(parts), np.cumsum([len(part) for part in parts], dtype=np.uint64), self.languages[kept])


def strings(text: bytes, ends: NDArray[np.uint64]) -> list[str]:
    """The documents that end at `ends` in `text`.

    >>> strings(b"onetwo", np.array([3, 6], np.uint64))
    ['one', 'two']
    """
    return [text[start:end].decode() for start, end in pairwise((0, *ends.tolist()))]
