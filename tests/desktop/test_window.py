"""The lab in its own window: it works, it closes, nothing stays behind."""

import json
import os
import re
import signal

import pytest
from playwright.sync_api import Error, expect

from lab_app.desktop.window import Opening
from lab_app.desktop.window_process import WindowProcess
from tests.browser.conftest import FRAMES
from tests.desktop.conftest import connected, free_port, until
from tests.processes import command_of, family, kill, parent_of

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


def test_a_presentation_fills_the_screen_and_leaves_it(window, playwright):
    page = window.page(playwright)
    size = page.evaluate("[innerWidth, innerHeight]")
    page.locator(".rail a").first.press("Shift+P")
    expect(page.locator(".presenter")).to_be_visible()
    page.keyboard.press("f")
    until(lambda: page.evaluate("Boolean(document.fullscreenElement)"), lambda: "the page is not in full screen")
    until(lambda: page.evaluate("innerWidth === screen.width"), lambda: f"{page.evaluate('innerWidth')} px wide")
    page.get_by_role("button", name="Leave").click()
    until(lambda: not page.evaluate("Boolean(document.fullscreenElement)"), lambda: "the page is in full screen")
    until(lambda: page.evaluate("[innerWidth, innerHeight]") == size, lambda: "the window has another size")


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


def test_a_window_that_is_killed_ends_the_lab_with_a_status(window, playwright):
    window.page(playwright)
    window.remember_family()
    child = next(pid for pid in family(window.process.pid) if "lab_app.desktop.window:main" in command_of(pid))
    os.kill(child, signal.SIGKILL)
    assert window.says("The window ended unexpectedly")
    assert window.ends() == 1


def test_the_secret_is_on_no_command_line(window, data_dir, playwright):
    window.page(playwright)
    secret = json.loads((data_dir / "window.json").read_text())["token"]
    assert len(secret) > 20
    assert not [pid for pid in family(window.process.pid) if secret in command_of(pid)]


def test_the_window_says_that_the_server_has_ended(data_dir, monkeypatch, playwright):
    port = free_port()
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    monkeypatch.setenv("QTWEBENGINE_REMOTE_DEBUGGING", f"127.0.0.1:{port}")
    process = WindowProcess()
    try:
        process.show(Opening("data:text/html,<h1>Lab</h1>", "", str(data_dir / "window-state.json")))
        assert process.problem() is None
        process.server_ended()
        until(lambda: shown(port, playwright, "h1") == "The lab's server has ended", lambda: "it does not say so")
        process.close()
        assert process.wait() == 0
    finally:
        process.end()


def test_a_second_start_calls_the_first_and_ends(window, start, playwright):
    window.page(playwright)
    second = start(QT_QPA_PLATFORM="offscreen")
    assert second.says("already open")
    assert second.status() == 0
    assert window.process.poll() is None


def test_files_open_in_the_first_start_and_in_the_one_that_runs(start, playwright, tmp_path):
    """What was typed before stays in the history of the text."""
    for name in ("first one.txt", "second.txt"):
        (tmp_path / name).write_text(f"the {name}")
    first = start(str(tmp_path / "first one.txt"), QT_QPA_PLATFORM="offscreen")
    page = first.page(playwright)
    text = "document.querySelector('[data-role=text-input]').innerText"
    until(lambda: page.evaluate(text) == "the first one.txt", lambda: f"text: {page.evaluate(text)}")
    page.locator(INPUT).first.click()
    page.keyboard.press("Control+End")
    page.keyboard.type(", typed")
    second = start(str(tmp_path / "second.txt"), QT_QPA_PLATFORM="offscreen")
    assert second.says("already open; it opens second.txt")
    assert second.status() == 0
    until(lambda: page.evaluate(text) == "the second.txt", lambda: f"text: {page.evaluate(text)}")
    assert page.url.endswith("#/inspect")
    page.locator(INPUT).first.press("Control+z")
    until(lambda: page.evaluate(text) == "the first one.txt, typed", lambda: f"text: {page.evaluate(text)}")


def test_after_a_killed_one_the_next_opens(window, start):
    window.process.kill()
    window.status()
    start(QT_QPA_PLATFORM="offscreen").says("open in a window")


def test_a_renderer_that_dies_is_started_again(window, playwright):
    window.page(playwright)
    renderers = kill_renderers(window)
    until(lambda: renderers_of(window) - renderers, lambda: f"no new renderer: {window.errors[-20:]}")
    expect(window.page(playwright).locator(TOKENS).first).to_have_attribute("data-pieces", re.compile(r"[1-9]"))


def test_a_renderer_that_dies_again_and_again_is_left_alone(window, playwright):
    for _ in range(3):
        window.page(playwright)
        renderers = kill_renderers(window)
        until(lambda renderers=renderers: not renderers & renderers_of(window), lambda: "it lives on")
    page = until(lambda: shown(window.debug_port, playwright, "h1"), lambda: f"no error page: {window.errors[-20:]}")
    assert "crashed three times" in page


def shown(debug_port: int, playwright, selector: str) -> str | None:
    """The text of an element of whatever the window shows now."""
    browser = connected(playwright, debug_port)
    if browser is None:
        return None
    try:
        pages = [page for context in browser.contexts for page in context.pages]
        found = [page.evaluate(f"document.querySelector('{selector}')?.textContent") for page in pages]
        return next((text for text in found if text), None)
    except Error:
        return None
    finally:
        browser.close()


def kill_renderers(window) -> set[int]:
    """Kills the renderers and returns their process ids."""
    renderers = renderers_of(window)
    assert renderers
    kill(renderers)
    return renderers


def renderers_of(window) -> set[int]:
    """Renderers are the processes that Chromium's zygotes have made."""
    children: dict[int, int] = {pid: parent_of(pid) for pid in family(window.process.pid)}
    return {pid for pid, parent in children.items() if "--type=zygote" in command_of(parent)}
