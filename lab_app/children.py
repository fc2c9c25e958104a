"""Starts child processes of this Python that run a function of the lab, with limits of time and memory.

A child imports nothing from the current folder, which may be a stranger's: `-P` keeps Python from putting it on the path,
and the path it works with is this process's. All children of the lab are started here.
"""

import contextlib
import importlib
import json
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO, Any

ROOT = Path(__file__).resolve().parent.parent
START = "import sys, json; sys.path[:] = json.loads(sys.argv[1]); from lab_app.children import main; main()"


class TookTooLong(Exception):
    """The child had no answer within its time. It has been ended."""


def start(
    function: str,
    *,
    memory_bytes: int | None = None,
    stdin: int = subprocess.PIPE,
    stdout: int = subprocess.PIPE,
    stderr: int = subprocess.DEVNULL,
    environment: Mapping[str, str] | None = None,
) -> "subprocess.Popen[bytes]":
    """Starts `function`, "package.module:name", which takes nothing, in a process of its own.

    `memory_bytes` is the most data it may hold (not on Windows and macOS, which have no such limit).
    """
    given = {"function": function, "memory_bytes": memory_bytes}
    return subprocess.Popen(
        [sys.executable, "-P", "-c", START, json.dumps(_path()), json.dumps(given)],
        stdin=stdin,
        stdout=stdout,
        stderr=stderr,
        env=environment,
    )


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


def end(process: "subprocess.Popen[bytes]") -> None:
    """Ends a child, if it has not ended, and closes its pipes."""
    process.kill()
    process.wait()
    for stream in (process.stdin, process.stdout, process.stderr):
        _close(stream)


def main() -> None:
    """What a child runs: sets its limit and calls its function."""
    given = json.loads(sys.argv[2])
    if given["memory_bytes"] is not None:
        _limit_memory(given["memory_bytes"])
    module, _, name = given["function"].partition(":")
    function: Callable[[], Any] = getattr(importlib.import_module(module), name)
    function()


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
    if stream is not None:
        with contextlib.suppress(OSError, ValueError):
            stream.close()
