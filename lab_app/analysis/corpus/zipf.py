"""Fits a power law to the counts of types by maximum likelihood.

A straight line through a log-log plot is not a fit: its error is unknown and it depends on the rare types.
Source: Clauset, Shalizi and Newman, "Power-Law Distributions in Empirical Data", SIAM Review 51 (2009), sections 3.1-3.3.
"""

from collections.abc import Callable
from math import log, sqrt

import numpy as np
from numpy.typing import NDArray

from lab_app.analysis.corpus.result import Zipf

FEWEST_TYPES = 50
"""A fit needs that many types: below it the estimate is biased (section 3.5 of the paper)."""
MOST_CANDIDATES = 100
LOWEST, HIGHEST = 1.01, 8.0
NORMAL_95 = 1.959964

Floats = NDArray[np.float64]


def zipf(counts: NDArray[np.uint64]) -> Zipf | str:
    """The power law p(c) = c ** -exponent / zeta(exponent, xmin) of the counts c >= xmin, or why there is none.

    `counts` has the occurrences of each type, shape (types,). xmin is the count, out of at most 100 that occur, evenly
    spaced on a logarithmic axis, whose fit is nearest to the counts (Kolmogorov-Smirnov); at least 50 types have it.

    >>> zipf(np.array([3, 2, 1], np.uint64))
    'a fit needs 50 types of different counts, there are 3'
    """
    values, types = np.unique(counts[counts > 0], return_counts=True)
    # From each value up: types, and sum of the logarithms of their counts.
    above = types[::-1].cumsum()[::-1]
    logs = (types * np.log(values.astype(np.float64)))[::-1].cumsum()[::-1]
    usable = np.flatnonzero((above >= FEWEST_TYPES) & (values < values[-1:]))
    if not usable.size:
        return f"a fit needs {FEWEST_TYPES} types of different counts, there are {int(types.sum())}"
    chosen = np.unique(np.geomspace(1, usable.size, MOST_CANDIDATES).round().astype(np.int64)) - 1
    fits = [_fit(values[at:], types[at:], int(above[at]), float(logs[at])) for at in usable[chosen].tolist()]
    return min(fits, key=lambda fit: fit.distance)


def hurwitz_zeta(exponent: float, start: Floats) -> Floats:
    """The sum of k ** -exponent over k = start, start + 1, ...; exponent > 1. To about 12 digits.

    The first twenty terms are added, the rest follows from the Euler-Maclaurin formula.

    >>> float(hurwitz_zeta(2.0, np.array([1.0]))[0].round(10))
    1.6449340668
    """
    head = sum(((start + k) ** -exponent for k in range(20)), start=np.zeros_like(start))
    end = start + 20
    s = exponent
    rest = end ** (1 - s) / (s - 1) + end**-s / 2 + s * end ** (-s - 1) / 12
    rest -= s * (s + 1) * (s + 2) * end ** (-s - 3) / 720
    rest += s * (s + 1) * (s + 2) * (s + 3) * (s + 4) * end ** (-s - 5) / 30240
    return np.asarray(head + rest)


def _fit(values: NDArray[np.uint64], types: NDArray[np.int64], number: int, logs: float) -> Zipf:
    """The fit to the counts `values`, which `types` types have; `logs` is the sum of the logarithms of all their counts."""
    start = np.array([float(values[0])])
    mean = logs / number

    def loss(exponent: float) -> float:
        """Negative log-likelihood per type; convex."""
        return log(hurwitz_zeta(exponent, start)[0]) + exponent * mean

    exponent = _minimum(loss, LOWEST, HIGHEST)
    step = 1e-3
    curvature = (loss(exponent + step) - 2 * loss(exponent) + loss(exponent - step)) / step**2
    error = NORMAL_95 / sqrt(max(curvature, 1e-12) * number)
    at_least = types[::-1].cumsum()[::-1] / number
    model = hurwitz_zeta(exponent, values.astype(np.float64))
    distance = float(np.abs(at_least - model / model[0]).max())
    return Zipf(
        exponent=exponent,
        interval=(exponent - error, exponent + error),
        xmin=int(values[0]),
        types=number,
        distance=distance,
        rank_exponent=1 / (exponent - 1),
    )


def _minimum(function: Callable[[float], float], low: float, high: float) -> float:
    """Where a convex function is smallest, by golden section, to 1e-9."""
    golden = (sqrt(5) - 1) / 2
    left, right = high - golden * (high - low), low + golden * (high - low)
    at_left, at_right = function(left), function(right)
    while high - low > 1e-9:
        if at_left < at_right:
            high, right, at_right = right, left, at_left
            left = high - golden * (high - low)
            at_left = function(left)
        else:
            low, left, at_left = left, right, at_right
            right = low + golden * (high - low)
            at_right = function(right)
    return (low + high) / 2
