"""The fitted exponent is that of the power law behind the samples, and its interval covers the noise."""

import numpy as np
import pytest

from lab_app.benchmarks.cost.exponent import exponent

SIZES = [100, 1000, 10_000, 100_000, 1_000_000]


@pytest.mark.parametrize("power", [0.5, 1.0, 1.2, 2.0])
def test_a_power_law_without_noise(power: float):
    found = exponent({size: [round(50 * size**power)] * 5 for size in SIZES})
    assert (found.value, found.low, found.high) == pytest.approx((power, power, power), abs=0.01)
    assert (found.points, found.from_size) == (5, 100)


def test_the_interval_holds_the_truth_in_most_runs():
    random = np.random.default_rng(0)
    held = 0
    for _ in range(60):
        # Lognormal noise of 10 % around time = 40 * size.
        times = {size: (40 * size * random.lognormal(0, 0.1, 9)).astype(int).tolist() for size in SIZES}
        found = exponent(times)
        held += found.low <= 1 <= found.high
    assert held >= 54


def test_small_sizes_can_be_left_out():
    # A fixed cost of 1 ms hides the growth of small texts.
    times = {size: [1_000_000 + 50 * size] * 5 for size in SIZES}
    assert exponent(times).value < 0.5
    assert exponent({size: samples for size, samples in times.items() if size >= 10_000}, 10_000).from_size == 10_000


@pytest.mark.parametrize("times", [{}, {10: [1], 100: [2]}, {10: [1], 100: [2], 1000: []}])
def test_too_few_points_have_no_exponent(times: dict[int, list[int]]):
    assert exponent(times) is None
