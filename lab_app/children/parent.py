"""Ends a child with its parent, however the parent ends."""

import contextlib
import os
import signal
import sys
import threading
import time

PARENT_POLL_S = 1.0
PR_SET_PDEATHSIG = 1
"""Of prctl(2)."""


def end_with(parent: int) -> None:
    """Ends this process when `parent` has ended: by the kernel on Linux, by a thread on macOS.

    On Windows nobody tells a process of the end of its parent: there a child ends when its stdin does.
    """
    if sys.platform == "win32":
        return
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    threading.Thread(target=_watch, args=(parent, os.getppid()), name="parent", daemon=True).start()


def _watch(parent: int, direct: int) -> None:
    """Polls both: what PyInstaller makes starts a program by way of another, which is then the `direct` parent."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        while os.getppid() == direct:
            os.kill(parent, 0)
            time.sleep(PARENT_POLL_S)
    os._exit(1)
