"""The real program with its real window, on no screen (`QT_QPA_PLATFORM=offscreen`), driven over the DevTools protocol."""

import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Error, Page, Playwright, sync_playwright

from tests.browser.conftest import FRAMES
from tests.processes import command_of, family, kill, runs, tied
from tests.waiting import PATIENCE_S, until

CONNECT_MS = 5000.0
"""A web view that starts may take the connection and not answer it; the next try is answered."""
LIMIT_S = 240.0
"""Of one test. Less than the limit of pytest, which ends the worker and says less."""
# Before any window is opened, which inherits it: a test sees the same fonts on every machine.
os.environ["FONTCONFIG_FILE"] = str(Path(__file__).parents[1] / "browser" / "fonts.conf")

if sys.platform != "linux":
    collect_ignore_glob = ["*"]  # processes are counted in /proc, and other systems have their own web views


class Program:
    """A running `tokenlab`: its process, what it has said, its page."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str]) -> None:
        self.debug_port = free_port()
        self.process = subprocess.Popen(
            tied(*command),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={
                **environment,
                "QTWEBENGINE_REMOTE_DEBUGGING": f"127.0.0.1:{self.debug_port}",
                "TOKENLAB_OFFLINE": "1",
            },
        )
        self.lines: list[str] = []
        self.errors: list[str] = []
        for stream, lines in ((self.process.stdout, self.lines), (self.process.stderr, self.errors)):
            threading.Thread(target=lambda stream=stream, lines=lines: lines.extend(stream), daemon=True).start()

    def says(self, words: str) -> str:
        """Waits for a line with `words` on stdout and gives it."""
        return until(
            lambda: next((line for line in self.lines if words in line), None),
            lambda: f"nothing said {words!r}: {self.lines} {self.errors[-20:]}",
        )

    def page(self, playwright: Playwright) -> Page:
        """The page in the window, when its tokens are drawn and seen."""

        def connect() -> Page | None:
            browser = connected(playwright, self.debug_port)
            page = next((page for context in browser.contexts for page in context.pages), None) if browser else None
            if browser and not page:
                browser.close()
            return page

        page = until(connect, lambda: f"no window: {self.lines} {self.errors[-20:]}")
        state = "document.documentElement.dataset.state"
        until(lambda: _evaluated(page, state) == "ready", lambda: f"the page is {_evaluated(page, state)}")
        # Qt does not report the end of a renderer whose page it has not shown yet.
        until(lambda: _evaluated(page, f"({FRAMES})(3).then(() => true)"), lambda: "the page draws no frame")
        return page

    def remember_family(self) -> set[int]:
        """Notes who must be gone when the process has ended."""
        self._family_at_last = family(self.process.pid)
        return self._family_at_last

    def ends(self) -> int:
        """Waits for the end of the process and of all that descended from it; its exit status."""
        remembered = self._family_at_last
        status = self.status()
        until(
            lambda: not any(map(runs, remembered)),
            lambda: f"orphans: {[(p, command_of(p)) for p in remembered if runs(p)]}",
        )
        return status

    def status(self) -> int:
        """Waits for the end of the process; its exit status."""
        until(lambda: self.process.poll() is not None, lambda: f"it runs on: {self.lines} {self.errors[-20:]}")
        return self.process.returncode

    def kill(self) -> None:
        """Ends it and all it started, if they run."""
        if self.process.poll() is None:
            kill(family(self.process.pid))
            self.process.wait(PATIENCE_S)


def _evaluated(page: Page, expression: str) -> object:
    try:
        return page.evaluate(expression)
    except Error:
        return None  # the page is between two documents


def connected(playwright: Playwright, debug_port: int) -> Browser | None:
    """The web view of a window; None if it does not answer."""
    try:
        address = f"http://127.0.0.1:{debug_port}"
        return playwright.chromium.connect_over_cdp(address, no_defaults=True, timeout=CONNECT_MS)
    except Error:
        return None


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


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Kills what a test has started when the test takes too long.

    What Playwright asks a page has no limit of its own, and a page may never answer; it fails when the page is gone.
    """

    def end() -> None:
        print(f"{item.nodeid} was not done after {LIMIT_S:g} s, so its programs were killed", file=sys.stderr)
        for pid in family(os.getpid()) - {os.getpid()}:
            if "lab_app" in command_of(pid):
                kill(family(pid))

    timer = threading.Timer(LIMIT_S, end)
    timer.start()
    try:
        return (yield)
    finally:
        timer.cancel()


@pytest.fixture
def start(data_dir: Path) -> Iterator[Callable[..., Program]]:
    """Starts `tokenlab`; whatever still runs at the end of the test is killed."""
    started: list[Program] = []

    def run(*arguments: str, **environment: str) -> Program:
        clean = {
            name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
        }
        started.append(Program([sys.executable, "-m", "lab_app.cli.main", *arguments], {**clean, **environment}))
        return started[-1]

    yield run
    for program in started:
        program.kill()


@pytest.fixture
def window(start: Callable[..., Program]) -> Program:
    """The lab in its window, without a screen."""
    program = start(QT_QPA_PLATFORM="offscreen")
    program.says("open in a window")
    return program
