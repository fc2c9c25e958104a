"""The window around the page, as it runs in a process of its own. `window_process` starts that and talks with it.

Qt and the server's libraries take some half a second each to import, and threads of one process would wait for each
other; besides, Qt ends its whole process if it finds no display, which ends no more than this one.

Lines on stdin, in JSON: first an `Opening`, then `"focus"`, `"open files"`, `"close"` and `"server ended"`. The end of stdin closes the
window too: the lab has gone. Lines on stdout, in JSON: `["opened"]`, or `["failed", reason]`. Not here: what
needs Qt (`qt`).
"""

import contextlib
import gc
import importlib
import json
import logging
import os
import signal
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from types import FrameType
from typing import IO, Any

from lab_app.desktop import window_state
from lab_app.desktop.binding import import_qt, without_unused
from lab_app.desktop.calling import call
from lab_app.jobs.job import Job
from lab_app.jobs.unfinished import unfinished_words

TITLE = "Tokenization Laboratory"
PAPER = "#fbfaf7"
FILES_WAIT = "&opened=1"
"""Follows the address of the lab where files wait, which its page then takes (`lab_ui/js/app/files/opened_files.js`). It is
part of the query: a browser that a page leads on drops a fragment."""
TAKE_FILES = "#/opened"
"""The same for a page that is open already."""
ANSWER_TIMEOUT_S = 2.0
"""The window stands still until the lab has said what runs."""


@dataclass(frozen=True)
class Opening:
    """What the window shows. The address holds the secret of the run, so it comes through a pipe."""

    address: str
    icon: str
    state_file: str
    """Where the window remembers its size and zoom."""
    query: str = ""
    """What follows the address, with its sign."""


