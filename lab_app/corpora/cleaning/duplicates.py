"""Removes documents that are equal to an earlier one of the corpus.

Each document is remembered by 8 bytes of its BLAKE2b digest: recent ones in a set, the others in sorted arrays that are merged
when they are of similar size, so that a document costs about 8 bytes and a look-up a few binary searches. Two different
documents have the same 8 bytes with a probability below 3 in a million for `MOST_DOCUMENTS` documents.
Source of the arrays: O'Neil et al. 1996, log-structured merge trees.
"""

from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from lab_app.errors import BadValue

MOST_DOCUMENTS = 10_000_000
RECENT = 50_000


class FirstOnly:
    """Called with each document in order: the document, or None if it was seen before.

    >>> first = FirstOnly()
    >>> [first(text) for text in ("a", "b", "a")]
    ['a', 'b', None]
    """

    def __init__(self, recent: int = RECENT, most: int = MOST_DOCUMENTS) -> None:
        self._recent: set[int] = set()
        self._sorted: list[NDArray[np.uint64]] = []
        self._most_recent = recent
        self._most = most
        self._count = 0

    def __call__(self, text: str) -> str | None:
        """Raises BadValue after too many different documents."""
        digest = int.from_bytes(blake2b(text.encode(), digest_size=8).digest())
        if digest in self._recent or any(_holds(array, digest) for array in self._sorted):
            return None
        self._count += 1
        if self._count > self._most:
            raise BadValue(
                f"exact_duplicates remembers {self._most} documents, and the corpus has more",
                "leave this step out, or remove duplicates from the files first",
            )
        self._recent.add(digest)
        if len(self._recent) >= self._most_recent:
            self._file_away()
        return text

    def _file_away(self) -> None:
        """Sorts the recent ones into an array; merges arrays until each is at least twice as large as the next."""
        self._sorted.append(np.sort(np.fromiter(self._recent, np.uint64, len(self._recent))))
        self._recent.clear()
        while len(self._sorted) > 1 and len(self._sorted[-2]) < 2 * len(self._sorted[-1]):
            last = self._sorted.pop()
            self._sorted[-1] = np.sort(np.concatenate([self._sorted[-1], last]))


def _holds(array: NDArray[np.uint64], digest: int) -> bool:
    wanted = np.uint64(digest)
    at = int(np.searchsorted(array, wanted))
    return at < len(array) and bool(array[at] == wanted)
