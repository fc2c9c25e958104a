"""Whether a window can be opened here, found out in a process of its own.

Qt ends the whole process where it finds no display, and nothing can catch that. So a child process tries first, which
takes 0.2 s; the parent does other work meanwhile. Not here: opening the window (`shell`).
"""

import importlib.util
import os
import subprocess
import sys
from importlib.machinery import PathFinder

from lab_app import children

TIMEOUT_S = 20.0


def attempt() -> None:
    """What the child does: what the window begins with."""
    from PySide6.QtWebEngineWidgets import QWebEngineView  # noqa: F401 - must come before the application
    from PySide6.QtWidgets import QApplication

    QApplication(sys.argv[:1])


def window_environment(environ: dict[str, str] | None = None) -> dict[str, str]:
    """The environment of a process that opens the window. Chromium's sandbox refuses to run as root: only then is it off."""
    environ = dict(os.environ if environ is None else environ)
    if sys.platform == "linux" and os.geteuid() == 0:
        environ["QTWEBENGINE_DISABLE_SANDBOX"] = "1"
    return environ


class Preflight:
    """A try at a window in a child process, begun when made; `problem` waits for it."""

    def __init__(self) -> None:
        self._early = _early_problem()
        self._process: subprocess.Popen[bytes] | None = None
        # Windows and macOS bring their own web view, which fails with an exception where it fails.
        if self._early is None and sys.platform == "linux":
            # Without a limit of memory: the code is our own, and Chromium reserves more than it ever uses.
            self._process = children.start(
                attempt,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                environment=window_environment(),
            )

    @property
    def begun(self) -> bool:
        """Whether nothing is known yet that speaks against a window."""
        return self._early is None

    def problem(self) -> str | None:
        """Why no window can be opened, or None where one can."""
        if self._early is not None or self._process is None:
            return self._early
        try:
            _, said = children.ask(self._process, None, TIMEOUT_S)
        except children.TookTooLong:
            return f"Qt did not answer within {TIMEOUT_S:g} s"
        return None if self._process.returncode == 0 else _reason(said.decode("utf-8", "replace"))


def window_problem() -> str | None:
    """Why no window can be opened here, or None where one can."""
    return Preflight().problem()


def _early_problem() -> str | None:
    """Why no window can be opened, as far as this is known without trying."""
    if importlib.util.find_spec("webview") is None:
        return "pywebview is not installed"
    if sys.platform != "linux":
        return None
    if not _qt_is_installed():
        return "PySide6 with QtWebEngine is not installed"
    if not any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")):
        return "there is no display (neither DISPLAY nor WAYLAND_DISPLAY is set)"
    return None


def _qt_is_installed() -> bool:
    """Whether PySide6 and its web view can be found. Imports neither: `find_spec("PySide6.x")` would import PySide6."""
    package = importlib.util.find_spec("PySide6")
    if package is None or package.submodule_search_locations is None:
        return False
    folders = list(package.submodule_search_locations)
    return PathFinder.find_spec("PySide6.QtWebEngineWidgets", folders) is not None


def _reason(said: str) -> str:
    """The line of Qt's words that tells most."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    telling = [line for line in lines if "cannot open shared object" in line or "could not connect" in line]
    return (telling or lines[-1:] or ["Qt exited without a message"])[0]
