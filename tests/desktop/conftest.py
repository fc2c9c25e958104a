"""The real program with its real window, on no screen (`QT_QPA_PLATFORM=offscreen`), driven over the DevTools protocol."""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Error, Page, Playwright, sync_playwright

PATIENCE_S = 60.0
# Before any window is opened, which inherits it: a test sees the same fonts on every machine.
os.environ["FONTCONFIG_FILE"] = str(Path(__file__).parents[1] / "browser" / "fonts.conf")

# A shell starts what it puts in the background with SIGINT ignored, and so would be what the tests start: a test that
# sends one would wait for ever.
signal.signal(signal.SIGINT, signal.default_int_handler)

if sys.platform != "linux":
    collect_ignore_glob = ["*"]  # processes are counted in /proc, and other systems have their own web views


class Program:
    """A running `tokenlab`: its process, what it has said, its page."""

    def __init__(self, process: subprocess.Popen[str], debug_port: int) -> None:
        self.process = process
        self.debug_port = debug_port
        self.lines: list[str] = []
        self.errors: list[str] = []
        for stream, lines in ((process.stdout, self.lines), (process.stderr, self.errors)):
            threading.Thread(target=lambda stream=stream, lines=lines: lines.extend(stream), daemon=True).start()

    def says(self, words: str) -> str:
        """Waits for a line with `words` on stdout and gives it."""
        return until(
            lambda: next((line for line in self.lines if words in line), None),
            lambda: f"nothing said {words!r}: {self.lines} {self.errors[-20:]}",
        )

    def page(self, playwright: Playwright) -> Page:
        """The page in the window, when its tokens are drawn."""

        def connect() -> Page | None:
            try:
                browser = playwright.chromium.connect_over_cdp(f"http://127.0.0.1:{self.debug_port}", no_defaults=True)
            except Error:
                return None
            return next((page for context in browser.contexts for page in context.pages), None)

        page = until(connect, lambda: f"no window: {self.lines} {self.errors[-20:]}")
        state = "document.documentElement.dataset.state"
        until(lambda: _evaluated(page, state) == "ready", lambda: f"the page is {_evaluated(page, state)}")
        return page

    def family(self) -> set[int]:
        """The process and all that descend from it, as they are now."""
        parents = {}
        for entry in Path("/proc").iterdir():
            if entry.name.isdecimal():
                try:
                    parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
                except OSError:
                    continue
        found = {self.process.pid}
        while more := {child for child, parent in parents.items() if parent in found} - found:
            found |= more
        return found

    def ends(self) -> int:
        """Waits for the end of the process and of all that descended from it; its exit status."""
        family = self._family_at_last
        status = self.process.wait(PATIENCE_S)
        until(lambda: not [pid for pid in family if _runs(pid)], lambda: f"orphans: {[p for p in family if _runs(p)]}")
        return status

    def remember_family(self) -> set[int]:
        """Notes who must be gone when the process has ended."""
        self._family_at_last = self.family()
        return self._family_at_last


def until(probe: Callable[[], Any], why: Callable[[], str]) -> Any:
    """Calls `probe` until it gives something true; fails with `why` after a minute."""
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        if found := probe():
            return found
        time.sleep(0.05)
    pytest.fail(why())


def _evaluated(page: Page, expression: str) -> object:
    try:
        return page.evaluate(expression)
    except Error:
        return None  # the page is between two documents


def _runs(pid: int) -> bool:
    try:
        return (Path("/proc") / str(pid) / "stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="session", autouse=True)
def _bundle(page_bundle: None) -> None:
    """Every window opens the page."""


@pytest.fixture
def start(data_dir: Path) -> Iterator[Callable[..., Program]]:
    """Starts `tokenlab`; whatever still runs at the end of the test is killed."""
    started: list[Program] = []

    def run(*arguments: str, **environment: str) -> Program:
        port = free_port()
        clean = {
            name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
        }
        process = subprocess.Popen(
            [sys.executable, "-m", "lab_app.cli.main", *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**clean, "QTWEBENGINE_REMOTE_DEBUGGING": f"127.0.0.1:{port}", "TOKENLAB_OFFLINE": "1", **environment},
        )
        started.append(Program(process, port))
        return started[-1]

    yield run
    for program in started:
        if program.process.poll() is None:
            program.process.kill()
            program.process.wait()


@pytest.fixture
def window(start: Callable[..., Program]) -> Program:
    """The lab in its window, without a screen."""
    program = start(QT_QPA_PLATFORM="offscreen")
    program.says("open in a window")
    return program
