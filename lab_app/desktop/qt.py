"""What the Qt window needs beyond pywebview: coming forward, staying on the lab's page, surviving its renderer.

Everything here touches Qt objects and so runs on the thread of the window; `Foreground.ask` may be called from any.
Not here: windows of other systems, which need none of this (`shell`).
"""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWebEngineCore import QWebEngineSettings
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog, QMainWindow, QMessageBox

from lab_app.desktop.window_state import WindowState

CRASHES = 3  # within this many seconds
CRASH_SECONDS = 60.0


class Foreground(QObject):
    """Brings the window forward when another thread asks. Made on the window's thread."""

    asked = Signal()

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self._window = window
        # Emitted on another thread, the signal is queued and runs on this object's own.
        self.asked.connect(self._come_forward)

    def ask(self) -> None:
        """Asks the window to come forward, from any thread."""
        self.asked.emit()

    def _come_forward(self) -> None:
        self._window.setWindowState(self._window.windowState() & ~Qt.WindowState.WindowMinimized)
        self._window.show()
        self._window.raise_()
        self._window.activateWindow()


def guard(window: Any, address: str, on_crashes: Callable[[], None]) -> Foreground:
    """Makes pywebview's Qt window keep to the lab's address and load it again when its renderer dies.

    A renderer that dies three times in a minute is left alone; `on_crashes` is called then.
    """
    native = window.native
    page = native.webview.page()
    crashes: list[float] = []

    def renderer_ended(status: Any, _code: int) -> None:
        if status == type(status).NormalTerminationStatus:
            return
        crashes.append(time.monotonic())
        if len(crashes) >= CRASHES and crashes[-1] - crashes[-CRASHES] < CRASH_SECONDS:
            on_crashes()
        else:
            QTimer.singleShot(100, native.webview.reload)

    def navigation(request: Any) -> None:
        # A file dropped beside the text would otherwise be opened in place of the lab.
        url = request.url()
        here = url.scheme() in ("http", "data", "about") and (url.scheme() != "http" or _same_server(url, address))
        if request.isMainFrame() and not here:
            request.reject()

    page.renderProcessTerminated.connect(renderer_ended)
    page.navigationRequested.connect(navigation)
    return Foreground(native)


def make_zoomable(window: Any, state: WindowState) -> None:
    """Sets the zoom, and lets Ctrl with plus, minus and 0 change it, as browsers do; Ctrl with the wheel does already."""
    view = window.native.webview
    view.setZoomFactor(state.zoom)
    for keys, step in ((("Ctrl++", "Ctrl+="), 1), (("Ctrl+-",), -1), (("Ctrl+0",), 0)):
        for key in keys:
            QShortcut(QKeySequence(key), window.native).activated.connect(
                lambda step=step: view.setZoomFactor(WindowState(zoom=view.zoomFactor()).zoomed(step).zoom)
            )


def allow_full_screen(window: Any) -> None:
    """Lets the page fill the screen when it asks for it, as a browser does; the window is as before afterwards."""
    native = window.native
    page = native.webview.page()
    before = native.windowState()

    def answer(request: Any) -> None:
        nonlocal before
        request.accept()
        if request.toggleOn():
            before = native.windowState()
            native.showFullScreen()
        else:
            native.setWindowState(before)

    page.settings().setAttribute(QWebEngineSettings.WebAttribute.FullScreenSupportEnabled, True)
    page.fullScreenRequested.connect(answer)


def print_to_files(window: Any) -> None:
    """Saves as PDF what the page prints: Qt has no dialog for it. The title of the page is the name of the file."""
    native = window.native
    view = native.webview

    def save(name: str, content: bytes) -> None:
        if not content:
            QMessageBox.warning(native, "The PDF is not saved", "The page could not be printed. Try again.")
            return
        path, _ = QFileDialog.getSaveFileName(native, "Save as PDF", f"{name}.pdf", "*.pdf")
        try:
            if path:
                Path(path).write_bytes(content)
        except OSError as error:
            QMessageBox.warning(native, "The PDF is not saved", str(error))

    def ask() -> None:
        name = view.title()  # the page has another one once it is printed
        view.page().printToPdf(lambda content: save(name, content.data()))

    view.printRequested.connect(ask)


def zoom_of(window: Any) -> float:
    """The zoom of the page, 1.0 the usual."""
    return float(window.native.webview.zoomFactor())


def close_soon(window: Any) -> None:
    """Closes pywebview's window at the next turn of the event loop, or at its first. Any thread may call it."""

    def close() -> None:
        asking = QApplication.activeModalWidget()
        if isinstance(asking, QDialog):  # the window is asking whether to close: it goes on as if nobody had said no
            asking.done(0)
        else:
            window.native.close()

    QTimer.singleShot(0, window.native, close)


def finish() -> None:
    """Deletes what closing the window has put off: the page must go before the profile it belongs to."""
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def _same_server(url: Any, address: str) -> bool:
    return bool(address.startswith(f"http://{url.authority()}/"))
