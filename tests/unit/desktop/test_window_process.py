"""What the lab tells its window, and how it waits for it: without a window."""

import io
import signal
import subprocess
import sys
from dataclasses import replace

import pytest
import webview

from lab_app.desktop import qt, window_process
from lab_app.desktop import window as window_module
from lab_app.desktop.window import LabWindow, Opening
from lab_app.desktop.window_process import WindowProcess
from lab_app.jobs.job import Job
from lab_app.json_text import json_text


@pytest.fixture
def follow(tmp_path, monkeypatch):
    """Gives a window, which is never shown, some orders; returns what it did."""
    monkeypatch.setattr(webview, "windows", [])

    def orders(*lines: bytes, failing: str = "") -> list[str]:
        done = []

        def act(name: str) -> None:
            done.append(name)
            if name == failing:
                raise RuntimeError(f"{name} failed")

        pipe = io.BytesIO(b"".join(line + b"\n" for line in lines))
        window = LabWindow(Opening("http://127.0.0.1:1/", "", str(tmp_path / "state.json")), pipe, io.BytesIO())
        monkeypatch.setattr(window, "_come_forward", lambda: act("focus"))
        monkeypatch.setattr(window._window, "load_html", lambda _: act("server ended"))
        monkeypatch.setattr(window, "_close", lambda: act("close"))
        window._follow_orders()
        return done

    return orders


def test_the_end_of_the_orders_closes_the_window(follow):
    assert follow(b'"focus"', b'"server ended"') == ["focus", "server ended", "close"]


@pytest.mark.parametrize("failing", ["focus", "server ended"])
def test_after_an_order_that_fails_the_window_follows_the_next(follow, caplog, failing):
    assert follow(b'"focus"', b'"server ended"', failing=failing) == ["focus", "server ended", "close"]
    assert f"{failing} failed" in caplog.text


@pytest.mark.parametrize("line", [b"{", b'"fly"', b"{}", b"\xff"])
def test_an_order_that_is_none_is_logged(follow, caplog, line):
    assert follow(line, b'"focus"') == ["focus", "close"]
    assert "could not follow" in caplog.text


@pytest.fixture
def closing(tmp_path, monkeypatch):
    """Closes a window, which is never shown, of a lab that answers with `jobs`; the question that is asked, if any."""
    monkeypatch.setattr(webview, "windows", [])
    monkeypatch.setattr(qt, "zoom_of", lambda _: 1.0)

    def close(jobs: list[Job] | Exception, *, ordered: bool = False) -> str | None:
        def call(*asked: object) -> bytes:
            assert asked[:4] == ("http://127.0.0.1:1/", "T", "GET", "jobs")
            if isinstance(jobs, Exception):
                raise jobs
            return json_text({"jobs": jobs}).encode()

        monkeypatch.setattr(window_module, "call", call)
        opening = Opening("http://127.0.0.1:1/?token=T", "", str(tmp_path / "state.json"))
        window = LabWindow(opening, io.BytesIO(), io.BytesIO())
        window._window.localization = {}
        if ordered:
            window._close()
        assert not window._window.events.closing.set(), "the window is kept open without a question"
        assert (tmp_path / "state.json").exists()
        return window._window.localization["global.quitConfirmation"] if window._window.confirm_close else None

    return close


TRAINING = Job("1", "training", "Zulu", "merges", state="running")


def test_a_window_that_is_closed_while_jobs_run_asks(closing):
    done = replace(TRAINING, id="2", title="Xhosa", state="done")
    question = closing([TRAINING, done])
    assert 'training "Zulu"' in question and "Xhosa" not in question and question.endswith("Close the lab?")
    assert closing([done]) is None


@pytest.mark.parametrize("problem", [ConnectionRefusedError(), TimeoutError(), ValueError("no JSON")])
def test_a_window_whose_lab_does_not_answer_closes(closing, problem):
    assert closing(problem) is None


def test_a_window_that_the_lab_closes_does_not_ask(closing):
    assert closing([TRAINING], ordered=True) is None


@pytest.mark.parametrize(
    ("platform", "limits"),
    [("linux", [None]), ("darwin", [None]), ("win32", [0.5, 0.5, 0.5])],
)
def test_only_on_windows_the_lab_looks_again_and_again_for_the_end(monkeypatch, platform, limits):
    """A wait with a limit wakes the processor; on Windows a wait without one hears no Ctrl+C."""
    asked = []

    class Process:
        def wait(self, limit: float | None = None) -> int:
            asked.append(limit)
            if limit is not None and len(asked) < 3:
                raise subprocess.TimeoutExpired("window", limit)
            return 7

    monkeypatch.setattr(window_process.sys, "platform", platform)
    process = object.__new__(WindowProcess)
    monkeypatch.setattr(process, "_process", Process(), raising=False)
    assert (process.wait(), asked) == (7, limits)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signals")
def test_a_window_that_was_told_nothing_is_ended_at_once():
    """It is still importing what it needs, and has nothing to close."""
    window = WindowProcess()
    window.end()
    assert window.wait() == -signal.SIGKILL


def test_little_is_imported_before_the_window_is_started():
    """Its own imports take longest, and begin after these."""
    said = "import sys, lab_app.cli.main, lab_app.cli.window, lab_app.desktop.window_process; print(*sys.modules)"
    command = [sys.executable, "-c", said]
    imported = set(subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout.split())
    assert "lab_app.desktop.window_check" in imported
    assert not imported & {
        "tempfile",
        "logging",
        "dataclasses",
        "platformdirs",
        "lab_app.settings",
        "lab_app.desktop.window",
    }


def refuse() -> None:
    """A window that neither opens nor closes."""
    sys.stdin.read()
    while True:
        signal.pause()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no process that only waits for a signal")
def test_a_window_that_does_not_close_is_killed(monkeypatch):
    monkeypatch.setattr(window_process, "WINDOW", f"{refuse.__module__}:refuse")
    monkeypatch.setattr(window_process, "CLOSE_TIMEOUT_S", 0.1)
    process = WindowProcess()
    process.close()
    assert process.wait() == -signal.SIGKILL
    assert process.problem()
    process.end()
