"""Imports PySide6 for the window, without its import hook. Not here: what the window does with Qt (`qt`).

PySide6 replaces `builtins.__import__` by a function that reads the source of every module imported from then on, in any
thread, to find out whether the module uses PySide6's `__feature__` switch. The lab does not use that switch. The hook fails
on a module that another thread is still importing, and the server imports its modules while the window opens.
"""

import builtins
import contextlib
import os
import sys
from collections.abc import Iterator

UNUSED = ("PySide6.QtDataVisualization", "PySide6.QtOpenGL", "PySide6.QtOpenGLWidgets")
"""What QtPy imports if it is installed, and neither pywebview nor the lab uses."""


def import_qt() -> None:
    """Imports QtCore and puts Python's own `__import__` back. Call it before another thread imports anything."""
    os.environ["QT_API"] = "pyside6"  # the Qt binding that pywebview uses
    os.environ["PYSIDE6_OPTION_LAZY"] = "0"  # `import *` of classes made on first use needs the hook
    original = builtins.__import__
    try:
        import PySide6.QtCore  # noqa: F401 - the import installs the hook
    finally:
        builtins.__import__ = original


@contextlib.contextmanager
def without_unused() -> Iterator[None]:
    """Makes the modules that the window does not use appear as not installed: a sixth of the time of its imports."""
    modules: dict[str, object] = sys.modules  # type: ignore[assignment]
    left_out = [name for name in UNUSED if name not in modules]
    modules.update(dict.fromkeys(left_out))
    try:
        yield
    finally:
        for name in left_out:
            if modules.get(name, name) is None:
                del modules[name]
