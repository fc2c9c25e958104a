"""The window's Qt binding leaves Python's import alone."""

import subprocess
import sys

import pytest

CODE = """
import builtins
original = builtins.__import__
from lab_app.desktop.binding import import_qt
from lab_app.desktop.window_check import missing_for_window
missing_for_window()
assert builtins.__import__ is original, "after the check"
import_qt()
assert builtins.__import__ is original, "after import_qt"
import lab_app.desktop.qt, webview.platforms.qt
assert builtins.__import__ is original, "after the modules of the window"
"""

UNUSED = """
import sys
from lab_app.desktop.binding import UNUSED, import_qt, without_unused
with without_unused():
    import_qt()
    import webview.platforms.qt
assert webview.platforms.qt.is_webengine
assert not [name for name in UNUSED if name in sys.modules]
import PySide6.QtOpenGL
"""


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have their own web view")
def test_what_the_window_does_not_use_is_not_imported_and_can_be_later():
    run = subprocess.run([sys.executable, "-c", UNUSED], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have their own web view")
def test_importing_qt_leaves_no_hook_behind():
    run = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
