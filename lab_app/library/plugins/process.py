"""Runs a plug-in's process and asks it, with a time limit: what it does cannot end, block or fill the lab.

A process that takes too long, or ends, is replaced at the next question. Not here: how one is asked (`lab_app.children.session`),
what is said (`worker`), what an answer must be (`tokenizer`).
"""

import threading
from typing import Any

from lab_app.children import TookTooLong
from lab_app.children.session import ChildEnded, Session
from lab_app.library.plugins import worker
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
        self._session: Session | None = None

    def load(self) -> dict[str, Any]:
        """Imports the plug-in and asks for its vocabulary. Raises PluginFailed."""
        with self._lock:
            return self._loaded()

    def ask(self, **request: Any) -> dict[str, Any]:
        """Its answer to `encode` or `decode`. Raises PluginFailed if it raises, takes too long or ends."""
        with self._lock:
            if self._session is None or not self._session.is_running():
                self._loaded()
            return self._exchange(request)

    def _loaded(self) -> dict[str, Any]:
        if self._session is not None:
            self._session.end()
        self._session = Session(worker.main, memory_bytes=MAX_MEMORY_BYTES)
        return self._exchange({"do": "load", "name": self._plugin.name, "value": self._plugin.value})

    def _exchange(self, request: dict[str, Any]) -> dict[str, Any]:
        assert self._session is not None
        name, wanted = self._plugin.name, request["do"]
        try:
            answer = self._session.ask(request, self._timeout_s)
        except TookTooLong:
            raise PluginFailed(f"the plug-in {name} took longer than {self._timeout_s:g} s to {wanted}") from None
        except ChildEnded as ended:
            raise PluginFailed(f"the process of the plug-in {name} {ended} instead of answering to {wanted}") from None
        except ValueError as error:
            raise PluginFailed(f"the plug-in {name} does not communicate: {error}") from error
        if "error" in answer:
            raise PluginFailed(f"the plug-in {name} failed to {wanted}: {answer['error']}")
        return answer
