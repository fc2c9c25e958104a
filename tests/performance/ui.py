"""How long the text component takes: to paste, to scroll, to type; and what memory a page takes. No test judges these.

In Chromium and in the lab's own window without a display, on the same texts, beside two others in the same run: the
editor alone, which is the floor, and the plain way, a span per token. Every time runs from the act to the end of the frame
that shows its tokens, as the page's main thread sees it. Medians and 95th percentiles, in milliseconds. `pasted` is the
frame with the tokens in the window, `whole` the one with all of them and their count.

Below each case is what a key and a scroll of 300 pixels cost: time of the page's main thread (`cpu`, of it script,
style, layout), which other programs on the machine do not change, and how long the answer to a key was under way. The
rest of a key is waiting for the screen's next frame.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from playwright.sync_api import Browser, CDPSession, Error, Page, Playwright, sync_playwright

from tests.browser.conftest import launch
from tests.performance.startup import free_port

PARAGRAPH = (
    "{n:06} It was the best of times, it was the worst of times; the naïve café served 2048 guests, didn't it? "
    "東京都は日本の首都です。नमस्ते दुनिया, مرحبا بالعالم. def scroll(self, by=42): return self.top + by 👍🏽\n"
)
KEYS, WARM, SCROLLS, GIVE_UP_S = 40, 8, 40, 90.0
FOUR = ["gpt2", "cl100k_base", "o200k_base", "bert-base-uncased"]
SCRIPT = (Path(__file__).parent / "ui.js").read_text(encoding="utf-8")


def text_of(size_bytes: int, *, one_line: bool = False) -> str:
    """A text of that many bytes at most: eight scripts, code and emoji, whole paragraphs, no two alike."""
    text = "".join(PARAGRAPH.format(n=n) for n in range(size_bytes // len(PARAGRAPH.format(n=0).encode())))
    return text.replace("\n", " ") if one_line else text


CASES = [
    ("inspect", "10 kB", text_of(10_000)),
    ("inspect", "100 kB", text_of(100_000)),
    ("inspect", "1 MB, lines", text_of(1_000_000)),
    ("inspect", "1 MB, one line", text_of(1_000_000, one_line=True)),
    ("compare", "1 MB, lines", text_of(1_000_000)),
    ("compare", "1 MB, one line", text_of(1_000_000, one_line=True)),
    ("inspect", "10 MB, lines", text_of(10_000_000)),
    ("compare", "10 MB, lines", text_of(10_000_000)),
]


# A span per token is measured on these: a megabyte of it does not come to an end within minutes.
PLAIN = [("10 kB", text_of(10_000)), ("100 kB", text_of(100_000))]


def main() -> None:
    """Prints a table per browser."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", metavar="WORDS", default="", help="cases with these words in their name")
    parser.add_argument("--no-window", action="store_true", help="leave out the lab's own window")
    options = parser.parse_args()
    browsers = [("Chromium", _chromium)] + [("The window", _window)] * (not options.no_window)
    with tempfile.TemporaryDirectory(prefix="tokenlab-bench-") as folder, sync_playwright() as playwright:
        for name, opened in browsers:
            print(f"\n{name}: ms, median / 95th percentile; Compare with {len(FOUR)} tokenizers")
            with opened(playwright, folder) as page:
                _measure(page, options.only)


def _measure(page: Page, only: str) -> None:
    pasted: dict[str, float] = {}
    keys: dict[str, float] = {}
    cdp = page.context.new_cdp_session(page)
    cdp.send("Performance.enable", {"timeDomain": "threadTicks"})
    print(f"{'':34}{'pasted':>8}{'whole':>8}{'key':>16}{'cpu of a key':>14}{'scroll':>16}{'longest':>10}{'memory':>12}")
    for screen, name, text in CASES:
        if only not in f"{screen}, {name}":
            continue
        _open(page, screen, ["gpt2"] if screen == "inspect" else FOUR, text)
        found = _component(page, cdp)
        _print(f"{screen}, {name}", found)
        _print("  the editor alone", _bare(page, cdp))
        _print_parts(found)
        if screen == "inspect":
            pasted[name], keys[name] = found["paste_ms"], statistics.median(found["key_ms"])
    for name, text in PLAIN:
        if only not in f"a span per token, {name}":
            continue
        _open(page, "inspect", ["gpt2"], text)
        found = page.evaluate("options => benchSpans(options)", {"keys": 3, "scrolls": 10})
        _print(f"a span per token, {name}", found)
        if name in pasted:
            key = statistics.median(found["key_ms"]) / keys[name]
            print(f"{'  times the component':34}{found['paste_ms'] / pasted[name]:>8.1f}{'':8}{key:>16.1f}")


def _component(page: Page, cdp: CDPSession) -> dict:
    found = page.evaluate("() => benchComponent()")
    before = _spent(cdp)
    found |= page.evaluate("options => benchScrolls(options)", {"scrolls": SCROLLS})
    found["scroll_parts"] = _since(before, cdp, SCROLLS)
    page.evaluate("options => benchKeys(options)", {"keys": WARM})
    before = _spent(cdp)
    found |= page.evaluate("options => benchKeys(options)", {"keys": KEYS})
    found["parts"] = _since(before, cdp, KEYS)
    found["memory_mb"] = page.evaluate("before => benchMemory(before)", found["before"])
    return found


def _bare(page: Page, cdp: CDPSession) -> dict:
    found = page.evaluate("options => benchBare(options)", {"scrolls": SCROLLS})
    before = _spent(cdp)
    found |= page.evaluate("options => benchBareKeys(options)", {"keys": KEYS})
    found["parts"] = _since(before, cdp, KEYS)
    return {**found, "memory_mb": None}


