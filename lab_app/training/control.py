"""What others ask of a training that runs: pause, continue, stop and keep, cancel, or work on its trainer.

Every wish is written under one lock; the training reads it between its steps. Not here: the steps (`run`).
"""

import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Literal, TypeVar

from lab_app.errors import Cancelled, Conflict

T = TypeVar("T")
Wish = Literal["run", "pause", "keep", "cancel"]
BEAT_S = 0.1
"""How soon a wish is noticed."""


class Control:
    """The wishes of all threads for one training. `stopped` says that its job was asked to stop; `aside` is entered while it
    is paused.

    >>> control = Control()
    >>> control.pause(), control.wish, control.resume(), control.cancel(), control.keep(), control.wish
    (True, 'pause', True, True, False, 'cancel')
    """

    def __init__(
        self,
        stopped: Callable[[], bool] = lambda: False,
        aside: Callable[[], AbstractContextManager[None]] = nullcontext,
    ) -> None:
        self.paused_s = 0.0
        """How long it was paused, pauses that last left out."""
        self._aside = aside
        self._changed = threading.Condition()
        self._wish: Wish = "run"
        self._stopped = stopped
        self._asked: deque[tuple[Callable[[], Any], Future[Any]]] = deque()
        self._is_open = True
        self._is_ending = False

    @property
    def wish(self) -> Wish:
        """What is wished now. A cancelled training stays cancelled."""
        if self._stopped():
            return "cancel"
        with self._changed:
            return self._wish

    @property
    def is_waiting(self) -> bool:
        """Whether a wish or somebody's work waits for the end of the step that runs."""
        with self._changed:
            asked = bool(self._asked)
        return asked or self.wish != "run"

    def pause(self) -> bool:
        """Asks it to wait. False if it is already ending."""
        return self._set("pause")

    def resume(self) -> bool:
        """Asks it to go on. False if it is already ending."""
        return self._set("run")

    def keep(self) -> bool:
        """Asks it to end and to write the tokenizer of its last step. False if it is already ending."""
        return self._set("keep")

    def cancel(self) -> bool:
        """Asks it to stop. Stronger than all other wishes."""
        with self._changed:
            self._wish = "cancel"
            self._changed.notify_all()
        return True

    def check(self) -> None:
        """Waits while the training is paused. Raises Cancelled if it was cancelled. For any thread that works for it."""
        while True:
            wish = self.wish
            if wish == "cancel":
                raise Cancelled("the training was cancelled", "start it again, or resume it from its last checkpoint")
            if wish != "pause":
                return
            with self._changed:
                self._changed.wait(BEAT_S)

    def wait_while_paused(self) -> None:
        """Does what others ask for until the pause is over. For the training's own thread."""
        if not self._is_paused():
            return
        began = time.monotonic()
        with self._aside():
            while self._is_paused():
                self.serve(BEAT_S)
        self.paused_s += time.monotonic() - began

    def ask(self, work: Callable[[], T]) -> T:
        """The result of `work`, which runs in the training's thread between two steps. Raises Conflict if it has ended."""
        future: Future[T] = Future()
        with self._changed:
            if not self._is_open:
                raise _ended()
            self._asked.append((work, future))
            self._changed.notify_all()
        return future.result()

    def serve(self, timeout_s: float = 0.0) -> None:
        """Does the work that was asked for; waits for some, or for another wish, for at most `timeout_s`."""
        with self._changed:
            if not self._asked and timeout_s:
                self._changed.wait(timeout_s)
            waiting = list(self._asked)
            self._asked.clear()
        for work, future in waiting:
            try:
                future.set_result(work())
            except BaseException as error:
                future.set_exception(error)

    def end(self) -> None:
        """The last step is made: there is nothing to pause any more."""
        with self._changed:
            self._is_ending = True

    def close(self) -> None:
        """The training has ended: who still waits for work gets Conflict."""
        with self._changed:
            self._is_open = False
            waiting = list(self._asked)
            self._asked.clear()
        for _, future in waiting:
            future.set_exception(_ended())

    def _is_paused(self) -> bool:
        return self.wish == "pause"

    def _set(self, wish: Wish) -> bool:
        with self._changed:
            if self._wish in ("keep", "cancel") or self._is_ending or not self._is_open:
                return False
            self._wish = wish
            self._changed.notify_all()
            return True


def _ended() -> Conflict:
    return Conflict("the training has just ended", "load it again")
