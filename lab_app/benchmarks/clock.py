"""The clocks of a measurement, and one call timed with them. Not here: what the times mean (`speed.statistics`)."""

import gc
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol


class Clock(Protocol):
    """Where times come from: the system, or a simulation in tests."""

    def now_ns(self) -> int:
        """Wall time, which never goes back."""
        ...

    def cpu_ns(self) -> int:
        """CPU time of all threads of this process."""
        ...


class SystemClock:
    """The clocks of the operating system."""

    def now_ns(self) -> int:
        """See `Clock`."""
        return time.perf_counter_ns()

    def cpu_ns(self) -> int:
        """See `Clock`."""
        return time.process_time_ns()


@dataclass(frozen=True)
class Timed:
    """The times of one call, and what it returned."""

    elapsed_ns: int
    cpu_ns: int
    answer: Any


def timed(clock: Clock, call: Callable[[], Any]) -> Timed:
    """Times one call, with the garbage collector off: a collection belongs to whoever made the garbage before.

    >>> timed(SystemClock(), lambda: 7).answer
    7
    """
    gc.collect()
    gc.disable()
    try:
        cpu, begin = clock.cpu_ns(), clock.now_ns()
        answer = call()
        end, cpu_end = clock.now_ns(), clock.cpu_ns()
    finally:
        gc.enable()
    return Timed(end - begin, cpu_end - cpu, answer)