def _since(before: dict[str, float], cdp: CDPSession, times: int) -> dict[str, float]:
    """Milliseconds of the page's main thread since `before` for each of so many acts."""
    return {name: (spent - before[name]) / times for name, spent in _spent(cdp).items()}


def _spent(cdp: CDPSession) -> dict[str, float]:
    """Milliseconds of the page's main thread so far, by what they were spent on."""
    metrics = {each["name"]: each["value"] * 1000 for each in cdp.send("Performance.getMetrics")["metrics"]}
    names = {"cpu": "Task", "script": "Script", "style": "RecalcStyle", "layout": "Layout"}
    return {name: metrics[f"{metric}Duration"] for name, metric in names.items()}


def _print_parts(found: dict) -> None:
    print(f"{'  a key':34}{_words(found['parts'])}; answer {_both(found['answer_ms'])}")
    print(f"{'  a scroll':34}{_words(found['scroll_parts'])}", flush=True)


def _words(parts: dict[str, float]) -> str:
    return ", ".join(f"{name} {ms:.1f}" for name, ms in parts.items())


def _open(page: Page, screen: str, chosen: list[str], text: str) -> None:
    """A fresh page with these tokenizers; `text` is at hand in it."""
    page.evaluate(
        """async ([screen, chosen]) => {
            const body = JSON.stringify({ chosen, active: chosen[0], theme: 'light' });
            const headers = { 'Content-Type': 'application/json' };
            await fetch('api/v1/preferences', { method: 'PUT', headers, body });
            location.hash = `#/${screen}?text=A+short+text`; // a reload keeps the text that is shown
        }""",
        [screen, chosen],
    )
    page.reload()
    _ready(page)
    page.add_script_tag(content=SCRIPT)
    page.evaluate("text => { window.benchText = text; }", text)


def _print(name: str, found: dict) -> None:
    memory = found["memory_mb"]
    print(
        f"{name:34}{found['paste_ms']:>8.0f}{_whole(found):>8}{_both(found['key_ms']):>16}{_cpu(found):>14}{_both(found['scroll_ms']):>16}"
        f"{max(found['scroll_ms']):>10.0f}{f'{memory:+.0f} MB' if memory is not None else '-':>12}",
        flush=True,
    )


def _whole(found: dict) -> str:
    return f"{found['whole_ms']:.0f}" if "whole_ms" in found else "-"


def _cpu(found: dict) -> str:
    return f"{found['parts']['cpu']:.1f}" if "parts" in found else "-"


def _both(times: list[float]) -> str:
    ordered = sorted(times)
    return f"{statistics.median(ordered):.0f} / {ordered[int(0.95 * (len(ordered) - 1))]:.0f}"


@contextmanager
def _chromium(playwright: Playwright, folder: str) -> Iterator[Page]:
    environment = {**os.environ, "TOKENLAB_DATA_DIR": folder, "PYTHONUNBUFFERED": "1"}
    command = [sys.executable, "-m", "lab_app", "serve", "--port", "0"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, text=True)
    browser = launch(playwright, "--enable-precise-memory-info", "--js-flags=--expose-gc")
    try:
        assert server.stdout
        context = browser.new_context(viewport={"width": 1280, "height": 800}, bypass_csp=True)
        page = context.new_page()
        page.goto(server.stdout.readline().strip())
        yield _ready(page)
    finally:
        browser.close()
        server.terminate()
        server.wait(timeout=20)


@contextmanager
def _window(playwright: Playwright, folder: str) -> Iterator[Page]:
    port = free_port()
    environment = {
        **os.environ,
        "QT_QPA_PLATFORM": "offscreen",
        "QTWEBENGINE_REMOTE_DEBUGGING": f"127.0.0.1:{port}",
        "QTWEBENGINE_CHROMIUM_FLAGS": "--enable-precise-memory-info --js-flags=--expose-gc",
        "TOKENLAB_DATA_DIR": folder,
    }
    process = subprocess.Popen([sys.executable, "-m", "lab_app"], env=environment, stdout=subprocess.DEVNULL)
    try:
        page = _page_of(_attached(playwright, port))
        # The page's policy forbids scripts that it did not bring; this one measures it.
        page.context.new_cdp_session(page).send("Page.setBypassCSP", {"enabled": True})
        page.reload()
        yield _ready(page)
    finally:
        process.terminate()
        process.wait(timeout=20)


def _attached(playwright: Playwright, port: int) -> Browser:
    end = time.perf_counter() + GIVE_UP_S
    while time.perf_counter() < end:
        with suppress(Error):
            return playwright.chromium.connect_over_cdp(f"http://127.0.0.1:{port}", no_defaults=True)
        time.sleep(0.1)
    raise SystemExit(f"the window did not open within {GIVE_UP_S:g} s")


def _page_of(browser: Browser) -> Page:
    end = time.perf_counter() + GIVE_UP_S
    while time.perf_counter() < end:
        pages = [page for context in browser.contexts for page in context.pages if page.url.startswith("http")]
        if pages:
            return pages[0]
        time.sleep(0.1)
    raise SystemExit("the window shows no page")


def _ready(page: Page) -> Page:
    end = time.perf_counter() + GIVE_UP_S
    while time.perf_counter() < end:
        with suppress(Error):
            if json.loads(page.evaluate("JSON.stringify(document.documentElement.dataset.state === 'ready')")):
                return page
        time.sleep(0.1)
    raise SystemExit("the page stayed busy")


if __name__ == "__main__":
    main()
