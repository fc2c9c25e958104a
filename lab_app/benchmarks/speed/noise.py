"""How much equal work varies on this machine now: a fixed loop, timed many times before a run."""

from collections.abc import Callable

import numpy as np

from lab_app.benchmarks.clock import Clock, SystemClock
from lab_app.benchmarks.result import Noise
from lab_app.benchmarks.speed.statistics import spread

SAMPLES = 60
TURNS = 60_000
"""Of the loop; about 3 ms, shorter than what a scheduler gives a program at once."""
MUCH = 0.05


def measure(
    clock: Clock | None = None, work: Callable[[], object] | None = None, check: Callable[[], None] = lambda: None
) -> Noise:
    """Times the loop 60 times, which takes about a fifth of a second. `check` may raise to stop it."""
    clock, work = clock or SystemClock(), work or _loop
    work()
    times = []
    for _ in range(SAMPLES):
        check()
        # Without `clock.timed`: it collects garbage before each call, which takes seconds in a server, and the loop makes none.
        begin = clock.now_ns()
        work()
        times.append(clock.now_ns() - begin)
    return of_times(times)


def of_times(times_ns: list[int]) -> Noise:
    """The noise in times of equal work.

    >>> of_times([100] * 20).warning is None, of_times([100, 130] * 10).spread
    (True, 0.2608695652173913)
    """
    low, middle, high = np.quantile(np.asarray(times_ns, np.float64), (0.05, 0.5, 0.95))
    found = spread([float(time) for time in times_ns])
    warning = None
    if found > MUCH:
        warning = (
            f"Equal work varied by {100 * found:.1f} %. Close other programs and run it again; "
            "do not rely on smaller differences."
        )
    return Noise(len(times_ns), found, float((high - low) / middle), warning)


def _loop() -> int:
    total = 0
    for number in range(TURNS):
        total += number & 7
    return total