def main() -> None:
    """Shows the window and returns when it is closed."""
    gc.disable()  # until the window is open: what is imported stays, looking through it for garbage takes time
    orders, reports = _own_pipes()
    # Ctrl+C goes to all processes of a terminal. The lab's own closes the window.
    for name in ("SIGINT", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(signal.Signals[name], signal.SIG_IGN)
    try:
        _import_window()
        line = orders.readline()
        if line:
            LabWindow(Opening(**json.loads(line)), orders, reports).show()
    except ImportError as error:
        _report(reports, "failed", f"pywebview cannot be used ({error})")
    except Exception as error:  # whatever a system's web view may raise: there is still the browser
        _report(reports, "failed", f"{type(error).__name__}: {error}")
        raise


class LabWindow:
    """pywebview's window with the lab in it."""

    def __init__(self, opening: Opening, orders: IO[bytes], reports: IO[bytes]) -> None:
        import webview

        self._opening = opening
        self._orders = orders
        self._reports = reports
        self._shown = threading.Event()
        self._closing = False
        self._come_forward: Callable[[], object] = lambda: None
        # Without this the window drops what the page exports; with it the system asks where to save.
        webview.settings["ALLOW_DOWNLOADS"] = True
        self._state = window_state.load(Path(opening.state_file))
        window: Any = webview.create_window(
            TITLE,
            opening.address + opening.query,
            width=self._state.width,
            height=self._state.height,
            maximized=self._state.maximized,
            min_size=window_state.SMALLEST,
            background_color=PAPER,
            text_select=True,
            zoomable=True,
        )
        self._window = window
        self._remember()
        self._window.events.before_show += self._prepare

    def show(self) -> None:
        """Shows the window and returns when it is closed."""
        import webview

        signal.signal(signal.SIGTERM, self._end)
        threading.Thread(target=self._follow_orders, name="orders", daemon=True).start()
        webview.start(gui="qt" if sys.platform == "linux" else None, icon=self._opening.icon)
        if sys.platform == "linux":
            from lab_app.desktop.qt import finish

            finish()

    def _end(self, _number: int, _frame: FrameType | None) -> None:
        self._close()

    def _prepare(self) -> None:
        """Runs on the thread of the window, before it is shown."""
        self._come_forward = self._guarded()
        if sys.platform == "linux":
            from lab_app.desktop.qt import allow_full_screen, make_zoomable, print_to_files

            make_zoomable(self._window, self._state)
            allow_full_screen(self._window)
            print_to_files(self._window)
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # again: pywebview has just put its own handler in place
        self._shown.set()
        if self._closing:
            self._close()
        else:
            _report(self._reports, "opened")
        gc.enable()

    def _follow_orders(self) -> None:
        ended = _error_page("The lab's server has ended", "Close the window and start the lab again.")
        actions: dict[str, Callable[[], object]] = {
            "focus": lambda: self._come_forward(),
            "open files": self._open_files,
            "close": self._close,
            "server ended": lambda: self._window.load_html(ended),
        }
        try:
            for line in iter(self._orders.readline, b""):
                try:
                    actions[json.loads(line)]()
                except Exception:  # the next order may succeed
                    logging.getLogger(__name__).exception("the window could not follow %s", line)
        finally:
            self._close()

    def _close(self) -> None:
        """Closes the window now, or when it is shown: closed before, it would leave the loop with nothing to end it."""
        self._closing = True
        if not self._shown.is_set():
            return
        if sys.platform == "linux":
            from lab_app.desktop.qt import close_soon

            close_soon(self._window)
        else:
            self._window.destroy()

    def _guarded(self) -> Callable[[], object]:
        """Keeps the window on the lab's page. Returns how it is brought forward."""
        if sys.platform != "linux":
            return lambda: (self._window.restore(), self._window.show())
        from lab_app.desktop.qt import guard

        crashed = _error_page("The page has crashed three times", "Close the window and start the lab again.")
        return guard(self._window, self._opening.address, lambda: self._window.load_html(crashed)).ask

    def _open_files(self) -> None:
        self._come_forward()
        # Waits for the page, which the next orders must not.
        script = f"location.replace({TAKE_FILES!r})"
        threading.Thread(target=self._window.run_js, args=(script,), name="open files", daemon=True).start()

    def _remember(self) -> None:
        """Follows the window's size and zoom, and keeps them when it closes."""

        def change(**values: Any) -> None:
            self._state = replace(self._state, **values)

        def resized(width: int, height: int) -> None:
            # The size to come back to is not that of the whole screen.
            if not self._state.maximized:
                change(width=width, height=height)

        def closing() -> None:
            if sys.platform == "linux":
                from lab_app.desktop.qt import zoom_of

                change(zoom=zoom_of(self._window))
            window_state.save(Path(self._opening.state_file), self._state)
            # pywebview looks at these after this event.
            question = None if self._closing else self._question()
            self._window.confirm_close = question is not None
            self._window.localization["global.quitConfirmation"] = question or ""

        events = self._window.events
        events.resized += resized
        events.maximized += lambda: change(maximized=True)
        events.restored += lambda: change(maximized=False)
        events.closing += closing

    def _question(self) -> str | None:
        """What to ask before the window closes; None if nothing runs, or if the lab does not answer."""
        address, _, token = self._opening.address.partition("?token=")
        try:
            jobs = json.loads(call(address, token, "GET", "jobs", ANSWER_TIMEOUT_S))["jobs"]
            words = unfinished_words(Job(**job) for job in jobs)
        except (OSError, ValueError, KeyError, TypeError):  # who closes a lab that hangs must not wait for it
            return None
        return words and f"{words}\n\nClose the lab?"


def _own_pipes() -> tuple[IO[bytes], IO[bytes]]:
    """stdin and stdout for this process alone: Chromium's processes would inherit them, and libraries write to stdout.

    Unbuffered, because a thread that waits in a buffered file would hold up the end of the process.
    """
    pipes = os.fdopen(os.dup(0), "rb", 0), os.fdopen(os.dup(1), "wb", 0)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return pipes


def _report(reports: IO[bytes], *words: str) -> None:
    with contextlib.suppress(OSError):  # the lab has gone: the end of stdin says so too
        reports.write(json.dumps(words).encode() + b"\n")


def _import_window() -> None:
    """Imports what the window is made of. Raises ImportError."""
    if sys.platform == "linux":
        with without_unused():
            import_qt()
            importlib.import_module("webview.platforms.qt")
        importlib.import_module("lab_app.desktop.qt")
    else:
        importlib.import_module("webview")


def _error_page(what: str, advice: str) -> str:
    style = f"font: 16px system-ui; margin: 20vh auto; max-width: 30em; background: {PAPER}"
    return f"<!doctype html><body style='{style}'><h1>{what}</h1><p>{advice}</p>"
