"""The machine and the software of a run, as far as the system says. Linux says most of it.

Source: proc(5), `cpuinfo`; Linux kernel documentation, "CPU Performance Scaling" (scaling_governor).
"""

import contextlib
import os
import platform
import time
from collections.abc import Sequence
from pathlib import Path

from lab_app import engine
from lab_app.benchmarks.result import Environment
from lab_app.version import lab_commit, lab_version, short_commit

CPUINFO = Path("/proc/cpuinfo")
GOVERNOR = Path("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")
BUSY = 0.5
"""Load per CPU above which other programs disturb a measurement."""


def environment(pinned_cpus: Sequence[int] | None = None) -> Environment:
    """The environment now.

    >>> environment().logical_cpus >= 1
    True
    """
    clock = time.get_clock_info("perf_counter")
    logical = os.cpu_count() or 1
    found = Environment(
        cpu=_cpu(),
        cores=_cores(),
        logical_cpus=logical,
        usable_cpus=len(usable_cpus()) or logical,
        pinned_cpus=list(pinned_cpus) if pinned_cpus else None,
        governor=_read(GOVERNOR),
        frequency_mhz=_frequency_mhz(),
        load_average=_load_average(),
        memory_bytes=_memory_bytes(),
        system=f"{platform.system()} {platform.release()} {platform.machine()}",
        python=f"{platform.python_implementation()} {platform.python_version()}",
        lab=lab_version(),
        commit=None if (commit := lab_commit()) is None else short_commit(commit),
        build=engine.build_words(),
        clock=f"perf_counter ({clock.implementation})",
        clock_resolution_ns=max(1, round(clock.resolution * 1e9)),
        warnings=[],
    )
    found.warnings.extend(_warnings(found))
    return found


def usable_cpus() -> list[int]:
    """The CPUs that this process may use, in order; empty where the system does not say."""
    return sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []


def chosen_cpus(threads: int) -> list[int]:
    """The CPUs to bind engines to: the last ones, since the first has most interrupts. Empty where that cannot be done."""
    return usable_cpus()[-threads:]


def _warnings(found: Environment) -> list[str]:
    warnings = []
    load = found.load_average
    if load is not None and load > BUSY * found.usable_cpus:
        warnings.append(f"The load average was {load:.1f} on {found.usable_cpus} CPUs: other programs were running.")
    if found.governor is not None and found.governor != "performance":
        warnings.append(f'The frequency governor is "{found.governor}": the clock rate changes with the load.')
    return warnings


def _cpu() -> str | None:
    return _cpuinfo("model name") or (platform.processor() or None)


def _cpuinfo(name: str) -> str | None:
    for line in (_read(CPUINFO) or "").splitlines():
        key, _, value = line.partition(":")
        if key.strip() == name:
            return value.strip()
    return None


def _cores() -> int | None:
    """Physical cores: pairs of package and core."""
    package, pairs = "0", set()
    for line in (_read(CPUINFO) or "").splitlines():
        key, _, value = line.partition(":")
        if key.strip() == "physical id":
            package = value.strip()
        if key.strip() == "core id":
            pairs.add((package, value.strip()))
    return len(pairs) or None


def _frequency_mhz() -> float | None:
    with contextlib.suppress(TypeError, ValueError):
        return float(_cpuinfo("cpu MHz"))  # type: ignore[arg-type]
    return None


def _load_average() -> float | None:
    with contextlib.suppress(OSError, AttributeError):
        return round(os.getloadavg()[0], 2)
    return None


def _memory_bytes() -> int | None:
    with contextlib.suppress(OSError, ValueError, AttributeError):
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return None


def _read(path: Path) -> str | None:
    with contextlib.suppress(OSError, UnicodeDecodeError):
        return path.read_text(encoding="utf-8").strip() or None
    return None
