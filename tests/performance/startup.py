"""`make bench-startup`: from starting `tokenlab` to the first tokens, in the real window without a display.

In the same run, in turns:

* `bare`: a pywebview page of its own with one request to a server in the same process: the floor;
* `first`: the lab with a new data folder;
* `second`: the lab with a data folder that an earlier start has filled.

Figures are medians with the lowest and highest, and the medians of the ratios to `bare` of the same round.
"""

import argparse
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

GIVE_UP_S = 60.0
LAB = [str(Path(sys.executable).with_name("tokenlab"))]
BARE = [sys.executable, "-m", "tests.performance.startup", "--bare"]
READY = "document.documentElement.dataset.state === 'ready'"
TOKENS = f"{READY} && Number(document.querySelector('[data-role=lane]')?.dataset.pieces) > 0"
PAGE = b"""<!doctype html><html><meta charset="utf-8"><title>Bare</title><p>...</p><script>
fetch('answer').then(answer => answer.text()).then(text => {
  document.querySelector('p').textContent = text;
  document.documentElement.dataset.state = 'ready';
});
</script></html>"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5, help="starts of each kind (default 5)")
    parser.add_argument("--bare", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.bare:
        open_bare_window()
    else:
        run(options.rounds)


def run(rounds: int = 5) -> None:
    """Measures the three kinds of start in turns and prints a table."""
    found: dict[str, list[float]] = {"bare": [], "first": [], "second": []}
    with sync_playwright() as playwright, tempfile.TemporaryDirectory(prefix="tokenlab-bench-") as kept:
        start_s(playwright, BARE, READY, kept)  # reads the programs from the disk
        start_s(playwright, LAB, TOKENS, kept)
        for _ in range(rounds):
            found["bare"].append(start_s(playwright, BARE, READY, kept))
            with tempfile.TemporaryDirectory(prefix="tokenlab-bench-") as fresh:
                found["first"].append(start_s(playwright, LAB, TOKENS, fresh))
            found["second"].append(start_s(playwright, LAB, TOKENS, kept))
    print(f"From starting the program to the first tokens, {rounds} rounds")
    for name, times in found.items():
        ratio = statistics.median(one / floor for one, floor in zip(times, found["bare"], strict=True))
        print(f"{name:8} {statistics.median(times):5.2f} s ({min(times):.2f}-{max(times):.2f})   {ratio:.2f} x bare")


def start_s(playwright: Playwright, command: list[str], ready: str, data_dir: str) -> float:
    """Seconds from starting `command` until a page in its window says that it is `ready`."""
    port = free_port()
    environment = {
        **os.environ,
        "QT_QPA_PLATFORM": "offscreen",
        "QTWEBENGINE_REMOTE_DEBUGGING": f"127.0.0.1:{port}",
        "TOKENLAB_DATA_DIR": data_dir,
    }
    start = time.perf_counter()
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        while time.perf_counter() - start < GIVE_UP_S:
            with suppress(Error):
                browser = playwright.chromium.connect_over_cdp(f"http://127.0.0.1:{port}", no_defaults=True)
                if _is_ready(browser, ready, start + GIVE_UP_S):
                    return time.perf_counter() - start
            time.sleep(0.01)
        raise SystemExit(f"{command[0]} was not ready within {GIVE_UP_S:g} s of its start")
    finally:
        process.terminate()
        process.wait(timeout=20)


def _is_ready(browser: Browser, ready: str, give_up: float) -> bool:
    while time.perf_counter() < give_up:
        pages = [page for context in browser.contexts for page in context.pages]
        if any(page.evaluate(ready) for page in pages):
            return True
        time.sleep(0.005)
    return False


def free_port() -> int:
    """A port of this machine that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def open_bare_window() -> None:
    """A window of pywebview whose page asks a server in a thread for one answer."""
    import threading
    from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

    from lab_app.desktop.binding import import_qt
    from lab_app.desktop.preflight import window_environment

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = PAGE if self.path == "/" else b"answer"
            self.send_response(200)
            self.send_header("Content-Type", "text/html" if self.path == "/" else "text/plain")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_arguments: object) -> None:
            """Nothing is logged."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    import_qt()
    os.environ.update(window_environment())
    import webview

    window = webview.create_window("Bare", f"http://127.0.0.1:{server.server_port}/")
    assert window is not None
    webview.start(gui="qt")


if __name__ == "__main__":
    main()
