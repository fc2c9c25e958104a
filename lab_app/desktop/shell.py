"""Opens the lab: in a window, where that cannot be in the browser, where there is none by printing the address.

It always says which of the three it did, and why not the better one. One instance per data folder; closing the window,
SIGTERM and SIGINT end the server with it. Not here: the server (`server`), the lock (`single_instance`).
"""

import contextlib
import html
import importlib
import os
import signal
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from types import FrameType
from typing import Any

from lab_app import paths
from lab_app.desktop import window_state
from lab_app.desktop.binding import import_qt
from lab_app.desktop.browser import browser_problem, open_browser
from lab_app.desktop.preflight import Preflight, window_environment
from lab_app.desktop.server import lab_server
from lab_app.desktop.single_instance import Instance, Running
from lab_app.desktop.window_state import WindowState
from lab_app.settings import Settings

TITLE = "Tokenization Laboratory"
PAPER = "#fbfaf7"


def open_lab(settings: Settings) -> int:
    """Opens the lab and returns, when it is closed, the exit status."""
    instance = Instance(paths.window_lock(settings))
    if not instance.acquire():
        running = instance.call_first()
        _say(f"The lab is already open; its window was brought to the front. Its address: {running.address}")
        return 0
    try:
        # Begun first, so that Qt's try and the server's imports run side by side.
        preflight = Preflight() if settings.display in ("auto", "window") else None
        return _Shell(settings, instance).open(preflight)
    finally:
        with contextlib.suppress(OSError):  # the page is of no use after the run; what follows matters more
            paths.browser_page(settings).unlink(missing_ok=True)
        instance.release()


class _Shell:
    def __init__(self, settings: Settings, instance: Instance) -> None:
        self._focus: Callable[[], object] | None = None
        self._closing = False
        self.settings = settings
        self.server = lab_server(settings, on_focus=self._come_forward)
        instance.announce(Running(self.server.address, self.server.token))

    def open(self, preflight: Preflight | None) -> int:
        """Shows the lab in the best way there is and returns when it is closed."""
        reasons = []
        if preflight is not None:
            # The window's imports first: the server's then run while Chromium starts, in processes of its own.
            if preflight.begun:
                _import_window()
            self.server.start()
            problem = preflight.problem() or self._window()
            if problem is None:
                return 0
            reasons.append(f"No window: {problem}.")
            if self.settings.display == "window":
                _say(reasons[0])
                self.server.stop()
                return 1
        if self.settings.display != "none":
            problem = browser_problem()
            if problem is None and self._open_browser():
                self._focus = self._open_browser
                _say(" ".join([*reasons, f"The lab is open in the browser: {self.server.address}"]))
            else:
                reasons.append(f"No browser: {problem or 'none could be started'}.")
                _say(" ".join([*reasons, f"The lab is at {self.server.address}"]))
        else:
            _say(f"The lab is at {self.server.address}")
        _say("Ctrl+C ends it.")
        self.server.run()
        return 0

    def _come_forward(self) -> None:
        if self._focus is not None:
            self._focus()

    def _open_browser(self) -> bool:
        return open_browser(self.server.address, paths.browser_page(self.settings))

    def _window(self) -> str | None:
        """Shows the window and returns when it is closed: None, or why there was none."""
        os.environ.update(window_environment())
        try:
            import webview
        except ImportError as error:
            return f"pywebview cannot be used ({error})"
        # Without this the window drops what the page exports; with it the system asks where to save.
        webview.settings["ALLOW_DOWNLOADS"] = True
        kept = window_state.load(paths.window_state(self.settings))
        window: Any = webview.create_window(
            TITLE,
            self.server.address,
            width=kept.width,
            height=kept.height,
            maximized=kept.maximized,
            min_size=window_state.SMALLEST,
            background_color=PAPER,
            text_select=True,
            zoomable=True,
        )
        shown = threading.Event()

        def end(_number: int, _frame: FrameType | None) -> None:
            self._closing = True
            if shown.is_set():
                _close(window)

        def prepare() -> None:
            shown.set()
            self._focus = self._guarded(window)
            if sys.platform == "linux":
                from lab_app.desktop.qt import make_zoomable

                make_zoomable(window, kept)
            for number in _ends():
                signal.signal(number, end)  # again: pywebview has just put its own in place of one
            if self._closing:
                _close(window)
            else:
                _say("The lab is open in a window.")

        window.events.before_show += prepare
        self._remember(window, kept)
        for number in _ends():
            signal.signal(number, end)
        threading.Thread(target=self._watch_server, args=(window,), name="watch", daemon=True).start()
        try:
            webview.start(gui="qt" if sys.platform == "linux" else None, icon=str(paths.page() / "icon.svg"))
        except Exception as error:  # whatever a system's web view may raise: there is still the browser
            if shown.is_set() or self._closing:
                raise
            for number in _ends():
                signal.signal(number, signal.SIG_DFL if number != signal.SIGINT else signal.default_int_handler)
            return f"{type(error).__name__}: {error}"
        finally:
            self._closing = True
        if sys.platform == "linux":
            from lab_app.desktop.qt import finish

            finish()
        self.server.stop()
        return None

    def _remember(self, window: Any, kept: WindowState) -> None:
        """Follows the window's size and zoom, and keeps them when it closes."""
        now = kept

        def change(**values: Any) -> None:
            nonlocal now
            now = replace(now, **values)

        def resized(width: int, height: int) -> None:
            # The size to come back to is not that of the whole screen.
            if not now.maximized:
                change(width=width, height=height)

        def closing() -> None:
            if sys.platform == "linux":
                from lab_app.desktop.qt import zoom_of

                change(zoom=zoom_of(window))
            window_state.save(paths.window_state(self.settings), now)

        window.events.resized += resized
        window.events.maximized += lambda: change(maximized=True)
        window.events.restored += lambda: change(maximized=False)
        window.events.closing += closing

    def _guarded(self, window: Any) -> Callable[[], None]:
        if sys.platform != "linux":
            return lambda: (window.restore(), window.show())[0]
        from lab_app.desktop.qt import guard

        crashed = _error_page("The page has crashed three times", "Close the window and start the lab again.")
        return guard(window, self.server.address, lambda: window.load_html(crashed)).ask

    def _watch_server(self, window: Any) -> None:
        """Shows an error page in place of a page that nobody answers any more."""
        self.server.wait()
        if not self._closing:
            window.load_html(_error_page("The lab's server has ended", "Close the window and start the lab again."))


def _close(window: Any) -> None:
    """Closes the window when its loop runs, now or soon: closed before, it would leave the loop with nothing to end it."""
    if sys.platform == "linux":
        from lab_app.desktop.qt import close_soon

        close_soon(window)
    else:
        window.destroy()


def _ends() -> list[signal.Signals]:
    """The signals that ask a program to end, where the system has them."""
    return [signal.Signals[name] for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]


def _import_window() -> None:
    """Imports what the window is made of. The preflight reports what cannot be imported."""
    with contextlib.suppress(ImportError):
        if sys.platform == "linux":
            import_qt()
        for name in ("webview.platforms.qt", "lab_app.desktop.qt") if sys.platform == "linux" else ("webview",):
            importlib.import_module(name)


def _error_page(what: str, advice: str) -> str:
    style = f"font: 16px system-ui; margin: 20vh auto; max-width: 30em; background: {PAPER}"
    return f"<!doctype html><body style='{style}'><h1>{html.escape(what)}</h1><p>{html.escape(advice)}</p>"


def _say(line: str) -> None:
    print(line, flush=True)
