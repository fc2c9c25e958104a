"""Starts child processes that run a function of the lab, with limits of time and memory.

A child is this program again, as `PROGRAM --child PATH FUNCTION MEMORY`, which `lab_app/__main__.py` passes on to `main`.
That works with Python as with a program that PyInstaller made (`sys.frozen`), whose executable takes no `-c` and no `-m`.
A child imports nothing from the current folder, which may be a stranger's: `-P` keeps Python from putting it on the path,
and the path it works with is this process's. All children of the lab are started here.
"""

import contextlib
import importlib
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO

SECRETS = frozenset(
    {
        "TOKEN",
        "TOKENS",
        "SECRET",
        "PASSWORD",
        "PASSWD",
        "KEY",
        "KEYS",
        "APIKEY",
        "CREDENTIAL",
        "CREDENTIALS",
        "AUTH",
        "COOKIE",
    }
)
"""Words in names of variables that hold a secret, such as HF_TOKEN."""
ROOT = Path(__file__).resolve().parent.parent


class TookTooLong(Exception):
    """The child had no answer within its time. It has been ended."""


def start(
    function: Callable[[], None] | str,
    *,
    memory_bytes: int | None = None,
    stdin: int = subprocess.PIPE,
    stdout: int = subprocess.PIPE,
    stderr: int = subprocess.DEVNULL,
    environment: Mapping[str, str] | None = None,
) -> "subprocess.Popen[bytes]":
    """Starts `function`, found by its module and name, in a process of its own: as a text, `module:name`, nothing of it is
    imported here.

    The child gets the variables of `environment`, or of this process, but no secrets.
    `memory_bytes` is the most data it may hold (not on Windows and macOS, which have no such limit).
    """
    name = function if isinstance(function, str) else f"{function.__module__}:{function.__qualname__}"
    return subprocess.Popen(
        [*_program(), name, str(memory_bytes or 0)],
        stdin=stdin,
        stdout=stdout,
        stderr=stderr,
        env=without_secrets(os.environ if environment is None else environment),
    )


def without_secrets(environment: Mapping[str, str]) -> dict[str, str]:
    """The variables but those whose names say that they hold a secret: templates, plug-ins and other engines run in children.

    >>> without_secrets({"HF_TOKEN": "x", "TOKENLAB_DATA_DIR": "/d", "AWS_SECRET_ACCESS_KEY": "y", "HOME": "/h"})
    {'TOKENLAB_DATA_DIR': '/d', 'HOME': '/h'}
    """
    return {name: value for name, value in environment.items() if SECRETS.isdisjoint(name.upper().split("_"))}


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
    """What a child runs: sets its limit and calls its function."""
    name, memory_bytes = sys.argv[3], int(sys.argv[4])
    if memory_bytes:
        _limit_memory(memory_bytes)
    module, _, function = name.partition(":")
    getattr(importlib.import_module(module), function)()


def _program() -> list[str]:
    """The command of a child up to its path of modules. A frozen program finds its modules by itself."""
    if getattr(sys, "frozen", False):
        return [sys.executable, "--child", ""]
    return [sys.executable, "-P", str(ROOT / "lab_app" / "__main__.py"), "--child", os.pathsep.join(_path())]


def _path() -> list[str]:
    """This process's path of modules without the current folder ("" or "."), and with the folder of the lab itself."""
    given = [folder for folder in sys.path if folder and Path(folder).is_absolute()]
    return given if str(ROOT) in given else [*given, str(ROOT)]


def _limit_memory(size: int) -> None:
    try:
        import resource
    except ImportError:
        return  # Windows has no such limit; that of time holds
    # Data, not address space: libraries reserve far more of that than they use.
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_DATA, (size, size))


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
