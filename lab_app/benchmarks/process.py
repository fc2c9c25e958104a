"""The lab's end of a subject's process: asks it, with a limit of time, and says how it ended if it did.

Not here: what it does (`speed.worker`), when it is asked (`speed.runner`).
"""

import os
import tempfile
from collections.abc import Callable
from typing import Any, Protocol

from lab_app.benchmarks.result import RowState
from lab_app.children import TookTooLong
from lab_app.children import session as child

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
        function: Callable[[], None],
    ) -> None:
        self._check = check
        self._printed: str | None = None
        # Appended to, since the child shares the place in the file; closed by `end`.
        self._stderr = tempfile.TemporaryFile("a+b")  # noqa: SIM115
        self._session = child.Session(
            function,
            memory_bytes=memory_bytes,
            stderr=self._stderr.fileno(),
            environment={
                **os.environ,
                **dict.fromkeys(THREAD_VARIABLES, str(threads)),
                "TOKENIZERS_PARALLELISM": "false" if threads == 1 else "true",
            },
        )
        try:
            self.ask({"do": "start"}, START_S)
        except BaseException:
            self.end()
            raise

    def ask(self, request: dict[str, Any], limit_s: float) -> dict[str, Any]:
        """See `Session`."""
        try:
            answer = self._session.ask(request, limit_s, self._check)
        except TookTooLong:
            self.end()
            raise SubjectTimedOut(f"{STEPS[request['do']]} took longer than {limit_s:g} s") from None
        except child.ChildEnded as ended:
            self.end()
            words = str(ended)
            raise SubjectCrashed(f"it {words}" if words.startswith("crashed") else f"its process {words}") from None
        except ValueError as error:
            self.end()
            raise SubjectFailed(f"its process does not communicate: {error}") from error
        if "lacks" in answer:
            raise SubjectUnsupported(str(answer["lacks"]))
        if "error" in answer:
            raise SubjectFailed(str(answer["error"]))
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
        self._session.end()
        if not self._stderr.closed:
            self._printed = self.output()
            self._stderr.close()
