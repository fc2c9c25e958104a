"""How few types cover how much of the text: coverage milestones, and the curve of counts over ranks.

Unit: types. Denominator: all tokens. Not here: the exponent of the curve (`zipf`).
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from lab_app.analysis.corpus.result import Curve

Counts = NDArray[np.uint64]

MILESTONES = (50, 75, 90, 95, 99)
CURVE_POINTS = 400


def order(counts: Counts) -> NDArray[np.int64]:
    """The ids that occur, the most frequent first; ids of equal count in rising order. Shape (types,).

    >>> order(np.array([2, 0, 5, 2], np.uint64)).tolist()
    [2, 0, 3]
    """
    ids = np.flatnonzero(counts)
    return ids[np.argsort(-counts[ids].astype(np.int64), kind="stable")]


def milestones(counts: Counts, percents: Sequence[int] = MILESTONES) -> dict[str, int]:
    """The smallest k for which the k most frequent types cover each percentage of all tokens; empty without tokens.

    `counts` has the occurrences of each type, shape (types,), in any order. Computed in integers, so that a boundary case
    is exact.

    >>> milestones(np.array([5, 3, 1, 1], np.uint64))
    {'50': 1, '75': 2, '90': 3, '95': 4, '99': 4}
    """
    covered = _cumulative(counts)
    if not covered.size:
        return {}
    needed = [-(-percent * int(covered[-1]) // 100) for percent in percents]
    found = np.searchsorted(covered, np.array(needed, covered.dtype)) + 1
    return {str(percent): int(types) for percent, types in zip(percents, found, strict=True)}


def curve(counts: Counts, points: int = CURVE_POINTS) -> Curve:
    """Count and cumulative share at about `points` ranks, evenly spaced on a logarithmic axis. Every point is exact.

    >>> curve(np.array([1, 5, 3, 1], np.uint64))
    Curve(ranks=[1, 2, 3, 4], counts=[5, 3, 1, 1], cumulative=[0.5, 0.8, 0.9, 1.0])
    """
    covered = _cumulative(counts)
    if not covered.size:
        return Curve([], [], [])
    ranks = np.unique(np.geomspace(1, covered.size, points).round().astype(np.int64))
    each = np.diff(covered, prepend=np.uint64(0))
    return Curve(ranks.tolist(), each[ranks - 1].tolist(), (covered[ranks - 1] / int(covered[-1])).tolist())


def _cumulative(counts: Counts) -> Counts:
    """Tokens that the k most frequent types cover, for k from 1. Shape (types that occur,)."""
    falling = np.sort(counts[counts > 0])[::-1]
    return np.cumsum(falling, dtype=np.uint64)
