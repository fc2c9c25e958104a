"""The window's Qt binding leaves Python's import alone."""

import subprocess
import sys

import pytest

CODE = """
import builtins
original = builtins.__import__
from lab_app.desktop.binding import import_qt
from lab_app.desktop.preflight import Preflight
Preflight().problem()
assert builtins.__import__ is original, "after the preflight"
import_qt()
assert builtins.__import__ is original, "after import_qt"
import lab_app.desktop.qt, webview.platforms.qt
assert builtins.__import__ is original, "after the modules of the window"
"""


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have their own web view")
def test_importing_qt_leaves_no_hook_behind():
    run = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
