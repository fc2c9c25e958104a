import os
import sys

import pytest

from lab_app.desktop.browser import browser_problem
from lab_app.desktop.window_check import window_environment, window_problem

linux = pytest.mark.skipif(sys.platform != "linux", reason="other systems bring their own web view")


@pytest.fixture
def bare(monkeypatch):
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM", "BROWSER"):
        monkeypatch.delenv(name, raising=False)
    return monkeypatch


@linux
def test_without_a_display_there_is_no_window_and_no_browser(bare):
    assert "no display" in window_problem()
    assert "no display" in browser_problem()


@linux
def test_qt_that_finds_no_display_does_not_take_us_along(bare):
    bare.setenv("DISPLAY", ":99")
    bare.setenv("QT_QPA_PLATFORM", "xcb")
    assert window_problem()


@linux
def test_the_sandbox_is_left_out_for_root_only(monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert window_environment({"A": "b"}) == {"A": "b"}
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert window_environment({}) == {"QTWEBENGINE_DISABLE_SANDBOX": "1"}
