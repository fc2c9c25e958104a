"""Runs a plug-in's process and asks it, with a time limit: what it does cannot end, block or fill the lab.

A process that takes too long, or ends, is replaced at the next question. Not here: what is said (`wire`, `worker`), what an
answer must be (`tokenizer`).
"""

import queue
import subprocess
import threading
import weakref
from typing import Any

from lab_app import children
from lab_app.library.plugins import wire, worker
from lab_app.library.plugins.discovery import Plugin

# Enough for a plug-in that brings a machine-learning library, and not all of a machine.
MAX_MEMORY_BYTES = 8_000_000_000


class PluginFailed(Exception):
    """What went wrong, in words that name the plug-in."""


class PluginProcess:
    """One plug-in; threads may share it, and wait for each other."""

    def __init__(self, plugin: Plugin, timeout_s: float) -> None:
        self._plugin = plugin
        self._timeout_s = timeout_s
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._finalizer: weakref.finalize[..., Any] | None = None

    def load(self) -> dict[str, Any]:
        """Imports the plug-in and asks for its vocabulary. Raises PluginFailed."""
        with self._lock:
            self._stop()
            return self._loaded()

    def ask(self, **request: Any) -> dict[str, Any]:
        """Its answer to `encode` or `decode`. Raises PluginFailed if it raises, takes too long or ends."""
        with self._lock:
            if self._process is None or self._process.poll() is not None:
                self._stop()
                self._loaded()
            return self._exchange(request)

    def _loaded(self) -> dict[str, Any]:
        self._start()
        return self._exchange({"do": "load", "name": self._plugin.name, "value": self._plugin.value})

    def _start(self) -> None:
        self._process = children.start(worker.main, memory_bytes=MAX_MEMORY_BYTES)
        self._finalizer = weakref.finalize(self, children.end, self._process)

    def _stop(self) -> None:
        if self._finalizer is not None:
            self._finalizer()
        self._process = self._finalizer = None

    def _exchange(self, request: dict[str, Any]) -> dict[str, Any]:
        process = self._process
        assert process is not None
        answers: queue.SimpleQueue[dict[str, Any] | Exception | None] = queue.SimpleQueue()
        # In a thread, since neither end of a pipe takes a time limit; killing the process ends it.
        threading.Thread(target=_talk, args=(process, request, answers), daemon=True).start()
        try:
            answer = answers.get(timeout=self._timeout_s)
        except queue.Empty:
            self._stop()
            raise PluginFailed(
                f"the plug-in {self._plugin.name} took longer than {self._timeout_s:g} s to {request['do']}"
            ) from None
        if answer is None:
            self._stop()
            raise PluginFailed(
                f"the process of the plug-in {self._plugin.name} ended (status {process.returncode}) "
                f"instead of answering to {request['do']}"
            )
        if isinstance(answer, Exception):
            self._stop()
            raise PluginFailed(f"the plug-in {self._plugin.name} does not communicate: {answer}") from answer
        if "error" in answer:
            raise PluginFailed(f"the plug-in {self._plugin.name} failed to {request['do']}: {answer['error']}")
        return answer


def _talk(process: subprocess.Popen[bytes], request: dict[str, Any], answers: "queue.SimpleQueue[Any]") -> None:
    assert process.stdin is not None and process.stdout is not None
    try:
        wire.write(process.stdin, request)
        answers.put(wire.read(process.stdout))
    except (BrokenPipeError, ConnectionError):
        answers.put(None)
    except Exception as error:
        answers.put(error)
