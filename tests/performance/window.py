"""From starting `tokenlab` to the first tokens on screen, in the real window without a display."""

import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from playwright.sync_api import Browser, Error, Playwright, sync_playwright

STARTS = 3
GIVE_UP_S = 60.0


def run() -> None:
    """Prints the median of a few starts, the first one of which is not counted."""
    with sync_playwright() as playwright, tempfile.TemporaryDirectory(prefix="tokenlab-bench-") as data_dir:
        _first_tokens_s(playwright, data_dir)
        times = [_first_tokens_s(playwright, data_dir) for _ in range(STARTS)]
    spread = f"{min(times):.2f}-{max(times):.2f}"
    print(
        f"\nFrom `tokenlab` to the first tokens: {statistics.median(times):.2f} s, median of {STARTS} starts ({spread})"
    )


def _first_tokens_s(playwright: Playwright, data_dir: str) -> float:
    port = _free_port()
    environment = {
        **os.environ,
        "QT_QPA_PLATFORM": "offscreen",
        "QTWEBENGINE_REMOTE_DEBUGGING": f"127.0.0.1:{port}",
        "TOKENLAB_DATA_DIR": data_dir,
    }
    start = time.perf_counter()
    process = subprocess.Popen(
        [str(Path(sys.executable).with_name("tokenlab"))], env=environment, stdout=subprocess.DEVNULL
    )
    try:
        while time.perf_counter() - start < GIVE_UP_S:
            with suppress(Error):
                browser = playwright.chromium.connect_over_cdp(f"http://127.0.0.1:{port}", no_defaults=True)
                if _shows_tokens(browser, start + GIVE_UP_S):
                    return time.perf_counter() - start
            time.sleep(0.01)
        raise SystemExit(f"no tokens within {GIVE_UP_S} s of starting the window")
    finally:
        process.terminate()
        process.wait(timeout=20)


def _shows_tokens(browser: Browser, give_up: float) -> bool:
    ready = "document.documentElement.dataset.state === 'ready' && Number(document.querySelector('[data-role=lane]')?.dataset.pieces) > 0"
    while time.perf_counter() < give_up:
        pages = [page for context in browser.contexts for page in context.pages]
        if any(page.evaluate(ready) for page in pages):
            return True
        time.sleep(0.005)
    return False


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
