"""Opens the lab: in a window, where that cannot be in the browser, where there is none by printing the address.

It always says which of the three it did, and why not the better one. One instance per data folder; closing the window,
SIGTERM and SIGINT end the server with it. Not here: the server (`lab_app.api.server`), the window (`window_process`), the lock
(`single_instance`).
"""

import contextlib
import os
import signal
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FrameType

from lab_app import paths
from lab_app.desktop.single_instance import Instance, Running, Unwritable
from lab_app.desktop.window import FILES_WAIT, Opening
from lab_app.desktop.window_process import WindowProcess
from lab_app.errors import Unavailable
from lab_app.settings import Settings


def open_lab(settings: Settings, window: WindowProcess | None, problem: str | None, files: Sequence[Path] = ()) -> int:
    """Opens the lab and returns, when it is closed, the exit status. Raises Unavailable if the open one does not answer.

    `window` is its process, which the caller ends, and `problem` the reason why there is none, if a window is wanted.
    `files`: full paths of what the page opens first.
    """
    instance = Instance(paths.window_lock(settings))
    try:
        running = instance.acquire_or_call(files)
    except Unwritable as error:  # built-in tokenizers need no data folder; the page says what is missing
        _say(f"Nothing can be saved: {error.message}; {error.hint}.")
        running = None
    if running is not None:
        did = f"it opens {files_words(files)}" if files else "its window was brought to the front"
        _say(f"The lab is already open; {did}. Its address: {running.address}{FILES_WAIT if files else ''}")
        return 0
    if settings.display not in ("auto", "window"):
        if window is not None:
            window.end()
        window = problem = None
    try:
        shell = _Shell(settings, instance, window, files)
        status = shell.open(problem)
    finally:
        if window is not None:
            window.end()
        with contextlib.suppress(OSError):  # the page is of no use after the run; what follows matters more
            paths.browser_page(settings).unlink(missing_ok=True)
        instance.release()
    shell.server.leave_jobs(status)  # not after an exception, which is still to be reported
    return status


class _Shell:
    def __init__(
        self, settings: Settings, instance: Instance, window: WindowProcess | None, files: Sequence[Path]
    ) -> None:
        from lab_app.api.server import lab_server
        from lab_app.api.window_requests import WindowRequests

        self._focus: Callable[[bool], object] | None = None
        """Shows the lab to its user. The argument says whether files wait for the page."""
        self._query = FILES_WAIT if files else ""
        self._closing = False
        self.settings = settings
        self._window = window
        self.server = lab_server(settings, WindowRequests(self._come_forward, files), for_window=window is not None)
        instance.announce(Running(self.server.address, self.server.token, os.getpid()))

    def open(self, problem: str | None) -> int:
        """Shows the lab in the best way there is and returns when it is closed. `problem`: why there is no window."""
        self.server.start()
        reasons = []
        if self._window is not None:
            problem = self._show_window(self._window)
            if problem is None:
                return self._wait_for(self._window)
        if problem is not None:
            reasons.append(f"No window: {problem}.")
            if self.settings.display == "window":
                _say(reasons[0])
                self.server.stop()
                return 1
        where = self._without_a_window(reasons)  # before signals end the server alone: some browsers are waited for
        with self.server.ended_by_signals():
            _say(where)
            _say("Ctrl+C ends it.")
            self.server.run()
        return 0

    def _without_a_window(self, reasons: list[str]) -> str:
        """Opens the browser, if it may and can; what to say of it. `reasons`: why not in a better way."""
        if self.settings.display == "none":
            return f"The lab is at {self._address}"
        from lab_app.desktop.browser import browser_problem

        problem = browser_problem()
        if problem is None and self._open_browser(bool(self._query)):
            self._focus = self._open_browser
            return " ".join([*reasons, f"The lab is open in the browser: {self._address}"])
        reasons.append(f"No browser: {problem or 'none could be started'}.")
        return " ".join([*reasons, f"The lab is at {self._address}"])

    @property
    def _address(self) -> str:
        return f"{self.server.address}{self._query}"

    def _come_forward(self, files_wait: bool) -> None:
        if self._closing:
            raise Unavailable("the lab is closing", "start it again")
        if self._focus is not None:
            self._focus(files_wait)

    def _open_browser(self, files_wait: bool) -> bool:
        from lab_app.desktop.browser import open_browser

        address = f"{self.server.address}{FILES_WAIT if files_wait else ''}"
        return open_browser(address, paths.browser_page(self.settings))

    def _show_window(self, window: WindowProcess) -> str | None:
        """Waits until the window is open, or closed at once because the program was asked to end: None, or the reason
        why there is none."""

        def end(number: int, _frame: FrameType | None) -> None:
            if self.server.keeps_running(number):
                return
            self._closing = True
            window.close()

        before = {number: signal.signal(number, end) for number in _ends()}
        window.show(
            Opening(
                address=self.server.address,
                icon=str(paths.page() / "icon.svg"),
                state_file=str(paths.window_state(self.settings)),
                query=self._query,
            )
        )
        problem = window.problem()
        if problem is None:
            self._focus = lambda files_wait: window.open_files() if files_wait else window.focus()
            _say("The lab is open in a window.")
        elif self._closing:
            return None
        else:
            for number, handler in before.items():
                signal.signal(number, handler)
        return problem

    def _wait_for(self, window: WindowProcess) -> int:
        """Returns when the window has been closed."""
        threading.Thread(target=self._watch_server, args=(window,), name="watch", daemon=True).start()
        status = window.wait()
        asked, self._closing = self._closing, True
        self.server.stop()
        if status == 0 or asked:
            return 0
        _say(f"The window ended unexpectedly (status {status}).")
        return 1

    def _watch_server(self, window: WindowProcess) -> None:
        """Tells the window when nobody answers its page any more."""
        self.server.wait()
        if not self._closing:
            window.server_ended()


def _ends() -> list[signal.Signals]:
    """The signals that ask a program to end, where the system has them."""
    return [signal.Signals[name] for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]


def files_words(files: Sequence[Path]) -> str:
    """Files by their names, the first of many.

    >>> files_words([Path("/tmp/a.txt")]), files_words([Path("a.txt"), Path("b.txt"), Path("c.txt")])
    ('a.txt', 'a.txt and 2 more')
    """
    return files[0].name if len(files) == 1 else f"{files[0].name} and {len(files) - 1} more"


def _say(line: str) -> None:
    print(line, flush=True)
