"""Lengths of documents in tokens, from a histogram of exact lengths: no list of documents is needed.

Unit: tokens per document. Denominator: documents, those without tokens included.
"""

from collections.abc import Sequence
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from lab_app.analysis.corpus.result import LengthHistogram, Lengths
from lab_app.analysis.options import CONTEXT_LENGTHS

MOST_BINS = 60

Values = NDArray[np.uint32]
Documents = NDArray[np.uint64]


def lengths(values: Values, documents: Documents, context_lengths: Sequence[int] = CONTEXT_LENGTHS) -> Lengths | None:
    """Mean, deviation, percentiles, and the share of the documents above each context length; None without documents.

    `values` are the distinct lengths in rising order, `documents` how many documents have each; both of shape (n,).
    A percentile p is the smallest length that at least p % of the documents do not exceed, so it is always a length that
    occurs. The deviation divides by the number of documents.

    >>> found = lengths(np.array([1, 4], np.uint32), np.array([3, 1], np.uint64), [2])
    >>> found.mean, found.median, found.p75, found.p95, found.share_above
    (1.75, 1, 1, 4, {'2': 0.25})
    """
    total = int(documents.sum())
    if not total:
        return None
    # Sums in Python's integers: squares of lengths do not fit 64 bits.
    tokens = sum(length * number for length, number in zip(values.tolist(), documents.tolist(), strict=True))
    squares = sum(length**2 * number for length, number in zip(values.tolist(), documents.tolist(), strict=True))
    return Lengths(
        mean=tokens / total,
        median=percentile(values, documents, 50),
        deviation=sqrt(total * squares - tokens**2) / total,
        min=int(values[0]),
        p5=percentile(values, documents, 5),
        p25=percentile(values, documents, 25),
        p75=percentile(values, documents, 75),
        p95=percentile(values, documents, 95),
        p99=percentile(values, documents, 99),
        max=int(values[-1]),
        share_above={str(limit): int(documents[values > limit].sum()) / total for limit in context_lengths},
    )


def percentile(values: Values, documents: Documents, percent: int) -> int:
    """The smallest length that at least `percent` % of the documents do not exceed. Needs at least one document.

    >>> percentile(np.array([2, 5, 9], np.uint32), np.array([1, 1, 1], np.uint64), 50)
    5
    """
    up_to = np.cumsum(documents, dtype=np.uint64)
    needed = max(1, -(-percent * int(up_to[-1]) // 100))
    return int(values[np.searchsorted(up_to, np.uint64(needed))])


def histogram_edges(highest: int, most_bins: int = MOST_BINS) -> list[int]:
    """Edges of at most `most_bins` bins of one width, a round number, from 0 to above `highest`.

    >>> histogram_edges(7, most_bins=5)
    [0, 2, 4, 6, 8]
    """
    width = next(
        width
        for power in range(20)
        for width in (10**power, 2 * 10**power, 5 * 10**power)
        if highest < width * most_bins
    )
    return list(range(0, (highest // width + 1) * width + 1, width))


def histogram(values: Values, documents: Documents, edges: Sequence[int]) -> LengthHistogram:
    """Documents per bin of `edges`, and those of length `edges[-1]` or more.

    >>> histogram(np.array([1, 4, 9], np.uint32), np.array([3, 1, 2], np.uint64), [0, 2, 4, 6])
    LengthHistogram(edges=[0, 2, 4, 6], documents=[3, 0, 1], overflow=2)
    """
    at = np.searchsorted(values, edges)
    up_to = np.concatenate(([0], np.cumsum(documents.astype(np.int64))))
    inside = np.diff(up_to[at])
    return LengthHistogram(list(edges), inside.tolist(), int(up_to[-1] - up_to[at[-1]]))
