"""Intervals and verdicts, on simulated times: noise, disturbances, and a drift that all subjects share."""

import math

import numpy as np
import pytest

from lab_app.benchmarks.speed import statistics

ROUNDS = 31


def times(rng: np.random.Generator, drift: np.ndarray, cost_ns: float, noise: float) -> list[int]:
    """Samples of one subject: log-normal noise, every twelfth about 40 % longer, and the drift of the machine."""
    factors = np.exp(rng.normal(0, noise, len(drift)))
    disturbed = rng.random(len(drift)) < 1 / 12
    factors[disturbed] *= 1 + rng.exponential(0.4, int(disturbed.sum()))
    return [int(value) for value in cost_ns * factors * drift]


def one_run(seed: int, slower: float, noise: float | None = None, rounds: int = ROUNDS):
    """The ratio of a subject to a baseline of the same cost, or `slower` times that."""
    rng = np.random.default_rng(seed)
    drift = np.exp(np.cumsum(rng.normal(0, 0.02, rounds)))
    levels = rng.choice([0.01, 0.03, 0.06], 2) if noise is None else (noise, noise)
    baseline, subject = (
        times(rng, drift, 50e6 * factor, level) for factor, level in zip((1, slower), levels, strict=True)
    )
    return statistics.ratio(baseline, subject, seed)


@pytest.mark.parametrize("rounds", [9, ROUNDS])
def test_the_interval_of_two_equal_engines_holds_1_in_95_of_100_runs(rounds: int):
    runs = [one_run(seed, 1.0, rounds=rounds) for seed in range(400)]
    assert sum(run.low <= 1 <= run.high for run in runs) >= 0.95 * len(runs)
    assert all(run.differs == (not run.low <= 1 <= run.high) for run in runs)


def test_an_engine_5_percent_slower_is_found_in_90_of_100_runs():
    runs = [one_run(seed, 1.05, noise=0.03) for seed in range(200)]
    assert sum(run.high < 1 for run in runs) >= 0.9 * len(runs)
    assert not [run for run in runs if run.low > 1], "it is never found to be faster"
    assert math.isclose(float(np.median([run.median for run in runs])), 1 / 1.05, rel_tol=0.01)


def test_a_disturbance_of_a_whole_round_leaves_the_ratio_alone():
    quiet, loud = [100, 101, 99, 100, 100, 100, 99], [1, 1, 9, 1, 5, 1, 1]
    baseline = [time * factor for time, factor in zip(quiet, loud, strict=True)]
    found = statistics.ratio(baseline, [time // 2 for time in baseline])
    assert found.median == pytest.approx(2, rel=0.01) and found.high - found.low < 0.05


def test_rounds_without_one_of_both_are_left_out():
    assert statistics.ratio([100, None, 100, 100], [None, 7, 50, 50]).median == pytest.approx(2)
    assert statistics.ratio([None, 100], [100, None]) is None


def test_throughput_is_of_the_bytes_of_each_sample():
    found = statistics.throughput([1000, 2000, 3000, 4000, 5000], [10, 20, 30, 40, 100])
    assert (found.median, found.minimum, found.maximum, found.samples) == (100_000, 50_000, 100_000, 5)


def test_percentiles_are_the_smallest_time_that_enough_calls_do_not_exceed():
    found = statistics.latency([5] * 94 + [70, 80, 90, 100, 110, 120])
    assert (found.p50, found.p95, found.p99, found.maximum, found.calls) == (5, 70, 110, 120, 100)
    assert statistics.latency([3]) == statistics.Latency(3, 3, 3, 3, 1)


def runs_of(seed: int, faster: float) -> list[list[float]]:
    """Logarithms of the ratio in two runs of the same thing, of which the second has a faster engine."""
    rng = np.random.default_rng(seed)
    return [(math.log(10 * factor) + rng.normal(0, 0.03, ROUNDS)).tolist() for factor in (1, faster)]


def test_a_change_between_two_runs_is_told_from_noise():
    equal = [statistics.verdict(*statistics.change(*runs_of(seed, 1.0)), noise=0.0) for seed in range(200)]
    assert equal.count("within_noise") >= 190
    slower = [statistics.verdict(*statistics.change(*runs_of(seed, 0.95)), noise=0.0) for seed in range(200)]
    assert slower.count("slower") >= 180 and "faster" not in slower
    change, low, high = statistics.change(*runs_of(1, 0.95))
    assert statistics.verdict(change, low, high, noise=0.2) == "within_noise", "smaller than the noise of the machine"


def test_one_sample_has_no_interval_to_speak_of():
    assert statistics.median_interval([3.0]) == (3.0, 3.0, 3.0)
