"""How many types a smaller sample of the same text would have: the rarefaction curve.

Vocabulary use grows with the text, so two corpora are compared at the same number of tokens on this curve.
Source: Hurlbert, "The Nonconcept of Species Diversity", Ecology 52 (1971), equation 7.
"""

from math import lgamma

import numpy as np
from numpy.typing import NDArray

from lab_app.analysis.corpus.result import RarefactionPoint

POINTS = 40
SUMMED = 1024
"""Up to this count the product of the formula is multiplied out; above it, log-gamma is exact enough (1e-5)."""


def rarefaction(counts: NDArray[np.uint64], points: int = POINTS) -> list[RarefactionPoint]:
    """Expected types at about `points` sample sizes, evenly spaced on a logarithmic axis, up to all tokens.

    >>> [(point.tokens, round(point.types, 3)) for point in rarefaction(np.array([2, 1], np.uint64))]
    [(1, 1.0), (2, 1.667), (3, 2.0)]
    """
    total = int(counts.sum())
    if not total:
        return []
    sizes = np.unique(np.geomspace(1, total, points).round().astype(np.int64))
    return [RarefactionPoint(size, expected_types(counts, size)) for size in sizes.tolist()]


def expected_types(counts: NDArray[np.uint64], size: int) -> float:
    """Expected number of types among `size` tokens drawn without replacement from all N tokens.

    E = sum over types of 1 - C(N - c, size) / C(N, size), where c is the count of a type. `counts` has shape (types,).
    Raises ValueError unless 0 <= size <= N.

    >>> round(expected_types(np.array([2, 1], np.uint64), 2), 9)
    1.666666667
    """
    total = int(counts.sum())
    if not 0 <= size <= total:
        raise ValueError(f"a sample of {size} tokens cannot be drawn from {total}")
    values, types = np.unique(counts[counts > 0], return_counts=True)
    absent = np.exp(_log_absent(values.astype(np.int64), size, total))
    found = float(np.sum(types * (1.0 - absent)))
    return min(found, float(size), float(types.sum()))  # rounding may pass what is possible


def _log_absent(counts: NDArray[np.int64], size: int, total: int) -> NDArray[np.float64]:
    """Natural logarithm of C(total - c, size) / C(total, size), the probability that a type of count c is not drawn.

    It is the sum of log(1 - size / (total - i)) over i < c.
    """
    found = np.full(counts.size, -np.inf)
    possible = counts <= total - size
    few = possible & (counts <= SUMMED)
    terms = np.arange(min(SUMMED, max(total - size, 0)), dtype=np.float64)
    sums = np.concatenate(([0.0], np.cumsum(np.log1p(-size / (total - terms)))))
    found[few] = sums[counts[few]]
    for at in np.flatnonzero(possible & ~few).tolist():
        rest = total - int(counts[at])
        found[at] = lgamma(rest + 1) - lgamma(rest - size + 1) - lgamma(total + 1) + lgamma(total - size + 1)
    return found
