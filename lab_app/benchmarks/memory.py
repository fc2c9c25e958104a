"""Memory of this process: resident now, and the highest since it was last reset.

Source: proc(5), `VmRSS` and `VmHWM` of /proc/self/status, `clear_refs`; getrusage(2), `ru_maxrss`.
"""

import contextlib
import ctypes
import sys
from pathlib import Path

STATUS = Path("/proc/self/status")


def resident_bytes() -> int | None:
    """Memory of this process that is in RAM; None where the system does not say."""
    return _status("VmRSS")


def peak_bytes() -> int | None:
    """The highest resident memory since `reset_peak`, or since the start where that cannot be reset; None on Windows."""
    found = _status("VmHWM")
    if found is not None:
        return found
    try:
        import resource
    except ImportError:
        return None
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


def reset_peak() -> None:
    """Returns freed memory to the system and starts the peak anew, as far as the system can."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")


def _status(name: str) -> int | None:
    with contextlib.suppress(OSError, ValueError, IndexError):
        line = next((line for line in STATUS.read_text().splitlines() if line.startswith(name + ":")), None)
        return None if line is None else int(line.split()[1]) * 1024
    return None
