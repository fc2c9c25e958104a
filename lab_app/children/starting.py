"""Starts child processes that run a function of the lab, with limits of time and memory. They end with their parent.

A child is this program again, as `PROGRAM --child PATH FUNCTION MEMORY CPU PARENT`, which `lab_app/__main__.py` passes on to `main`.
That works with Python as with a program that PyInstaller made (`sys.frozen`), whose executable takes no `-c` and no `-m`.
A child imports nothing from the current folder, which may be a stranger's: `-P` keeps Python from putting it on the path,
and the path it works with is this process's. All children of the lab are started here. Not here: questions to a child that
answers several (`session`), limits and variables (`limits`), the end of the parent (`parent`).
"""

import contextlib
import functools
import importlib
import math
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING

from lab_app.children.limits import limit, without_secrets
from lab_app.children.parent import end_with

if TYPE_CHECKING:
    from concurrent.futures import Executor

ROOT = Path(__file__).resolve().parents[2]


class TookTooLong(Exception):
    """The child had no answer within its time. It has been ended."""


def start(
    function: Callable[[], None] | str,
    *,
    memory_bytes: int | None = None,
    cpu_s: float | None = None,
    minds_stdin: bool = False,
    stdin: int = subprocess.PIPE,
    stdout: int = subprocess.PIPE,
    stderr: int = subprocess.DEVNULL,
    environment: Mapping[str, str] | None = None,
) -> "subprocess.Popen[bytes]":
    """Starts `function`, found by its module and name, in a process of its own: as a text, `module:name`, nothing of it is
    imported here.

    The child gets the variables of `environment`, or of this process, but no secrets.
    `memory_bytes` is the most data it may hold (not on Windows and macOS, which have no such limit), `cpu_s` the processor
    time after which it is killed (not on Windows). When this process ends, however it does, so does the child; one that
    `minds_stdin` ends by itself when its stdin ends, and is not killed.
    """
    name = function if isinstance(function, str) else f"{function.__module__}:{function.__qualname__}"
    limits = (memory_bytes or 0, math.ceil(cpu_s or 0), 0 if minds_stdin else os.getpid())
    command = [*_program(), name, *map(str, limits)]
    variables = without_secrets(os.environ if environment is None else environment)

    def make() -> "subprocess.Popen[bytes]":
        return subprocess.Popen(command, stdin=stdin, stdout=stdout, stderr=stderr, env=variables)

    return make() if minds_stdin else _starter().submit(make).result()


@functools.cache
def _starter() -> "Executor":
    """The thread that starts children, as long as this process lives: Linux kills a child when the thread ends that started
    it, not when the process does."""
    from concurrent.futures import ThreadPoolExecutor  # too slow to be imported before the window is started

    return ThreadPoolExecutor(1, "children")


def ask(process: "subprocess.Popen[bytes]", request: bytes | None, timeout_s: float) -> tuple[bytes, bytes]:
    """Sends the one request of a child and returns all of its stdout and stderr when it has ended.

    Raises TookTooLong after `timeout_s`; whatever happens, the child has ended then.
    """
    try:
        stdout, stderr = process.communicate(request, timeout_s)
    except subprocess.TimeoutExpired:
        raise TookTooLong from None
    finally:
        end(process)
    return stdout or b"", stderr or b""


def exit_status(
    command: Sequence[str], folder: Path, *, timeout_s: float, environment: Mapping[str, str] | None = None
) -> int | None:
    """Runs another program without input or output in `folder`. None if it is not there or takes too long."""
    try:
        return subprocess.run(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=timeout_s,
            check=False,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        ).returncode
    except (OSError, subprocess.TimeoutExpired):
        return None


def end(process: "subprocess.Popen[bytes]") -> None:
    """Ends a child, if it has not ended, and closes its pipes."""
    process.kill()
    process.wait()
    for stream in (process.stdin, process.stdout, process.stderr):
        _close(stream)


def main() -> None:
    """What a child runs: sets its limits and calls its function."""
    name, (memory_bytes, cpu_s, parent) = sys.argv[3], map(int, sys.argv[4:7])
    if parent:
        end_with(parent)
    if memory_bytes:
        limit("RLIMIT_DATA", memory_bytes)  # not the address space: libraries reserve far more of that than they use
    if cpu_s:
        limit("RLIMIT_CPU", cpu_s)
    module, _, function = name.partition(":")
    getattr(importlib.import_module(module), function)()


def this_program() -> list[str]:
    """The command that starts the lab again as it was started."""
    if getattr(sys, "frozen", False):
        return [sys.executable]
    script = Path(sys.argv[0]).absolute()
    return [str(script)] if script.name == "tokenlab" and script.is_file() else [sys.executable, "-m", "lab_app"]


def _program() -> list[str]:
    """The command of a child up to its path of modules. A frozen program finds its modules by itself."""
    if getattr(sys, "frozen", False):
        return [sys.executable, "--child", ""]
    return [sys.executable, "-P", str(ROOT / "lab_app" / "__main__.py"), "--child", os.pathsep.join(_path())]


def _path() -> list[str]:
    """This process's path of modules without the current folder ("" or "."), and with the folder of the lab itself."""
    given = [folder for folder in sys.path if folder and Path(folder).is_absolute()]
    return given if str(ROOT) in given else [*given, str(ROOT)]


def _close(stream: IO[bytes] | None) -> None:
    """Closes a pipe at once, even while another thread reads it.

    The buffer has a lock, which that thread holds until the pipe ends: for ever, if the child has left a process that
    still has the other end. So what is below the buffer is closed.

    A read that starts just then may hit a newer pipe, which has the same file descriptor. A thread that may start one
    at any time has to close the pipe itself.
    """
    if stream is not None:
        with contextlib.suppress(OSError, ValueError):
            getattr(stream, "raw", stream).close()
