"""Summaries of samples: medians, bootstrap intervals, the ratio of two subjects, and whether two runs differ.

Pure functions over numbers. The interval is the percentile bootstrap of the median, expanded for small samples: with n
samples, quantiles are taken as far out as Student's t with n - 1 degrees of freedom asks. They are those of 98 %, so that the
interval holds the truth in at least 95 of 100 runs also where samples are less regular than theory: with quantiles of 95 %,
two equal engines on a busy machine gave an interval that held 1 in 91 to 97 of 100 runs.

Source: Efron, Tibshirani, "An Introduction to the Bootstrap", 1993, chapter 13; Hesterberg, "What Teachers Should Know
About the Bootstrap", The American Statistician 69 (2015), section 5.3 (expansion).
"""

import math
from collections.abc import Sequence
from statistics import NormalDist
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from lab_app.benchmarks.result import Latency, Ratio, Throughput

NOMINAL = 0.98
"""Of the quantiles; the interval is called one of 95 %, which it is at least."""
RESAMPLES = 2000

Floats = NDArray[np.float64]
Verdict = Literal["faster", "slower", "within_noise"]


def median_interval(values: Sequence[float], seed: int = 0) -> tuple[float, float, float]:
    """The median of some samples and its 95 % interval: median, low, high.

    >>> median_interval([4.0] * 9)
    (4.0, 4.0, 4.0)
    """
    data = np.asarray(values, np.float64)
    return float(np.median(data)), *_bounds(_medians(data, seed), len(data))


def throughput(bytes: int | Sequence[int], times_ns: Sequence[int], seed: int = 0) -> Throughput:
    """Speeds of samples, each of which encoded `bytes`: one number for all samples, or one per sample.

    >>> throughput(1_000_000, [10_000_000] * 5).median
    100.0
    """
    speeds = np.broadcast_to(np.asarray(bytes, np.float64), len(times_ns)) / np.asarray(times_ns, np.float64) * 1000
    median, low, high = median_interval(speeds.tolist(), seed)
    return Throughput(median, low, high, float(speeds.min()), float(speeds.max()), spread(speeds), len(speeds))


def ratio(baseline_ns: Sequence[int | None], subject_ns: Sequence[int | None], seed: int = 0) -> Ratio | None:
    """How many times the speed of the baseline a subject has, from times of the same rounds. None without such rounds.

    What slows down a whole round slows down both, so that it leaves the ratio alone.

    >>> round(ratio([10, 20, 10, 30, 10], [5, 10, 5, 15, 5]).median, 9)
    2.0
    """
    logs = log_ratios(baseline_ns, subject_ns)
    if not len(logs):
        return None
    median, low, high = (math.exp(value) for value in median_interval(logs.tolist(), seed))
    return Ratio(median, low, high, differs=not low <= 1 <= high)


def log_ratios(baseline_ns: Sequence[int | None], subject_ns: Sequence[int | None]) -> Floats:
    """Natural logarithms of baseline over subject, of the rounds that have both."""
    pairs = [
        (base, own) for base, own in zip(baseline_ns, subject_ns, strict=False) if base is not None and own is not None
    ]
    both = np.asarray(pairs, np.float64).reshape(-1, 2)
    return np.asarray(np.log(both[:, 0]) - np.log(both[:, 1]), np.float64)


def change(before: Sequence[float], after: Sequence[float], seed: int = 0) -> tuple[float, float, float]:
    """The change of the median from one sample of logarithms to another, as a share: change, low, high.

    >>> change([0.0] * 7, [math.log(1.1)] * 7)[0]
    0.10000000000000009
    """
    old, new = np.asarray(before, np.float64), np.asarray(after, np.float64)
    resamples = _medians(new, seed) - _medians(old, seed + 1)
    low, high = _bounds(resamples, min(len(old), len(new)))
    return math.expm1(float(np.median(new) - np.median(old))), math.expm1(low), math.expm1(high)


def verdict(change: float, low: float, high: float, noise: float) -> Verdict:
    """Whether a change of speed is larger than the noise: its interval leaves out 0, and it exceeds `noise`, a share.

    >>> verdict(-0.05, -0.07, -0.03, noise=0.02), verdict(-0.05, -0.07, -0.03, noise=0.1), verdict(0.05, -0.01, 0.1, 0.0)
    ('slower', 'within_noise', 'within_noise')
    """
    if low <= 0 <= high or abs(change) <= noise:
        return "within_noise"
    return "faster" if change > 0 else "slower"


def spread(values: Sequence[float] | Floats) -> float:
    """The interquartile range divided by the median.

    >>> spread([9.0, 10.0, 10.0, 10.0, 11.0])
    0.0
    """
    low, middle, high = np.quantile(np.asarray(values, np.float64), (0.25, 0.5, 0.75))
    return float((high - low) / middle)


def latency(times_ns: Sequence[int] | NDArray[np.int64]) -> Latency:
    """Percentiles by nearest rank: the smallest time that at least p % of the calls do not exceed.

    Source: Hyndman, Fan, "Sample Quantiles in Statistical Packages", The American Statistician 50 (1996), definition 1.

    >>> latency(list(range(1, 101)))
    Latency(p50=50, p95=95, p99=99, maximum=100, calls=100)
    """
    data = np.sort(np.asarray(times_ns, np.int64))
    p50, p95, p99 = (int(data[math.ceil(len(data) * percent / 100) - 1]) for percent in (50, 95, 99))
    return Latency(p50, p95, p99, int(data[-1]), len(data))


def _medians(data: Floats, seed: int) -> Floats:
    """The medians of resamples."""
    chosen = np.random.default_rng(seed).integers(0, len(data), (RESAMPLES, len(data)))
    return np.asarray(np.median(data[chosen], axis=1), np.float64)


def _bounds(medians: Floats, samples: int) -> tuple[float, float]:
    tail = _tail(samples)
    low, high = np.quantile(medians, (tail, 1 - tail))
    return float(low), float(high)


def _tail(samples: int) -> float:
    """The share to leave out at each end, expanded as in the module's source.

    >>> round(_tail(15), 4), round(_tail(1000), 3)
    (0.0033, 0.01)
    """
    if samples < 2:
        return 0.0
    t = _student_quantile(0.5 + NOMINAL / 2, samples - 1)
    return NormalDist().cdf(-math.sqrt(samples / (samples - 1)) * t)


def _student_quantile(probability: float, freedom: int) -> float:
    """A quantile of Student's t, within 1 % from 4 degrees of freedom on.

    Source: Abramowitz, Stegun, "Handbook of Mathematical Functions", 26.7.5.

    >>> round(_student_quantile(0.975, 14), 3)
    2.145
    """
    z = NormalDist().inv_cdf(probability)
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / freedom + second / freedom**2 + third / freedom**3
