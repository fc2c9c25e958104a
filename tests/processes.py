"""Processes that tests start: they end with the tests. Not here: children of the lab (`lab_app.children`)."""

import contextlib
import os
import shutil
import signal
from pathlib import Path

SETPRIV = shutil.which("setpriv")


def tied(*command: str) -> list[str]:
    """The command of a process that ends when this one does, however it does: a test that hangs is ended without a teardown.

    A process left over would hold the pipe that the tests print to, and who reads that would wait for ever. Only Linux
    has this; `setpriv` becomes the command, so there is no process more.
    """
    return [SETPRIV, "--pdeathsig", "KILL", "--", *command] if SETPRIV else list(command)


def family(pid: int) -> set[int]:
    """A process and all that descend from it, as they are now. From /proc, which only Linux has."""
    parents = {
        int(entry.name): parent_of(int(entry.name)) for entry in Path("/proc").iterdir() if entry.name.isdecimal()
    }
    found = {pid}
    while more := {child for child, parent in parents.items() if parent in found} - found:
        found |= more
    return found


def processor_s(pid: int) -> float:
    """What a process and all that descend from it have taken of the processor, in seconds, also those that have ended."""
    return sum(map(spent_s, family(pid)))


def spent_s(pid: int) -> float:
    """What a process has taken, and its children that have ended; 0 if it has ended itself."""
    try:
        ticks = (Path("/proc") / str(pid) / "stat").read_text().rpartition(")")[2].split()[11:15]
    except OSError:
        return 0
    return sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")


def kill(pids: set[int]) -> None:
    """Kills the processes that still run."""
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def runs(pid: int) -> bool:
    """Whether the process has not ended; one that ended and was not waited for has."""
    try:
        return (Path("/proc") / str(pid) / "stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def parent_of(pid: int) -> int:
    """The process that started it; 0 if it has ended."""
    try:
        return int((Path("/proc") / str(pid) / "stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return 0


def command_of(pid: int) -> str:
    """Its command line; empty if it has ended."""
    try:
        return (Path("/proc") / str(pid) / "cmdline").read_text("utf-8", "replace")
    except OSError:
        return ""
