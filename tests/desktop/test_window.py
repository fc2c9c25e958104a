"""The lab in its own window: it works, it closes, nothing stays behind."""

import contextlib
import json
import os
import re
import signal
from pathlib import Path

import pytest
from playwright.sync_api import Error, expect

from tests.browser.conftest import FRAMES
from tests.desktop.conftest import until

INPUT = "[data-role=text-input]"
TOKENS = "[data-role=lane]"
IDS = "document.querySelector('token-text').drawnLanes[0].pieces.map(piece => piece.id)"


def test_one_types_and_sees_tokens(window, playwright):
    page = window.page(playwright)
    page.locator(INPUT).first.click()
    page.keyboard.press("Control+A")
    page.keyboard.type("Hello, world")
    until(lambda: page.evaluate(IDS) == [7592, 1010, 2088], lambda: f"drawn: {page.evaluate(IDS)}")


def test_the_secret_does_not_stay_in_the_address(window, playwright):
    page = window.page(playwright)
    assert "token=" not in page.url and page.url.startswith("http://127.0.0.1:")


def test_size_and_zoom_are_remembered(start, data_dir, playwright):
    state = data_dir / "window-state.json"
    state.write_text('{"width": 1000, "height": 640, "maximized": false, "zoom": 1.25}')
    program = start(QT_QPA_PLATFORM="offscreen")
    page = program.page(playwright)
    assert page.evaluate("devicePixelRatio") == 1.25
    assert page.evaluate("Math.round(innerWidth * devicePixelRatio)") == 1000
    program.remember_family()
    program.process.terminate()
    assert program.ends() == 0
    assert json.loads(state.read_text()) == {"width": 1000, "height": 640, "maximized": False, "zoom": 1.25}


def test_the_page_asks_nobody_else(window, playwright):
    page = window.page(playwright)
    names = page.evaluate("performance.getEntriesByType('resource').map(entry => entry.name)")
    assert names and all(name.startswith(page.url.partition("#")[0]) for name in names)


def test_a_page_elsewhere_is_not_opened_in_the_window(window, playwright):
    """What a browser does with a file that is dropped beside the text: it goes there."""
    page = window.page(playwright)
    before = page.url
    page.evaluate("location.href = 'file:///etc/hostname'")
    page.evaluate("location.href = 'http://127.0.0.1:9/'")
    page.evaluate(FRAMES, 30)
    assert page.url == before
    # Not by a locator: Playwright still waits for the navigation that was refused.
    assert page.evaluate(f"document.querySelector('{INPUT}') !== null")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_ends_it_and_all_it_started(window, playwright, number):
    window.page(playwright)
    assert len(window.remember_family()) > 2, "Qt's own processes are not counted"
    os.kill(window.process.pid, number)
    assert window.ends() == 0
    assert not [line for line in window.errors if "Traceback" in line]


@pytest.mark.parametrize("processes", [1, 2, 3, 4])
def test_a_signal_while_it_is_still_opening_ends_it_too(start, processes):
    """At the very first, and after each of the processes that it starts by and by."""
    program = start(QT_QPA_PLATFORM="offscreen")
    until(lambda: len(program.remember_family()) >= processes, lambda: f"it has not started {processes} processes")
    program.process.terminate()
    assert program.ends() in (0, -signal.SIGTERM)  # the latter where it was not yet listening for signals
    assert not [line for line in program.errors if "Traceback" in line]


def test_a_process_that_is_killed_takes_all_with_it(window, playwright):
    window.page(playwright)
    window.remember_family()
    window.process.kill()
    assert window.ends() == -signal.SIGKILL


def test_a_second_start_calls_the_first_and_ends(window, start, playwright):
    window.page(playwright)
    second = start(QT_QPA_PLATFORM="offscreen")
    assert second.says("already open")
    assert second.process.wait(30) == 0
    assert window.process.poll() is None


def test_after_a_killed_one_the_next_opens(window, start):
    window.process.kill()
    window.process.wait()
    start(QT_QPA_PLATFORM="offscreen").says("open in a window")


def test_a_renderer_that_dies_is_started_again(window, playwright):
    window.page(playwright)
    renderers = kill_renderers(window)
    until(lambda: renderers_of(window) - renderers, lambda: f"no new renderer: {window.errors[-20:]}")
    expect(window.page(playwright).locator(TOKENS).first).to_have_attribute("data-pieces", re.compile(r"[1-9]"))


def test_a_renderer_that_dies_again_and_again_is_left_alone(window, playwright):
    for _ in range(3):
        # Qt does not report the end of a renderer that has not shown its page yet.
        window.page(playwright)
        renderers = kill_renderers(window)
        until(lambda renderers=renderers: not renderers & renderers_of(window), lambda: "it lives on")
    page = until(lambda: shown(window, playwright, "h1"), lambda: f"no error page: {window.errors[-20:]}")
    assert "crashed three times" in page


def shown(window, playwright, selector: str) -> str | None:
    """The text of an element of whatever the window shows now."""
    try:
        browser = playwright.chromium.connect_over_cdp(f"http://127.0.0.1:{window.debug_port}", no_defaults=True)
        found = [
            page.evaluate(f"document.querySelector('{selector}')?.textContent") for page in browser.contexts[0].pages
        ]
        return next((text for text in found if text), None)
    except Error:
        return None


def kill_renderers(window) -> set[int]:
    """Kills the renderers and returns their process ids."""
    renderers = renderers_of(window)
    assert renderers
    for pid in renderers:
        with contextlib.suppress(ProcessLookupError):  # helpers of Chromium's end by themselves
            os.kill(pid, signal.SIGKILL)
    return renderers


def renderers_of(window) -> set[int]:
    """Renderers are the processes that Chromium's zygotes have made."""
    children: dict[int, int] = {pid: parent_of(pid) for pid in window.family()}
    return {pid for pid, parent in children.items() if "--type=zygote" in command_of(parent)}


def parent_of(pid: int) -> int:
    try:
        return int((Path("/proc") / str(pid) / "stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return 0


def command_of(pid: int) -> str:
    try:
        return (Path("/proc") / str(pid) / "cmdline").read_text("utf-8", "replace")
    except OSError:
        return ""
