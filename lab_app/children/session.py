"""A child that answers questions one after the other, each with a limit of time: both ends of the conversation.

Questions and answers are JSON documents (`wire`). Not here: what they mean (`lab_app.library.plugins`, `lab_app.benchmarks`).
"""

import os
import queue
import signal
import subprocess
import threading
import time
import weakref
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import IO, Any

from lab_app.children import wire
from lab_app.children.starting import TookTooLong, end, start

POLL_S = 0.1
MAX_WORDS = 500
ENDING_S = 1.0
"""How long a child that gives no more answers may take to end by itself."""

Document = dict[str, Any]


class ChildEnded(Exception):
    """The child ended instead of answering: the words say how."""


class Session:
    """One child. A question that is not answered in time ends it, and so does the end of this object."""

    def __init__(
        self,
        function: Callable[[], None],
        *,
        memory_bytes: int,
        stderr: int = subprocess.DEVNULL,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        """Starts `function`, which calls `serve`. The rest is as for `start`."""
        self._process = start(function, memory_bytes=memory_bytes, stderr=stderr, environment=environment)
        # Taken from the process, so that only the thread that reads and writes them closes them. If another did just before
        # a read starts, the next child's pipe could get the same file descriptor, and the read would take its answer.
        stdin, self._process.stdin = self._process.stdin, None
        stdout, self._process.stdout = self._process.stdout, None
        assert stdin is not None and stdout is not None
        self._questions: queue.SimpleQueue[Document | None] = queue.SimpleQueue()
        self._answers: queue.SimpleQueue[Document | Exception | None] = queue.SimpleQueue()
        # A thread, since a pipe takes no limit of time. It holds no reference to this object.
        talk = threading.Thread(target=_talk, args=(stdin, stdout, self._questions, self._answers), daemon=True)
        talk.start()
        self.end = weakref.finalize(self, _end, self._process, self._questions)
        """Ends the child; a second call does nothing."""

    def ask(self, question: Document, limit_s: float, check: Callable[[], None] = lambda: None) -> Document:
        """The answer of the child. `check` is called several times per second while it is awaited, and may raise to stop.

        Raises TookTooLong after `limit_s`, ChildEnded, and ValueError for what is no answer; the child has ended then, and
        after whatever else ends the waiting: its late answer would be taken for that to the next question.
        """
        try:
            answer = self._answer(question, limit_s, check)
        except BaseException:
            self.end()
            raise
        if isinstance(answer, dict):
            return answer
        if answer is None:
            with suppress(subprocess.TimeoutExpired):  # it says how it ended, unless it only closed its pipe
                self._process.wait(timeout=ENDING_S)
        self.end()
        if answer is None:
            raise ChildEnded(self._how_it_ended())
        raise ValueError(str(answer)) from answer

    def _answer(self, question: Document, limit_s: float, check: Callable[[], None]) -> Document | Exception | None:
        self._questions.put(question)
        deadline = time.monotonic() + limit_s
        while True:
            check()
            try:
                return self._answers.get(timeout=min(POLL_S, max(0.0, deadline - time.monotonic())))
            except queue.Empty:
                if time.monotonic() >= deadline:
                    raise TookTooLong from None

    def is_running(self) -> bool:
        """Whether the child has not ended."""
        return self._process.poll() is None

    def _how_it_ended(self) -> str:
        status = self._process.returncode
        if status is None or status >= 0:
            return f"ended with status {status}"
        try:
            return f"crashed with signal {-status} ({signal.Signals(-status).name})"
        except ValueError:
            return f"crashed with signal {-status}"


def serve(answer_to: Callable[[Document], Document]) -> None:
    """What the child runs: answers questions on stdin until it ends.

    What `answer_to` prints goes to stderr, and it reads nothing; what it raises becomes an answer with `error`, and with `lacks`
    if it is a NotImplementedError.
    """
    answers = os.fdopen(os.dup(1), "wb")
    questions = os.fdopen(os.dup(0), "rb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    while (question := wire.read(questions)) is not None:
        try:
            answer = answer_to(question)
        except BaseException as error:  # a panic of a library in Rust is no Exception, and SystemExit must not end this
            words = _words(error)
            answer = {"error": f"{type(error).__name__}: {words}"[:MAX_WORDS]}
            if isinstance(error, NotImplementedError):
                answer["lacks"] = words[:MAX_WORDS]
        wire.write(answers, answer)


def _talk(
    stdin: IO[bytes],
    stdout: IO[bytes],
    questions: "queue.SimpleQueue[Document | None]",
    answers: "queue.SimpleQueue[Document | Exception | None]",
) -> None:
    answer: Document | Exception | None = {}
    with stdout:
        while isinstance(answer, dict) and (question := questions.get()) is not None:
            try:
                wire.write(stdin, question)
                answer = wire.read(stdout)
            except (BrokenPipeError, ConnectionError):
                answer = None
            except Exception as error:
                answer = error
            answers.put(answer)
    stdin.raw.close()  # type: ignore[attr-defined]  # not what is left in its buffer, which nobody reads


def _end(process: "subprocess.Popen[bytes]", questions: "queue.SimpleQueue[Document | None]") -> None:
    end(process)
    questions.put(None)


def _words(error: BaseException) -> str:
    try:
        return str(error)
    except BaseException:
        return "and its message fails as well"
