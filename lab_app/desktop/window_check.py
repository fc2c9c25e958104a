"""Whether a window can be opened here: what is installed, and a try in a child process for `tokenlab doctor`.

Not here: opening the window (`window_process`), which needs no try, because it is a process of its own.
"""

import importlib.util
import os
import subprocess
import sys
from importlib.machinery import PathFinder

from lab_app import children

TIMEOUT_S = 20.0
BRING_IT = """pip install 'tokenization-lab[desktop]' brings it"""


def make_application() -> None:
    """Makes the Qt application and ends. Qt ends the whole process if it finds no display, so a child runs this."""
    from PySide6.QtWebEngineWidgets import QWebEngineView  # noqa: F401 - must come before the application
    from PySide6.QtWidgets import QApplication

    QApplication(sys.argv[:1])


def window_environment(environ: dict[str, str] | None = None) -> dict[str, str]:
    """The environment of a process that opens the window. Chromium's sandbox refuses to run as root: only then is it off."""
    environ = dict(os.environ if environ is None else environ)
    if sys.platform == "linux" and os.geteuid() == 0:
        environ["QTWEBENGINE_DISABLE_SANDBOX"] = "1"
    return environ


def window_problem() -> str | None:
    """Why no window can be opened here, or None if one can. Tries it in a child process, which takes 0.2 s."""
    missing = missing_for_window()
    # Windows and macOS bring their own web view, which fails with an exception if it fails.
    if missing is not None or sys.platform != "linux":
        return missing
    process = children.start(
        make_application,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        environment=window_environment(),
    )
    try:
        _, stderr = children.ask(process, None, TIMEOUT_S)
    except children.TookTooLong:
        return f"Qt did not answer within {TIMEOUT_S:g} s"
    return None if process.returncode == 0 else telling_line(stderr.decode("utf-8", "replace"))


def missing_for_window() -> str | None:
    """What a window needs and this system lacks, as far as this is known without trying, or None."""
    if importlib.util.find_spec("webview") is None:
        return f"pywebview is not installed; {BRING_IT}"
    if sys.platform != "linux":
        return None
    if not _qt_is_installed():
        return f"PySide6 with QtWebEngine is not installed; {BRING_IT}"
    if not any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")):
        return "there is no display (neither DISPLAY nor WAYLAND_DISPLAY is set)"
    return None


def telling_line(stderr: str) -> str:
    """The line of what Qt wrote that says most.

    >>> telling_line("qt.qpa.xcb: could not connect to display :9\\nAborted\\n")
    'qt.qpa.xcb: could not connect to display :9'
    """
    lines = [line.strip() for line in stderr.splitlines() if line.strip()]
    telling = [line for line in lines if "cannot open shared object" in line or "could not connect" in line]
    return (telling or lines[-1:] or ["Qt exited without a message"])[0]


def _qt_is_installed() -> bool:
    """Whether PySide6 and its web view can be found. Imports neither: `find_spec("PySide6.x")` would import PySide6."""
    package = importlib.util.find_spec("PySide6")
    if package is None or package.submodule_search_locations is None:
        return False
    folders = list(package.submodule_search_locations)
    return PathFinder.find_spec("PySide6.QtWebEngineWidgets", folders) is not None
