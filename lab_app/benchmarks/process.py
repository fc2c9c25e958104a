"""The lab's end of a subject's process: asks it, with a limit of time, and says how it ended if it did.

Not here: what it does (`worker`), when it is asked (`runner`).
"""

import os
import queue
import signal
import tempfile
import threading
import time
from collections.abc import Callable
from typing import IO, Any, Protocol

from lab_app import children
from lab_app.benchmarks import worker
from lab_app.benchmarks.result import RowState
from lab_app.library.plugins import wire

POLL_S = 0.1
START_S = 120.0
"""How long Python and numpy may take to start on a busy machine; that is no fault of the engine."""
OUTPUT_CHARACTERS = 2000
THREAD_VARIABLES = ("RAYON_NUM_THREADS", "RAYON_RS_NUM_CPUS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")

STEPS = {
    "start": "starting its process",
    "load": "loading",
    "first": "the first pass",
    "digests": "checking the IDs",
    "difference": "checking the IDs",
    "sample": "one sample",
    "latency": "one pass over the documents",
    "stages": "timing the stages",
    "prepare": "making the text",
    "time": "one sample",
}
"""Requests in words."""


class SubjectEnded(Exception):
    """The subject has no answer: the words say why, for people."""

    state: RowState = "failed"


class SubjectFailed(SubjectEnded):
    """The engine raised an error."""


class SubjectUnsupported(SubjectEnded):
    """The engine lacks what was asked for."""

    state = "unsupported"


class SubjectCrashed(SubjectEnded):
    """Its process ended."""


class SubjectTimedOut(SubjectEnded):
    """It took longer than the limit, and was ended."""

    state = "timed_out"


class Session(Protocol):
    """What the runner asks: a process, or a simulation in tests."""

    def ask(self, request: dict[str, Any], limit_s: float) -> dict[str, Any]:
        """The answer of `Worker.answer`. Raises SubjectEnded, and what `check` raises while it waits."""
        ...

    def output(self) -> str | None:
        """What the engine printed last; None if it printed nothing."""
        ...

    def end(self) -> None:
        """Ends the process."""
        ...


class SubjectProcess:
    """One process, which runs `function`.

    `check` is called several times per second while an answer is awaited, and may raise to stop.
    """

    def __init__(
        self,
        threads: int,
        memory_bytes: int,
        check: Callable[[], None],
        function: Callable[[], None] = worker.main,
    ) -> None:
        self._check = check
        self._printed: str | None = None
        # Appended to, since the child shares the place in the file; closed by `end`.
        self._stderr = tempfile.TemporaryFile("a+b")  # noqa: SIM115
        self._process = children.start(
            function,
            memory_bytes=memory_bytes,
            stderr=self._stderr.fileno(),
            environment={
                **os.environ,
                **dict.fromkeys(THREAD_VARIABLES, str(threads)),
                "TOKENIZERS_PARALLELISM": "false" if threads == 1 else "true",
            },
        )
        self._answers: queue.SimpleQueue[dict[str, Any] | Exception | None] = queue.SimpleQueue()
        # Taken from the process, so that `end` does not close it: see `_listen`.
        stdout, self._process.stdout = self._process.stdout, None
        assert stdout is not None
        threading.Thread(target=self._listen, args=(stdout,), daemon=True).start()
        try:
            self.ask({"do": "start"}, START_S)
        except BaseException:
            self.end()
            raise

    def ask(self, request: dict[str, Any], limit_s: float) -> dict[str, Any]:
        """See `Session`."""
        self._send(request)
        deadline = time.monotonic() + limit_s
        while True:
            self._check()
            try:
                answer = self._answers.get(timeout=min(POLL_S, max(0.0, deadline - time.monotonic())))
                break
            except queue.Empty:
                if time.monotonic() >= deadline:
                    self.end()
                    raise SubjectTimedOut(f"{STEPS[request['do']]} took longer than {limit_s:g} s") from None
        if answer is None:
            raise SubjectCrashed(self._how_it_ended())
        if isinstance(answer, Exception):
            self.end()
            raise SubjectFailed(f"its process does not communicate: {answer}") from answer
        if "error" in answer:
            raise (SubjectUnsupported if answer["unsupported"] else SubjectFailed)(str(answer["error"]))
        return answer

    def output(self) -> str | None:
        """See `Session`."""
        if self._stderr.closed:
            return self._printed
        end = self._stderr.seek(0, os.SEEK_END)
        self._stderr.seek(max(0, end - 4 * OUTPUT_CHARACTERS))
        words = self._stderr.read().decode("utf-8", "replace").strip()[-OUTPUT_CHARACTERS:]
        return words or None

    def end(self) -> None:
        """See `Session`."""
        children.end(self._process)
        if not self._stderr.closed:
            self._printed = self.output()
            self._stderr.close()

    def _send(self, request: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        try:
            wire.write(self._process.stdin, request)
        except (OSError, ValueError):
            raise SubjectCrashed(self._how_it_ended()) from None

    def _listen(self, stdout: IO[bytes]) -> None:
        """Passes answers on; in a thread, since a pipe takes no limit of time. Ends with the pipe.

        Only this thread closes the pipe. If another did just before a read starts, the next process's pipe could get the
        same file descriptor, and the read would take that process's answer.
        """
        answer: dict[str, Any] | Exception | None
        with stdout:
            while True:
                try:
                    answer = wire.read(stdout)
                except Exception as error:
                    answer = error
                self._answers.put(answer)
                if not isinstance(answer, dict):
                    return

    def _how_it_ended(self) -> str:
        self.end()
        status = self._process.returncode
        if status is None or status >= 0:
            return f"its process ended with status {status}"
        try:
            return f"it crashed with signal {-status} ({signal.Signals(-status).name})"
        except ValueError:
            return f"it crashed with signal {-status}"
