"""How fast a cost grows: the exponent of a power law through measured times.

Pure functions over numbers. Not here: measuring (`growth`, `race`).
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from lab_app.benchmarks.growth_result import Exponent

RESAMPLES = 2000
FEWEST_POINTS = 3
FROM_BYTES = 1000
"""Below this the fixed cost of a call hides the growth with the length of a text."""


def exponent(times_ns: Mapping[int, Sequence[int]], from_size: int = 1, seed: int = 0) -> Exponent | None:
    """The b of time = a * size ** b, with a 95 % interval; None with fewer than three sizes of at least `from_size`.

    `times_ns` has the samples per size. The line goes through the logarithms of the medians by least squares. For the
    interval the samples of every size are resampled, and their medians fitted again (percentile bootstrap). It covers the
    noise of the samples, not a curve that is no power law: look at the points too.

    >>> exponent({10: [100], 100: [10_000], 1000: [1_000_000]})
    Exponent(value=2.0, low=2.0, high=2.0, points=3, from_size=10)

    Source: Efron, Tibshirani, "An Introduction to the Bootstrap", 1993, chapter 13.
    """
    sizes = [size for size, samples in sorted(times_ns.items()) if size >= from_size and samples]
    if len(sizes) < FEWEST_POINTS:
        return None
    random = np.random.default_rng(seed)
    samples = [np.maximum(np.asarray(times_ns[size], np.float64), 1) for size in sizes]
    medians = np.array([np.median(each) for each in samples])
    drawn = [each[random.integers(0, len(each), (RESAMPLES, len(each)))] for each in samples]
    resampled = np.stack([np.median(each, axis=1) for each in drawn], axis=1)
    x = np.log(np.asarray(sizes, np.float64))
    slopes = _slopes(x, np.log(resampled))
    low, high = np.quantile(slopes, (0.025, 0.975))
    value = _slopes(x, np.log(medians)[None, :])[0]
    return Exponent(round(float(value), 4), round(float(low), 4), round(float(high), 4), len(sizes), sizes[0])


def _slopes(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    """Least squares slopes of the rows of `y` over `x`."""
    centred = x - x.mean()
    slopes: NDArray[np.float64] = (y - y.mean(axis=1, keepdims=True)) @ centred / (centred @ centred)
    return slopes
