"""What the page prints in the window becomes a file: Qt has no dialog of its own for it."""

import os
import subprocess
import sys
from pathlib import Path

PROGRAM = """
import sys
from types import SimpleNamespace
from PySide6.QtCore import QTimer
from PySide6.QtWebEngineWidgets import QWebEngineView
from PySide6.QtWidgets import QApplication, QFileDialog, QMainWindow, QMessageBox
from lab_app.desktop.qt import print_to_files

app = QApplication(sys.argv)
native = QMainWindow()
native.webview = QWebEngineView(native)
names = []

def choose(_parent, _title, name, _filter):
    names.append(name)
    QTimer.singleShot(0, app.quit)
    return sys.argv[1], ""

def warn(_parent, title, reason):
    print(title, reason)

QFileDialog.getSaveFileName = choose
QMessageBox.warning = warn
print_to_files(SimpleNamespace(native=native))
native.webview.setHtml("<title>zipf</title><style>@page { size: 85mm 40mm }</style>ab<script>onload = () => print()</script>")
native.show()
app.exec()
print(names)
native.webview.page().deleteLater()
"""


def test_a_page_is_saved_under_the_name_that_it_gives_in_its_own_size(tmp_path: Path):
    path = tmp_path / "chosen.pdf"
    assert _printed(path) == "['zipf.pdf']"
    content = path.read_bytes()
    assert content.startswith(b"%PDF") and b"/MediaBox [0 0 240.9" in content


def test_a_folder_that_is_not_there_is_said(tmp_path: Path):
    said = _printed(tmp_path / "missing" / "chosen.pdf")
    assert said.startswith("The PDF is not saved") and "missing" in said


def _printed(path: Path) -> str:
    environment = {
        **os.environ,
        "QT_QPA_PLATFORM": "offscreen",
        "QTWEBENGINE_CHROMIUM_FLAGS": "--no-sandbox",
        "QTWEBENGINE_DISABLE_SANDBOX": "1",
    }
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(path)], capture_output=True, text=True, env=environment, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()
