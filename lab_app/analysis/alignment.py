"""Which tokens of one tokenizer stand for which of another: what distillation between two vocabularies needs.

Two tokens are in one group if their spans in the text overlap, directly or through others. Not here: where the boundaries
differ, and why (`divergence`).
"""

from collections import Counter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Ids = NDArray[np.integer[Any]]
Spans = NDArray[np.integer[Any]]
"""Start and end of each token in bytes of the text, half-open, by start, shape (n, 2)."""

KINDS = ("1:1", "1:n", "n:1", "n:m", "n:0", "0:m")
"""Kinds of groups: tokens of the first tokenizer : of the second."""


class Pairs(NamedTuple):
    """A sparse map of two vocabularies: arrays of one length, sorted by `a`, then `b`."""

    a: NDArray[np.int64]
    b: NDArray[np.int64]
    bytes: NDArray[np.int64]
    """Bytes of text that both tokens cover."""

    def weights(self) -> NDArray[np.float64]:
        """Of the bytes that each token of `a` shares with any token, the share of this one: they sum to 1 for each token of `a`.

        >>> Pairs(np.array([4, 4, 7]), np.array([1, 2, 3]), np.array([1, 3, 2])).weights().tolist()
        [0.25, 0.75, 1.0]
        """
        _, row = np.unique(self.a, return_inverse=True)
        found: NDArray[np.float64] = self.bytes / np.bincount(row, self.bytes)[row]
        return found


class Alignment:
    """Groups and pairs over any number of texts, one after the other.

    >>> spans = np.array([[0, 3], [3, 4]]), np.array([[0, 1], [1, 3], [3, 4]])
    >>> found = Alignment()
    >>> found.add(np.array([10, 11]), spans[0], np.array([20, 21, 22]), spans[1])
    [(range(0, 1), range(0, 2)), (range(1, 2), range(2, 3))]
    >>> dict(found.kinds), found.pairs().bytes.tolist(), found.pairs().weights().round(2).tolist()
    ({'1:n': 1, '1:1': 1}, [1, 2, 1], [0.33, 0.67, 1.0])
    """

    def __init__(self) -> None:
        self.kinds: Counter[str] = Counter()
        self.tokens = (0, 0)
        self._pairs = Pairs(*(np.empty(0, np.int64) for _ in range(3)))
        self._new: list[NDArray[np.int64]] = []

    def add(self, a_ids: Ids, a: Spans, b_ids: Ids, b: Spans) -> list[tuple[range, range]]:
        """Counts the tokens of one text. Returns its groups: the indexes of their tokens."""
        first, second = groups(a, b)
        count = int(max(first.max(initial=-1), second.max(initial=-1))) + 1
        a_ends, b_ends = (np.cumsum(np.bincount(each, minlength=count)).tolist() for each in (first, second))
        found = [
            (range(a0, a1), range(b0, b1))
            for a0, a1, b0, b1 in zip([0, *a_ends], a_ends, [0, *b_ends], b_ends, strict=False)
        ]
        self.kinds.update(_kind(len(one), len(other)) for one, other in found)
        self.tokens = (self.tokens[0] + len(a), self.tokens[1] + len(b))
        self._new.append(_shared(np.asarray(a_ids, np.int64), a, np.asarray(b_ids, np.int64), b))
        if sum(map(len, self._new)) > 4 * len(self._pairs.a) + 1_000_000:
            self.pairs()
        return found

    def pairs(self) -> Pairs:
        """All pairs of tokens that covered the same bytes."""
        rows = np.concatenate([np.stack(self._pairs, 1), *self._new])
        keys, row = np.unique(rows[:, :2], axis=0, return_inverse=True)
        sums = np.zeros(len(keys), np.int64)
        np.add.at(sums, row.ravel(), rows[:, 2])
        self._pairs, self._new = Pairs(keys[:, 0], keys[:, 1], sums), []
        return self._pairs


def groups(a: Spans, b: Spans) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The number of its group for each token of `a` and of `b`, in the order of the text.

    >>> [each.tolist() for each in groups(np.array([[0, 2], [2, 4]]), np.array([[0, 1], [1, 3], [3, 4], [5, 6]]))]
    [[0, 0], [0, 0, 0, 1]]
    """
    spans = np.concatenate([a, b]).astype(np.int64)
    order = np.lexsort((spans[:, 1], spans[:, 0]))
    reach = np.maximum.accumulate(spans[order, 1])
    number = np.empty(len(spans), np.int64)
    number[order] = np.concatenate([[0], np.cumsum(spans[order[1:], 0] >= reach[:-1])])[: len(spans)]
    return number[: len(a)], number[len(a) :]


def _kind(a: int, b: int) -> str:
    if not b:
        return "n:0"
    if not a:
        return "0:m"
    return f"{'1' if a == 1 else 'n'}:{'1' if b == 1 else 'n' if a == 1 else 'm'}"


def _shared(a_ids: NDArray[np.int64], a: Spans, b_ids: NDArray[np.int64], b: Spans) -> NDArray[np.int64]:
    """For each two tokens that overlap: their IDs, and the bytes that both cover. Shape (n, 3)."""
    first = np.searchsorted(np.maximum.accumulate(b[:, 1]), a[:, 0], "right")
    counts = np.maximum(np.searchsorted(b[:, 0], a[:, 1], "left") - first, 0)
    left = np.repeat(np.arange(len(a)), counts)
    right = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts) + np.repeat(first, counts)
    bytes = np.minimum(a[left, 1], b[right, 1]).astype(np.int64) - np.maximum(a[left, 0], b[right, 0])
    both = bytes > 0
    return np.stack([a_ids[left][both], b_ids[right][both], bytes[both]], 1)
