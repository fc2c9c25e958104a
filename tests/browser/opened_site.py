"""A folder behind Python's own web server, and a page that may ask nothing else."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

from playwright.sync_api import Browser, Page


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Says nothing."""


@contextmanager
def opened_site(browser: Browser, folder: Path) -> Iterator[Callable[[str], Page]]:
    """Opens pages of the folder by their paths. None may complain or ask another server."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    Thread(target=server.serve_forever).start()
    address = f"http://127.0.0.1:{server.server_port}/"
    context = browser.new_context()
    complaints: list[str] = []

    def open_page(path: str) -> Page:
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
        page.on("request", lambda asked: None if asked.url.startswith(address) else complaints.append(asked.url))
        page.goto(address + path)
        page.locator("html[data-state=ready]").wait_for()
        return page

    try:
        yield open_page
    finally:
        context.close()
        server.shutdown()
        server.server_close()
    assert not complaints
